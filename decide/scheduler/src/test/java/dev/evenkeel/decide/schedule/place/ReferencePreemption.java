package dev.evenkeel.decide.schedule.place;

import dev.evenkeel.decide.schedule.model.Budget;
import dev.evenkeel.decide.schedule.model.NodeInfo;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.place.World.On;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Selects victims slowly and obviously. */
final class ReferencePreemption {

  /** The pods to remove from a node. */
  record Candidate(String node, List<PodInfo> victims, int violations) {

    long highest() {
      return victims.stream().mapToLong(PodInfo::priority).max().orElseThrow();
    }

    long sum() {
      return victims.stream().mapToLong(pod -> pod.priority() + 2147483648L).sum();
    }

    Instant start() {
      return victims.stream()
          .filter(pod -> pod.priority() == highest())
          .map(ReferencePreemption::start)
          .min(Comparator.naturalOrder())
          .orElseThrow();
    }
  }

  static final Comparator<Candidate> HARM =
      Comparator.comparingInt(Candidate::violations)
          .thenComparingLong(Candidate::highest)
          .thenComparingLong(Candidate::sum)
          .thenComparingInt(each -> each.victims().size())
          .thenComparing(Comparator.comparing(Candidate::start).reversed());

  private final Reference reference;
  private final World world;

  ReferencePreemption(Reference reference) {
    this.reference = reference;
    this.world = reference.world;
  }

  private static Instant start(PodInfo pod) {
    return pod.started() == null ? Instant.MAX : pod.started();
  }

  /** By node. */
  Map<String, Candidate> candidates(PodInfo pod) {
    Map<String, Candidate> candidates = new TreeMap<>();
    for (NodeInfo node : world.nodes.values()) {
      Optional<Reference.No> no = reference.filter(pod, node, world.bound());
      if (no.isPresent() && !no.get().isFinal()) {
        candidate(pod, node).ifPresent(each -> candidates.put(node.name(), each));
      }
    }
    return candidates;
  }

  private Optional<Candidate> candidate(PodInfo pod, NodeInfo node) {
    List<On> bound = world.bound();
    List<PodInfo> lower =
        new ArrayList<>(
            Reference.on(node, bound).stream()
                .filter(other -> other.priority() < pod.priority())
                .toList());
    lower.sort(
        Comparator.comparingInt((PodInfo each) -> -each.priority())
            .thenComparing(ReferencePreemption::start)
            .thenComparing(PodInfo::key));
    bound.removeIf(on -> lower.contains(on.pod()));
    if (lower.isEmpty() || reference.filter(pod, node, bound).isPresent()) {
      return Optional.empty();
    }
    List<PodInfo> violating = violating(lower);
    List<PodInfo> victims = new ArrayList<>();
    int violations = 0;
    for (PodInfo each : violating) {
      if (mustGo(each, pod, node, bound)) {
        victims.add(each);
        violations++;
      }
    }
    for (PodInfo each : lower) {
      if (!violating.contains(each) && mustGo(each, pod, node, bound)) {
        victims.add(each);
      }
    }
    victims.sort(Comparator.comparingInt(lower::indexOf));
    return Optional.of(new Candidate(node.name(), victims, violations));
  }

  private boolean mustGo(PodInfo each, PodInfo pod, NodeInfo node, List<On> bound) {
    var on = new On(each, node.name());
    bound.add(on);
    if (reference.filter(pod, node, bound).isEmpty()) {
      return false;
    }
    bound.remove(on);
    return true;
  }

  private List<PodInfo> violating(List<PodInfo> pods) {
    Map<String, Integer> allowed = new HashMap<>();
    world.budgets.forEach((key, budget) -> allowed.put(key, budget.allowed()));
    List<PodInfo> violating = new ArrayList<>();
    for (PodInfo pod : pods) {
      boolean violates = false;
      for (Map.Entry<String, Budget> entry : world.budgets.entrySet()) {
        Budget budget = entry.getValue();
        if (budget.namespace().equals(pod.namespace())
            && !budget.selector().isEverything()
            && budget.selector().matches(pod.labels())
            && !pod.labels().isEmpty()
            && !budget.disrupted().contains(pod.name())) {
          violates |= allowed.merge(entry.getKey(), -1, Integer::sum) < 0;
        }
      }
      if (violates) {
        violating.add(pod);
      }
    }
    return violating;
  }
}
