package dev.evenkeel.decide.controllers.batch;

import dev.evenkeel.decide.plan.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Enters pods that ended into a job's status, and lets go of those that are entered. The status
 * must be written before the first of them is let go.
 *
 * <p><b>Threading:</b> of one decision.
 */
final class Accounts {

  /** So many are entered at a time: a status is to stay small. */
  private static final int NAMED_MAX = 250;

  private final JobSpec spec;
  private final JobTally tally;
  private final Verdict verdict;
  private final boolean ending;
  private final List<JobPod> entered = new ArrayList<>();
  private boolean full;

  /**
   * @param ending whether the job itself is to go
   */
  Accounts(JobSpec spec, JobTally tally, Verdict verdict, boolean ending) {
    this.spec = spec;
    this.tally = tally;
    this.verdict = verdict;
    this.ending = ending;
    tally.pods.stream().filter(JobPod::tracked).forEach(this::enter);
  }

  private void enter(JobPod pod) {
    if (full || !isDue(pod)) {
      return;
    }
    entered.add(pod);
    if (pod.isSucceeded()) {
      // An index that succeeded is in a list of its own.
      if (!spec.indexed() && !tally.namedFailed.contains(pod.uid())) {
        tally.namedSucceeded.add(pod.uid());
      }
    } else if (isFailure(pod)
        && spec.covers(pod.index())
        && spec.failurePolicy().judge(pod).counts()) {
      tally.namedFailed.add(pod.uid());
    }
    full = entered.size() >= NAMED_MAX;
  }

  private boolean isDue(JobPod pod) {
    if (pod.isActive()) {
      return ending;
    }
    if (ending || verdict.isEnd() || pod.isSucceeded()) {
      return true;
    }
    return pod.isFailed(spec) && !pod.equals(tally.toReplace.get(pod.index()));
  }

  /** Pods that end because the job succeeded without them have not failed. */
  private boolean isFailure(JobPod pod) {
    if (pod.isActive()) {
      return false;
    }
    return verdict.isFailure() || pod.isOver() || (!verdict.isSuccess() && pod.isFailed(spec));
  }

  /** What the status says of them. */
  void write(ObjectNode status) {
    ObjectNode named = status.putObject("uncountedTerminatedPods");
    list(named, "succeeded", tally.namedSucceeded);
    list(named, "failed", tally.namedFailed);
    count(status, "succeeded", tally.countedSucceeded);
    count(status, "failed", tally.countedFailed);
    if (spec.indexed()) {
      String completed = tally.completed.toString();
      if (completed.isEmpty()) {
        status.putNull("completedIndexes");
      } else {
        status.put("completedIndexes", completed);
      }
    }
    if (spec.failsPerIndex()) {
      status.put("failedIndexes", tally.failedIndexes.toString());
    }
  }

  private static void list(ObjectNode named, String field, Set<String> uids) {
    if (uids.isEmpty()) {
      named.putNull(field);
    } else {
      ArrayNode list = named.putArray(field);
      uids.forEach(list::add);
    }
  }

  /** Zeros are left out, as upstream does. */
  static void count(ObjectNode status, String field, int count) {
    if (count == 0) {
      status.putNull(field);
    } else {
      status.put(field, count);
    }
  }

  void letGo(Plan plan) {
    for (JobPod pod : entered) {
      plan.patch(
          pod.seen(),
          pod.untracking(),
          pod.isActive()
              ? "the job is to go, and does not wait for " + pod.seen().name()
              : pod.seen().name() + " has ended, and the status says so");
    }
  }
}
