package dev.evenkeel.kernel.api;

import org.jspecify.annotations.Nullable;

/**
 * The header by which a leader has its late writes refused: it names the lease and the term that
 * the write is made in, and the server carries it out only while that term lasts.
 *
 * @param lease as {@code namespace/name}
 * @param transitions the lease's {@code leaseTransitions} in that term
 * @param holder its {@code holderIdentity}
 */
public record LeaseFence(String lease, long transitions, String holder) {

  public static final String HEADER = "evenkeel-lease";

  /** The reason of the 412 for a write whose term is over. */
  public static final String LEASE_LOST = "LeaseLost";

  /** The value of the header. */
  public String text() {
    return lease + " " + transitions + " " + holder;
  }

  /** Reads the value of the header; null if it is none. */
  public static @Nullable LeaseFence parse(String text) {
    String[] words = text.strip().split(" ", 3);
    int slash = words[0].indexOf('/');
    if (words.length < 3 || slash < 1 || slash == words[0].length() - 1) {
      return null;
    }
    try {
      return new LeaseFence(words[0], Long.parseLong(words[1]), words[2]);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
