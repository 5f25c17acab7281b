package dev.evenkeel.decide.controllers.storage;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.PlannedEvent;
import dev.evenkeel.decide.plan.Reconciler;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.decide.queue.Key;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Says in which phase of its life a volume is: Available to any claim, Bound to one, or Released by
 * one that is gone. That the claim is gone is asked of the authority: a volume that counts as
 * released may be wiped by whoever made it.
 */
public final class VolumePhaseReconciler implements Reconciler<ObjectNode> {

  public static Controller<ObjectNode> controller() {
    return Controller.of("persistentvolume-binder", Kinds.VOLUMES, new VolumePhaseReconciler())
        .watching(
            Kinds.VOLUME_CLAIMS,
            (claim, _) -> {
              String volume = claim.text("spec", "volumeName");
              return volume.isEmpty() ? List.of() : List.of(new Key("", volume));
            });
  }

  @Override
  public Plan reconcile(Cached<ObjectNode> seen, View view) {
    Plan plan = Plan.empty();
    JsonNode reference = seen.tree().path("spec").path("claimRef");
    String uid = Meta.text(reference.path("uid"));
    if (uid.isEmpty()) {
      return phase(seen, plan, "Available", "no claim has it");
    }
    String namespace = Meta.text(reference.path("namespace"));
    String name = Meta.text(reference.path("name"));
    Cached<ObjectNode> claim = view.find(Kinds.VOLUME_CLAIMS, namespace, name);
    if (claim == null || !claim.uid().equals(uid)) {
      return withoutClaim(seen, namespace, name, uid, view, plan);
    }
    String chosen = claim.text("spec", "volumeName");
    if (chosen.equals(seen.name())) {
      return phase(seen, plan, "Bound", "claim " + namespace + "/" + name + " has it");
    }
    if (chosen.isEmpty()) {
      return plan; // The claim is about to name it.
    }
    return otherwiseBound(seen, chosen, plan);
  }

  private static Plan withoutClaim(
      Cached<ObjectNode> seen, String namespace, String name, String uid, View view, Plan plan) {
    if (Pods.phase(seen.tree()).equals("Released")) {
      return plan;
    }
    plan.ask(Kinds.VOLUME_CLAIMS, namespace, name);
    View.Answer<ObjectNode> answer = view.asked(Kinds.VOLUME_CLAIMS, namespace, name);
    if (answer == null) {
      return plan;
    }
    Cached<ObjectNode> there = answer.object();
    return there != null && there.uid().equals(uid)
        ? plan
        : phase(seen, plan, "Released", "claim " + namespace + "/" + name + " is gone");
  }

  /** The claim took another volume: what was reserved for it here is free again. */
  private static Plan otherwiseBound(Cached<ObjectNode> seen, String chosen, Plan plan) {
    boolean ours =
        Meta.at(seen.tree(), "metadata", "annotations").has(ClaimBindingReconciler.BY_CONTROLLER);
    ObjectNode change = JsonNodeFactory.instance.objectNode();
    if (ours) {
      change.putObject("spec").putNull("claimRef");
      Meta.of(change).putObject("annotations").putNull(ClaimBindingReconciler.BY_CONTROLLER);
    } else {
      // A user named the claim: the name stays, the identity was ours to add.
      change.putObject("spec").putObject("claimRef").putNull("uid").putNull("resourceVersion");
    }
    return plan.patch(seen, change, "its claim has volume " + chosen);
  }

  private static Plan phase(Cached<ObjectNode> seen, Plan plan, String phase, String why) {
    if (Pods.phase(seen.tree()).equals(phase)) {
      return plan;
    }
    plan.status(seen, JsonNodeFactory.instance.objectNode().put("phase", phase), why);
    if (phase.equals("Released")) {
      plan.tell(PlannedEvent.Type.NORMAL, "VolumeReleased", why);
    }
    return plan;
  }
}
