package dev.evenkeel.decide.controllers.workload;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.controllers.workload.Conditions.Holds;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.kernel.api.Meta;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a deployment says of itself: how many pods it has, whether they are enough, and whether its
 * rollout gets on.
 *
 * <p><b>Threading:</b> of one reconcile.
 */
final class DeploymentStatus {

  private static final String PROGRESSING = "Progressing";
  private static final String AVAILABLE = "Available";
  private static final String REPLICA_FAILURE = "ReplicaFailure";
  private static final String COMPLETE = "NewReplicaSetAvailable";
  private static final String TIMED_OUT = "ProgressDeadlineExceeded";
  private static final String PAUSED = "DeploymentPaused";

  /** A deadline is over when its second is. */
  private static final Duration AFTER_DEADLINE = Duration.ofSeconds(1);

  /** Numbers of pods. */
  private record Numbers(int replicas, int updated, int ready, int available) {

    static Numbers seen(JsonNode status) {
      return new Numbers(
          status.path("replicas").asInt(0),
          status.path("updatedReplicas").asInt(0),
          status.path("readyReplicas").asInt(0),
          status.path("availableReplicas").asInt(0));
    }

    static Numbers of(Rollout rollout) {
      OwnedSet current = rollout.current();
      return new Numbers(
          sum(rollout, set -> set.counted("replicas")),
          current == null ? 0 : current.counted("replicas"),
          sum(rollout, set -> set.counted("readyReplicas")),
          sum(rollout, set -> set.counted("availableReplicas")));
    }

    private static int sum(Rollout rollout, ToIntFunction<OwnedSet> count) {
      return rollout.all().stream().mapToInt(count).sum();
    }

    boolean areComplete(int wanted) {
      return updated == wanted && replicas == wanted && available == wanted;
    }

    boolean areBetterThan(Numbers before) {
      return updated > before.updated
          || replicas - updated < before.replicas - before.updated
          || ready > before.ready
          || available > before.available;
    }
  }

  private final DeploymentSpec wanted;
  private final Conditions conditions;
  private final Instant now;
  private final boolean hasDeadline;

  DeploymentStatus(DeploymentSpec wanted, Instant now) {
    this.wanted = wanted;
    this.now = now;
    this.conditions = new Conditions(wanted.status(), now);
    this.hasDeadline = wanted.progressDeadline() != null;
  }

  /** Whether the rollout was complete when it was last looked at. */
  static boolean wasComplete(DeploymentSpec wanted) {
    return Numbers.seen(wanted.status()).areComplete(wanted.replicas())
        && wanted.status().path("observedGeneration").asLong(0) >= wanted.generation();
  }

  /** While it is paused, no time counts; when it goes on, it counts from then. */
  void notePause() {
    String reason = conditions.reason(PROGRESSING);
    if (!hasDeadline || reason.equals(TIMED_OUT)) {
      return;
    }
    if (wanted.isPaused()) {
      conditions.set(PROGRESSING, Holds.UNKNOWN, PAUSED, "Deployment is paused");
    } else if (reason.equals(PAUSED)) {
      conditions.set(PROGRESSING, Holds.UNKNOWN, "DeploymentResumed", "Deployment is resumed");
    }
  }

  /** A set with the template was there, though nobody began a rollout. */
  void noteFound(OwnedSet current) {
    if (hasDeadline && conditions.find(PROGRESSING) == null) {
      conditions.set(
          PROGRESSING,
          Holds.TRUE,
          "FoundNewReplicaSet",
          "Found new replica set \"" + current.name() + "\"");
    }
  }

  /** A rollout begins. */
  void noteCreated(OwnedSet current) {
    if (hasDeadline) {
      conditions.set(
          PROGRESSING,
          Holds.TRUE,
          "NewReplicaSetCreated",
          "Created new replica set \"" + current.name() + "\"");
    }
  }

