package dev.evenkeel.store.engine.mvcc;

import dev.evenkeel.kernel.bytes.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The newest version of a key: all about it but, perhaps, its value. A deletion is a head too,
 * until compaction passes it, because older revisions are found through it.
 *
 * <p><b>Threading.</b> Immutable but for the cached value, which any thread may set or drop: it is
 * always null or this version's one value, and {@link Bytes} is safe to publish without a barrier.
 */
public final class Head {

  private static final int DELETED = -1;

  private final long modRevision;
  private final long createRevision;
  private final long version;
  private final int position;
  private final int valueLength;

  /** Set by readers, cleared by the cache's clock: whether it was read since the clock came by. */
  boolean touched;

  @Nullable Bytes cached;

  public Head(long modRevision, int position, long createRevision, long version, int valueLength) {
    this.modRevision = modRevision;
    this.position = position;
    this.createRevision = createRevision;
    this.version = version;
    this.valueLength = valueLength;
  }

  static Head of(KeyChange change) {
    Bytes value = change.value();
    return new Head(
        change.revision(),
        change.position(),
        change.createRevision(),
        change.version(),
        value == null ? DELETED : value.length());
  }

  public long modRevision() {
    return modRevision;
  }

  public int position() {
    return position;
  }

  public long createRevision() {
    return createRevision;
  }

  public long version() {
    return version;
  }

  /** -1 for a deletion. */
  public int valueLength() {
    return valueLength;
  }

  boolean deleted() {
    return valueLength == DELETED;
  }
}
