package dev.evenkeel.serve.cel.estimate;

/** The least and the most of a size or a cost. What is too large to count is the largest number. */
record Range(long min, long max) {

  static final Range ZERO = new Range(0, 0);
  static final Range ONE = new Range(1, 1);
  static final Range UNKNOWN = new Range(0, Long.MAX_VALUE);

  static Range of(long exactly) {
    return new Range(exactly, exactly);
  }

  Range plus(Range other) {
    return new Range(sum(min, other.min), sum(max, other.max));
  }

  Range times(Range other) {
    return new Range(product(min, other.min), product(max, other.max));
  }

  Range times(double factor) {
    return new Range(scaled(min, factor), scaled(max, factor));
  }

  Range or(Range other) {
    return new Range(Math.min(min, other.min), Math.max(max, other.max));
  }

  private static long sum(long first, long second) {
    return first > Long.MAX_VALUE - second ? Long.MAX_VALUE : first + second;
  }

  private static long product(long first, long second) {
    return second != 0 && first > Long.MAX_VALUE / second ? Long.MAX_VALUE : first * second;
  }

  /** Rounded up; a cast of what is too large gives the largest number. */
  private static long scaled(long number, double factor) {
    return (long) Math.ceil(number * factor);
  }
}
