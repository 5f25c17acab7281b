package dev.evenkeel.decide.controllers.batch;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Cached;
import java.time.Instant;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A pod of a job.
 *
 * @param tracked whether it carries the finalizer that says that it is not counted yet
 * @param index its number in an indexed job; {@link #UNKNOWN} if it has none
 */
record JobPod(Cached<ObjectNode> seen, ObjectNode tree, String uid, boolean tracked, int index) {

  static final String FINALIZER = "batch.kubernetes.io/job-tracking";
  static final String INDEX = "batch.kubernetes.io/job-completion-index";
  static final String FAILURES = "batch.kubernetes.io/job-index-failure-count";
  static final String IGNORED_FAILURES = "batch.kubernetes.io/job-index-ignored-failure-count";

  static final int UNKNOWN = -1;

  /** Pods that have come less far first; of two alike the younger. */
  static final Comparator<JobPod> LEAST_MISSED_FIRST =
      Comparator.<JobPod, Boolean>comparing(
              it -> !Meta.text(it.tree.path("spec").path("nodeName")).isEmpty())
          .thenComparing(it -> Pods.phase(it.tree).equals("Running"))
          .thenComparing(JobPod::isReady)
          .thenComparing(
              it -> Meta.text(it.tree.path("metadata").path("creationTimestamp")),
              Comparator.reverseOrder())
          .thenComparing(it -> it.seen.name());

  static JobPod of(Cached<ObjectNode> seen) {
    ObjectNode tree = seen.tree();
    return new JobPod(seen, tree, Meta.uid(tree), isTracked(tree), number(tree, INDEX, UNKNOWN));
  }

  static boolean isTracked(ObjectNode pod) {
    for (JsonNode finalizer : pod.path("metadata").path("finalizers")) {
      if (Meta.text(finalizer).equals(FINALIZER)) {
        return true;
      }
    }
    return false;
  }

  private static int number(ObjectNode pod, String annotation, int otherwise) {
    String text = Meta.text(pod.path("metadata").path("annotations").path(annotation));
    try {
      int number = text.isEmpty() ? otherwise : Integer.parseInt(text);
      return number < 0 ? otherwise : number;
    } catch (NumberFormatException e) {
      return otherwise;
    }
  }

  boolean isActive() {
    return Pods.isActive(tree);
  }

  boolean isReady() {
    return Pods.readySince(tree) != null;
  }

  boolean isSucceeded() {
    return Pods.phase(tree).equals("Succeeded");
  }

  boolean isOver() {
    return isSucceeded() || Pods.phase(tree).equals("Failed");
  }

  /** Asked to end, and not over yet. */
  boolean isTerminating() {
    return Pods.isEnding(tree) && !isOver();
  }

  /** A pod that is ending counts as failed: one whose node is gone never gets to say so. */
  boolean isFailed(JobSpec spec) {
    return Pods.phase(tree).equals("Failed") || (!spec.onlyReplaceFailed() && isTerminating());
  }

  /** How often its index had failed before it. */
  int failures() {
    return number(tree, FAILURES, 0);
  }

  int ignoredFailures() {
    return number(tree, IGNORED_FAILURES, 0);
  }

  int restarts() {
    int restarts = 0;
    for (String list : new String[] {"containerStatuses", "initContainerStatuses"}) {
      for (JsonNode container : tree.path("status").path(list)) {
        restarts += container.path("restartCount").asInt(0);
      }
    }
    return restarts;
  }

  /** What takes the finalizer away. */
  ObjectNode untracking() {
    ObjectNode change = JsonNodeFactory.instance.objectNode();
    untrack(tree, change.putObject("metadata"));
    return change;
  }

  static void untrack(ObjectNode pod, ObjectNode metadata) {
    ArrayNode left = JsonNodeFactory.instance.arrayNode();
    for (JsonNode finalizer : pod.path("metadata").path("finalizers")) {
      if (!Meta.text(finalizer).equals(FINALIZER)) {
        left.add(finalizer);
      }
    }
    if (left.isEmpty()) {
      metadata.putNull("finalizers");
    } else {
      metadata.set("finalizers", left);
    }
  }

  /** When it ended, or seems to have. */
  Instant finished() {
    Instant last = lastExit();
    if (last != null) {
      return last;
    }
    for (JsonNode condition : tree.path("status").path("conditions")) {
      Instant since = Pods.time(condition.path("lastTransitionTime"));
      if (Meta.text(condition.path("type")).equals("Ready")
          && Meta.text(condition.path("status")).equals("False")
          && since != null) {
        return since;
      }
    }
    JsonNode metadata = tree.path("metadata");
    Instant deleted = Pods.time(metadata.path("deletionTimestamp"));
    if (deleted != null) {
      return deleted.minusSeconds(metadata.path("deletionGracePeriodSeconds").asLong(0));
    }
    Instant created = Pods.time(metadata.path("creationTimestamp"));
    return created == null ? Instant.EPOCH : created;
  }

  /** When the last container ended; null if one has not, or none is known. */
  private @Nullable Instant lastExit() {
    Instant last = null;
    for (JsonNode container : tree.path("status").path("containerStatuses")) {
      Instant at = Pods.time(Meta.at(container, "state", "terminated", "finishedAt"));
      if (at == null) {
        return null;
      }
      last = last == null || at.isAfter(last) ? at : last;
    }
    return last;
  }
}
