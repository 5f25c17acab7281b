package dev.evenkeel.store;

import dev.evenkeel.kernel.bytes.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * What must hold for a transaction to commit. For a key that is not there, mod revision and version
 * are 0, and no value is equal to its value.
 */
public sealed interface Compare {

  Bytes key();

  record Exists(Bytes key) implements Compare {}

  record Absent(Bytes key) implements Compare {}

  record ModRevision(Bytes key, long modRevision) implements Compare {}

  record Version(Bytes key, long version) implements Compare {}

  record Value(Bytes key, Bytes value) implements Compare {

    /** Without the value: it may be a secret, and this ends up in logs. */
    @Override
    public String toString() {
      return "Value[key=%s, %d bytes]".formatted(key, value.length());
    }
  }

  /** Whether it holds for the key's current state; null is a key that is not there. */
  default boolean holdsFor(@Nullable KeyValue current) {
    return switch (this) {
      case Exists _ -> current != null;
      case Absent _ -> current == null;
      case ModRevision c -> c.modRevision == (current == null ? 0 : current.modRevision());
      case Version c -> c.version == (current == null ? 0 : current.version());
      case Value c -> current != null && c.value.equals(current.value());
    };
  }
}
