package dev.evenkeel.operate.control;

import dev.evenkeel.decide.guard.Mishaps;
import dev.evenkeel.decide.lead.LeaseElection;
import dev.evenkeel.decide.queue.Entry;
import dev.evenkeel.decide.queue.QueueFigures;
import dev.evenkeel.decide.queue.WorkQueue;
import dev.evenkeel.decide.run.ControllerRunner;
import dev.evenkeel.decide.schedule.run.Scheduler;
import dev.evenkeel.kernel.metric.Meters;
import dev.evenkeel.kernel.metric.Meters.Values;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** What controllers and the scheduler know of themselves at the moment somebody asks. */
public final class ControlFigures {

  private static final List<String> NAME = List.of("name");
  private static final List<String> CONTROLLER = List.of("controller");

  /** Segments of the scheduler's queue that upstream's has too. */
  private static final List<String> UPSTREAMS_QUEUES =
      List.of("active", "backoff", "gated", "unschedulable");

  private final Meters meters;
  private final Controllers controllers;

  private ControlFigures(Meters meters, Controllers controllers) {
    this.meters = meters;
    this.controllers = controllers;
  }

  /** Adds them. */
  public static void register(Meters meters, Controllers controllers) {
    var figures = new ControlFigures(meters, controllers);
    figures.upstreamsQueues();
    figures.queues();
    figures.leases();
    figures.events();
    figures.views();
    Scheduler scheduler = controllers.scheduler();
    if (scheduler != null) {
      scheduler(meters, scheduler);
    }
  }

  // ---- queues

  private Consumer<Values> ofQueues(ToDoubleFunction<QueueFigures> figure) {
    return values -> {
      for (WorkQueue queue : controllers.queues()) {
        values.is(figure.applyAsDouble(queue.figures()), queue.name());
      }
    };
  }

  /** Under the names that dashboards for Kubernetes use. */
  private void upstreamsQueues() {
    meters.measured(
        "workqueue_depth", "Keys that wait for a worker", NAME, ofQueues(depth(Entry.State.READY)));
    meters.counted("workqueue_adds_total", "Wake-ups", NAME, ofQueues(QueueFigures::adds));
    meters.counted("workqueue_retries_total", "Failures", NAME, ofQueues(QueueFigures::failures));
    meters.measured(
        "workqueue_unfinished_work_seconds",
        "How long the keys that are worked on have been so, in all",
        NAME,
        ofQueues(figures -> seconds(figures.working())));
    meters.measured(
        "workqueue_longest_running_processor_seconds",
        "How long the key that is worked on longest has been so",
        NAME,
        ofQueues(figures -> seconds(figures.longestWorking())));
    meters.measured(
        "controller_runtime_active_workers",
        "Keys that are worked on",
        CONTROLLER,
        ofQueues(depth(Entry.State.WORKING)));
    meters.measured(
        "controller_runtime_max_concurrent_reconciles",
        "Keys that may be worked on at a time",
        CONTROLLER,
        values -> {
          for (ControllerRunner<?> runner : controllers.running()) {
            values.is(ControllerRunner.IN_FLIGHT_MAX, runner.name());
          }
        });
  }

  private static ToDoubleFunction<QueueFigures> depth(Entry.State state) {
    return figures -> figures.depths().getOrDefault(state, 0);
  }

  private static double seconds(Duration duration) {
    return Meters.seconds(duration.toNanos());
  }

  private void queues() {
    meters.measured(
        "evenkeel_queue_depth",
        "Keys in a controller's queue, by state",
        List.of("controller", "state"),
        values -> {
          for (WorkQueue queue : controllers.queues()) {
            Map<Entry.State, Integer> depths = queue.figures().depths();
            for (Entry.State state : Entry.State.values()) {
              values.is(depths.getOrDefault(state, 0), queue.name(), word(state));
            }
          }
        });
    meters.measured(
        "evenkeel_queue_oldest_ready_seconds",
        "How long the first has waited",
        CONTROLLER,
        ofQueues(figures -> seconds(figures.oldestReady())));
    counted("adds", "Wake-ups that were taken in", QueueFigures::adds);
    counted("takes", "Keys given to a controller", QueueFigures::takes);
    counted("failures", "Attempts that failed", QueueFigures::failures);
  }

  private void counted(String name, String help, ToLongFunction<QueueFigures> figure) {
    meters.counted(
        "evenkeel_queue_" + name + "_total", help, CONTROLLER, ofQueues(figure::applyAsLong));
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  // ---- who leads, what is told, what waits

  private void leases() {
    String help = "Whether this process leads: 1, or 0 while it waits";
    meters.measured("leader_election_master_status", help, NAME, this::leads);
    meters.measured("evenkeel_lease_leads", help, List.of("lease"), this::leads);
  }

  private void leads(Values values) {
    for (LeaseElection election : controllers.elections()) {
      values.is(election.term() == null ? 0 : 1, election.lease());
    }
  }

  private void events() {
    meters.counted(
        "evenkeel_events_told_total",
        "Events that controllers told",
        () -> (double) controllers.events().told());
    meters.counted(
        "evenkeel_events_written_total",
        "Events written, new ones and counts",
        () -> (double) controllers.events().written());
    meters.counted(
        "evenkeel_events_dropped_total",
        "Events forgotten: too many at once, or refused",
        () -> (double) controllers.events().dropped());
  }

  private void views() {
    meters.measured(
        "evenkeel_late_views",
        "What is not planned for: too little of it is seen",
        CONTROLLER,
        values -> late(_ -> 1L, Long::sum).forEach((name, count) -> values.is(count, name)));
    meters.measured(
        "evenkeel_late_view_seconds",
        "How long the longest of it has waited",
        CONTROLLER,
        values ->
            late(late -> late.lasts().toSeconds(), Math::max)
                .forEach((name, seconds) -> values.is(seconds, name)));
    meters.counted(
        "evenkeel_reconciler_mishaps_total",
        "What no reconciler should do, by kind",
        List.of("controller", "kind"),
        values -> {
          for (ControllerRunner<?> runner : controllers.running()) {
            for (Mishaps.Kind kind : Mishaps.Kind.values()) {
              values.is((double) runner.mishaps().number(kind), runner.name(), word(kind));
            }
          }
        });
  }

  private Map<String, Long> late(
      ToLongFunction<Controllers.Late> figure, BinaryOperator<Long> merge) {
    Map<String, Long> figures = new TreeMap<>();
    controllers.running().forEach(runner -> figures.put(runner.name(), 0L));
    for (Controllers.Late late : controllers.late()) {
      figures.merge(late.controller(), figure.applyAsLong(late), merge);
    }
    return figures;
  }

  // ---- the scheduler

  private static void scheduler(Meters meters, Scheduler scheduler) {
    meters.measured(
        "scheduler_pending_pods",
        "Pods that wait for a node, by where they wait",
        List.of("queue"),
        values -> {
          Map<String, Integer> waiting = scheduler.waiting();
          UPSTREAMS_QUEUES.forEach(queue -> values.is(waiting.getOrDefault(queue, 0), queue));
        });
    meters.measured(
        "evenkeel_scheduler_pods",
        "Pods that wait for a node, by where they wait, those on their way to one included",
        List.of("segment"),
        values -> scheduler.waiting().forEach((segment, count) -> values.is(count, segment)));
    meters.counted(
        "evenkeel_scheduler_attempts_total",
        "Attempts to place a pod, by outcome",
        List.of("outcome"),
        values -> {
          values.is((double) scheduler.placed(), "placed");
          values.is((double) scheduler.unplaced(), "unplaced");
          values.is((double) scheduler.refused(), "refused");
        });
  }
}
