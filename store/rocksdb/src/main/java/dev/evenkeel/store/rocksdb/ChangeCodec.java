package dev.evenkeel.store.rocksdb;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.engine.mvcc.Head;
import dev.evenkeel.store.engine.mvcc.KeyChange;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * How versions and heads are written as bytes. All numbers are big-endian, so that RocksDB's order
 * of log keys is the order of revisions.
 *
 * <pre>
 *   log    revision 8 · position 4
 *       →  kind 1 · create 8 · version 8 · previous revision 8 · previous position 4
 *          · key length 4 · key · value
 *   index  key
 *       →  mod 8 · position 4 · create 8 · version 8 · value length 4
 * </pre>
 */
final class ChangeCodec {

  private static final byte PUT = 1;
  private static final byte DELETE = 2;
  private static final int FIXED_BYTES = 1 + 8 + 8 + 8 + 4 + 4;
  static final int PLACE_BYTES = 8 + 4;
  static final int HEAD_BYTES = 8 + 4 + 8 + 8 + 4;

  private ChangeCodec() {}

  static byte[] place(long revision, int position) {
    return ByteBuffer.allocate(PLACE_BYTES).putLong(revision).putInt(position).array();
  }

  static long revision(byte[] place) {
    return ByteBuffer.wrap(place).getLong();
  }

  /** How long a change is, written. */
  static int bytes(KeyChange change) {
    Bytes value = change.value();
    return FIXED_BYTES + change.key().length() + (value == null ? 0 : value.length());
  }

  static void place(long revision, int position, ByteBuffer to) {
    to.putLong(revision).putInt(position);
  }

  static void change(KeyChange change, ByteBuffer to) {
    Bytes value = change.value();
    to.put(value == null ? DELETE : PUT)
        .putLong(change.createRevision())
        .putLong(change.version())
        .putLong(change.previousRevision())
        .putInt(change.previousPosition())
        .putInt(change.key().length())
        .put(change.key().array());
    if (value != null) {
      to.put(value.array());
    }
  }

  static KeyChange change(byte[] place, byte[] bytes) {
    ByteBuffer at = ByteBuffer.wrap(place);
    return change(at.getLong(), at.getInt(), bytes);
  }

  static KeyChange change(long revision, int position, byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    byte kind = buffer.get();
    long createRevision = buffer.getLong();
    long version = buffer.getLong();
    long previousRevision = buffer.getLong();
    int previousPosition = buffer.getInt();
    int keyEnd = FIXED_BYTES + buffer.getInt();
    Bytes key = Bytes.wrap(Arrays.copyOfRange(bytes, FIXED_BYTES, keyEnd));
    Bytes value =
        kind == DELETE ? null : Bytes.wrap(Arrays.copyOfRange(bytes, keyEnd, bytes.length));
    return new KeyChange(
        revision,
        position,
        key,
        value,
        createRevision,
        version,
        previousRevision,
        previousPosition);
  }

  static void head(KeyChange change, ByteBuffer to) {
    Bytes value = change.value();
    to.putLong(change.revision())
        .putInt(change.position())
        .putLong(change.createRevision())
        .putLong(change.version())
        .putInt(value == null ? -1 : value.length());
  }

  static Head head(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    long modRevision = buffer.getLong();
    int position = buffer.getInt();
    long createRevision = buffer.getLong();
    long version = buffer.getLong();
    return new Head(modRevision, position, createRevision, version, buffer.getInt());
  }
}
