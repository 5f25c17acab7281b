package dev.evenkeel.decide.controllers.storage;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.Reconciler;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.decide.queue.Key;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.cache.Index;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Lets a claim that is deleted go when no pod on a node uses it any more. */
public final class ClaimProtectionReconciler implements Reconciler<ObjectNode> {

  private static final Finalizer FINALIZER = new Finalizer("kubernetes.io/pvc-protection");

  private static final Index<ObjectNode> BY_CLAIM =
      new Index<>("claims", ClaimProtectionReconciler::claimsOf);

  private ClaimProtectionReconciler() {}

  public static Controller<ObjectNode> controller() {
    return Controller.of(
            "pvc-protection-controller", Kinds.VOLUME_CLAIMS, new ClaimProtectionReconciler())
        .indexing(Kinds.PODS, BY_CLAIM)
        .watching(Kinds.PODS, (pod, _) -> concerned(pod));
  }

  private static Collection<Key> concerned(Cached<ObjectNode> pod) {
    Collection<String> claims = claimsOf(pod);
    if (claims.isEmpty()) {
      return List.of();
    }
    return claims.stream()
        .map(claim -> new Key(pod.namespace(), claim.substring(claim.indexOf('/') + 1)))
        .toList();
  }

  /** By namespace and name. Most pods have none, and are not read for it. */
  private static Collection<String> claimsOf(Cached<ObjectNode> pod) {
    if (!pod.mentions("persistentVolumeClaim") && !pod.mentions("volumeClaimTemplate")) {
      return List.of();
    }
    List<String> claims = new ArrayList<>(1);
    for (JsonNode volume : pod.tree().path("spec").path("volumes")) {
      String name = Meta.text(volume.path("persistentVolumeClaim").path("claimName"));
      if (name.isEmpty() && volume.has("ephemeral")) {
        name = pod.name() + "-" + Meta.text(volume.path("name"));
      }
      if (!name.isEmpty()) {
        claims.add(pod.namespace() + "/" + name);
      }
    }
    return claims;
  }

  @Override
  public Plan reconcile(Cached<ObjectNode> object, View view) {
    Plan plan = Plan.empty();
    ObjectNode claim = object.tree();
    boolean on = FINALIZER.isOn(claim);
    if (!Pods.isEnding(claim)) {
      if (!on) {
        FINALIZER.putOn(object, plan);
      }
    } else if (on && !isUsed(object, view)) {
      FINALIZER.takeOff(object, "no pod uses it", plan);
    }
    return plan;
  }

  /** By a pod that was placed and has not ended: no other holds on to a volume. */
  private static boolean isUsed(Cached<ObjectNode> claim, View view) {
    String key = claim.namespace() + "/" + claim.name();
    for (Cached<ObjectNode> pod : view.by(Kinds.PODS, BY_CLAIM, key)) {
      String phase = Pods.phase(pod.tree());
      if (!pod.text("spec", "nodeName").isEmpty()
          && !phase.equals("Succeeded")
          && !phase.equals("Failed")) {
        return true;
      }
    }
    return false;
  }
}
