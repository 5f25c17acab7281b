package dev.evenkeel.decide.schedule.model;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.fit.NodeLedger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A node as schedulers see it. Never changed.
 *
 * @param version the object's
 * @param allocatable what pods can have of it, in the units of {@code Demand}; empty if it has not
 *     said
 * @param images the size of each image that is there, in bytes, by each of its names
 */
public record NodeInfo(
    String name,
    String uid,
    long version,
    Map<String, String> labels,
    List<Taint> taints,
    boolean unschedulable,
    SortedMap<String, Long> allocatable,
    Map<String, Long> images) {

  public NodeInfo {
    labels = Map.copyOf(labels);
    taints = List.copyOf(taints);
    images = Map.copyOf(images);
  }

  public static NodeInfo of(ObjectNode node) {
    JsonNode spec = node.path("spec");
    return new NodeInfo(
        Meta.name(node),
        Meta.uid(node),
        PodReader.version(node),
        Meta.labels(node),
        taints(spec.path("taints")),
        spec.path("unschedulable").asBoolean(false),
        NodeLedger.uncounted(node).capacity(),
        images(node.path("status").path("images")));
  }

  /** Empty if it is in none. */
  public String zone() {
    return labels.getOrDefault(SpreadConstraint.ZONE, "");
  }

  private static List<Taint> taints(JsonNode list) {
    List<Taint> taints = new ArrayList<>(0);
    for (JsonNode taint : list) {
      taints.add(
          new Taint(
              Meta.text(taint.path("key")),
              Meta.text(taint.path("value")),
              Taint.Effect.of(Meta.text(taint.path("effect")))));
    }
    return taints;
  }

  private static Map<String, Long> images(JsonNode list) {
    Map<String, Long> images = new HashMap<>();
    for (JsonNode image : list) {
      long bytes = image.path("sizeBytes").asLong(0);
      image.path("names").forEach(name -> images.put(Meta.text(name), bytes));
    }
    return images;
  }
}
