package dev.evenkeel.decide.controllers.batch;

import dev.evenkeel.kernel.api.Meta;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * How a job stands, by its status and its pods.
 *
 * <p>A pod that ended is counted once, in three steps, each of which can be the last before a
 * crash: the status names it as ended and not yet in the counters; it loses its finalizer; it is in
 * the counters and no longer named. So one that has the finalizer and is not named is new, and one
 * that is named and has no finalizer, or is gone, goes into the counters. Indexes that succeeded
 * are a list of their own, in which a second entry changes nothing.
 *
 * <p><b>Threading:</b> of one decision.
 */
final class JobTally {

  private static final String UNCOUNTED = "uncountedTerminatedPods";

  final List<JobPod> pods;
  final List<JobPod> active = new ArrayList<>();
  final IndexSet activeIndexes = IndexSet.empty();
  final IndexSet terminatingIndexes = IndexSet.empty();
  int ready;
  int terminating;

  /** Named as ended, and still with their finalizers. */
  final Set<String> namedSucceeded = new LinkedHashSet<>();

  final Set<String> namedFailed = new LinkedHashSet<>();

  /** In the counters, those included that get there now. */
  int countedSucceeded;

  int countedFailed;

  /** All that is known, counted or not. */
  int succeeded;

  int failed;

  final IndexSet completed;
  final IndexSet failedIndexes;

  /**
   * The failed pod of each index that knows how often the index failed, to be kept till replaced.
   */
  final Map<Integer, JobPod> toReplace = new HashMap<>();

  JobTally(JsonNode status, JobSpec spec, List<JobPod> pods) {
    this.pods = pods;
    completed = IndexSet.parse(Meta.text(status.path("completedIndexes")), spec.completions());
    failedIndexes = IndexSet.parse(Meta.text(status.path("failedIndexes")), spec.completions());
    countPresent();
    countNamed(status, spec);
    countNew(spec);
  }

  private void countPresent() {
    for (JobPod pod : pods) {
      if (pod.isActive()) {
        active.add(pod);
        ready += pod.isReady() ? 1 : 0;
        addIndex(activeIndexes, pod);
      } else if (pod.isTerminating()) {
        terminating++;
        addIndex(terminatingIndexes, pod);
      }
    }
  }

  private static void addIndex(IndexSet indexes, JobPod pod) {
    if (pod.index() != JobPod.UNKNOWN) {
      indexes.add(pod.index());
    }
  }

  private void countNamed(JsonNode status, JobSpec spec) {
    Set<String> tracked = new HashSet<>();
    for (JobPod pod : pods) {
      if (pod.tracked()) {
        tracked.add(pod.uid());
      }
    }
    JsonNode named = status.path(UNCOUNTED);
    countedSucceeded = status.path("succeeded").asInt(0);
    countedFailed = status.path("failed").asInt(0);
    for (JsonNode uid : named.path("succeeded")) {
      if (tracked.contains(Meta.text(uid))) {
        namedSucceeded.add(Meta.text(uid));
      } else if (!spec.indexed()) {
        countedSucceeded++;
      }
    }
    for (JsonNode uid : named.path("failed")) {
      if (tracked.contains(Meta.text(uid))) {
        namedFailed.add(Meta.text(uid));
      } else {
        countedFailed++;
      }
    }
  }

  private void countNew(JobSpec spec) {
    succeeded = countedSucceeded + namedSucceeded.size();
    failed = countedFailed + namedFailed.size();
    List<JobPod> failures = new ArrayList<>();
    for (JobPod pod : pods) {
      if (!pod.tracked() || !spec.covers(pod.index()) || namedFailed.contains(pod.uid())) {
        continue;
      }
      if (pod.isSucceeded() && spec.indexed()) {
        completed.add(pod.index());
      } else if (pod.isSucceeded()) {
        succeeded += namedSucceeded.contains(pod.uid()) ? 0 : 1;
      } else if (pod.isFailed(spec)) {
        failures.add(pod);
        failed += spec.failurePolicy().judge(pod).counts() ? 1 : 0;
      }
    }
    if (spec.indexed()) {
      succeeded = completed.size();
      countedSucceeded = succeeded;
    }
    if (spec.failsPerIndex()) {
      failures.forEach(pod -> countIndexFailure(pod, spec));
      failures.forEach(this::keepUntilReplaced);
    }
  }

  private void countIndexFailure(JobPod pod, JobSpec spec) {
    FailurePolicy.Ruling ruling = spec.failurePolicy().judge(pod);
    boolean failsIndex =
        ruling.action() == FailurePolicy.Action.FAIL_INDEX
            || (ruling.counts() && pod.failures() >= spec.backoffLimitPerIndex());
    if (failsIndex && !completed.has(pod.index())) {
      failedIndexes.add(pod.index());
    }
  }

  private void keepUntilReplaced(JobPod pod) {
    int index = pod.index();
    if (completed.has(index) || failedIndexes.has(index) || activeIndexes.has(index)) {
      return;
    }
    JobPod known = toReplace.get(index);
    if (known == null || Retries.knowsMore(pod, known)) {
      toReplace.put(index, pod);
    }
  }

  /** Whether each of its pods has been counted, and none is left that might still end. */
  boolean isClosed() {
    return active.isEmpty()
        && terminating == 0
        && namedSucceeded.isEmpty()
        && namedFailed.isEmpty()
        && pods.stream().noneMatch(JobPod::tracked);
  }
}
