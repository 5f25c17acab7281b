package dev.evenkeel.decide.schedule.run;

import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.place.Cluster;
import dev.evenkeel.kernel.fit.Demand;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What refusals taught that the picture does not show yet. A server that refuses a placement says
 * how much of the node is taken: until the picture has come that far, what it lacks stands in it as
 * a pod that nobody can move.
 *
 * <p><b>Invariants:</b> at most one correction a node; each goes once the picture shows the version
 * that it is of.
 *
 * <p><b>Threading:</b> of the scheduler's loop.
 */
final class Corrections {

  /**
   * Too little of something.
   *
   * @param used of the resource, in all, as the server says
   * @param version of the node's ledger then
   */
  record Shortage(String node, String resource, long used, long version) {}

  private record Correction(long version, String uid) {}

  private final Cluster cluster;
  private final Map<String, Correction> byNode = new HashMap<>();

  Corrections(Cluster cluster) {
    this.cluster = cluster;
  }

  void add(Shortage shortage) {
    Correction known = byNode.remove(shortage.node());
    if (known != null) {
      cluster.removePod(known.uid());
    }
    long seen = 0;
    for (PodInfo pod : cluster.pods(shortage.node())) {
      seen += pod.demand().amounts().getOrDefault(shortage.resource(), 0L);
    }
    long missing = shortage.used() - seen;
    if (missing <= 0) {
      return;
    }
    String uid = "correction-of-" + shortage.node();
    cluster.put(PodInfo.of(pod(shortage, uid, missing)));
    byNode.put(shortage.node(), new Correction(shortage.version(), uid));
  }

  private static ObjectNode pod(Shortage shortage, String uid, long missing) {
    ObjectNode pod = JsonNodeFactory.instance.objectNode();
    pod.put("apiVersion", "v1").put("kind", "Pod");
    pod.putObject("metadata").put("name", uid).put("uid", uid).put("resourceVersion", "0");
    ObjectNode spec = pod.putObject("spec");
    spec.put("nodeName", shortage.node()).put("priority", Integer.MAX_VALUE);
    ObjectNode container = spec.putArray("containers").addObject();
    container
        .put("name", "taken")
        .putObject("resources")
        .putObject("requests")
        .put(shortage.resource(), missing + (shortage.resource().equals(Demand.CPU) ? "m" : ""));
    return pod;
  }

  /** The picture shows this version. */
  void dropUpTo(long version) {
    if (byNode.isEmpty()) {
      return;
    }
    List<String> shown = new ArrayList<>();
    byNode.forEach(
        (node, correction) -> {
          if (correction.version() <= version) {
            cluster.removePod(correction.uid());
            shown.add(node);
          }
        });
    shown.forEach(byNode::remove);
  }
}
