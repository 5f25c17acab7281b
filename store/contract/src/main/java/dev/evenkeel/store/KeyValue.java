package dev.evenkeel.store;

import dev.evenkeel.kernel.bytes.Bytes;

/**
 * A key as it stood at some revision.
 *
 * @param value empty where only keys were asked for
 * @param createRevision where the key came into being; a key deleted and written again is new
 * @param modRevision where it was last written
 * @param version how often it was written since it came into being, 1 for the first time
 */
public record KeyValue(
    Bytes key, Bytes value, long createRevision, long modRevision, long version) {

  /** Without the value: it may be a secret, and this ends up in logs. */
  @Override
  public String toString() {
    return "%s (%d bytes, created at %d, written at %d, version %d)"
        .formatted(key, value.length(), createRevision, modRevision, version);
  }
}
