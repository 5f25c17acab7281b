package dev.evenkeel.decide.schedule.place;

import dev.evenkeel.decide.schedule.model.NodeInfo;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.model.PodTerm;
import dev.evenkeel.decide.schedule.model.SpreadConstraint;
import dev.evenkeel.decide.schedule.model.Taint;
import dev.evenkeel.decide.schedule.model.Toleration;
import dev.evenkeel.decide.schedule.place.World.On;
import dev.evenkeel.kernel.fit.HostPort;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Filters slowly and obviously: for one pod and one node it looks at every pod of the cluster again
 * and keeps nothing.
 */
final class Reference {

  /** Why a node is none. */
  record No(String stage, List<String> messages, boolean isFinal) {
    static Optional<No> of(String stage, String message, boolean isFinal) {
      return Optional.of(new No(stage, List.of(message), isFinal));
    }
  }

  private static final Optional<No> YES = Optional.empty();

  final World world;

  Reference(World world) {
    this.world = world;
  }

  /** With the pods that are promised the node, and without them. */
  Optional<No> filter(PodInfo pod, NodeInfo node, List<On> bound) {
    Optional<No> without = filterOnce(pod, node, bound);
    if (without.isPresent()) {
      return without;
    }
    List<On> promised =
        world.nominated.values().stream()
            .filter(on -> on.node().equals(node.name()))
            .filter(
                on -> on.pod().priority() >= pod.priority() && !on.pod().uid().equals(pod.uid()))
            .toList();
    List<On> more = new ArrayList<>(bound);
    more.addAll(promised);
    return filterOnce(pod, node, more).isEmpty()
        ? YES
        : Optional.of(new No("HeldRoom", holders(promised), false));
  }

  /** Groups by name, and after them all pods that are of none. */
  private static List<String> holders(List<On> promised) {
    return promised.stream()
        .map(On::pod)
        .sorted(
            Comparator.comparing((PodInfo each) -> each.group().isEmpty())
                .thenComparing(PodInfo::namespace)
                .thenComparing(PodInfo::group))
        .map(
            each ->
                each.group().isEmpty()
                    ? "nominated pods"
                    : "pod group \"%s/%s\"".formatted(each.namespace(), each.group()))
        .map(holder -> "node(s) had room held for " + holder)
        .distinct()
        .toList();
  }

  private Optional<No> filterOnce(PodInfo pod, NodeInfo node, List<On> bound) {
    return unschedulable(pod, node)
        .or(() -> name(pod, node))
        .or(() -> taints(pod, node))
        .or(() -> selection(pod, node))
        .or(() -> ports(pod, node, bound))
        .or(() -> resources(pod, node, bound))
        .or(() -> spread(pod, node, bound))
        .or(() -> near(pod, node, bound))
        .or(() -> apart(pod, node, bound))
        .or(() -> othersApart(pod, node, bound));
  }

  private static Optional<No> unschedulable(PodInfo pod, NodeInfo node) {
    var taint = new Taint("node.kubernetes.io/unschedulable", "", Taint.Effect.NO_SCHEDULE);
    return node.unschedulable()
            && pod.shape().tolerations().stream().noneMatch(each -> each.tolerates(taint))
        ? No.of("NodeUnschedulable", "node(s) were unschedulable", true)
        : YES;
  }

  private static Optional<No> name(PodInfo pod, NodeInfo node) {
    return pod.nodeName().isEmpty() || pod.nodeName().equals(node.name())
        ? YES
        : No.of("NodeName", "node(s) didn't match the requested node name", true);
  }

  static List<Taint> untolerated(PodInfo pod, NodeInfo node, List<Taint.Effect> effects) {
    List<Toleration> tolerations = pod.shape().tolerations();
    return node.taints().stream()
        .filter(taint -> effects.contains(taint.effect()))
        .filter(taint -> tolerations.stream().noneMatch(each -> each.tolerates(taint)))
        .toList();
  }

  private static final List<Taint.Effect> HARD =
      List.of(Taint.Effect.NO_SCHEDULE, Taint.Effect.NO_EXECUTE);

  private static Optional<No> taints(PodInfo pod, NodeInfo node) {
    List<Taint> taints = untolerated(pod, node, HARD);
    return taints.isEmpty()
        ? YES
        : No.of(
            "TaintToleration",
            "node(s) had untolerated taint {%s: %s}"
                .formatted(taints.getFirst().key(), taints.getFirst().value()),
            true);
  }

  private static Optional<No> selection(PodInfo pod, NodeInfo node) {
    return pod.shape().selection().matches(node)
        ? YES
        : No.of("NodeAffinity", "node(s) didn't match Pod's node affinity/selector", true);
  }

  static List<PodInfo> on(NodeInfo node, List<On> bound) {
    return bound.stream().filter(on -> on.node().equals(node.name())).map(On::pod).toList();
  }

  private static Optional<No> ports(PodInfo pod, NodeInfo node, List<On> bound) {
    for (HostPort wanted : pod.demand().ports()) {
      for (PodInfo other : on(node, bound)) {
        if (other.demand().ports().stream().anyMatch(taken -> collide(wanted, taken))) {
          return No.of(
              "NodePorts", "node(s) didn't have free ports for the requested pod ports", false);
        }
      }
    }
    return YES;
  }

  private static boolean collide(HostPort one, HostPort other) {
    boolean sameAddress =
        one.ip().equals(other.ip()) || one.ip().equals("0.0.0.0") || other.ip().equals("0.0.0.0");
    return sameAddress && one.port() == other.port() && one.protocol().equals(other.protocol());
  }

