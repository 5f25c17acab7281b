package dev.evenkeel.prove.bench.api.load;

import java.util.Map;
import java.util.TreeMap;

/**
 * What came of a number of requests or deliveries.
 *
 * <p>Threading: owned by whoever counts; added up when all have ended.
 */
public final class LoadResult {

  private final Histogram latencies = new Histogram();
  private final Map<String, Long> errors = new TreeMap<>();
  private long bytes;

  void succeeded(long nanos, long answerBytes) {
    latencies.record(nanos);
    bytes += answerBytes;
  }

  void failed(String kind) {
    errors.merge(kind, 1L, Long::sum);
  }

  void add(LoadResult other) {
    latencies.add(other.latencies);
    bytes += other.bytes;
    other.errors.forEach((kind, count) -> errors.merge(kind, count, Long::sum));
  }

  /** How many succeeded. */
  public long count() {
    return latencies.count();
  }

  /** What the answers of those that succeeded weighed together. */
  public long bytes() {
    return bytes;
  }

  public Histogram latencies() {
    return latencies;
  }

  /** How many failed, by kind. */
  public Map<String, Long> errors() {
    return errors;
  }
}
