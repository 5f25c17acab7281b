package dev.evenkeel.decide.controllers.workload;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Cached;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a deployment asks for, read once.
 *
 * @param isRolling whether new pods come while old ones are there; else all old ones end first
 * @param progressDeadline null if a rollout may take for ever
 * @param historyMax how many old ReplicaSets are kept
 */
record DeploymentSpec(
    Cached<ObjectNode> seen,
    ObjectNode tree,
    int replicas,
    boolean isRolling,
    Shares shares,
    long minReadySeconds,
    boolean isPaused,
    @Nullable Duration progressDeadline,
    int historyMax) {

  private static final int FOR_EVER = Integer.MAX_VALUE;

  static DeploymentSpec of(Cached<ObjectNode> seen) {
    ObjectNode tree = seen.tree();
    JsonNode spec = tree.path("spec");
    int replicas = Math.max(0, spec.path("replicas").asInt(1));
    JsonNode strategy = spec.path("strategy");
    boolean rolling = !Meta.text(strategy.path("type")).equals("Recreate");
    int deadlineSeconds = spec.path("progressDeadlineSeconds").asInt(FOR_EVER);
    return new DeploymentSpec(
        seen,
        tree,
        replicas,
        rolling,
        rolling ? Shares.of(strategy.path("rollingUpdate"), replicas) : Shares.NONE,
        spec.path("minReadySeconds").asLong(0),
        spec.path("paused").asBoolean(false),
        deadlineSeconds == FOR_EVER ? null : Duration.ofSeconds(deadlineSeconds),
        spec.path("revisionHistoryLimit").asInt(FOR_EVER));
  }

  /** How many pods there may be at a time. */
  int replicasMax() {
    return (int) Math.min(Integer.MAX_VALUE, (long) replicas + shares.surge());
  }

  /** How many pods must be available. */
  int availableMin() {
    return replicas - shares.unavailable();
  }

  String name() {
    return seen.name();
  }

  JsonNode template() {
    return tree.path("spec").path("template");
  }

  JsonNode status() {
    return tree.path("status");
  }

  long generation() {
    return tree.path("metadata").path("generation").asLong(0);
  }

  Map<String, String> annotations() {
    return Meta.strings(tree.path("metadata").path("annotations"));
  }

  /** How often the name for a ReplicaSet was taken by another; null if never. */
  @Nullable Integer collisions() {
    JsonNode count = status().path("collisionCount");
    return count.isNumber() ? Integer.valueOf(count.asInt(0)) : null;
  }
}
