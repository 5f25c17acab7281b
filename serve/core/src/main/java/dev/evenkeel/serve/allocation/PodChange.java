package dev.evenkeel.serve.allocation;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.fit.Demand;
import dev.evenkeel.serve.quota.TenantQuotas;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A write of a pod that changes what is taken of a node.
 *
 * @param pod its name
 * @param before what it took; nothing if it had no node
 * @param after what it is to take; nothing if it ends
 * @param refusable whether it is refused where the node has too little: what runs there already
 *     only has to be counted
 * @param zone what the pod says of the zone of the node that it gets; null if it had the node
 */
public record PodChange(
    String node,
    String namespace,
    String pod,
    Demand before,
    Demand after,
    boolean refusable,
    @Nullable String zone) {

  /** What a node's own agent says of a pod that it runs without having been told to. */
  private static final String MIRROR = "kubernetes.io/config.mirror";

  /**
   * @param old null if the pod is new, or had no node
   * @param next null if the pod goes
   * @return null if nothing is taken or given back
   */
  public static @Nullable PodChange of(
      String namespace, String name, @Nullable JsonNode old, @Nullable JsonNode next) {
    String nodeBefore = node(old);
    String nodeAfter = node(next);
    if (nodeBefore.isEmpty() && nodeAfter.isEmpty()) {
      return null;
    }
    Demand took = nodeBefore.isEmpty() || old == null ? Demand.NONE : Demand.of(old);
    Demand takes = nodeAfter.isEmpty() || next == null ? Demand.NONE : Demand.of(next);
    boolean placed = nodeBefore.isEmpty() && !nodeAfter.isEmpty();
    // One that ended before it got its node may come back, and must be in the right zone then.
    if (took.equals(takes) && !placed) {
      return null;
    }
    boolean runsAlready = next != null && next.path("metadata").path("annotations").has(MIRROR);
    return new PodChange(
        nodeAfter.isEmpty() ? nodeBefore : nodeAfter,
        namespace,
        name,
        took,
        takes,
        !runsAlready,
        placed && next != null ? zone(next) : null);
  }

  private static String zone(JsonNode pod) {
    return Meta.text(pod.path("metadata").path("annotations").path(TenantQuotas.ZONE_ANNOTATION));
  }

  private static String node(@Nullable JsonNode pod) {
    return pod == null ? "" : Meta.text(pod.path("spec").path("nodeName"));
  }
}
