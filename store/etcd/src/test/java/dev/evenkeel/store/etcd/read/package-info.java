@NullMarked
package dev.evenkeel.store.etcd.read;

import org.jspecify.annotations.NullMarked;
