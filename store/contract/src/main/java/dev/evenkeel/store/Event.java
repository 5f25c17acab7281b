package dev.evenkeel.store;

import dev.evenkeel.kernel.bytes.Bytes;
import org.jspecify.annotations.Nullable;

/** One key's change. */
public sealed interface Event {

  Bytes key();

  /** The state before, if it was asked for and there was one. */
  @Nullable KeyValue previous();

  record Put(KeyValue current, @Nullable KeyValue previous) implements Event {
    @Override
    public Bytes key() {
      return current.key();
    }
  }

  record Delete(Bytes key, @Nullable KeyValue previous) implements Event {}
}
