package dev.evenkeel.decide.controllers.storage;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.Reconciler;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import tools.jackson.databind.node.ObjectNode;

/** Lets a volume that is deleted go when no claim is bound to it. */
public final class VolumeProtectionReconciler implements Reconciler<ObjectNode> {

  private static final Finalizer FINALIZER = new Finalizer("kubernetes.io/pv-protection");

  private VolumeProtectionReconciler() {}

  public static Controller<ObjectNode> controller() {
    return Controller.of(
        "pv-protection-controller", Kinds.VOLUMES, new VolumeProtectionReconciler());
  }

  @Override
  public Plan reconcile(Cached<ObjectNode> object, View view) {
    Plan plan = Plan.empty();
    ObjectNode volume = object.tree();
    boolean on = FINALIZER.isOn(volume);
    boolean bound = Meta.text(volume.path("status").path("phase")).equals("Bound");
    if (!Pods.isEnding(volume)) {
      if (!on) {
        FINALIZER.putOn(object, plan);
      }
    } else if (on && !bound) {
      FINALIZER.takeOff(object, "no claim is bound to it", plan);
    }
    return plan;
  }
}
