package dev.evenkeel.decide.controllers.workload;

import dev.evenkeel.decide.controllers.object.Selecting;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.Reconciler;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import tools.jackson.databind.node.ObjectNode;

/** Keeps as many pods as a ReplicationController asks for: a ReplicaSet that selects by a map. */
public final class ReplicationControllerReconciler implements Reconciler<ObjectNode> {

  private final ReplicaKeeper keeper = new ReplicaKeeper(Selecting::labels);

  public static Controller<ObjectNode> controller() {
    return Controller.of(
            // Its events come from the "replication-controller", as people know it.
            "replication", Kinds.REPLICATION_CONTROLLERS, new ReplicationControllerReconciler())
        .owning(Kinds.PODS)
        .watching(
            Kinds.PODS,
            (pod, view) ->
                Selecting.adopters(Kinds.REPLICATION_CONTROLLERS, Selecting::labels, pod, view));
  }

  @Override
  public Plan reconcile(Cached<ObjectNode> object, View view) {
    return keeper.reconcile(object, view);
  }
}
