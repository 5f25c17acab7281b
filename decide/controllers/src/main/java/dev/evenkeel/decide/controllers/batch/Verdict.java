package dev.evenkeel.decide.controllers.batch;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.kernel.api.Meta;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * How a job ends, if it does. Once in the status it stands: what becomes of pods afterwards does
 * not change it.
 */
record Verdict(Kind kind, String reason, String message) {

  /** Whether there is one. */
  enum Kind {
    NONE,
    SUCCESS,
    FAILURE
  }

  private static final Verdict NONE = new Verdict(Kind.NONE, "", "");

  boolean isEnd() {
    return kind != Kind.NONE;
  }

  boolean isFailure() {
    return kind == Kind.FAILURE;
  }

  boolean isSuccess() {
    return kind == Kind.SUCCESS;
  }

  /** That it is on its way there. */
  String interim() {
    return isSuccess() ? JobConditions.SUCCESS_CRITERIA_MET : JobConditions.FAILURE_TARGET;
  }

  /** That it is over. */
  String terminal() {
    return isSuccess() ? JobConditions.COMPLETE : JobConditions.FAILED;
  }

  static Verdict of(JsonNode status, JobSpec spec, JobTally tally, Instant now, Plan plan) {
    Verdict known = known(status);
    if (known != null) {
      return known;
    }
    Verdict failure = failure(status, spec, tally, now, plan);
    if (failure != null) {
      return failure;
    }
    if (spec.indexed()) {
      String met = spec.successPolicy().met(tally.completed, spec.completions());
      if (met != null) {
        return new Verdict(Kind.SUCCESS, "SuccessPolicy", met);
      }
    }
    boolean enough =
        spec.isWorkQueue() ? tally.succeeded > 0 : tally.succeeded >= spec.completions();
    return enough && tally.active.isEmpty()
        ? new Verdict(
            Kind.SUCCESS, "CompletionsReached", "Reached expected number of succeeded pods")
        : NONE;
  }

  private static @Nullable Verdict known(JsonNode status) {
    JsonNode met = JobConditions.whereTrue(status, JobConditions.SUCCESS_CRITERIA_MET);
    JsonNode target = JobConditions.whereTrue(status, JobConditions.FAILURE_TARGET);
    JsonNode known = met != null ? met : target;
    return known == null
        ? null
        : new Verdict(
            met != null ? Kind.SUCCESS : Kind.FAILURE,
            Meta.text(known.path("reason")),
            Meta.text(known.path("message")));
  }

  private static @Nullable Verdict failure(
      JsonNode status, JobSpec spec, JobTally tally, Instant now, Plan plan) {
    for (JobPod pod : tally.pods) {
      if (pod.isFailed(spec)) {
        String why = spec.failurePolicy().judge(pod).message();
        if (!why.isEmpty()) {
          return new Verdict(Kind.FAILURE, "PodFailurePolicy", why);
        }
      }
    }
    if (tally.failed > spec.backoffLimit() || isPastRestarts(spec, tally)) {
      return new Verdict(
          Kind.FAILURE, "BackoffLimitExceeded", "Job has reached the specified backoff limit");
    }
    if (isPastDeadline(status, spec, now, plan)) {
      return new Verdict(
          Kind.FAILURE, "DeadlineExceeded", "Job was active longer than specified deadline");
    }
    return spec.failsPerIndex() ? failureOfIndexes(spec, tally) : null;
  }

  /** Where containers are started again in their pods, their restarts are the failures. */
  private static boolean isPastRestarts(JobSpec spec, JobTally tally) {
    if (!spec.restartsInPlace()) {
      return false;
    }
    int restarts = 0;
    for (JobPod pod : tally.pods) {
      restarts += pod.isOver() ? 0 : pod.restarts();
    }
    return restarts > 0 && restarts >= spec.backoffLimit();
  }

  private static boolean isPastDeadline(JsonNode status, JobSpec spec, Instant now, Plan plan) {
    Duration deadline = spec.activeDeadline();
    if (deadline == null || spec.suspended()) {
      return false;
    }
    Instant started = Pods.time(status.path("startTime"));
    Duration left = Duration.between(now, (started == null ? now : started).plus(deadline));
    if (left.isPositive()) {
      plan.lookAgain(left, "the job reaches its deadline");
    }
    return !left.isPositive();
  }

  private static @Nullable Verdict failureOfIndexes(JobSpec spec, JobTally tally) {
    int failed = tally.failedIndexes.size();
    if (spec.maxFailedIndexes() != JobSpec.NONE && failed > spec.maxFailedIndexes()) {
      return new Verdict(
          Kind.FAILURE,
          "MaxFailedIndexesExceeded",
          "Job has exceeded the specified maximal number of failed indexes");
    }
    return failed > 0 && failed + tally.completed.size() >= spec.completions()
        ? new Verdict(Kind.FAILURE, "FailedIndexes", "Job has failed indexes")
        : null;
  }
}
