package dev.evenkeel.decide.controllers.batch;

import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps as many of a job's pods at work as it needs now.
 *
 * <p><b>Threading:</b> of one decision.
 */
final class Crew {

  /** One plan makes or ends no more than this; the next goes on. */
  private static final int PODS_AT_ONCE_MAX = 200;

  private final JobSpec spec;
  private final JobTally tally;
  private final PodMaker maker;
  private final Instant now;
  private final Plan plan;

  Crew(Cached<ObjectNode> job, JobSpec spec, JobTally tally, Instant now, Plan plan) {
    this.spec = spec;
    this.tally = tally;
    this.maker = new PodMaker(job, spec);
    this.now = now;
    this.plan = plan;
  }

  /** Sends all home; those that are tracked stay so, to be counted. */
  void end(String why) {
    tally.active.stream().limit(PODS_AT_ONCE_MAX).forEach(pod -> delete(pod, why));
  }

  void keep() {
    int wanted = wanted();
    List<JobPod> surplus = surplus(wanted);
    if (!surplus.isEmpty()) {
      surplus.stream().limit(PODS_AT_ONCE_MAX).forEach(this::dismiss);
      return;
    }
    int there = tally.active.size() + (spec.onlyReplaceFailed() ? tally.terminating : 0);
    int missing = Math.min(wanted - there, PODS_AT_ONCE_MAX);
    if (missing <= 0) {
      return;
    }
    if (!spec.failsPerIndex()) {
      Duration left = Retries.left(tally.pods, spec, now);
      if (left.isPositive()) {
        plan.lookAgain(left, "pods failed, and new ones are made after a while");
        return;
      }
    }
    if (spec.indexed()) {
      growIndexed(missing);
    } else {
      grow(missing);
    }
    if (wanted - there > missing) {
      plan.lookAgain(Duration.ZERO, "more pods are missing");
    }
  }

  private int wanted() {
    if (spec.suspended()) {
      return 0;
    }
    if (spec.isWorkQueue()) {
      return tally.succeeded > 0 ? tally.active.size() : spec.parallelism();
    }
    return Math.clamp(spec.completions() - (long) tally.succeeded, 0, spec.parallelism());
  }

  /** Pods that cannot be counted, indexes that are there twice, and those that are too many. */
  private List<JobPod> surplus(int wanted) {
    List<JobPod> surplus = new ArrayList<>();
    List<JobPod> fit = new ArrayList<>();
    Set<Integer> indexes = new HashSet<>();
    List<JobPod> dearestFirst =
        tally.active.stream().sorted(JobPod.LEAST_MISSED_FIRST.reversed()).toList();
    for (JobPod pod : dearestFirst) {
      boolean counts =
          pod.tracked()
              && spec.covers(pod.index())
              && (!spec.indexed() || indexes.add(pod.index()));
      (counts ? fit : surplus).add(pod);
    }
    for (int i = fit.size(); i > wanted; i--) {
      surplus.add(fit.get(i - 1));
    }
    return surplus;
  }

  /**
   * A pod that is to go uncounted first loses its finalizer, and is deleted once that is seen.
   * Should it end before, then it is seen to have ended, and counts.
   */
  private void dismiss(JobPod pod) {
    if (!pod.tracked()) {
      delete(pod, "the job has no need of " + pod.seen().name());
      return;
    }
    String why =
        spec.suspended()
            ? "the job is suspended"
            : tally.active.size() + " pods are at work where " + wanted() + " are wanted";
    plan.patch(pod.seen(), pod.untracking(), why + ": " + pod.seen().name() + " goes uncounted");
  }

  private void delete(JobPod pod, String why) {
    plan.delete(pod.seen(), why).telling("SuccessfulDelete", "Deleted pod: {}");
  }

  private void grow(int missing) {
    for (int i = 1; i <= missing; i++) {
      plan.create(
              Kinds.PODS,
              maker.pod(),
              "pod " + (tally.active.size() + i) + " of " + wanted() + " is missing")
          .telling("SuccessfulCreate", "Created pod: {}");
    }
  }

  private void growIndexed(int missing) {
    IndexSet taken = tally.completed.with(tally.failedIndexes).with(tally.activeIndexes);
    if (spec.onlyReplaceFailed()) {
      taken = taken.with(tally.terminatingIndexes);
    }
    int made = 0;
    for (int index = taken.nextMissing(0);
        index < spec.completions() && made < missing;
        index = taken.nextMissing(index + 1)) {
      JobPod before = tally.toReplace.get(index);
      Duration left = before == null ? Duration.ZERO : Retries.left(before, now);
      if (left.isPositive()) {
        plan.lookAgain(left, "index " + index + " failed, and is tried again after a while");
      } else {
        made++;
        plan.create(Kinds.PODS, maker.pod(index, before), "index " + index + " has no pod")
            .telling("SuccessfulCreate", "Created pod: {}");
      }
    }
  }
}
