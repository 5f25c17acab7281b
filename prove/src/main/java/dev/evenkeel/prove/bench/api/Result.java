package dev.evenkeel.prove.bench.api;

import dev.evenkeel.prove.bench.api.load.Histogram;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a phase measured. A figure that could not be taken is not a number.
 *
 * @param size how many objects there were
 * @param unit what is counted
 * @param count how many of them, in {@code seconds}
 * @param errors by kind; empty is what one wants
 * @param figures what else was measured, by name
 */
record Result(
    String phase,
    int size,
    String unit,
    double count,
    double seconds,
    double p50Millis,
    double p99Millis,
    Map<String, Long> errors,
    Cost cost,
    Map<String, Double> figures) {

  /** What it took. */
  record Cost(double serverCpuSeconds, double generatorCpuSeconds, double residentBytes) {

    static final Cost UNKNOWN = new Cost(Double.NaN, Double.NaN, Double.NaN);
  }

  static Result of(
      String phase,
      int size,
      String unit,
      double count,
      double seconds,
      Histogram latencies,
      Map<String, Long> errors,
      Cost cost) {
    return new Result(
        phase,
        size,
        unit,
        count,
        seconds,
        latencies.percentileMillis(0.50),
        latencies.percentileMillis(0.99),
        errors,
        cost,
        Map.of());
  }

  /** One that consists of named figures only. */
  static Result ofFigures(
      String phase, int size, Map<String, Long> errors, Cost cost, Map<String, Double> figures) {
    return new Result(
        phase,
        size,
        "",
        Double.NaN,
        Double.NaN,
        Double.NaN,
        Double.NaN,
        errors,
        cost,
        new LinkedHashMap<>(figures));
  }

  Result with(Map<String, Double> more) {
    return new Result(phase, size, unit, count, seconds, p50Millis, p99Millis, errors, cost, more);
  }

  double errorCount() {
    return errors.values().stream().mapToDouble(Long::doubleValue).sum();
  }

  double perSecond() {
    return count / seconds;
  }

  double serverCpuMicrosPerUnit() {
    return cost.serverCpuSeconds * 1e6 / count;
  }

  double generatorCpuMicrosPerUnit() {
    return cost.generatorCpuSeconds * 1e6 / count;
  }

  double figure(String name) {
    return figures.getOrDefault(name, Double.NaN);
  }
}
