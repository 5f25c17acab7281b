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
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Gives claims their volumes. The volume is taken first, on the condition that it is as it was
 * seen, so of two claims that want it one gets it; then the claim names it. Each step can be seen
 * in the objects, so whoever goes on after a crash goes on where it ended.
 */
public final class ClaimBindingReconciler implements Reconciler<ObjectNode> {

  static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";
  static final String BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

  private static final String PROVISIONER = "volume.kubernetes.io/storage-provisioner";
  private static final String FORMER_PROVISIONER = "volume.beta.kubernetes.io/storage-provisioner";
  private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";
  private static final String NO_PROVISIONER = "kubernetes.io/no-provisioner";

  public static Controller<ObjectNode> controller() {
    return Controller.of(
            "persistentvolumeclaim-binder", Kinds.VOLUME_CLAIMS, new ClaimBindingReconciler())
        .watching(Kinds.VOLUMES, ClaimBindingReconciler::concerned)
        .watching(Kinds.STORAGE_CLASSES, (_, view) -> keys(view, false));
  }

  /** The claim that a volume names; those that wait, where it names none. */
  private static Collection<Key> concerned(Cached<ObjectNode> volume, View view) {
    JsonNode reference = volume.tree().path("spec").path("claimRef");
    String name = Meta.text(reference.path("name"));
    return name.isEmpty()
        ? keys(view, true)
        : List.of(new Key(Meta.text(reference.path("namespace")), name));
  }

  private static List<Key> keys(View view, boolean unbound) {
    return view.list(Kinds.VOLUME_CLAIMS, "").stream()
        .filter(claim -> !unbound || !claim.text("status", "phase").equals("Bound"))
        .map(claim -> new Key(claim.namespace(), claim.name()))
        .toList();
  }

  @Override
  public Plan reconcile(Cached<ObjectNode> seen, View view) {
    Plan plan = Plan.empty();
    ObjectNode claim = seen.tree();
    if (Pods.isEnding(claim)) {
      return plan;
    }
    String name = Meta.text(claim.path("spec").path("volumeName"));
    boolean completed = annotations(claim).has(BIND_COMPLETED);
    if (name.isEmpty()) {
      return completed
          ? lost(seen, plan, "Bound claim has lost reference to PersistentVolume")
          : choose(seen, claim, view, plan);
    }
    Cached<ObjectNode> volume = view.find(Kinds.VOLUMES, "", name);
    if (volume == null) {
      return completed ? withoutVolume(seen, name, view, plan) : plan;
    }
    if (!ClaimRef.isSet(volume.tree()) || ClaimRef.names(volume.tree(), seen)) {
      boolean fits = completed || VolumeMatch.suits(volume.tree(), claim);
      return fits
          ? bind(seen, claim, volume, plan)
          : plan.tell(
              PlannedEvent.Type.WARNING,
              "VolumeMismatch",
              "Cannot bind to requested volume \"" + name + "\": it lacks what the claim asks for");
    }
    return completed
        ? lost(seen, plan, "Two claims are bound to the same volume, this one is bound incorrectly")
        : plan;
  }

  private static Plan withoutVolume(Cached<ObjectNode> seen, String name, View view, Plan plan) {
    plan.ask(Kinds.VOLUMES, "", name);
    View.Answer<ObjectNode> answer = view.asked(Kinds.VOLUMES, "", name);
    return answer != null && answer.object() == null
        ? lost(seen, plan, "Bound claim has lost its PersistentVolume. Data on the volume is lost!")
        : plan;
  }

  private static Plan lost(Cached<ObjectNode> seen, Plan plan, String why) {
    if (!Pods.phase(seen.tree()).equals("Lost")) {
      plan.status(seen, JsonNodeFactory.instance.objectNode().put("phase", "Lost"), why);
      plan.tell(PlannedEvent.Type.WARNING, "ClaimLost", why);
    }
    return plan;
  }

