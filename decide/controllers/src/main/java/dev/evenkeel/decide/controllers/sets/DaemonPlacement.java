package dev.evenkeel.decide.controllers.sets;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Cached;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Says which nodes a daemon set is for. */
final class DaemonPlacement {

  /** Whether a node should have a pod. */
  enum Verdict {
    /** It should. */
    RUN,
    /** It would not get one, but keeps the one it has. */
    KEEP,
    /** It should not. */
    NONE
  }

  private final ObjectNode podSpec;

  /**
   * @param set the daemon set
   */
  DaemonPlacement(ObjectNode set) {
    this.podSpec =
        set.path("spec").path("template").path("spec") instanceof ObjectNode given
            ? given.deepCopy()
            : JsonNodeFactory.instance.objectNode();
    Tolerations.add(podSpec);
  }

  Verdict of(Cached<ObjectNode> node) {
    String named = Meta.text(podSpec.path("nodeName"));
    if (!named.isEmpty() && !named.equals(node.name())) {
      return Verdict.NONE;
    }
    if (!NodeAffinity.matches(podSpec, node.name(), node.labels())) {
      return Verdict.NONE;
    }
    var taints = node.tree().path("spec").path("taints");
    if (Tolerations.letIn(podSpec.path("tolerations"), taints)) {
      return Verdict.RUN;
    }
    return Tolerations.letStay(podSpec.path("tolerations"), taints) ? Verdict.KEEP : Verdict.NONE;
  }
}
