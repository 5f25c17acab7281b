@NullMarked
package dev.evenkeel.store.etcd.client;

import org.jspecify.annotations.NullMarked;