  /** Judges how the rollout gets on. */
  void judge(Rollout rollout, Plan plan) {
    OwnedSet current = rollout.current();
    Numbers numbers = Numbers.of(rollout);
    if (!hasDeadline) {
      conditions.remove(PROGRESSING);
    } else if (numbers.replicas != numbers.updated
        || !conditions.reason(PROGRESSING).equals(COMPLETE)) {
      judgeProgress(numbers, current);
    }
    JsonNode failure = failure(rollout);
    if (failure == null) {
      conditions.remove(REPLICA_FAILURE);
    } else {
      conditions.copy(REPLICA_FAILURE, failure);
    }
    Instant deadline = deadline();
    if (deadline != null && !numbers.areComplete(wanted.replicas())) {
      Duration left = Duration.between(now, deadline);
      plan.lookAgain(
          left.isNegative() ? AFTER_DEADLINE : left.plus(AFTER_DEADLINE),
          "the rollout should have got on by then");
    }
  }

  private void judgeProgress(Numbers numbers, @Nullable OwnedSet current) {
    String subject =
        current == null
            ? "Deployment \"" + wanted.name() + "\""
            : "ReplicaSet \"" + current.name() + "\"";
    Instant deadline = deadline();
    if (numbers.areComplete(wanted.replicas())) {
      conditions.set(PROGRESSING, Holds.TRUE, COMPLETE, subject + " has successfully progressed.");
    } else if (numbers.areBetterThan(Numbers.seen(wanted.status()))) {
      conditions.renew(PROGRESSING, Holds.TRUE, "ReplicaSetUpdated", subject + " is progressing.");
    } else if (deadline != null && deadline.isBefore(now)) {
      conditions.set(PROGRESSING, Holds.FALSE, TIMED_OUT, subject + " has timed out progressing.");
    }
  }

  /** Until when something must have got better; null if that is over, or nobody asks. */
  private @Nullable Instant deadline() {
    ObjectNode progressing = conditions.find(PROGRESSING);
    Duration allowed = wanted.progressDeadline();
    String reason = conditions.reason(PROGRESSING);
    if (progressing == null
        || allowed == null
        || reason.equals(COMPLETE)
        || reason.equals(TIMED_OUT)) {
      return null;
    }
    Instant last = Pods.time(progressing.path("lastUpdateTime"));
    return last == null ? null : last.plus(allowed);
  }

  /** What keeps a set from making or ending pods; of the new one's first. */
  private static @Nullable JsonNode failure(Rollout rollout) {
    List<OwnedSet> newestFirst = rollout.all().reversed();
    for (OwnedSet set : newestFirst) {
      for (JsonNode condition : set.tree().path("status").path("conditions")) {
        if (Meta.text(condition.path("type")).equals(REPLICA_FAILURE)) {
          return condition;
        }
      }
    }
    return null;
  }

  /**
   * Plans the status, and with it the revision.
   *
   * @param revision empty if the deployment says it already
   */
  void write(Rollout rollout, String revision, Plan plan) {
    Numbers numbers = Numbers.of(rollout);
    if (numbers.available >= wanted.availableMin()) {
      conditions.set(
          AVAILABLE,
          Holds.TRUE,
          "MinimumReplicasAvailable",
          "Deployment has minimum availability.");
    } else {
      conditions.set(
          AVAILABLE,
          Holds.FALSE,
          "MinimumReplicasUnavailable",
          "Deployment does not have minimum availability.");
    }
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    status.put("observedGeneration", wanted.generation());
    Counts.putUnlessZero(status, "replicas", numbers.replicas);
    Counts.putUnlessZero(status, "updatedReplicas", numbers.updated);
    Counts.putUnlessZero(status, "readyReplicas", numbers.ready);
    Counts.putUnlessZero(status, "availableReplicas", numbers.available);
    Counts.putUnlessZero(
        status, "unavailableReplicas", Math.max(0, rollout.replicas() - numbers.available));
    ArrayNode all = conditions.toJson();
    if (all == null) {
      status.putNull("conditions");
    } else {
      status.set("conditions", all);
    }
    ObjectNode notes = JsonNodeFactory.instance.objectNode();
    if (!revision.isEmpty()) {
      notes.put(OwnedSet.REVISION, revision);
    }
    plan.status(
        wanted.seen(),
        status,
        notes,
        "%d of %d replicas are up to date, %d pods are available"
            .formatted(numbers.updated, wanted.replicas(), numbers.available));
  }
}
