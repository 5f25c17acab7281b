package dev.evenkeel.kernel.metric;

/** Bounds of histograms, in seconds where it is not said. */
public final class Buckets {

  /** Those of upstream for requests, and five below them: most of what happens here is faster. */
  private static final double[] REQUESTS = {
    0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0,
    1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60
  };

  private static final double[] STEPS = {
    0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.025, 0.1, 0.5, 1.0, 2.5, 10.0
  };

  private Buckets() {}

  public static double[] requests() {
    return REQUESTS.clone();
  }

  /** For what happens within one server: from a tenth of a millisecond to ten seconds. */
  public static double[] steps() {
    return STEPS.clone();
  }

  /** Each bound is a multiple of the one before. */
  public static double[] exponential(double first, double factor, int count) {
    var bounds = new double[count];
    double bound = first;
    for (int i = 0; i < count; i++) {
      bounds[i] = bound;
      bound *= factor;
    }
    return bounds;
  }
}
