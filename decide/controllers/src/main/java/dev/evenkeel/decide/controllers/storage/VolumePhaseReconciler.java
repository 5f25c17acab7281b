package dev.evenkeel.decide.controllers.storage;

import dev.evenkeel.decide.controllers.object.Kinds;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.Reconciler;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Cached;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Says of a volume that nobody claims that it can be had. */
public final class VolumePhaseReconciler implements Reconciler<ObjectNode> {

  private VolumePhaseReconciler() {}

  public static Controller<ObjectNode> controller() {
    return Controller.of(
        "persistentvolume-binder-controller", Kinds.VOLUMES, new VolumePhaseReconciler());
  }

  @Override
  public Plan reconcile(Cached<ObjectNode> object, View view) {
    Plan plan = Plan.empty();
    ObjectNode volume = object.tree();
    String phase = Meta.text(volume.path("status").path("phase"));
    boolean claimed = volume.path("spec").path("claimRef").isObject();
    if (!claimed && (phase.isEmpty() || phase.equals("Pending"))) {
      ObjectNode status = JsonNodeFactory.instance.objectNode();
      status.put("phase", "Available");
      plan.status(object, status, "no claim is on it");
    }
    return plan;
  }
}
