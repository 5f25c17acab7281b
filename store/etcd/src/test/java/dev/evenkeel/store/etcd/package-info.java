/** The store in etcd under test, against real etcd processes. */
@NullMarked
package dev.evenkeel.store.etcd;

import org.jspecify.annotations.NullMarked;
