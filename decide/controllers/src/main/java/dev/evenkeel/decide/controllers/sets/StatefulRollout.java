package dev.evenkeel.decide.controllers.sets;

import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.PlannedEvent;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Decides the next steps of one StatefulSet: pods that are missing first, then those that are too
 * many, then those that are out of date.
 */
final class StatefulRollout {

  /** How soon to look again where somebody else's pod has a name that is needed. */
  private static final Duration NAME_TAKEN = Duration.ofSeconds(30);

  /** One plan makes or ends no more than this; the next goes on. */
  private static final int PODS_AT_ONCE_MAX = 400;

  private final Cached<ObjectNode> set;
  private final StatefulSpec spec;
  private final String serviceName;
  private final Revision current;
  private final Revision update;
  private final StatefulClaims claims;
  private final View view;
  private final Instant now;
  private final Plan plan;
  private final Map<Integer, Member> there = new TreeMap<>();
  private final List<Member> condemned = new ArrayList<>();
  private int made;

  StatefulRollout(
      Cached<ObjectNode> set,
      ObjectNode tree,
      StatefulSpec spec,
      List<Member> members,
      Revision current,
      Revision update,
      View view,
      Plan plan) {
    this.set = set;
    this.spec = spec;
    this.serviceName = Meta.text(tree.path("spec").path("serviceName"));
    this.current = current;
    this.update = update;
    this.claims = new StatefulClaims(set, tree, spec, view, plan);
    this.view = view;
    this.now = view.now();
    this.plan = plan;
    for (Member member : members) {
      int ordinal = Identity.ordinal(member.name());
      if (spec.isWanted(ordinal)) {
        there.put(ordinal, member);
      } else {
        condemned.add(member);
      }
    }
    condemned.sort(Comparator.<Member>comparingInt(it -> Identity.ordinal(it.name())).reversed());
  }

  void plan() {
    if (keep() && shrink() && !spec.onDelete()) {
      update();
    }
  }

  private boolean isUnavailable(@Nullable Member pod) {
    return pod == null || pod.isEnding() || !pod.isAvailable(spec.minReady(), now);
  }

  // ---- pods that are wanted

  /** Whether what comes after this may be done now. */
  private boolean keep() {
    for (int i = 0; i < spec.replicas(); i++) {
      int ordinal = spec.start() + i;
      Member pod = there.get(ordinal);
      boolean fine = pod == null ? create(ordinal) : keep(pod);
      if (!fine && spec.ordered()) {
        return false;
      }
      if (made >= PODS_AT_ONCE_MAX) {
        plan.lookAgain(Duration.ZERO, "more replicas are missing");
        return false;
      }
    }
    return true;
  }

  /** Makes a pod; there is none after that of which this could be said to be fine. */
  private boolean create(int ordinal) {
    String name = Identity.name(set, ordinal);
    if (view.find(Kinds.PODS, set.namespace(), name) != null) {
      plan.tell(
          PlannedEvent.Type.WARNING,
          "FailedCreate",
          "create Pod %s in StatefulSet %s failed error: a pod of that name belongs to somebody else"
              .formatted(name, set.name()));
      plan.lookAgain(NAME_TAKEN, "pod " + name + " is somebody else's");
      return false;
    }
    if (claims.obstacle(ordinal) != null) {
      return false;
    }
    claims.createMissing(ordinal);
    Revision revision = ordinal - spec.start() < spec.partition() ? current : update;
    plan.create(
            Kinds.PODS,
            Identity.pod(set, serviceName, spec.claimTemplates(), revision, ordinal),
            "pod " + name + " is missing, one of " + spec.replicas())
        .telling(
            "SuccessfulCreate",
            "create Pod %s in StatefulSet %s successful".formatted(name, set.name()));
    made++;
    return false;
  }

  /** Whether a pod needs no waiting for. */
  private boolean keep(Member pod) {
    if (pod.isOver()) {
      if (!pod.isEnding()) {
        delete(pod, pod.name() + " has ended and is made anew under its name");
      }
      return false;
    }
    if (pod.isPending() && !pod.isEnding()) {
      if (claims.obstacle(Identity.ordinal(pod.name())) == null) {
        claims.createMissing(Identity.ordinal(pod.name()));
      }
      claims.own(pod);
    }
    boolean fine = pod.isRunningAndReady() && !isUnavailable(pod);
    if (!pod.isEnding() && (fine || !spec.ordered())) {
      if (!Identity.isTold(pod)) {
        plan.patch(pod.seen(), Identity.telling(pod), pod.name() + " does not say whose pod it is");
      }
      if (!pod.isPending()) {
        claims.own(pod);
      }
    }
    return fine;
  }

  private void delete(Member pod, String because) {
    plan.delete(pod.seen(), because)
        .telling(
            "SuccessfulDelete",
            "delete Pod %s in StatefulSet %s successful".formatted(pod.name(), set.name()));
  }

  // ---- pods that are too many

  /** Ends the last first; where order counts, one at a time. */
  private boolean shrink() {
    for (Member pod : condemned) {
      if (!pod.isEnding()) {
        claims.own(pod);
      }
    }
    Member firstUnavailable =
        condemned.reversed().stream().filter(this::isUnavailable).findFirst().orElse(null);
    for (Member pod : condemned) {
      if (pod.isEnding()) {
        if (spec.ordered()) {
          return false;
        }
        continue;
      }
      boolean waits =
          spec.ordered()
              && !pod.isOver()
              && !pod.equals(firstUnavailable)
              && (!pod.isRunningAndReady() || isUnavailable(pod));
      if (waits) {
        return false;
      }
      delete(pod, pod.name() + " is too many where " + spec.replicas() + " are wanted");
      if (spec.ordered()) {
        return false;
      }
    }
    return true;
  }

  // ---- pods that are out of date

  private void update() {
    if (spec.unavailableMax() > 0) {
      updateSeveral();
      return;
    }
    for (int i = spec.replicas() - 1; i >= spec.partition(); i--) {
      Member pod = there.get(spec.start() + i);
      if (isOutOfDate(pod)) {
        replace(pod);
        return;
      }
      if (isUnavailable(pod)) {
        return;
      }
    }
  }

  /** As many at a time as may be missing. */
  private void updateSeveral() {
    int missing = 0;
    for (int i = 0; i < spec.replicas(); i++) {
      missing += isUnavailable(there.get(spec.start() + i)) ? 1 : 0;
    }
    int more = spec.unavailableMax() - missing;
    for (int i = spec.replicas() - 1; i >= spec.partition(); i--) {
      Member pod = there.get(spec.start() + i);
      if (!isOutOfDate(pod)) {
        continue;
      }
      if (isUnavailable(pod)) {
        replace(pod);
      } else if (more > 0) {
        more--;
        replace(pod);
      }
    }
  }

  private boolean isOutOfDate(@Nullable Member pod) {
    return pod != null && !pod.isEnding() && !pod.revision().equals(update.name());
  }

  private void replace(@Nullable Member pod) {
    if (pod != null && !pod.isOver()) {
      delete(
          pod, pod.name() + " is of " + pod.revision() + " where " + update.name() + " is wanted");
    }
  }
}
