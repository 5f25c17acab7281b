package dev.evenkeel.decide.controllers.workload;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Cached;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A pod of a set, with what was read of it. */
record Member(Cached<ObjectNode> seen, ObjectNode tree) {

  static Member of(Cached<ObjectNode> pod) {
    return new Member(pod, pod.tree());
  }

  /**
   * Pods without a node before those with one, not running before running, not ready before ready,
   * cheap before dear, crowded together before alone, those ready for a short time before those
   * ready for long, often restarted before steady, young before old; by name in the end, so that
   * the same pods are chosen when asked again.
   */
  static Comparator<Member> leastMissedFirst(List<Member> members) {
    Map<String, Integer> onNode = new HashMap<>();
    members.forEach(it -> onNode.merge(it.node(), 1, Integer::sum));
    return Comparator.<Member, Boolean>comparing(it -> !it.node().isEmpty())
        .thenComparingInt(Member::running)
        .thenComparing(it -> Pods.readySince(it.tree) != null)
        .thenComparingLong(it -> Pods.deletionCost(it.tree))
        .thenComparingInt(it -> -onNode.getOrDefault(it.node(), 0))
        .thenComparing(Member::readySince, Comparator.reverseOrder())
        .thenComparingLong(it -> -it.restarts())
        .thenComparing(
            it -> Meta.text(it.tree.path("metadata").path("creationTimestamp")),
            Comparator.reverseOrder())
        .thenComparing(it -> it.seen.name());
  }

  private String node() {
    return Meta.text(tree.path("spec").path("nodeName"));
  }

  private int running() {
    return switch (Pods.phase(tree)) {
      case "Running" -> 2;
      case "Unknown" -> 1;
      default -> 0;
    };
  }

  private Instant readySince() {
    Instant since = Pods.readySince(tree);
    return since == null ? Instant.MAX : since;
  }

  /** Of the container that was restarted most often. */
  private long restarts() {
    long most = 0;
    for (JsonNode container : tree.path("status").path("containerStatuses")) {
      most = Math.max(most, container.path("restartCount").asLong(0));
    }
    return most;
  }
}
