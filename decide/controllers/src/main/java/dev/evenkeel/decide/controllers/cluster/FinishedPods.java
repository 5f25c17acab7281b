package dev.evenkeel.decide.controllers.cluster;

import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.decide.queue.Key;
import dev.evenkeel.observe.cache.Index;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * The pods of the whole cluster that have ended, of which only so many are kept. They are looked at
 * together, under a key that no pod has: many that end at a time are one look.
 */
final class FinishedPods {

  private static final String FINISHED = "finished";

  /** Pods are in namespaces, so none has this key. */
  private static final Key ALL = new Key("", "finished pods");

  static final Index<ObjectNode> INDEX =
      new Index<>("finished", pod -> isFinished(pod) ? List.of(FINISHED) : List.of());

  private FinishedPods() {}

  private static boolean isFinished(Cached<ObjectNode> pod) {
    String phase = pod.text("status", "phase");
    return (phase.equals("Succeeded") || phase.equals("Failed"))
        && pod.text("metadata", "deletionTimestamp").isEmpty();
  }

  static Collection<Key> concerned(Cached<ObjectNode> pod) {
    return isFinished(pod) ? List.of(ALL) : List.of();
  }

  static boolean isAll(String namespace, String name) {
    return namespace.equals(ALL.namespace()) && name.equals(ALL.name());
  }

  static Plan keep(int max, View view) {
    Plan plan = Plan.empty();
    List<Cached<ObjectNode>> finished = view.by(Kinds.PODS, INDEX, FINISHED);
    if (finished.size() > max) {
      finished.stream()
          .map(Finished::of)
          .sorted(LEAST_MISSED_FIRST)
          .limit((long) finished.size() - max)
          .forEach(
              it ->
                  plan.delete(
                      it.pod, finished.size() + " pods have ended, and " + max + " are kept"));
    }
    return plan;
  }

  private record Finished(Cached<ObjectNode> pod, boolean evicted, String created) {
    static Finished of(Cached<ObjectNode> pod) {
      return new Finished(
          pod,
          pod.text("status", "reason").equals("Evicted"),
          pod.text("metadata", "creationTimestamp"));
    }
  }

  /** Those that were evicted before those that ended by themselves, old before young. */
  private static final Comparator<Finished> LEAST_MISSED_FIRST =
      Comparator.comparing(Finished::evicted, Comparator.reverseOrder())
          .thenComparing(Finished::created)
          .thenComparing(it -> it.pod.key());
}
