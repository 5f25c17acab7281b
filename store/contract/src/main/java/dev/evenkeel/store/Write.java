package dev.evenkeel.store;

import dev.evenkeel.kernel.bytes.Bytes;

/** One change of a transaction. */
public sealed interface Write {

  Bytes key();

  /** Gives the key a value: a new version even if the value is what it was. */
  record Put(Bytes key, Bytes value) implements Write {

    /** Without the value: it may be a secret, and this ends up in logs. */
    @Override
    public String toString() {
      return "Put[key=%s, %d bytes]".formatted(key, value.length());
    }
  }

  /** Removes the key, if it is there. */
  record Delete(Bytes key) implements Write {}
}
