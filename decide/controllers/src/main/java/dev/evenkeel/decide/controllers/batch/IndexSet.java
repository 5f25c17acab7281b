package dev.evenkeel.decide.controllers.batch;

import java.util.BitSet;

/**
 * The numbers of an indexed job's pods, as its status writes them: {@code 0,2-4}.
 *
 * <p><b>Threading:</b> of one decision.
 */
final class IndexSet {

  private final BitSet bits;

  private IndexSet(BitSet bits) {
    this.bits = bits;
  }

  static IndexSet empty() {
    return new IndexSet(new BitSet());
  }

  /**
   * Reads a list. Parts that are none are skipped, and so is what is not below the limit.
   *
   * @param limit how many indexes there are
   */
  static IndexSet parse(String text, int limit) {
    IndexSet set = empty();
    for (String part : text.split(",", -1)) {
      int dash = part.indexOf('-');
      int first = number(dash < 0 ? part : part.substring(0, dash));
      int last = dash < 0 ? first : number(part.substring(dash + 1));
      if (first >= 0 && last >= first && first < limit) {
        set.bits.set(first, Math.min(last, limit - 1) + 1);
      }
    }
    return set;
  }

  private static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  IndexSet copy() {
    return new IndexSet((BitSet) bits.clone());
  }

  IndexSet with(IndexSet others) {
    IndexSet all = copy();
    all.bits.or(others.bits);
    return all;
  }

  void add(int index) {
    bits.set(index);
  }

  void remove(int index) {
    bits.clear(index);
  }

  boolean has(int index) {
    return index >= 0 && bits.get(index);
  }

  int size() {
    return bits.cardinality();
  }

  /** How many of those are here too. */
  int common(IndexSet others) {
    BitSet both = (BitSet) bits.clone();
    both.and(others.bits);
    return both.cardinality();
  }

  /** The least index from here on that is not in the set. */
  int nextMissing(int from) {
    return bits.nextClearBit(from);
  }

  /** Two neighbours are written one by one; a dash stands for three or more. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    int first = bits.nextSetBit(0);
    while (first >= 0) {
      int last = bits.nextClearBit(first) - 1;
      text.append(text.isEmpty() ? "" : ",").append(first);
      if (last > first) {
        text.append(last == first + 1 ? ',' : '-').append(last);
      }
      first = bits.nextSetBit(last + 1);
    }
    return text.toString();
  }
}
