package dev.evenkeel.decide.controllers.batch;

import dev.evenkeel.decide.controllers.object.Ownership;
import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.PlannedEvent;
import dev.evenkeel.decide.plan.Reconciler;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.cron.CronSchedule;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Starts a job at each time that a CronJob names. A job's name follows from the time that it is
 * for, so that none is started twice, and what was started is read from the jobs that are there as
 * well as from the status.
 */
public final class CronJobReconciler implements Reconciler<ObjectNode> {

  private static final int MISSED_MANY = 100;

  private static final DateTimeFormatter MAIL_TIME =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss Z", java.util.Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  public static Controller<ObjectNode> controller() {
    return Controller.of("cronjob", Kinds.CRON_JOBS, new CronJobReconciler()).owning(Kinds.JOBS);
  }

  @Override
  public Plan reconcile(Cached<ObjectNode> seen, View view) {
    Plan plan = Plan.empty();
    ObjectNode cronJob = seen.tree();
    CronRuns runs = new CronRuns(seen, cronJob, view);
    if (Pods.isEnding(cronJob)) {
      runs.write(null, plan);
      return plan;
    }
    CronSchedule schedule = schedule(cronJob, plan);
    Instant due = schedule == null ? null : due(seen, cronJob, schedule, runs, view, plan);
    if (schedule != null && due != null) {
      start(seen, cronJob, schedule.zone(), due, runs, plan);
    }
    runs.write(due, plan);
    runs.forgetOldest(plan);
    return plan;
  }

  /** Null if nothing is to be started by it. */
  private static @Nullable CronSchedule schedule(ObjectNode cronJob, Plan plan) {
    JsonNode spec = cronJob.path("spec");
    if (spec.path("suspend").asBoolean(false)) {
      return null;
    }
    String zone = Meta.text(spec.path("timeZone"));
    String schedule = Meta.text(spec.path("schedule"));
    try {
      return CronSchedule.parse(schedule, zone.isEmpty() ? ZoneOffset.UTC : ZoneId.of(zone));
    } catch (DateTimeException e) {
      plan.tell(
          PlannedEvent.Type.WARNING,
          "UnknownTimeZone",
          "invalid timeZone: \"" + zone + "\": " + e.getMessage());
    } catch (IllegalArgumentException e) {
      plan.tell(
          PlannedEvent.Type.WARNING,
          "UnparseableSchedule",
          "unparseable schedule: \"" + schedule + "\" : " + e.getMessage());
    }
    return null;
  }

  /** The time for which a job is to be started now; null if there is none. */
  private static @Nullable Instant due(
      Cached<ObjectNode> seen,
      ObjectNode cronJob,
      CronSchedule schedule,
      CronRuns runs,
      View view,
      Plan plan) {
    JsonNode spec = cronJob.path("spec");
    Instant last = runs.lastScheduled();
    Instant created = Pods.time(cronJob.path("metadata").path("creationTimestamp"));
    Instant since = last != null ? last : created == null ? view.now() : created;
    CronSchedule.Missed missed = schedule.missed(since, view.now());
    Instant next = schedule.next(missed == null ? since : missed.newest());
    if (next == null && missed == null) {
      // Such as the 31st of February. Upstream says it in these words.
      plan.tell(
          PlannedEvent.Type.WARNING,
          "InvalidSchedule",
          "invalid schedule: "
              + Meta.text(spec.path("schedule"))
              + " : time difference between two schedules is less than 1 second");
    }
    if (next != null) {
      plan.lookAgain(Duration.between(view.now(), next), "the next job is due");
    }
    if (missed == null || isTooLate(missed, schedule, spec, view, plan)) {
      return null;
    }
    Cached<ObjectNode> namesake =
        view.find(Kinds.JOBS, seen.namespace(), name(seen, missed.newest()));
    if (namesake != null && !Ownership.isControlledBy(namesake, seen)) {
      return null;
    }
    if (Meta.text(spec.path("concurrencyPolicy")).equals("Forbid") && runs.areActive()) {
      plan.tell(
          PlannedEvent.Type.NORMAL,
          "JobAlreadyActive",
          "Not starting job because prior execution is running and concurrency policy is Forbid");
      return null;
    }
    return missed.newest();
  }

  /** Tells of what was missed, unless it is but the last one, which can still be started. */
  private static boolean isTooLate(
      CronSchedule.Missed missed, CronSchedule schedule, JsonNode spec, View view, Plan plan) {
    JsonNode limit = spec.path("startingDeadlineSeconds");
    CronSchedule.Missed counted = missed;
    if (limit.isNumber()) {
      Instant earliest = view.now().minusSeconds(limit.asLong());
      if (missed.newest().isBefore(earliest)) {
        plan.tell(
            PlannedEvent.Type.WARNING,
            "MissSchedule",
            "Missed scheduled time to start a job: " + MAIL_TIME.format(missed.newest()));
        return true;
      }
      counted = schedule.missed(earliest, view.now());
    }
    if (counted != null && counted.count() > MISSED_MANY) {
      plan.tell(
          PlannedEvent.Type.WARNING,
          "TooManyMissedTimes",
          "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check"
              + " clock skew");
    }
    return false;
  }

  private static String name(Cached<ObjectNode> cronJob, Instant due) {
    return cronJob.name() + "-" + due.getEpochSecond() / 60;
  }

  private static void start(
      Cached<ObjectNode> seen,
      ObjectNode cronJob,
      ZoneId zone,
      Instant due,
      CronRuns runs,
      Plan plan) {
    if (Meta.text(cronJob.path("spec").path("concurrencyPolicy")).equals("Replace")) {
      runs.replace(plan);
    }
    plan.create(
            Kinds.JOBS,
            CronRuns.job(
                seen, cronJob.path("spec").path("jobTemplate"), name(seen, due), due, zone),
            "a job is due at " + due)
        .telling("SuccessfulCreate", "Created job {}");
  }
}
