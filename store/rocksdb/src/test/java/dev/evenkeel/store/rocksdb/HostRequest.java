package dev.evenkeel.store.rocksdb;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.WatchQuery;

/** What a {@link HostedStore} asks of its {@link StoreHost}. */
sealed interface HostRequest {

  record Commit(Txn txn) implements HostRequest {}

  record Get(Bytes key, long revision) implements HostRequest {}

  record Range(RangeQuery query) implements HostRequest {}

  record CurrentRevision() implements HostRequest {}

  record Compact(long revision) implements HostRequest {}

  /** Not answered: what is wrong with it is told by the first {@link NextBatch}. */
  record OpenWatch(long watch, WatchQuery query) implements HostRequest {}

  record NextBatch(long watch) implements HostRequest {}

  /** Not answered. */
  record RequestProgress(long watch) implements HostRequest {}

  /** Not answered. */
  record CloseWatch(long watch) implements HostRequest {}
}
