package dev.evenkeel.decide.schedule.metric;

import dev.evenkeel.explain.record.Decision.Outcome;
import dev.evenkeel.kernel.metric.Buckets;
import dev.evenkeel.kernel.metric.Meters;
import dev.evenkeel.kernel.metric.Series;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a scheduler is measured by. A profile is a name under which it places pods.
 *
 * <p><b>Threading:</b> any.
 */
public final class SchedulerMetrics {

  private static final int PROFILES_MAX = 100;

  /** From as many attempts on they are told apart no more, as upstream does it. */
  private static final int ATTEMPTS_MAX = 15;

  /** What came of an attempt. */
  private enum Result {
    SCHEDULED,
    UNSCHEDULABLE,
    ERROR
  }

  /** What came of a binding. */
  public enum Binding {
    BOUND("Success"),
    TOO_LITTLE("Unschedulable"),
    REFUSED("Error");

    private final String status;

    Binding(String status) {
      this.status = status;
    }
  }

  /** What counts attempts of one result. */
  private record Ended(CounterDataPoint count, DistributionDataPoint seconds) {}

  /** What counts for one profile. */
  private record Profile(Map<Result, Ended> ended, Map<Binding, DistributionDataPoint> bindings) {}

  private final Counter attempts;
  private final Histogram attemptSeconds;
  private final Histogram points;
  private final DistributionDataPoint algorithm;
  private final Map<Binding, DistributionDataPoint> bindings = new EnumMap<>(Binding.class);
  private final DistributionDataPoint[] waits = new DistributionDataPoint[ATTEMPTS_MAX + 1];
  private final DistributionDataPoint attemptsOfPods;
  private final Series<String, Profile> profiles;

  public SchedulerMetrics(Meters meters) {
    this.attempts =
        meters.counter(
            "scheduler_schedule_attempts_total",
            "Attempts to place a pod, by result",
            "result",
            "profile");
    this.attemptSeconds =
        meters.histogram(
            "scheduler_scheduling_attempt_duration_seconds",
            "How long attempts took, the binding included",
            Buckets.exponential(0.001, 2, 15),
            "result",
            "profile");
    this.points =
        meters.histogram(
            "scheduler_framework_extension_point_duration_seconds",
            "How long bindings took",
            Buckets.exponential(0.000_1, 2, 12),
            "extension_point",
            "status",
            "profile");
    this.algorithm =
        meters.histogram(
            "scheduler_scheduling_algorithm_duration_seconds",
            "How long it took to find a node, or nodes for a group",
            Buckets.exponential(0.001, 2, 15));
    Histogram waiting =
        meters.histogram(
            "scheduler_pod_scheduling_sli_duration_seconds",
            "How long pods that were bound had waited for it, without the time behind gates",
            Buckets.exponential(0.01, 2, 20),
            "attempts");
    this.attemptsOfPods =
        meters.histogram(
            "scheduler_pod_scheduling_attempts",
            "How many attempts it took to place a pod",
            Buckets.exponential(1, 2, 5));
    Histogram ours =
        meters.histogram(
            "evenkeel_scheduler_binding_duration_seconds",
            "From the asking for a binding until its outcome was known, repetitions included",
            Buckets.steps(),
            "outcome");
    for (Binding binding : Binding.values()) {
      bindings.put(binding, ours.labelValues(word(binding)));
    }
    for (int i = 1; i <= ATTEMPTS_MAX; i++) {
      waits[i] = waiting.labelValues(i == ATTEMPTS_MAX ? ATTEMPTS_MAX + "+" : "" + i);
    }
    waits[0] = waits[1];
    this.profiles = new Series<>(PROFILES_MAX, _ -> "", this::profile);
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private Profile profile(String name) {
    Map<Result, Ended> ended = new EnumMap<>(Result.class);
    for (Result result : Result.values()) {
      ended.put(
          result,
          new Ended(
              attempts.labelValues(word(result), name),
              attemptSeconds.labelValues(word(result), name)));
    }
    Map<Binding, DistributionDataPoint> bound = new EnumMap<>(Binding.class);
    for (Binding binding : Binding.values()) {
      bound.put(binding, points.labelValues("Bind", binding.status, name));
    }
    return new Profile(ended, bound);
  }

  /** A profile's figures are there from the start, as 0. */
  public void begin(String profile) {
    var _ = profiles.of(profile);
  }

  /** A node was looked for. */
  public void searched(long nanos) {
    algorithm.observe(Meters.seconds(nanos));
  }

  /** An attempt has ended, and its outcome is written down. */
  public void ended(String profile, Outcome.Kind outcome, long nanos) {
    Result result = result(outcome);
    if (result != null) {
      Ended known = Objects.requireNonNull(profiles.of(profile).ended.get(result));
      known.count.inc();
      known.seconds.observe(Meters.seconds(nanos));
    }
  }

  private static @Nullable Result result(Outcome.Kind outcome) {
    return switch (outcome) {
      case ACTED -> Result.SCHEDULED;
      case WAITING -> Result.UNSCHEDULABLE;
      case FAILED, CONFLICT -> Result.ERROR;
      // Nobody wants it placed any more.
      case GONE, SETTLED -> null;
    };
  }

  /** A pod has its node. */
  public void placed(int attemptsMade, long waitedNanos) {
    waits[Math.clamp(attemptsMade, 1, ATTEMPTS_MAX)].observe(Meters.seconds(waitedNanos));
    attemptsOfPods.observe(attemptsMade);
  }

  /** A binding, of one pod or of a group, was answered. */
  public void answered(String profile, Binding outcome, long nanos) {
    double seconds = Meters.seconds(nanos);
    Objects.requireNonNull(bindings.get(outcome)).observe(seconds);
    Objects.requireNonNull(profiles.of(profile).bindings.get(outcome)).observe(seconds);
  }
}
