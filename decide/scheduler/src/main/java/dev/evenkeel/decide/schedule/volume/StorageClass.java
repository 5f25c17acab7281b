package dev.evenkeel.decide.schedule.volume;

import dev.evenkeel.decide.schedule.model.NodeInfo;
import dev.evenkeel.decide.schedule.model.NodeRequirement;
import dev.evenkeel.kernel.api.Meta;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * How claims of a class come to volumes.
 *
 * @param waitsForPod whether a claim is bound only when a pod that uses it is placed
 * @param makesVolumes whether volumes are made for claims
 * @param topologies where they are made: each says what of a node must hold; everywhere, if there
 *     are none
 */
public record StorageClass(
    String name,
    boolean waitsForPod,
    boolean makesVolumes,
    List<List<NodeRequirement>> topologies) {

  private static final String MAKES_NONE = "kubernetes.io/no-provisioner";

  public StorageClass {
    topologies = List.copyOf(topologies);
  }

  public static StorageClass of(ObjectNode object) {
    List<List<NodeRequirement>> topologies = new ArrayList<>(0);
    for (JsonNode term : object.path("allowedTopologies")) {
      List<NodeRequirement> requirements = new ArrayList<>(1);
      for (JsonNode expression : term.path("matchLabelExpressions")) {
        List<String> values = new ArrayList<>(1);
        expression.path("values").forEach(value -> values.add(Meta.text(value)));
        requirements.add(
            new NodeRequirement(
                Meta.text(expression.path("key")), NodeRequirement.Operator.IN, values));
      }
      topologies.add(requirements);
    }
    return new StorageClass(
        Meta.name(object),
        Meta.text(object.path("volumeBindingMode")).equals("WaitForFirstConsumer"),
        !Meta.text(object.path("provisioner")).equals(MAKES_NONE),
        topologies);
  }

  public boolean makesVolumesFor(NodeInfo node) {
    return makesVolumes
        && (topologies.isEmpty()
            || topologies.stream()
                .anyMatch(
                    all ->
                        all.stream().allMatch(one -> one.matches(node.labels().get(one.key())))));
  }
}
