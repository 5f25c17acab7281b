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
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Lets a class of volume attributes that is deleted go when no claim and no volume names it. */
public final class VolumeClassProtectionReconciler implements Reconciler<ObjectNode> {

  private static final Finalizer FINALIZER = new Finalizer("kubernetes.io/vac-protection");
  private static final String NAME = "volumeAttributesClassName";

  private static final Index<ObjectNode> BY_CLASS =
      new Index<>("attributes-class", VolumeClassProtectionReconciler::classesOf);

  private VolumeClassProtectionReconciler() {}

  public static Controller<ObjectNode> controller() {
    return Controller.of(
            "volumeattributesclass-protection-controller",
            Kinds.VOLUME_CLASSES,
            new VolumeClassProtectionReconciler())
        .indexing(Kinds.VOLUME_CLAIMS, BY_CLASS)
        .indexing(Kinds.VOLUMES, BY_CLASS)
        .watching(Kinds.VOLUME_CLAIMS, (claim, _) -> concerned(claim))
        .watching(Kinds.VOLUMES, (volume, _) -> concerned(volume));
  }

  private static Collection<Key> concerned(Cached<ObjectNode> object) {
    return classesOf(object).stream().map(name -> new Key("", name)).toList();
  }

  /** What it asks for, has, and is being given. */
  private static Collection<String> classesOf(Cached<ObjectNode> object) {
    if (!object.mentions("olumeAttributesClassName")) {
      return Set.of();
    }
    Set<String> names = new LinkedHashSet<>();
    JsonNode status = object.tree().path("status");
    names.add(object.text("spec", NAME));
    names.add(Meta.text(status.path("currentVolumeAttributesClassName")));
    names.add(Meta.text(status.path("modifyVolumeStatus").path("targetVolumeAttributesClassName")));
    names.remove("");
    return names;
  }

  @Override
  public Plan reconcile(Cached<ObjectNode> object, View view) {
    Plan plan = Plan.empty();
    ObjectNode tree = object.tree();
    boolean on = FINALIZER.isOn(tree);
    if (!Pods.isEnding(tree)) {
      if (!on) {
        FINALIZER.putOn(object, plan);
      }
      return plan;
    }
    boolean used =
        !view.by(Kinds.VOLUME_CLAIMS, BY_CLASS, object.name()).isEmpty()
            || !view.by(Kinds.VOLUMES, BY_CLASS, object.name()).isEmpty();
    if (on && !used) {
      FINALIZER.takeOff(object, "no claim and no volume names it", plan);
    }
    return plan;
  }
}
