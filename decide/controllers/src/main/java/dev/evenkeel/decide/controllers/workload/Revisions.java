package dev.evenkeel.decide.controllers.workload;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.observe.object.Cached;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The history of a deployment, which its ReplicaSets are: how they are numbered, and when they go.
 */
final class Revisions {

  private static final String HISTORY = "deployment.kubernetes.io/revision-history";

  /** The oldest revisions are forgotten beyond this. */
  private static final int HISTORY_CHARS_MAX = 2000;

  /** What is about one of the two, and not passed on. */
  private static final Set<String> NOT_PASSED_ON =
      Set.of(
          "kubectl.kubernetes.io/last-applied-configuration",
          OwnedSet.REVISION,
          HISTORY,
          OwnedSet.DESIRED_REPLICAS,
          OwnedSet.MAX_REPLICAS,
          "deprecated.deployment.rollback.rollbackTo");

  private Revisions() {}

  /** Has the set with the deployment's template carry its annotations, and the newest revision. */
  static void mark(Rollout rollout, OwnedSet current) {
    DeploymentSpec wanted = rollout.wanted();
    wanted
        .annotations()
        .forEach(
            (name, value) -> {
              if (!NOT_PASSED_ON.contains(name)) {
                current.annotate(name, value, "the deployment's annotations are passed on");
              }
            });
    number(rollout, current);
    current.minReady(wanted.minReadySeconds(), "the deployment has other minReadySeconds");
    if (current.seen() == null) {
      rollout.note(current);
    }
  }

  private static void number(Rollout rollout, OwnedSet current) {
    long newest = 1;
    for (OwnedSet set : rollout.old()) {
      newest = Math.max(newest, set.number(OwnedSet.REVISION) + 1);
    }
    String before = current.annotation(OwnedSet.REVISION);
    long number = before.isEmpty() ? 0 : current.number(OwnedSet.REVISION);
    if (number < 0 || number >= newest) {
      return;
    }
    String why = "it has the deployment's template, and becomes revision " + newest;
    current.annotate(OwnedSet.REVISION, Long.toString(newest), why);
    if (!before.isEmpty()) {
      current.annotate(HISTORY, history(current.annotation(HISTORY), before), why);
    }
  }

  /** Revisions that a set was before, separated by commas. */
  static String history(String known, String last) {
    if (known.isEmpty()) {
      return last;
    }
    List<String> revisions = new ArrayList<>(Arrays.asList(known.split(",", -1)));
    revisions.add(last);
    while (revisions.size() > 1 && String.join(",", revisions).length() > HISTORY_CHARS_MAX) {
      revisions.removeFirst();
    }
    return String.join(",", revisions);
  }

  /** Deletes the oldest sets beyond the number that is kept, unless they have pods. */
  static void trim(Rollout rollout, Plan plan) {
    List<OwnedSet> old =
        rollout.old().stream()
            .filter(set -> !Pods.isEnding(set.tree()))
            .sorted(
                Comparator.<OwnedSet>comparingLong(
                        set -> Math.max(0, set.number(OwnedSet.REVISION)))
                    .thenComparing(OwnedSet.OLDEST_FIRST))
            .toList();
    int most = rollout.wanted().historyMax();
    for (OwnedSet set : old.subList(0, Math.max(0, old.size() - most))) {
      Cached<ObjectNode> seen = set.seen();
      if (seen != null
          && !set.isActive()
          && set.replicasSeen() == 0
          && set.isObserved()
          && set.counted("replicas") == 0) {
        plan.delete(seen, "only " + most + " old ReplicaSets are kept");
      }
    }
  }

  /** The revision that the deployment is at and does not say; empty if it says it. */
  static String toTell(Rollout rollout) {
    OwnedSet current = rollout.current();
    DeploymentSpec wanted = rollout.wanted();
    String revision = current == null ? "" : current.annotation(OwnedSet.REVISION);
    return revision.equals(wanted.annotations().get(OwnedSet.REVISION)) ? "" : revision;
  }
}
