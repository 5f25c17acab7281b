package dev.evenkeel.decide.controllers.workload;

import dev.evenkeel.decide.controllers.object.Selecting;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.Reconciler;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import tools.jackson.databind.node.ObjectNode;

/** Keeps as many pods as a ReplicaSet asks for. */
public final class ReplicaSetReconciler implements Reconciler<ObjectNode> {

  private final ReplicaKeeper keeper = new ReplicaKeeper(Selecting::selector);

  public static Controller<ObjectNode> controller() {
    return Controller.of("replicaset", Kinds.REPLICA_SETS, new ReplicaSetReconciler())
        .owning(Kinds.PODS)
        .watching(Kinds.PODS, (pod, view) -> Selecting.adopters(Kinds.REPLICA_SETS, pod, view));
  }

  @Override
  public Plan reconcile(Cached<ObjectNode> object, View view) {
    return keeper.reconcile(object, view);
  }
}
