package dev.evenkeel.operate.control;

import dev.evenkeel.decide.schedule.run.Scheduler;
import org.jspecify.annotations.Nullable;

/** What the scheduler shows of itself. */
public final class SchedulerPage {

  private SchedulerPage() {}

  /** In Prometheus' text format; nothing where others schedule. */
  public static String metrics(@Nullable Scheduler scheduler) {
    if (scheduler == null) {
      return "";
    }
    var text = new StringBuilder();
    text.append("# HELP evenkeel_scheduler_pods Pods that wait for a node, by where they wait.\n")
        .append("# TYPE evenkeel_scheduler_pods gauge\n");
    scheduler
        .waiting()
        .forEach(
            (segment, count) ->
                text.append("evenkeel_scheduler_pods{segment=\"")
                    .append(segment)
                    .append("\"} ")
                    .append(count)
                    .append('\n'));
    text.append("# HELP evenkeel_scheduler_attempts_total Attempts to place a pod, by outcome.\n")
        .append("# TYPE evenkeel_scheduler_attempts_total counter\n");
    attempts(text, "placed", scheduler.placed());
    attempts(text, "unplaced", scheduler.unplaced());
    attempts(text, "refused", scheduler.refused());
    return text.toString();
  }

  private static void attempts(StringBuilder text, String outcome, long count) {
    text.append("evenkeel_scheduler_attempts_total{outcome=\"")
        .append(outcome)
        .append("\"} ")
        .append(count)
        .append('\n');
  }
}
