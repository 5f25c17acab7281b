package dev.evenkeel.prove.bench.api.load;

/**
 * Counts durations in buckets that are at most one part in 128 wide, from a nanosecond to
 * centuries.
 *
 * <p>Threading: owned by whoever records.
 */
public final class Histogram {

  /*
   * A value below 256 has a bucket of its own; above, each doubling of the value has 128 buckets:
   * as a floating-point number with seven digits behind the leading one.
   */
  private static final int DIGITS = 7;

  private static final int BUCKETS = (64 - DIGITS) << DIGITS;

  private final long[] counts = new long[BUCKETS];
  private long count;
  private long max;

  public void record(long nanos) {
    long value = Math.max(0, nanos);
    counts[bucket(value)]++;
    count++;
    max = Math.max(max, value);
  }

  public void add(Histogram other) {
    for (int i = 0; i < BUCKETS; i++) {
      counts[i] += other.counts[i];
    }
    count += other.count;
    max = Math.max(max, other.max);
  }

  public long count() {
    return count;
  }

  public double maxMillis() {
    return count == 0 ? Double.NaN : max / 1e6;
  }

  /**
   * The smallest recorded duration that at least the given share of all does not exceed, to one
   * part in 128; not a number if there is none.
   */
  public double percentileMillis(double share) {
    long rank = Math.max(1, (long) Math.ceil(share * count));
    long seen = 0;
    for (int i = 0; i < BUCKETS; i++) {
      seen += counts[i];
      if (seen >= rank) {
        return Math.min(max, middle(i)) / 1e6;
      }
    }
    return Double.NaN;
  }

  private static int bucket(long value) {
    int shift = Math.max(0, 63 - DIGITS - Long.numberOfLeadingZeros(value));
    return (shift << DIGITS) + (int) (value >>> shift);
  }

  private static long middle(int bucket) {
    int shift = Math.max(0, (bucket >>> DIGITS) - 1);
    long lowest = (long) (bucket - (shift << DIGITS)) << shift;
    return lowest + (1L << shift >>> 1);
  }
}
