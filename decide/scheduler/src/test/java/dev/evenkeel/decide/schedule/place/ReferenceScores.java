package dev.evenkeel.decide.schedule.place;

import static java.util.Objects.requireNonNull;

import dev.evenkeel.decide.schedule.model.NodeInfo;
import dev.evenkeel.decide.schedule.model.NodeSelection;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.model.PodTerm;
import dev.evenkeel.decide.schedule.model.SpreadConstraint;
import dev.evenkeel.decide.schedule.model.Taint;
import dev.evenkeel.decide.schedule.place.World.On;
import dev.evenkeel.kernel.selector.LabelSelector;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** Scores slowly and obviously, with kube-scheduler's default weights. */
final class ReferenceScores {

  private final World world;
  private final Reference reference;
  private final PodInfo pod;
  private final List<NodeInfo> nodes;
  private final List<On> bound;

  /**
   * @param nodes that are left
   */
  ReferenceScores(Reference reference, PodInfo pod, List<NodeInfo> nodes) {
    this.world = reference.world;
    this.reference = reference;
    this.pod = pod;
    this.nodes = nodes;
    this.bound = world.bound();
  }

  /** By node, then by plugin; nothing where a plugin gave nothing. */
  Map<String, Map<String, Long>> all() {
    Map<String, Map<String, Long>> all = new TreeMap<>();
    nodes.forEach(node -> all.put(node.name(), new TreeMap<>()));
    add(all, "NodeResourcesFit", 1, scores(this::least));
    if (wants("cpu") > 0 || wants("memory") > 0) {
      add(all, "NodeResourcesBalancedAllocation", 1, scores(this::balanced));
    }
    add(all, "ImageLocality", 1, scores(this::images));
    add(all, "TaintToleration", 3, upToMost(scores(this::unpreferred), true));
    add(all, "NodeAffinity", 2, upToMost(scores(this::preferred), false));
    add(all, "PodTopologySpread", 2, spread());
    add(all, "InterPodAffinity", 2, between(scores(this::neighbors)));
    return all;
  }

  private static void add(
      Map<String, Map<String, Long>> all, String plugin, int weight, Map<String, Long> scores) {
    scores.forEach(
        (node, score) -> {
          if (score != 0) {
            requireNonNull(all.get(node)).put(plugin, weight * score);
          }
        });
  }

  private Map<String, Long> scores(ToLongFunction<NodeInfo> score) {
    return nodes.stream().collect(Collectors.toMap(NodeInfo::name, score::applyAsLong));
  }

  private long wants(String resource) {
    return pod.demand().amounts().getOrDefault(resource, 0L);
  }

  private long least(NodeInfo node) {
    long cpu = pod.shape().scoredCpuMillis();
    long memory = pod.shape().scoredMemoryBytes();
    for (PodInfo other : Reference.on(node, bound)) {
      cpu += other.shape().scoredCpuMillis();
      memory += other.shape().scoredMemoryBytes();
    }
    List<Long> scores = new ArrayList<>();
    long hasCpu = node.allocatable().getOrDefault("cpu", 0L);
    long hasMemory = node.allocatable().getOrDefault("memory", 0L);
    if (hasCpu > 0) {
      scores.add(cpu > hasCpu ? 0 : (hasCpu - cpu) * 100 / hasCpu);
    }
    if (hasMemory > 0) {
      scores.add(memory > hasMemory ? 0 : (hasMemory - memory) * 100 / hasMemory);
    }
    return scores.isEmpty() ? 0 : scores.stream().mapToLong(Long::longValue).sum() / scores.size();
  }

  private long balanced(NodeInfo node) {
    List<Double> fractions = new ArrayList<>();
    for (String resource : List.of("cpu", "memory")) {
      long has = node.allocatable().getOrDefault(resource, 0L);
      long used = wants(resource);
      for (PodInfo other : Reference.on(node, bound)) {
        used += other.demand().amounts().getOrDefault(resource, 0L);
      }
      if (has > 0) {
        fractions.add(Math.min(1.0, (double) used / (double) has));
      }
    }
    double deviation =
        fractions.size() < 2 ? 0 : Math.abs((fractions.get(0) - fractions.get(1)) / 2);
    return (long) ((1 - deviation) * 100);
  }

  private long images(NodeInfo node) {
    long megabyte = 1024 * 1024;
    long sum = 0;
    for (String image : pod.shape().images()) {
      if (node.images().containsKey(image)) {
        long holders =
            world.nodes.values().stream().filter(each -> each.images().containsKey(image)).count();
        sum += (long) (node.images().get(image) * ((double) holders / world.nodes.size()));
      }
    }
    long most = 1000 * megabyte * pod.shape().images().size();
    long bounded = Math.clamp(sum, 23 * megabyte, most);
    return 100 * (bounded - 23 * megabyte) / (most - 23 * megabyte);
  }

