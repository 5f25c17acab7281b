package dev.evenkeel.decide.controllers.cluster;

import dev.evenkeel.decide.plan.View;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Kinds;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * For how long the agents of nodes may keep configuration that they have read, by the size of the
 * cluster: in upstream's annotation, with upstream's steps, which overlap so that a cluster at a
 * border does not go back and forth.
 */
final class NodeTtl {

  private static final String NOTE = "node.alpha.kubernetes.io/ttl";

  private record Step(int nodesMin, int nodesMax, int seconds) {}

  private static final List<Step> STEPS =
      List.of(
          new Step(0, 100, 0),
          new Step(90, 500, 15),
          new Step(450, 1_000, 30),
          new Step(900, 2_000, 60),
          new Step(1_800, 10_000, 300),
          new Step(9_000, Integer.MAX_VALUE, 600));

  private NodeTtl() {}

  /** Adds the annotation to a change of the node, unless it is right. */
  static void addTo(ObjectNode change, ObjectNode node, View view) {
    String said = Meta.text(Meta.at(node, "metadata", "annotations").path(NOTE));
    int nodes = view.list(Kinds.NODES, "").size();
    String first = "";
    for (Step step : STEPS) {
      if (nodes >= step.nodesMin && nodes <= step.nodesMax) {
        String seconds = Integer.toString(step.seconds);
        if (seconds.equals(said)) {
          return;
        }
        first = first.isEmpty() ? seconds : first;
      }
    }
    Meta.of(change).putObject("annotations").put(NOTE, first);
  }
}
