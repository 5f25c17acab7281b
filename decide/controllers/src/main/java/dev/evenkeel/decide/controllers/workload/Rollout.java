package dev.evenkeel.decide.controllers.workload;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.kernel.patch.MergePatch;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A deployment's ReplicaSets: the one with its template, and the old ones.
 *
 * <p><b>Invariants:</b> a set grows only into room that the others have given up for certain, so
 * there are never more pods than allowed, however late the sets' controller is. A set is changed by
 * one patch.
 *
 * <p><b>Threading:</b> of one reconcile.
 */
final class Rollout {

  private static final String SCALING = "ScalingReplicaSet";

  private final DeploymentSpec wanted;
  private final View view;
  private final List<OwnedSet> old = new ArrayList<>();
  private @Nullable OwnedSet current;
  private boolean isNameTaken;

  Rollout(DeploymentSpec wanted, List<OwnedSet> sets, View view) {
    this.wanted = wanted;
    this.view = view;
    JsonNode template = Templates.canonical(wanted.template());
    for (OwnedSet set : sets.stream().sorted(OwnedSet.OLDEST_FIRST).toList()) {
      // Of several with the template, the oldest is taken, always.
      if (current == null && Templates.canonical(set.template()).equals(template)) {
        current = set;
      } else {
        old.add(set);
      }
    }
  }

  DeploymentSpec wanted() {
    return wanted;
  }

  /** The set with the deployment's template; null if there is none. */
  @Nullable OwnedSet current() {
    return current;
  }

  /** The other sets, oldest first. */
  List<OwnedSet> old() {
    return old;
  }

  List<OwnedSet> all() {
    List<OwnedSet> all = new ArrayList<>(old);
    if (current != null) {
      all.add(current);
    }
    return all;
  }

  List<OwnedSet> active() {
    return all().stream().filter(OwnedSet::isActive).toList();
  }

  int replicas() {
    return all().stream().mapToInt(OwnedSet::replicas).sum();
  }

  /** The set for the template, planned if there is none; null if its name is taken. */
  @Nullable OwnedSet begin() {
    if (current == null) {
      current = NewSet.of(wanted, view);
      if (current == null) {
        isNameTaken = true;
      } else {
        Revisions.mark(this, current);
      }
    }
    return current;
  }

  boolean isNameTaken() {
    return isNameTaken;
  }

  /**
   * Up to what size a set may grow now, which is at least its present one.
   *
   * @param size that it should have
   */
  int grown(OwnedSet set, int size) {
    if (!wanted.isRolling() && !set.isActive() && othersHavePods(set)) {
      return set.replicas();
    }
    long room = wanted.replicasMax();
    for (OwnedSet other : all()) {
      if (other != set) {
        int pods = other.podsAtMost();
        if (pods < 0) {
          return set.replicas();
        }
        room -= pods;
      }
    }
    return (int) Math.max(set.replicas(), Math.min(size, room));
  }

  /**
   * Whether other sets have pods that are not over, or may yet make some.
   *
   * @param set null for all
   */
  boolean othersHavePods(@Nullable OwnedSet set) {
    for (OwnedSet other : all()) {
      if (other != set && (other.podsAtMost() != 0 || hasPods(other))) {
        return true;
      }
    }
    return false;
  }

  private boolean hasPods(OwnedSet set) {
    Cached<ObjectNode> seen = set.seen();
    if (seen == null) {
      return false;
    }
    for (Cached<ObjectNode> pod : view.owned(seen, Kinds.PODS)) {
      String phase = Pods.phase(pod.tree());
      if (!phase.equals("Succeeded") && !phase.equals("Failed")) {
        return true;
      }
    }
    return false;
  }

  /** Gives a set a size, and notes the deployment's on it; says whether the size is another. */
  boolean resize(OwnedSet set, int size, String why) {
    if (set.replicas() == size) {
      return false;
    }
    set.resize(size, why);
    note(set);
    return true;
  }

  /** Notes on a set which size of the deployment its own has to do with. */
  void note(OwnedSet set) {
    String why = "the deployment has another size";
    set.annotate(OwnedSet.DESIRED_REPLICAS, Integer.toString(wanted.replicas()), why);
    set.annotate(OwnedSet.MAX_REPLICAS, Integer.toString(wanted.replicasMax()), why);
  }

  /** Plans what was decided. */
  void write(Plan plan) {
    for (OwnedSet set : all()) {
      ObjectNode change = set.change();
      Cached<ObjectNode> seen = set.seen();
      if (seen == null) {
        plan.create(
            Kinds.REPLICA_SETS,
            MergePatch.apply(change, set.tree()),
            "no ReplicaSet has the deployment's template");
      } else if (!change.isEmpty()) {
        plan.patch(seen, change, set.because());
      }
      if (set.replicas() != set.replicasSeen()) {
        plan.telling(SCALING, scaled(set));
      }
    }
  }

  private static String scaled(OwnedSet set) {
    return "Scaled %s replica set %s from %d to %d"
        .formatted(
            set.replicas() > set.replicasSeen() ? "up" : "down",
            set.name(),
            set.replicasSeen(),
            set.replicas());
  }
}
