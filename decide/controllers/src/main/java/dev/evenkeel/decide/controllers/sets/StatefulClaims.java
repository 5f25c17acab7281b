package dev.evenkeel.decide.controllers.sets;

import dev.evenkeel.decide.controllers.object.Ownership;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.PlannedEvent;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import dev.evenkeel.observe.object.Owner;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The claims of a StatefulSet's pods. They outlive pods; whether they outlive the set, or a pod
 * that is not wanted any more, is said by who owns them.
 */
final class StatefulClaims {

  private final Cached<ObjectNode> set;
  private final ObjectNode tree;
  private final StatefulSpec spec;
  private final View view;
  private final Plan plan;

  StatefulClaims(Cached<ObjectNode> set, ObjectNode tree, StatefulSpec spec, View view, Plan plan) {
    this.set = set;
    this.tree = tree;
    this.spec = spec;
    this.view = view;
    this.plan = plan;
  }

  /** Why a pod of this ordinal cannot be made yet; null if nothing is in the way. */
  @Nullable String obstacle(int ordinal) {
    for (ObjectNode template : spec.claimTemplates()) {
      Cached<ObjectNode> claim = find(template, ordinal);
      if (claim == null) {
        continue;
      }
      if (!claim.text("metadata", "deletionTimestamp").isEmpty()) {
        return "claim " + claim.name() + " is being deleted";
      }
      if (spec.claimsGoWithPods() && names(claim, "Pod", Identity.name(set, ordinal))) {
        return "claim " + claim.name() + " goes with the pod before";
      }
    }
    return null;
  }

  /** Makes those that a pod lacks. */
  void createMissing(int ordinal) {
    for (ObjectNode template : spec.claimTemplates()) {
      if (find(template, ordinal) == null) {
        ObjectNode claim = claim(template, ordinal);
        plan.create(
                Kinds.VOLUME_CLAIMS,
                claim,
                "pod " + Identity.name(set, ordinal) + " has no claim " + Meta.name(claim))
            .telling(
                "SuccessfulCreate",
                "create Claim %s Pod %s in StatefulSet %s success"
                    .formatted(Meta.name(claim), Identity.name(set, ordinal), set.name()));
      }
    }
  }

  private ObjectNode claim(ObjectNode template, int ordinal) {
    ObjectNode claim = template.deepCopy();
    claim.remove("status");
    claim.put("apiVersion", "v1").put("kind", "PersistentVolumeClaim");
    ObjectNode metadata = Meta.of(claim);
    metadata.put("name", Identity.claim(template, set, ordinal));
    metadata.put("namespace", set.namespace());
    ObjectNode labels =
        metadata.get("labels") instanceof ObjectNode known ? known : metadata.putObject("labels");
    tree.path("spec").path("selector").path("matchLabels").forEachEntry(labels::set);
    if (spec.claimsGoWithSet()) {
      Ownership.take(claim, set);
    }
    return claim;
  }

  /** Has a pod's claims belong to whom they should. */
  void own(Member pod) {
    int ordinal = Identity.ordinal(pod.name());
    for (ObjectNode template : spec.claimTemplates()) {
      Cached<ObjectNode> claim = find(template, ordinal);
      if (claim != null && claim.text("metadata", "deletionTimestamp").isEmpty()) {
        own(claim, pod, spec.isWanted(ordinal));
      }
    }
  }

  private void own(Cached<ObjectNode> claim, Member pod, boolean wanted) {
    if (isStale(claim, "StatefulSet", set) || isStale(claim, "Pod", pod.seen())) {
      return;
    }
    List<Owner> others =
        claim.owners().stream()
            .filter(it -> !it.uid().equals(set.uid()) && !it.uid().equals(pod.seen().uid()))
            .toList();
    boolean retained = !spec.claimsGoWithSet() && !spec.claimsGoWithPods();
    boolean contested = !retained && others.stream().anyMatch(Owner::controller);
    boolean bySet = !contested && spec.claimsGoWithSet() && (wanted || !spec.claimsGoWithPods());
    boolean byPod = !contested && spec.claimsGoWithPods() && !wanted;
    if (isOwned(claim, set) == bySet && isOwned(claim, pod.seen()) == byPod) {
      return;
    }
    ArrayNode owners = JsonNodeFactory.instance.arrayNode();
    for (JsonNode reference : claim.tree().path("metadata").path("ownerReferences")) {
      String uid = Meta.text(reference.path("uid"));
      if (others.stream().anyMatch(it -> it.uid().equals(uid))) {
        owners.add(reference);
      }
    }
    if (bySet) {
      owners.add(reference(set));
    }
    if (byPod) {
      owners.add(reference(pod.seen()));
    }
    ObjectNode change = JsonNodeFactory.instance.objectNode();
    if (owners.isEmpty()) {
      Meta.of(change).putNull("ownerReferences");
    } else {
      Meta.of(change).set("ownerReferences", owners);
    }
    if (contested) {
      plan.tell(
          PlannedEvent.Type.WARNING,
          "ConflictingController",
          "PersistentVolumeClaim "
              + claim.name()
              + " has a conflicting OwnerReference that acts as a managing controller, the"
              + " retention policy is ignored for this claim");
    }
    plan.patch(claim, change, reason(claim, pod, bySet, byPod));
  }

  private String reason(Cached<?> claim, Member pod, boolean bySet, boolean byPod) {
    if (byPod) {
      return "claim " + claim.name() + " goes with pod " + pod.name() + ", which is too many";
    }
    return bySet
        ? "claim " + claim.name() + " goes with the set"
        : "claim " + claim.name() + " stays, whatever becomes of pod and set";
  }

  private @Nullable Cached<ObjectNode> find(ObjectNode template, int ordinal) {
    return view.find(Kinds.VOLUME_CLAIMS, set.namespace(), Identity.claim(template, set, ordinal));
  }

  private static boolean names(Cached<?> claim, String kind, String name) {
    return claim.owners().stream().anyMatch(it -> it.kind().equals(kind) && it.name().equals(name));
  }

  /** Whether it belongs to one of that name before. The garbage collector knows what to do. */
  private static boolean isStale(Cached<?> claim, String kind, Cached<?> owner) {
    return claim.owners().stream()
        .anyMatch(
            it ->
                it.kind().equals(kind)
                    && it.name().equals(owner.name())
                    && !it.uid().equals(owner.uid()));
  }

  private static boolean isOwned(Cached<?> claim, Cached<?> owner) {
    return claim.owners().stream().anyMatch(it -> it.uid().equals(owner.uid()) && it.controller());
  }

  private static ObjectNode reference(Cached<ObjectNode> owner) {
    ObjectNode carrier = JsonNodeFactory.instance.objectNode();
    Ownership.take(carrier, owner);
    return (ObjectNode) carrier.path("metadata").path("ownerReferences").path(0);
  }
}
