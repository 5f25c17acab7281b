package dev.evenkeel.decide.controllers.sets;

import dev.evenkeel.decide.controllers.object.Ownership;
import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.cache.Index;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import dev.evenkeel.observe.object.Owner;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.node.ObjectNode;

/**
 * The pods of a daemon set by the node that they are on or meant for, and how new ones are made.
 */
final class DaemonPods {

  /** Pods of daemon sets by set and node. */
  static final Index<ObjectNode> BY_SET_AND_NODE =
      new Index<>("daemon-set-and-node", DaemonPods::keys);

  private static final String GENERATION_ANNOTATION = "deprecated.daemonset.template.generation";
  private static final String GENERATION_LABEL = "pod-template-generation";

  private final Cached<ObjectNode> set;
  private final ObjectNode tree;
  private final Revision revision;
  private final Plan plan;
  private final Map<String, List<Member>> byNode = new TreeMap<>();
  private int actions;

  DaemonPods(
      Cached<ObjectNode> set, ObjectNode tree, List<Member> members, Revision revision, Plan plan) {
    this.set = set;
    this.tree = tree;
    this.revision = revision;
    this.plan = plan;
    for (Member member : members) {
      String node = NodeAffinity.target(member.tree().path("spec"));
      // One that has ended and is being removed is nobody's concern any more.
      if (!node.isEmpty() && !(member.isOver() && member.isEnding())) {
        byNode.computeIfAbsent(node, _ -> new ArrayList<>()).add(member);
      }
    }
    byNode.values().forEach(pods -> pods.sort(Member.OLDEST_FIRST));
  }

  static String key(Cached<?> set, String node) {
    return set.uid() + "/" + node;
  }

  private static Collection<String> keys(Cached<ObjectNode> pod) {
    Owner owner = Ownership.controller(pod);
    if (owner == null || !owner.kind().equals("DaemonSet")) {
      return List.of();
    }
    String assigned = pod.text("spec", "nodeName");
    String node = assigned.isEmpty() ? NodeAffinity.target(pod.tree().path("spec")) : assigned;
    return node.isEmpty() ? List.of() : List.of(owner.uid() + "/" + node);
  }

  /** In the order of the nodes' names; on each node the oldest first. */
  Map<String, List<Member>> byNode() {
    return byNode;
  }

  List<Member> on(String node) {
    return byNode.getOrDefault(node, List.of());
  }

  boolean isUpToDate(Member pod) {
    return pod.revision().equals(revision.hash());
  }

  /** How many were planned to be made or ended. */
  int actions() {
    return actions;
  }

  void create(String node, String because) {
    actions++;
    plan.create(Kinds.PODS, pod(node), because).telling("SuccessfulCreate", "Created pod: {}");
  }

  void delete(Member pod, String because) {
    actions++;
    plan.delete(pod.seen(), because).telling("SuccessfulDelete", "Deleted pod: {}");
  }

  private ObjectNode pod(String node) {
    ObjectNode pod = Pods.fromTemplate(tree.path("spec").path("template"), set);
    ObjectNode metadata = Meta.of(pod);
    ObjectNode labels =
        metadata.get("labels") instanceof ObjectNode known ? known : metadata.putObject("labels");
    labels.put(Member.REVISION_LABEL, revision.hash());
    String generation =
        Meta.text(tree.path("metadata").path("annotations").path(GENERATION_ANNOTATION));
    if (!generation.isEmpty()) {
      labels.put(GENERATION_LABEL, generation);
    }
    if (pod.get("spec") instanceof ObjectNode spec) {
      Tolerations.add(spec);
      NodeAffinity.pin(spec, node);
    }
    return pod;
  }
}
