package dev.evenkeel.decide.controllers.sets;

import dev.evenkeel.decide.controllers.object.Ownership;
import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.selector.LabelSelector;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A pod of a set, with what was read of it. */
record Member(Cached<ObjectNode> seen, ObjectNode tree) {

  /** Says by which revision of its template a pod was made. */
  static final String REVISION_LABEL = "controller-revision-hash";

  /** Pods on a node before those on none, then by age, then by name. */
  static final Comparator<Member> OLDEST_FIRST =
      Comparator.<Member, Boolean>comparing(it -> it.node().isEmpty())
          .thenComparing(it -> Meta.text(it.tree.path("metadata").path("creationTimestamp")))
          .thenComparing(Member::name);

  /**
   * The pods that belong to a set, or come to. Those that fit no more are let go; those that fit
   * and belong to nobody are taken in.
   *
   * @param named whether a pod of this name can be one of the set's
   */
  static List<Member> claim(
      Cached<ObjectNode> set,
      LabelSelector selector,
      Predicate<String> named,
      boolean ending,
      View view,
      Plan plan) {
    List<Member> members = new ArrayList<>();
    for (Cached<ObjectNode> pod : view.owned(set, Kinds.PODS)) {
      if (!Ownership.isControlledBy(pod, set)) {
        continue;
      }
      if (selector.matches(pod.labels()) && named.test(pod.name())) {
        members.add(new Member(pod, pod.tree()));
      } else if (!ending && pod.text("metadata", "deletionTimestamp").isEmpty()) {
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
      if (Ownership.controller(pod) == null
          && named.test(pod.name())
          && selector.matches(pod.labels())
          && pod.text("metadata", "deletionTimestamp").isEmpty()) {
        plan.patch(
            pod, Ownership.adoption(pod, set), pod.name() + " matches and belongs to nobody");
        members.add(new Member(pod, pod.tree()));
      }
    }
    return members;
  }

  String name() {
    return seen.name();
  }

  String node() {
    return Meta.text(tree.path("spec").path("nodeName"));
  }

  /** What its label says; empty if it has none. */
  String revision() {
    return seen.labels().getOrDefault(REVISION_LABEL, "");
  }

  boolean isEnding() {
    return Pods.isEnding(tree);
  }

  boolean isPending() {
    return Pods.phase(tree).equals("Pending");
  }

  boolean isFailed() {
    return Pods.phase(tree).equals("Failed");
  }

  /** Whether it has ended by itself, well or not. */
  boolean isOver() {
    return isFailed() || Pods.phase(tree).equals("Succeeded");
  }

  boolean isReady() {
    return Pods.readySince(tree) != null;
  }

  boolean isRunningAndReady() {
    return Pods.phase(tree).equals("Running") && isReady();
  }

  boolean isAvailable(Duration minReady, Instant now) {
    Duration left = untilAvailable(minReady, now);
    return left != null && left.isZero();
  }

  @Nullable Duration untilAvailable(Duration minReady, Instant now) {
    return Pods.untilAvailable(tree, minReady, now);
  }
}
