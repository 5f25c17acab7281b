package dev.evenkeel.store.etcd.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.KeyValue;
import java.util.Arrays;

/**
 * How the store's keys lie in etcd: each behind the engine's prefix.
 *
 * <p>No key of the store is empty, so the bare prefix is never one of them: it is the engine's own
 * mark key. It lies inside the range that the engine watches and outside of every range that it
 * reads.
 */
public final class Keyspace {

  /** A range's keys: start included, end excluded. */
  public record Span(ByteString start, ByteString end) {}

  /** What etcd takes as "no end". */
  private static final ByteString NO_END = ByteString.copyFrom(new byte[] {0});

  private final Bytes prefix;

  public Keyspace(String prefix) {
    this.prefix = Bytes.utf8(prefix);
  }

  public ByteString mark() {
    return wrap(prefix);
  }

  public boolean isMark(ByteString etcdKey) {
    return etcdKey.size() == prefix.length();
  }

  public ByteString etcdKey(Bytes key) {
    return wrap(join(key));
  }

  public Bytes key(ByteString etcdKey) {
    return Bytes.wrap(etcdKey.substring(prefix.length()).toByteArray());
  }

  /** All keys with the prefix, the mark excluded. */
  Span span(Bytes keyPrefix) {
    return span(keyPrefix, keyPrefix);
  }

  /** Of the keys with the prefix those from {@code start} on; start does not sort before it. */
  public Span span(Bytes keyPrefix, Bytes start) {
    Bytes first = start.isEmpty() ? prefix.successor() : join(start);
    return new Span(wrap(first), end(join(keyPrefix)));
  }

  /** Everything of the engine's, the mark included. */
  public Span everything() {
    return new Span(wrap(prefix), end(prefix));
  }

  public KeyValue keyValue(io.etcd.jetcd.api.KeyValue kv) {
    return new KeyValue(
        key(kv.getKey()),
        Bytes.wrap(kv.getValue().toByteArray()),
        kv.getCreateRevision(),
        kv.getModRevision(),
        kv.getVersion());
  }

  public static ByteString wrap(Bytes bytes) {
    return UnsafeByteOperations.unsafeWrap(bytes.array());
  }

  private static ByteString end(Bytes start) {
    Bytes end = start.prefixEnd();
    return end == null ? NO_END : wrap(end);
  }

  private Bytes join(Bytes key) {
    byte[] joined = Arrays.copyOf(prefix.array(), prefix.length() + key.length());
    System.arraycopy(key.array(), 0, joined, prefix.length(), key.length());
    return Bytes.wrap(joined);
  }
}
