package dev.evenkeel.decide.controllers.cluster;

import dev.evenkeel.decide.controllers.object.Ownership;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.object.Kinds;
import dev.evenkeel.observe.object.Owner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** How many pods those who are in charge of some pods want, all together. */
final class Scales {

  /** The groups of the kinds that come with the cluster. */
  private static final Set<String> OWN_GROUPS = Set.of("apps", "batch", "");

  /**
   * What was found.
   *
   * @param unmanaged pods that nobody is in charge of
   * @param failure why it cannot be known; null if it can
   */
  record Scale(long pods, List<String> unmanaged, @Nullable String failure) {}

  private final View view;
  private final Map<String, Long> replicasByOwner = new HashMap<>();

  private Scales(View view) {
    this.view = view;
  }

  static Scale of(List<Cached<ObjectNode>> pods, View view) {
    var scales = new Scales(view);
    List<String> unmanaged = new ArrayList<>();
    Set<String> known = new HashSet<>();
    for (Cached<ObjectNode> pod : pods) {
      Owner owner = Ownership.controller(pod);
      if (owner == null) {
        unmanaged.add(pod.name());
      } else if (known.add(owner.uid()) && !scales.add(owner, pod.namespace())) {
        return new Scale(0, unmanaged, failure(owner, pod));
      }
    }
    long sum = scales.replicasByOwner.values().stream().mapToLong(Long::longValue).sum();
    return new Scale(sum, unmanaged, null);
  }

  private static String failure(Owner owner, Cached<ObjectNode> pod) {
    String group =
        owner.apiVersion().contains("/")
            ? owner.apiVersion().substring(0, owner.apiVersion().indexOf('/'))
            : "";
    return kind(owner) == null && OWN_GROUPS.contains(group)
        ? owner.kind().toLowerCase(Locale.ROOT)
            + "s"
            + (group.isEmpty() ? "" : "." + group)
            + " does not implement the scale subresource"
        : "found no controllers for pod \"" + pod.name() + "\"";
  }

  private static @Nullable Kind<ObjectNode> kind(Owner owner) {
    return switch (owner.kind() + "." + owner.apiVersion()) {
      case "ReplicaSet.apps/v1" -> Kinds.REPLICA_SETS;
      case "Deployment.apps/v1" -> Kinds.DEPLOYMENTS;
      case "StatefulSet.apps/v1" -> Kinds.STATEFUL_SETS;
      case "ReplicationController.v1" -> Kinds.REPLICATION_CONTROLLERS;
      default -> null;
    };
  }

  /** Whether it was found, or the one that is in charge of it. */
  private boolean add(Owner owner, String namespace) {
    Kind<ObjectNode> kind = kind(owner);
    Cached<ObjectNode> found = kind == null ? null : view.find(kind, namespace, owner.name());
    if (found == null || !found.uid().equals(owner.uid())) {
      return false;
    }
    Owner above = owner.kind().equals("ReplicaSet") ? Ownership.controller(found) : null;
    if (above == null || !above.kind().equals("Deployment") || !add(above, namespace)) {
      replicasByOwner.put(owner.uid(), replicas(found));
    }
    return true;
  }

  private static long replicas(Cached<ObjectNode> owner) {
    String text = owner.text("spec", "replicas");
    return text.isEmpty() ? 1 : Long.parseLong(text);
  }
}
