package dev.evenkeel.observe.object;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One value for equal bytes: the pods of a workload carry the same labels and the same owner, which
 * are then read once and held once.
 *
 * <p><b>Invariants:</b> at most {@link #ENTRIES_MAX} entries; beyond it all are forgotten and it
 * begins anew, which costs some sharing and nothing else.
 *
 * <p><b>Threading:</b> owned by one loop.
 */
final class Interner<V> {

  static final int ENTRIES_MAX = 16_384;

  /** Longer ones are not worth keeping twice. */
  private static final int BYTES_MAX = 4_096;

  private final Map<Slice, V> values = new HashMap<>();
  private final Slice probe = new Slice(new byte[0], 0, 0);

  @Nullable V find(byte[] bytes, int from, int to) {
    probe.set(bytes, from, to);
    return values.get(probe);
  }

  void put(byte[] bytes, int from, int to, V value) {
    if (to - from > BYTES_MAX) {
      return;
    }
    if (values.size() >= ENTRIES_MAX) {
      values.clear();
    }
    values.put(new Slice(Arrays.copyOfRange(bytes, from, to), 0, to - from), value);
  }

  private static final class Slice {
    private byte[] bytes;
    private int from;
    private int to;
    private int hash;

    Slice(byte[] bytes, int from, int to) {
      this.bytes = bytes;
      set(bytes, from, to);
    }

    void set(byte[] newBytes, int newFrom, int newTo) {
      bytes = newBytes;
      from = newFrom;
      to = newTo;
      int sum = 1;
      for (int i = newFrom; i < newTo; i++) {
        sum = 31 * sum + newBytes[i];
      }
      hash = sum;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Slice slice
          && Arrays.equals(bytes, from, to, slice.bytes, slice.from, slice.to);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }
}