  private static Plan choose(Cached<ObjectNode> seen, ObjectNode claim, View view, Plan plan) {
    String className = VolumeMatch.storageClass(claim);
    Cached<ObjectNode> storageClass =
        className.isEmpty() ? null : view.find(Kinds.STORAGE_CLASSES, "", className);
    boolean waits =
        storageClass != null
            && storageClass.text("volumeBindingMode").equals("WaitForFirstConsumer")
            && !annotations(claim).has(SELECTED_NODE);
    Cached<ObjectNode> volume = VolumeMatch.find(seen, view.list(Kinds.VOLUMES, ""), waits);
    if (volume != null) {
      return bind(seen, claim, volume, plan);
    }
    if (waits) {
      return plan.tell(
          PlannedEvent.Type.NORMAL,
          "WaitForFirstConsumer",
          "waiting for first consumer to be created before binding");
    }
    return className.isEmpty()
        ? plan.tell(
            PlannedEvent.Type.NORMAL,
            "FailedBinding",
            "no persistent volumes available for this claim and no storage class is set")
        : provision(seen, claim, className, storageClass, plan);
  }

  /** Leaves the claim to the one who makes volumes of its class. */
  private static Plan provision(
      Cached<ObjectNode> seen,
      ObjectNode claim,
      String className,
      @Nullable Cached<ObjectNode> storageClass,
      Plan plan) {
    if (storageClass == null) {
      return plan.tell(
          PlannedEvent.Type.WARNING,
          "ProvisioningFailed",
          "storageclass.storage.k8s.io \"" + className + "\" not found");
    }
    String provisioner = storageClass.text("provisioner");
    if (provisioner.equals(NO_PROVISIONER)) {
      return plan.tell(
          PlannedEvent.Type.NORMAL,
          "FailedBinding",
          "no persistent volumes available for this claim, and volumes of class \""
              + className
              + "\" are not made on demand");
    }
    if (!Meta.text(annotations(claim).path(PROVISIONER)).equals(provisioner)) {
      ObjectNode change = JsonNodeFactory.instance.objectNode();
      Meta.of(change)
          .putObject("annotations")
          .put(PROVISIONER, provisioner)
          .put(FORMER_PROVISIONER, provisioner);
      plan.patch(seen, change, "no volume suits it, so " + provisioner + " is to make one");
    }
    return plan.tell(
        PlannedEvent.Type.NORMAL,
        "ExternalProvisioning",
        "Waiting for a volume to be created either by the external provisioner '"
            + provisioner
            + "' or manually by the system administrator.");
  }

  private static Plan bind(
      Cached<ObjectNode> seen, ObjectNode claim, Cached<ObjectNode> volume, Plan plan) {
    if (!ClaimRef.isComplete(volume.tree(), seen)) {
      plan.patch(volume, taken(volume.tree(), seen), "claim " + key(seen) + " gets it");
    }
    ObjectNode change = named(claim, volume.name());
    if (!change.isEmpty()) {
      return plan.patch(seen, change, "volume " + volume.name() + " suits it");
    }
    ObjectNode status = JsonNodeFactory.instance.objectNode().put("phase", "Bound");
    status.set("accessModes", volume.tree().path("spec").path("accessModes"));
    status.set("capacity", volume.tree().path("spec").path("capacity"));
    return plan.status(seen, status, "volume " + volume.name() + " is its own");
  }

  private static ObjectNode taken(ObjectNode volume, Cached<ObjectNode> claim) {
    ObjectNode change = JsonNodeFactory.instance.objectNode();
    change.putObject("spec").set("claimRef", ClaimRef.to(claim));
    if (!ClaimRef.isSet(volume)) {
      Meta.of(change).putObject("annotations").put(BY_CONTROLLER, "yes");
    }
    return change;
  }

  /** What the claim still lacks to name its volume; empty if nothing. */
  private static ObjectNode named(ObjectNode claim, String volume) {
    ObjectNode change = JsonNodeFactory.instance.objectNode();
    ObjectNode marks = JsonNodeFactory.instance.objectNode();
    if (!Meta.text(claim.path("spec").path("volumeName")).equals(volume)) {
      change.putObject("spec").put("volumeName", volume);
      marks.put(BY_CONTROLLER, "yes");
    }
    if (!annotations(claim).has(BIND_COMPLETED)) {
      marks.put(BIND_COMPLETED, "yes");
    }
    if (!marks.isEmpty()) {
      Meta.of(change).set("annotations", marks);
    }
    return change;
  }

  private static JsonNode annotations(ObjectNode object) {
    return Meta.at(object, "metadata", "annotations");
  }

  private static String key(Cached<?> object) {
    return object.namespace() + "/" + object.name();
  }
}
