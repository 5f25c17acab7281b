package dev.evenkeel.decide.controllers.workload;

import dev.evenkeel.decide.controllers.object.Ownership;
import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.controllers.object.Selecting;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.Reconciler;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.decide.queue.Key;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.kernel.selector.LabelSelector;
import dev.evenkeel.observe.cache.Indexes;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import dev.evenkeel.observe.object.Owner;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Brings a deployment's template to its pods by ReplicaSets: each template has its own, and while
 * one is rolled out, it grows as the others shrink.
 */
public final class DeploymentReconciler implements Reconciler<ObjectNode> {

  public static Controller<ObjectNode> controller() {
    return Controller.of("deployment", Kinds.DEPLOYMENTS, new DeploymentReconciler())
        .owning(Kinds.REPLICA_SETS)
        .watching(
            Kinds.REPLICA_SETS, (set, view) -> Selecting.adopters(Kinds.DEPLOYMENTS, set, view))
        .watching(Kinds.PODS, DeploymentReconciler::waitingForTheEnd)
        .indexing(Kinds.PODS, Indexes.owner());
  }

  /** The deployment of a pod, if it has new pods wait for the end of old ones. */
  private static Collection<Key> waitingForTheEnd(Cached<ObjectNode> pod, View view) {
    Cached<ObjectNode> set = controller(pod, Kinds.REPLICA_SETS.gvk().kind(), view);
    Cached<ObjectNode> deployment =
        set == null ? null : controller(set, Kinds.DEPLOYMENTS.gvk().kind(), view);
    return deployment != null && deployment.text("spec", "strategy", "type").equals("Recreate")
        ? List.of(new Key(deployment.namespace(), deployment.name()))
        : List.of();
  }

  private static @Nullable Cached<ObjectNode> controller(
      Cached<ObjectNode> object, String kind, View view) {
    Owner owner = Ownership.controller(object);
    if (owner == null || !owner.kind().equals(kind)) {
      return null;
    }
    Cached<ObjectNode> found =
        view.find(
            kind.equals(Kinds.REPLICA_SETS.gvk().kind()) ? Kinds.REPLICA_SETS : Kinds.DEPLOYMENTS,
            object.namespace(),
            owner.name());
    return found != null && found.uid().equals(owner.uid()) ? found : null;
  }

  @Override
  public Plan reconcile(Cached<ObjectNode> object, View view) {
    Plan plan = Plan.empty();
    DeploymentSpec wanted = DeploymentSpec.of(object);
    LabelSelector selector = Selecting.selector(wanted.tree());
    if (selector == null || selector.isEverything()) {
      return plan;
    }
    boolean ending = Pods.isEnding(wanted.tree());
    List<OwnedSet> sets = claim(object, selector, ending, view, plan);
    if (!plan.actions().isEmpty()) {
      // Once they belong to it, or do no more, they are looked at as they are then.
      return plan;
    }
    var rollout = new Rollout(wanted, sets, view);
    var status = new DeploymentStatus(wanted, view.now());
    if (!ending) {
      advance(rollout, status, plan);
    }
    if (rollout.isNameTaken()) {
      return anotherName(wanted);
    }
    rollout.write(plan);
    status.write(rollout, ending ? "" : Revisions.toTell(rollout), plan);
    return plan;
  }

  private static void advance(Rollout rollout, DeploymentStatus status, Plan plan) {
    DeploymentSpec wanted = rollout.wanted();
    OwnedSet found = rollout.current();
    status.notePause();
    if (found != null) {
      Revisions.mark(rollout, found);
      status.noteFound(found);
    }
    if (wanted.isPaused()) {
      Scaling.scale(rollout);
      Revisions.trim(rollout, plan);
    } else if (Scaling.isNeeded(rollout)) {
      Scaling.scale(rollout);
    } else {
      boolean advanced =
          wanted.isRolling() ? RollingUpdate.advance(rollout) : Recreate.advance(rollout);
      OwnedSet current = rollout.current();
      if (found == null && current != null) {
        status.noteCreated(current);
      }
      if (!advanced && DeploymentStatus.wasComplete(wanted)) {
        Revisions.trim(rollout, plan);
      }
      status.judge(rollout, plan);
    }
  }

  /** The ReplicaSets that belong to the deployment; plans who comes and goes. */
  private static List<OwnedSet> claim(
      Cached<ObjectNode> deployment, LabelSelector selector, boolean ending, View view, Plan plan) {
    List<OwnedSet> sets = new ArrayList<>();
    for (Cached<ObjectNode> set : view.owned(deployment, Kinds.REPLICA_SETS)) {
      if (!Ownership.isControlledBy(set, deployment)) {
        continue;
      }
      if (selector.matches(set.labels())) {
        sets.add(OwnedSet.of(set));
      } else if (!ending) {
        plan.patch(
            set,
            Ownership.release(set, deployment),
            set.name() + " does not match the selector any more, and is let go");
      }
    }
    if (ending) {
      return sets;
    }
    for (Cached<ObjectNode> set : view.list(Kinds.REPLICA_SETS, deployment.namespace())) {
      if (Ownership.controller(set) == null
          && selector.matches(set.labels())
          && !Pods.isEnding(set.tree())) {
        plan.patch(
            set,
            Ownership.adoption(set, deployment),
            set.name() + " matches and belongs to nobody");
      }
    }
    return sets;
  }

  private static Plan anotherName(DeploymentSpec wanted) {
    Integer known = wanted.collisions();
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    status.put("collisionCount", known == null ? 1 : known + 1);
    return Plan.empty()
        .status(wanted.seen(), status, "another ReplicaSet has the name for the template");
  }
}
