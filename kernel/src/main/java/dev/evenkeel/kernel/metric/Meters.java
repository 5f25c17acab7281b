package dev.evenkeel.kernel.metric;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.core.metrics.Info;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/**
 * All that one server measures. Many servers may run in one process, so there is no registry that
 * is everybody's.
 *
 * <p>What happens often is counted on a data point: ask for it once, with {@code labelValues}, and
 * keep it. What a part knows anyway is asked for when somebody looks, and costs nothing between.
 *
 * <p>A label has few values, known beforehand or bounded ({@link Series}): never a name, a path or
 * a user.
 *
 * <p><b>Invariants:</b> a name is declared once, with a help text.
 *
 * <p><b>Threading:</b> any.
 */
public final class Meters {

  private static final double BILLION = 1e9;

  /** What a metric is. */
  public enum Type {
    COUNTER,
    GAUGE,
    HISTOGRAM,
    /** Always 1, and says what it has to say in its labels. */
    INFO
  }

  /** A metric that is there, whether or not it has a value yet. */
  public record Declared(String name, Type type, String help, List<String> labels) {
    public Declared {
      labels = List.copyOf(labels);
    }
  }

  /** Is told the values of a metric. */
  @FunctionalInterface
  public interface Values {

    /** Says one value. Of two with the same labels, the first counts. */
    void is(double value, String... labels);
  }

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final List<Declared> declared = new CopyOnWriteArrayList<>();

  /** Seconds, as durations are measured in. */
  public static double seconds(long nanos) {
    return nanos / BILLION;
  }

  // ---- what parts count

  /** A counter; its name ends in {@code _total}. */
  public Counter counter(String name, String help, String... labels) {
    declare(name, Type.COUNTER, help, labels);
    return Counter.builder()
        .name(name)
        .help(help)
        .labelNames(labels)
        .withoutExemplars()
        .register(registry);
  }

  public Gauge gauge(String name, String help, String... labels) {
    declare(name, Type.GAUGE, help, labels);
    return Gauge.builder()
        .name(name)
        .help(help)
        .labelNames(labels)
        .withoutExemplars()
        .register(registry);
  }

  /**
   * A histogram.
   *
   * @param bounds of its buckets, without the last one, which has none
   */
  public Histogram histogram(String name, String help, double[] bounds, String... labels) {
    declare(name, Type.HISTOGRAM, help, labels);
    return Histogram.builder()
        .name(name)
        .help(help)
        .labelNames(labels)
        .classicOnly()
        .classicUpperBounds(bounds)
        .withoutExemplars()
        .register(registry);
  }

  // ---- what parts are asked for

  /** A counter that a part keeps itself. */
  public void counted(String name, String help, DoubleSupplier value) {
    counted(name, help, List.of(), values -> values.is(value.getAsDouble()));
  }

  /** The same with labels. */
  public void counted(String name, String help, List<String> labels, Consumer<Values> values) {
    String[] names = labels.toArray(String[]::new);
    declare(name, Type.COUNTER, help, names);
    CounterWithCallback.builder()
        .name(name)
        .help(help)
        .labelNames(names)
        .callback(callback -> values.accept(once(callback::call)))
        .register(registry);
  }

  /** A gauge that a part knows the value of. */
  public void measured(String name, String help, DoubleSupplier value) {
    measured(name, help, List.of(), values -> values.is(value.getAsDouble()));
  }

  /** The same with labels. */
  public void measured(String name, String help, List<String> labels, Consumer<Values> values) {
    String[] names = labels.toArray(String[]::new);
    declare(name, Type.GAUGE, help, names);
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .labelNames(names)
        .callback(callback -> values.accept(once(callback::call)))
        .register(registry);
  }

  /** A page is not lost because of two parts that go by one name for a moment. */
  private static Values once(Values values) {
    Set<List<String>> seen = new HashSet<>();
    return (value, labels) -> {
      if (seen.add(List.of(labels))) {
        values.is(value, labels);
      }
    };
  }

  /** What does not change, said in labels; its name ends in {@code _info}. */
  public void described(String name, String help, Map<String, String> labels) {
    var sorted = new TreeMap<>(labels);
    String[] names = sorted.keySet().toArray(String[]::new);
    declare(name, Type.INFO, help, names);
    Info.builder()
        .name(name)
        .help(help)
        .labelNames(names)
        .register(registry)
        .setLabelValues(sorted.values().toArray(String[]::new));
  }

  private void declare(String name, Type type, String help, String... labels) {
    if (help.isBlank()) {
      throw new IllegalArgumentException(name + " is without a help text");
    }
    if (declared.stream().anyMatch(known -> known.name().equals(name))) {
      throw new IllegalArgumentException(name + " is declared already");
    }
    declared.add(new Declared(name, type, help, List.of(labels)));
  }

  // ---- who looks

  /** All values now. */
  public MetricSnapshots scrape() {
    return registry.scrape();
  }

  /** All metrics that there are. */
  public List<Declared> declared() {
    return new ArrayList<>(declared);
  }
}
