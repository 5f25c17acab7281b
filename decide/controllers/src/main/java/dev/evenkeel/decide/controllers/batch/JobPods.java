package dev.evenkeel.decide.controllers.batch;

import dev.evenkeel.decide.controllers.object.Ownership;
import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.controllers.object.Selecting;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.decide.queue.Key;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.selector.LabelSelector;
import dev.evenkeel.observe.cache.Index;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import dev.evenkeel.observe.object.Owner;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Which pods are a job's, and which carry its mark though they are nobody's. */
final class JobPods {

  static final String NAME_LABEL = "batch.kubernetes.io/job-name";

  /** Pods by the job that they belong to, or that they say they were made for. */
  static final Index<ObjectNode> BY_JOB = new Index<>("job", JobPods::jobOf);

  private static final Comparator<JobPod> BY_INDEX_AND_NAME =
      Comparator.comparingInt(JobPod::index).thenComparing(it -> it.seen().name());

  private JobPods() {}

  private static Collection<String> jobOf(Cached<ObjectNode> pod) {
    Owner controller = Ownership.controller(pod);
    if (controller == null) {
      String name = pod.labels().getOrDefault(NAME_LABEL, "");
      return name.isEmpty() ? List.of() : List.of(Cached.key(pod.namespace(), name));
    }
    return isJob(controller) ? List.of(Cached.key(pod.namespace(), controller.name())) : List.of();
  }

  private static boolean isJob(Owner owner) {
    return owner.kind().equals(Kinds.JOBS.gvk().kind())
        && owner.apiVersion().equals(Kinds.JOBS.gvk().apiVersion());
  }

  /** The jobs that a pod without an owner concerns. */
  static Collection<Key> concerned(Cached<ObjectNode> pod, View view) {
    if (Ownership.controller(pod) != null) {
      return List.of();
    }
    Set<Key> keys = new LinkedHashSet<>(Selecting.adopters(Kinds.JOBS, pod, view));
    String name = pod.labels().getOrDefault(NAME_LABEL, "");
    if (!name.isEmpty()) {
      keys.add(new Key(pod.namespace(), name));
    }
    return keys;
  }

  /** The job's pods; what must change for them to be just those is planned. */
  static List<JobPod> claim(Cached<ObjectNode> job, ObjectNode tree, View view, Plan plan) {
    LabelSelector selector = Selecting.selector(tree);
    boolean settled = Pods.isEnding(tree) || JobConditions.end(tree) != null;
    List<JobPod> members = new ArrayList<>();
    for (Cached<ObjectNode> pod : view.owned(job, Kinds.PODS)) {
      if (!Ownership.isControlledBy(pod, job)) {
        continue;
      }
      if (settled || selector == null || selector.matches(pod.labels())) {
        members.add(JobPod.of(pod));
      } else {
        ObjectNode change = Ownership.release(pod, job);
        JobPod.untrack(pod.tree(), Meta.of(change));
        plan.patch(
            pod, change, pod.name() + " does not match the selector any more, and is let go");
      }
    }
    if (!settled && selector != null && !selector.isEverything()) {
      for (Cached<ObjectNode> pod : unowned(job, tree, view)) {
        if (selector.matches(pod.labels())) {
          adopt(pod, job, plan);
        }
      }
    }
    members.sort(BY_INDEX_AND_NAME);
    return members;
  }

  /** A selector that the server made finds no pods but those that name the job. */
  private static List<Cached<ObjectNode>> unowned(
      Cached<ObjectNode> job, ObjectNode tree, View view) {
    List<Cached<ObjectNode>> candidates =
        tree.path("spec").path("manualSelector").asBoolean(false)
            ? view.list(Kinds.PODS, job.namespace())
            : view.by(Kinds.PODS, BY_JOB, job.key());
    return candidates.stream().filter(pod -> Ownership.controller(pod) == null).toList();
  }

  private static void adopt(Cached<ObjectNode> pod, Cached<ObjectNode> job, Plan plan) {
    ObjectNode tree = pod.tree();
    if (Pods.isEnding(tree)) {
      return;
    }
    ObjectNode change = Ownership.adoption(pod, job);
    if (!JobPod.isTracked(tree)) {
      ArrayNode finalizers =
          tree.path("metadata").path("finalizers") instanceof ArrayNode known
              ? known
              : JsonNodeFactory.instance.arrayNode();
      Meta.of(change).set("finalizers", finalizers.add(JobPod.FINALIZER));
    }
    plan.patch(pod, change, pod.name() + " matches and belongs to nobody");
  }

  /**
   * Frees pods that wait to be counted by a job which is not there: of a namesake before it, or of
   * one that let them go. Those that a job may take in it must have taken in before.
   *
   * @param uid of the job that is there; empty if none is
   */
  static void free(String namespace, String name, String uid, View view, Plan plan) {
    for (Cached<ObjectNode> pod : view.by(Kinds.PODS, BY_JOB, Cached.key(namespace, name))) {
      Owner controller = Ownership.controller(pod);
      boolean awaited = controller != null && controller.uid().equals(uid);
      if (!awaited) {
        JobPod read = JobPod.of(pod);
        if (read.tracked()) {
          plan.patch(pod, read.untracking(), "no job is left that would count " + pod.name());
        }
      }
    }
  }
}
