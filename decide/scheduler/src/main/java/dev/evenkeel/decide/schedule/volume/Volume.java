package dev.evenkeel.decide.schedule.volume;

import dev.evenkeel.decide.schedule.model.NodeInfo;
import dev.evenkeel.decide.schedule.model.NodeSelection;
import dev.evenkeel.decide.schedule.model.NodeTermReader;
import dev.evenkeel.kernel.api.Meta;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A persistent volume.
 *
 * @param selection the nodes that reach it
 * @param claim {@code namespace/name} of the claim that has it or that it waits for; empty if none
 */
public record Volume(
    String name,
    Map<String, String> labels,
    NodeSelection selection,
    String storageClass,
    Set<String> accessModes,
    long bytes,
    String claim) {

  /** Labels of volumes and nodes that must agree, and what each was called before. */
  private static final List<List<String>> ZONES =
      List.of(
          List.of("topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"),
          List.of("topology.kubernetes.io/region", "failure-domain.beta.kubernetes.io/region"));

  public Volume {
    labels = Map.copyOf(labels);
    accessModes = Set.copyOf(accessModes);
  }

  public static Volume of(ObjectNode volume) {
    JsonNode spec = volume.path("spec");
    JsonNode claim = spec.path("claimRef");
    @Nullable List<NodeSelection.Term> terms =
        NodeTermReader.terms(spec.path("nodeAffinity").path("required"));
    return new Volume(
        Meta.name(volume),
        Meta.labels(volume),
        terms == null ? NodeSelection.ALL : new NodeSelection(List.of(), terms),
        Meta.text(spec.path("storageClassName")),
        Claim.modes(spec.path("accessModes")),
        Claim.bytes(spec.path("capacity")),
        claim.isObject()
            ? Meta.text(claim.path("namespace")) + "/" + Meta.text(claim.path("name"))
            : "");
  }

  /** Whether the claim could have it. */
  public boolean suits(Claim wanting) {
    return storageClass.equals(wanting.storageClass())
        && (claim.isEmpty() || claim.equals(wanting.key()))
        && accessModes.containsAll(wanting.accessModes())
        && bytes >= wanting.bytes()
        && wanting.selector().matches(labels);
  }

  /** Whether it is in the node's zone; a node that is in none has all. */
  public boolean isInZoneOf(NodeInfo node) {
    boolean anywhere = ZONES.stream().flatMap(List::stream).noneMatch(node.labels()::containsKey);
    return anywhere || ZONES.stream().allMatch(names -> agree(names, node));
  }

  private boolean agree(List<String> names, NodeInfo node) {
    String ofNode = first(names, node.labels());
    for (String name : names) {
      String allowed = labels.get(name);
      // A volume that is in several zones names them all.
      if (allowed != null
          && (ofNode == null || !Arrays.asList(allowed.split("__", -1)).contains(ofNode))) {
        return false;
      }
    }
    return true;
  }

  private static @Nullable String first(List<String> names, Map<String, String> labels) {
    for (String name : names) {
      if (labels.containsKey(name)) {
        return labels.get(name);
      }
    }
    return null;
  }
}
