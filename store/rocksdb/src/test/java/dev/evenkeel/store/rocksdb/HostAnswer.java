package dev.evenkeel.store.rocksdb;

import dev.evenkeel.store.GetResult;
import dev.evenkeel.store.RangeResult;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.WatchBatch;

/** What a {@link StoreHost} answers. */
sealed interface HostAnswer {

  record Decided(TxnResult result) implements HostAnswer {}

  record Got(GetResult result) implements HostAnswer {}

  record Ranged(RangeResult result) implements HostAnswer {}

  /** The newest revision; also the host's first word, once the store is open. */
  record Revision(long revision) implements HostAnswer {}

  record Compacted() implements HostAnswer {}

  record Delivered(WatchBatch batch) implements HostAnswer {}

  record Failed(StoreException reason) implements HostAnswer {}

  /** It failed with something that no future of a store may fail with. */
  record Broken(String reason) implements HostAnswer {}
}
