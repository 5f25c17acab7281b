package dev.evenkeel.decide.controllers.workload;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Cached;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A ReplicaSet of a deployment, and what is to become of it.
 *
 * <p><b>Threading:</b> of one reconcile.
 */
final class OwnedSet {

  static final String REVISION = "deployment.kubernetes.io/revision";
  static final String DESIRED_REPLICAS = "deployment.kubernetes.io/desired-replicas";
  static final String MAX_REPLICAS = "deployment.kubernetes.io/max-replicas";

  static final Comparator<OwnedSet> OLDEST_FIRST =
      Comparator.<OwnedSet, String>comparing(
              it -> Meta.text(it.tree.path("metadata").path("creationTimestamp")))
          .thenComparing(OwnedSet::name);

  private final @Nullable Cached<ObjectNode> seen;
  private final ObjectNode tree;
  private final Map<String, String> annotations;
  private final int replicasSeen;
  private final Map<String, String> newAnnotations = new TreeMap<>();
  private int replicas;
  private long minReadySeconds;
  private String because = "";

  /**
   * @param seen null for one that is to be made
   */
  OwnedSet(@Nullable Cached<ObjectNode> seen, ObjectNode tree) {
    this.seen = seen;
    this.tree = tree;
    this.annotations = Meta.strings(tree.path("metadata").path("annotations"));
    this.replicasSeen = Math.max(0, tree.path("spec").path("replicas").asInt(1));
    this.replicas = replicasSeen;
    this.minReadySeconds = tree.path("spec").path("minReadySeconds").asLong(0);
  }

  static OwnedSet of(Cached<ObjectNode> seen) {
    return new OwnedSet(seen, seen.tree());
  }

  @Nullable Cached<ObjectNode> seen() {
    return seen;
  }

  ObjectNode tree() {
    return tree;
  }

  String name() {
    return Meta.name(tree);
  }

  JsonNode template() {
    return tree.path("spec").path("template");
  }

  // ---- what it is to be

  /** How many pods it is asked for, or is to be. */
  int replicas() {
    return replicas;
  }

  int replicasSeen() {
    return replicasSeen;
  }

  boolean isActive() {
    return replicas > 0;
  }

  /** Empty if it has none. */
  String annotation(String name) {
    String changed = newAnnotations.get(name);
    return changed == null ? annotations.getOrDefault(name, "") : changed;
  }

  /** The number in an annotation; -1 if there is none. */
  long number(String annotation) {
    try {
      return Math.max(-1, Long.parseLong(annotation(annotation)));
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  void annotate(String name, String value, String why) {
    if (!annotation(name).equals(value) || (value.isEmpty() && !annotations.containsKey(name))) {
      newAnnotations.put(name, value);
      because(why);
    }
  }

  void resize(int size, String why) {
    if (replicas != size) {
      replicas = size;
      because = why;
    }
  }

  void minReady(long seconds, String why) {
    if (minReadySeconds != seconds) {
      minReadySeconds = seconds;
      because(why);
    }
  }

  /** A change of size is what people want to know of first. */
  private void because(String why) {
    if (replicas == replicasSeen) {
      because = why;
    }
  }

  String because() {
    return because;
  }

  /** What makes it so; empty if it is. */
  ObjectNode change() {
    ObjectNode change = JsonNodeFactory.instance.objectNode();
    if (!newAnnotations.isEmpty()) {
      ObjectNode changed = change.putObject("metadata").putObject("annotations");
      newAnnotations.forEach(changed::put);
    }
    JsonNode spec = tree.path("spec");
    if (replicas != replicasSeen) {
      change.withObjectProperty("spec").put("replicas", replicas);
    }
    if (minReadySeconds != spec.path("minReadySeconds").asLong(0)) {
      change.withObjectProperty("spec").put("minReadySeconds", minReadySeconds);
    }
    return change;
  }

  // ---- what it was seen to be

  /** A number of pods from its status. */
  int counted(String field) {
    return Math.max(0, tree.path("status").path(field).asInt(0));
  }

  private long generation() {
    return tree.path("metadata").path("generation").asLong(0);
  }

  /** Whether its status is about what it is asked for now. */
  boolean isObserved() {
    return tree.path("status").path("observedGeneration").asLong(0) >= generation();
  }

  /**
   * More pods than this it cannot have; -1 if that cannot be told, because it was asked for another
   * number and has not said yet that it knows.
   */
  int podsAtMost() {
    return isObserved() || generation() <= 1 ? Math.max(replicasSeen, counted("replicas")) : -1;
  }

  /**
   * As many of its pods will be available once it has done what it is asked for, if all goes well.
   */
  int availableAtLeast() {
    return isObserved() ? Math.min(counted("availableReplicas"), replicas) : 0;
  }
}