  private long unpreferred(NodeInfo node) {
    return Reference.untolerated(pod, node, List.of(Taint.Effect.PREFER_NO_SCHEDULE)).size();
  }

  private long preferred(NodeInfo node) {
    return pod.shape().preferred().stream()
        .filter(each -> each.term().matches(node))
        .mapToLong(NodeSelection.Preferred::weight)
        .sum();
  }

  private static Map<String, Long> upToMost(Map<String, Long> raw, boolean reverse) {
    long most = raw.values().stream().mapToLong(Long::longValue).max().orElse(0);
    Map<String, Long> scores = new TreeMap<>();
    raw.forEach(
        (node, score) -> {
          long share = most == 0 ? 0 : 100 * score / most;
          scores.put(node, reverse ? 100 - share : share);
        });
    return scores;
  }

  private static Map<String, Long> between(Map<String, Long> raw) {
    long least = raw.values().stream().mapToLong(Long::longValue).min().orElse(0);
    long most = raw.values().stream().mapToLong(Long::longValue).max().orElse(0);
    Map<String, Long> scores = new TreeMap<>();
    raw.forEach(
        (node, score) ->
            scores.put(
                node,
                most == least
                    ? 0L
                    : (long) (100 * ((double) (score - least) / (double) (most - least)))));
    return scores;
  }

  private long neighbors(NodeInfo node) {
    long score = 0;
    for (On on : bound) {
      for (PodTerm.Weighted term : pod.terms().preferred()) {
        score += points(term.term(), on.pod(), node, on, term.weight());
      }
      for (PodTerm.Weighted term : on.pod().terms().preferred()) {
        score += points(term.term(), pod, node, on, term.weight());
      }
      for (PodTerm term : on.pod().terms().near()) {
        score += points(term, pod, node, on, 1);
      }
    }
    return score;
  }

  private long points(PodTerm term, PodInfo about, NodeInfo node, On on, int weight) {
    return reference.matches(term, about) && reference.sameDomain(term, node, on.node())
        ? weight
        : 0;
  }

  private Map<String, Long> spread() {
    boolean isDefault = pod.constraints().isEmpty();
    List<SpreadConstraint> soft =
        isDefault
            ? defaults()
            : pod.constraints().stream().filter(each -> !each.isRequired()).toList();
    if (soft.isEmpty()) {
      return Map.of();
    }
    List<NodeInfo> counted =
        isDefault
            ? nodes
            : nodes.stream()
                .filter(
                    node ->
                        soft.stream()
                            .allMatch(each -> node.labels().containsKey(each.topologyKey())))
                .toList();
    Map<String, Long> raw = new TreeMap<>();
    for (NodeInfo node : counted) {
      double sum = 0;
      for (SpreadConstraint each : soft) {
        if (node.labels().containsKey(each.topologyKey())) {
          boolean byHost = each.topologyKey().equals("kubernetes.io/hostname");
          int count =
              byHost
                  ? Reference.matching(pod, each, node, bound)
                  : reference
                      .domains(pod, each, isDefault ? List.of() : soft, bound)
                      .getOrDefault(node.labels().get(each.topologyKey()), 0);
          Set<String> values = new HashSet<>();
          counted.forEach(other -> values.add(other.labels().getOrDefault(each.topologyKey(), "")));
          int size = byHost ? counted.size() : values.size();
          sum += count * Math.log(size + 2) + (each.maxSkew() - 1);
        }
      }
      raw.put(node.name(), Math.round(sum));
    }
    long least = raw.values().stream().mapToLong(Long::longValue).min().orElse(0);
    long most = raw.values().stream().mapToLong(Long::longValue).max().orElse(0);
    raw.replaceAll((_, score) -> most == 0 ? 100 : 100 * (most + least - score) / most);
    return raw;
  }

  private List<SpreadConstraint> defaults() {
    List<LabelSelector> all = new ArrayList<>(world.servicesOf(pod));
    if (pod.siblings() != null) {
      all.add(pod.siblings());
    }
    if (all.isEmpty()) {
      return List.of();
    }
    String joined = all.stream().map(LabelSelector::toString).collect(Collectors.joining(","));
    LabelSelector selector = LabelSelector.parse(joined);
    return List.of(
        new SpreadConstraint("kubernetes.io/hostname", 3, false, selector, 1, true, false),
        new SpreadConstraint("topology.kubernetes.io/zone", 5, false, selector, 1, true, false));
  }
}
