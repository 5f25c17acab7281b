package dev.evenkeel.decide.controllers.workload;

import dev.evenkeel.decide.controllers.object.Ownership;
import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.Refusal;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.WireTime;
import dev.evenkeel.kernel.selector.LabelSelector;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps as many pods as an object asks for, whichever of the kinds that do it is. Pods that match
 * and belong to nobody are taken in; pods that match no more are let go.
 */
final class ReplicaKeeper {

  /** One plan makes or ends no more than this; the next goes on. */
  static final int PODS_AT_ONCE_MAX = 500;

  private static final String REPLICA_FAILURE = "ReplicaFailure";

  private final Function<JsonNode, @Nullable LabelSelector> selecting;

  /**
   * @param selecting what an object of the kind selects
   */
  ReplicaKeeper(Function<JsonNode, @Nullable LabelSelector> selecting) {
    this.selecting = selecting;
  }

  Plan reconcile(Cached<ObjectNode> object, View view) {
    ObjectNode set = object.tree();
    JsonNode spec = set.path("spec");
    Plan plan = Plan.empty();
    LabelSelector selector = selecting.apply(set);
    if (selector == null) {
      return plan;
    }
    boolean ending = Pods.isEnding(set);
    List<Member> members = members(object, selector, ending, view, plan);
    List<Member> active = members.stream().filter(it -> Pods.isActive(it.tree())).toList();
    long wanted = spec.path("replicas").asLong(1);
    String failure = ending ? "" : failure(view.refusal(), active.size(), wanted);
    ObjectNode status = status(set, active, view, plan);
    conditions(status, set.path("status"), failure, view);
    String because =
        status.path("readyReplicas").asLong(0) + " of " + wanted + " replicas are ready";
    if (!failure.isEmpty()) {
      // It is going to be refused again, and what comes after that is not done.
      plan.status(object, status, because + ", and the last attempt was refused");
    }
    if (!ending) {
      if (active.size() < wanted) {
        grow(object, spec.path("template"), active.size(), wanted, plan);
      } else if (active.size() > wanted) {
        shrink(active, wanted, plan);
      }
    }
    if (failure.isEmpty()) {
      plan.status(object, status, because);
    }
    return plan;
  }

  /** In a word what keeps pods from being made or ended; empty if nothing was seen to. */
  private static String failure(@Nullable Refusal refusal, int active, long wanted) {
    if (refusal == null || !refusal.kind().equals(Kinds.PODS)) {
      return "";
    }
    return switch (refusal.verb()) {
      case "create" -> active < wanted ? "FailedCreate" : "";
      case "delete" -> active > wanted ? "FailedDelete" : "";
      default -> "";
    };
  }

  /** Says why pods cannot be made or ended. What is said already stays, though the text differs. */
  private static void conditions(ObjectNode status, JsonNode before, String failure, View view) {
    ArrayNode conditions = JsonNodeFactory.instance.arrayNode();
    boolean said = false;
    for (JsonNode condition : before.path("conditions")) {
      boolean other = !Meta.text(condition.path("type")).equals(REPLICA_FAILURE);
      boolean same = !other && Meta.text(condition.path("reason")).equals(failure);
      said |= same;
      if (other || same) {
        conditions.add(condition);
      }
    }
    Refusal refusal = view.refusal();
    if (!failure.isEmpty() && !said && refusal != null) {
      conditions
          .addObject()
          .put("type", REPLICA_FAILURE)
          .put("status", "True")
          .put("lastTransitionTime", WireTime.seconds(view.now()))
          .put("reason", failure)
          .put("message", refusal.message());
    }
    if (conditions.isEmpty()) {
      status.putNull("conditions");
    } else {
      status.set("conditions", conditions);
    }
  }

  /** The pods that belong to the set, or come to. */
  private static List<Member> members(
      Cached<ObjectNode> set, LabelSelector selector, boolean ending, View view, Plan plan) {
    List<Member> members = new ArrayList<>();
    for (Cached<ObjectNode> pod : view.owned(set, Kinds.PODS)) {
      if (!Ownership.isControlledBy(pod, set)) {
        continue;
      }
      if (selector.matches(pod.labels())) {
        members.add(Member.of(pod));
      } else if (!ending) {
        plan.patch(
            pod,
            Ownership.release(pod, set),
            pod.name() + " does not match the selector any more, and is let go");
      }
    }
    if (ending || selector.isEverything()) {
      return members;
    }
    for (Cached<ObjectNode> pod : view.list(Kinds.PODS, set.namespace())) {
      if (Ownership.controller(pod) == null && selector.matches(pod.labels())) {
        Member orphan = Member.of(pod);
        if (Pods.isActive(orphan.tree())) {
          plan.patch(
              pod, Ownership.adoption(pod, set), pod.name() + " matches and belongs to nobody");
          members.add(orphan);
        }
      }
    }
    return members;
  }

  private static void grow(
      Cached<ObjectNode> set, JsonNode template, int there, long wanted, Plan plan) {
    long missing = Math.min(wanted - there, PODS_AT_ONCE_MAX);
    for (int i = 1; i <= missing; i++) {
      plan.create(
              Kinds.PODS,
              Pods.fromTemplate(template, set),
              "replica " + (there + i) + " of " + wanted + " is missing")
          .telling("SuccessfulCreate", "Created pod: {}");
    }
    if (wanted - there > missing) {
      plan.lookAgain(Duration.ZERO, "more replicas are missing");
    }
  }

  private static void shrink(List<Member> active, long wanted, Plan plan) {
    long tooMany = Math.min(active.size() - wanted, PODS_AT_ONCE_MAX);
    active.stream()
        .sorted(Member.leastMissedFirst(active))
        .limit(tooMany)
        .forEach(
            it ->
                plan.delete(it.seen(), active.size() + " replicas where " + wanted + " are wanted")
                    .telling("SuccessfulDelete", "Deleted pod: {}"));
    if (active.size() - wanted > tooMany) {
      plan.lookAgain(Duration.ZERO, "more replicas are too many");
    }
  }

  private static ObjectNode status(ObjectNode set, List<Member> active, View view, Plan plan) {
    JsonNode spec = set.path("spec");
    Duration minReady = Duration.ofSeconds(spec.path("minReadySeconds").asLong(0));
    Map<String, String> labels =
        Meta.strings(spec.path("template").path("metadata").path("labels"));
    int labelled = 0;
    int ready = 0;
    int available = 0;
    for (Member member : active) {
      if (member.seen().labels().entrySet().containsAll(labels.entrySet())) {
        labelled++;
      }
      Duration left = Pods.untilAvailable(member.tree(), minReady, view.now());
      if (left == null) {
        continue;
      }
      ready++;
      if (left.isZero()) {
        available++;
      } else {
        plan.lookAgain(left, member.seen().name() + " becomes available");
      }
    }
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    status.put("replicas", active.size());
    Counts.putUnlessZero(status, "fullyLabeledReplicas", labelled);
    Counts.putUnlessZero(status, "readyReplicas", ready);
    Counts.putUnlessZero(status, "availableReplicas", available);
    status.put("observedGeneration", set.path("metadata").path("generation").asLong(0));
    return status;
  }
}
