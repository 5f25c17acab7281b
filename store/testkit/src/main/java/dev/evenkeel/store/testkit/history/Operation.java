package dev.evenkeel.store.testkit.history;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.Txn;

/** What a client asked of the store. */
public sealed interface Operation {

  record Commit(Txn txn) implements Operation {}

  record Get(Bytes key, long revision) implements Operation {}

  record Range(RangeQuery query) implements Operation {}

  record CurrentRevision() implements Operation {}
}