  private static Optional<No> resources(PodInfo pod, NodeInfo node, List<On> bound) {
    if (node.allocatable().isEmpty()) {
      return No.of("NodeResourcesFit", "node(s) had not reported what is allocatable", true);
    }
    List<String> messages = new ArrayList<>();
    boolean isFinal = false;
    for (Map.Entry<String, Long> wanted : new TreeMap<>(pod.demand().amounts()).entrySet()) {
      String resource = wanted.getKey();
      long has = node.allocatable().getOrDefault(resource, 0L);
      long used = 0;
      for (PodInfo other : on(node, bound)) {
        used += other.demand().amounts().getOrDefault(resource, 0L);
      }
      if (wanted.getValue() > has - used) {
        messages.add(resource.equals("pods") ? "Too many pods" : "Insufficient " + resource);
        isFinal |= wanted.getValue() > has;
      }
    }
    return messages.isEmpty() ? YES : Optional.of(new No("NodeResourcesFit", messages, isFinal));
  }

  /** How many pods a constraint counts in each domain; domains without any are there with 0. */
  Map<String, Integer> domains(
      PodInfo pod, SpreadConstraint constraint, List<SpreadConstraint> needed, List<On> bound) {
    Map<String, Integer> counts = new HashMap<>();
    for (NodeInfo node : world.nodes.values()) {
      boolean counts1 =
          needed.stream().allMatch(each -> node.labels().containsKey(each.topologyKey()))
              && node.labels().containsKey(constraint.topologyKey())
              && (!constraint.honorsSelection() || pod.shape().selection().matches(node))
              && (!constraint.honorsTaints() || untolerated(pod, node, HARD).isEmpty());
      if (counts1) {
        counts.merge(
            node.labels().get(constraint.topologyKey()),
            matching(pod, constraint, node, bound),
            Integer::sum);
      }
    }
    return counts;
  }

  static int matching(PodInfo pod, SpreadConstraint constraint, NodeInfo node, List<On> bound) {
    return (int)
        on(node, bound).stream()
            .filter(other -> other.namespace().equals(pod.namespace()) && !other.isDeleting())
            .filter(other -> constraint.selector().matches(other.labels()))
            .count();
  }

  private Optional<No> spread(PodInfo pod, NodeInfo node, List<On> bound) {
    List<SpreadConstraint> hard =
        pod.constraints().stream().filter(SpreadConstraint::isRequired).toList();
    for (SpreadConstraint constraint : hard) {
      String value = node.labels().get(constraint.topologyKey());
      if (value == null) {
        return No.of(
            "PodTopologySpread",
            "node(s) didn't match pod topology spread constraints (missing required label)",
            true);
      }
      Map<String, Integer> domains = domains(pod, constraint, hard, bound);
      int least =
          domains.size() < constraint.minDomains()
              ? 0
              : domains.values().stream().mapToInt(Integer::intValue).min().orElse(0);
      int self = constraint.selector().matches(pod.labels()) ? 1 : 0;
      if (domains.getOrDefault(value, 0) + self - least > constraint.maxSkew()) {
        return No.of(
            "PodTopologySpread", "node(s) didn't match pod topology spread constraints", false);
      }
    }
    return YES;
  }

  boolean matches(PodTerm term, PodInfo pod) {
    boolean inScope =
        term.scope().names().contains(pod.namespace())
            || term.scope().selector().matches(world.namespaceLabels(pod.namespace()));
    return inScope && term.selector().matches(pod.labels());
  }

  boolean sameDomain(PodTerm term, NodeInfo node, String other) {
    String here = node.labels().get(term.topologyKey());
    NodeInfo there = world.nodes.get(other);
    return here != null && there != null && here.equals(there.labels().get(term.topologyKey()));
  }

  private static boolean isOn(On on, NodeInfo node) {
    return on.node().equals(node.name());
  }

  private Optional<No> near(PodInfo pod, NodeInfo node, List<On> bound) {
    List<PodTerm> terms = pod.terms().near();
    if (terms.isEmpty()) {
      return YES;
    }
    Optional<No> no = No.of("InterPodAffinity", "node(s) didn't match pod affinity rules", true);
    if (terms.stream().anyMatch(term -> !node.labels().containsKey(term.topologyKey()))) {
      return no;
    }
    List<On> wanted =
        bound.stream()
            .filter(on -> terms.stream().allMatch(term -> matches(term, on.pod())))
            .toList();
    boolean all =
        terms.stream()
            .allMatch(term -> wanted.stream().anyMatch(on -> sameDomain(term, node, on.node())));
    boolean nowhere =
        terms.stream()
            .noneMatch(
                term ->
                    world.nodes.values().stream()
                        .filter(other -> other.labels().containsKey(term.topologyKey()))
                        .anyMatch(other -> wanted.stream().anyMatch(on -> isOn(on, other))));
    boolean first = nowhere && terms.stream().allMatch(term -> matches(term, pod));
    return all || first ? YES : no;
  }

  private Optional<No> apart(PodInfo pod, NodeInfo node, List<On> bound) {
    for (PodTerm term : pod.terms().apart()) {
      for (On on : bound) {
        if (matches(term, on.pod()) && sameDomain(term, node, on.node())) {
          return No.of("InterPodAffinity", "node(s) didn't match pod anti-affinity rules", false);
        }
      }
    }
    return YES;
  }

  private Optional<No> othersApart(PodInfo pod, NodeInfo node, List<On> bound) {
    for (On on : bound) {
      for (PodTerm term : on.pod().terms().apart()) {
        if (matches(term, pod) && sameDomain(term, node, on.node())) {
          return No.of(
              "InterPodAffinity",
              "node(s) didn't satisfy existing pods anti-affinity rules",
              false);
        }
      }
    }
    return YES;
  }
}
