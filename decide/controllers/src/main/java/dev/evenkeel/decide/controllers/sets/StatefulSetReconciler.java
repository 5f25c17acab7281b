package dev.evenkeel.decide.controllers.sets;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.controllers.object.Selecting;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.Reconciler;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.decide.queue.Key;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.selector.LabelSelector;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Keeps the pods of a StatefulSet: each has a name, an order among the others and claims. */
public final class StatefulSetReconciler implements Reconciler<ObjectNode> {

  private static final String HASH_LABEL = "controller.kubernetes.io/hash";

  public static Controller<ObjectNode> controller() {
    return Controller.of("statefulset", Kinds.STATEFUL_SETS, new StatefulSetReconciler())
        .owning(Kinds.PODS)
        .owning(Kinds.CONTROLLER_REVISIONS)
        .watching(
            Kinds.PODS, (pod, view) -> named(pod.namespace(), Identity.parent(pod.name()), view))
        .watching(Kinds.VOLUME_CLAIMS, StatefulSetReconciler::claimants);
  }

  private static Collection<Key> named(String namespace, String name, View view) {
    return name.isEmpty() || view.find(Kinds.STATEFUL_SETS, namespace, name) == null
        ? List.of()
        : List.of(new Key(namespace, name));
  }

  /** The sets whose claims may have such a name: each end of what is before the ordinal. */
  private static Collection<Key> claimants(Cached<ObjectNode> claim, View view) {
    List<Key> claimants = new ArrayList<>();
    String rest = Identity.parent(claim.name());
    for (int dash = rest.indexOf('-'); dash >= 0; dash = rest.indexOf('-')) {
      rest = rest.substring(dash + 1);
      claimants.addAll(named(claim.namespace(), rest, view));
    }
    return claimants;
  }

  @Override
  public Plan reconcile(Cached<ObjectNode> object, View view) {
    ObjectNode set = object.tree();
    Plan plan = Plan.empty();
    LabelSelector selector = Selecting.selector(set);
    if (selector == null) {
      return plan;
    }
    boolean ending = Pods.isEnding(set);
    StatefulSpec spec = StatefulSpec.of(set);
    List<Member> members =
        Member.claim(
            object,
            selector,
            name -> Identity.parent(name).equals(object.name()),
            ending,
            view,
            plan);
    if (ending) {
      ObjectNode status = counts(members, spec, view, plan);
      plan.status(object, status, "the set is being deleted");
      return plan;
    }
    var history = new RevisionHistory(object, set, selector, HASH_LABEL, view, plan);
    Revision update = history.update();
    Revision current = history.named(Meta.text(set.path("status").path("currentRevision")));
    // Before what may be refused: users read here that their change was seen.
    status(object, set, spec, members, history, current, view, plan);
    new StatefulRollout(object, set, spec, members, current, update, view, plan).plan();
    Set<String> inUse = new HashSet<>();
    members.forEach(it -> inUse.add(it.revision()));
    inUse.add(current.name());
    history.cleanUp(inUse, history.limit(), plan);
    return plan;
  }

  // ---- status

  private static void status(
      Cached<ObjectNode> seen,
      ObjectNode set,
      StatefulSpec spec,
      List<Member> members,
      RevisionHistory history,
      Revision current,
      View view,
      Plan plan) {
    ObjectNode status = counts(members, spec, view, plan);
    String updateName = history.update().name();
    int updated = ofRevision(members, updateName);
    int before = ofRevision(members, current.name());
    String currentName = current.name();
    boolean complete =
        !spec.onDelete()
            && updated == spec.replicas()
            && status.path("readyReplicas").asInt(0) == spec.replicas()
            && members.size() == spec.replicas();
    if (complete) {
      before = updated;
      currentName = updateName;
    }
    put(status, "currentReplicas", before);
    put(status, "updatedReplicas", updated);
    status.put("currentRevision", currentName).put("updateRevision", updateName);
    status.put("collisionCount", history.collisions());
    status.put("observedGeneration", set.path("metadata").path("generation").asLong(0));
    plan.status(
        seen,
        status,
        "%d of %d replicas are ready, %d of them up to date"
            .formatted(status.path("readyReplicas").asInt(0), spec.replicas(), updated));
  }

  private static ObjectNode counts(List<Member> members, StatefulSpec spec, View view, Plan plan) {
    int ready = 0;
    int available = 0;
    for (Member member : members) {
      Duration left = member.untilAvailable(spec.minReady(), view.now());
      if (left == null || !member.isRunningAndReady()) {
        continue;
      }
      ready++;
      if (left.isZero()) {
        available++;
      } else {
        plan.lookAgain(left, member.name() + " becomes available");
      }
    }
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    status.put("replicas", members.size());
    put(status, "readyReplicas", ready);
    return status.put("availableReplicas", available);
  }

  private static int ofRevision(List<Member> members, String revision) {
    return (int)
        members.stream().filter(it -> !it.isEnding() && it.revision().equals(revision)).count();
  }

  /** Zeros are left out, as upstream does. */
  static void put(ObjectNode status, String field, int count) {
    JsonNode value =
        count == 0
            ? JsonNodeFactory.instance.nullNode()
            : JsonNodeFactory.instance.numberNode(count);
    status.set(field, value);
  }
}
