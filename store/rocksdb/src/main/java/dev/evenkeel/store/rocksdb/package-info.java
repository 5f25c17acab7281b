/**
 * The embedded engine, the default: a store in a folder of one machine, on RocksDB. {@link
 * dev.evenkeel.store.rocksdb.EmbeddedStore} opens it; the folder's own rules (who holds it, which
 * format it has, what was acknowledged) are in {@link dev.evenkeel.store.rocksdb.DataFolder}.
 */
@NullMarked
package dev.evenkeel.store.rocksdb;

import org.jspecify.annotations.NullMarked;
