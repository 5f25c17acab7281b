package dev.evenkeel.store.engine.mvcc;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.KeyValue;
import org.jspecify.annotations.Nullable;

/**
 * One version of one key, as the journal keeps it.
 *
 * @param revision the transaction's revision
 * @param position its place among the transaction's changes
 * @param value null for a deletion
 * @param createRevision 0 for a deletion
 * @param version 0 for a deletion
 * @param previousRevision where the version before this one stands in the journal, 0 if there is
 *     none; together these make each key's history a list from new to old
 */
public record KeyChange(
    long revision,
    int position,
    Bytes key,
    @Nullable Bytes value,
    long createRevision,
    long version,
    long previousRevision,
    int previousPosition) {

  /** The state after this change; null after a deletion. */
  @Nullable KeyValue state() {
    return value == null ? null : new KeyValue(key, value, createRevision, revision, version);
  }

  int bytes() {
    return key.length() + (value == null ? 0 : value.length());
  }
}
