package dev.evenkeel.store;

import dev.evenkeel.kernel.bytes.Bytes;

/**
 * Which keys to read.
 *
 * @param prefix what the keys start with; empty for all
 * @param start the first key to read; one that does not start with the prefix reads from the
 *     prefix's first key if it sorts before, and nothing if it sorts behind
 * @param limit how many at the most; 0 for no limit
 * @param revision as of when; {@link Store#NEWEST} for now
 * @param content what to read of each
 */
public record RangeQuery(Bytes prefix, Bytes start, int limit, long revision, Content content) {

  /** What to read. */
  public enum Content {
    /** Keys with their values. */
    VALUES,
    /** Keys with revisions and versions, and an empty value. */
    KEYS,
    /** Only how many there are: no items, {@link RangeResult#count} without regard to the limit. */
    COUNT
  }

  /** All keys with the prefix, as of now, with their values. */
  public static RangeQuery prefix(Bytes prefix) {
    return new RangeQuery(prefix, prefix, 0, Store.NEWEST, Content.VALUES);
  }

  public RangeQuery startingAt(Bytes key) {
    return new RangeQuery(prefix, key, limit, revision, content);
  }

  public RangeQuery limit(int items) {
    return new RangeQuery(prefix, start, items, revision, content);
  }

  public RangeQuery at(long asOfRevision) {
    return new RangeQuery(prefix, start, limit, asOfRevision, content);
  }

  public RangeQuery keysOnly() {
    return new RangeQuery(prefix, start, limit, revision, Content.KEYS);
  }

  public RangeQuery countOnly() {
    return new RangeQuery(prefix, start, limit, revision, Content.COUNT);
  }
}
