package dev.evenkeel.decide.schedule.place;

import dev.evenkeel.decide.schedule.column.DomainSums;
import dev.evenkeel.decide.schedule.column.PodCounter;
import dev.evenkeel.decide.schedule.column.TermGroup;
import dev.evenkeel.decide.schedule.column.Topology;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.model.PodTerm;
import dev.evenkeel.decide.schedule.model.PodTerms;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * What one pod and the pods in the cluster ask of each other. It reads sums that others keep, and
 * holds until the next change.
 */
final class Neighbors {

  private static final DomainSums[] NONE = {};

  final PodInfo pod;
  final DomainSums[] near;
  final DomainSums[] apart;
  final TermGroup[] othersApart;

  /** Nobody is there whom it must be near, and it would do itself for those to come. */
  final boolean isFirst;

  final boolean matchesItself;
  private final DomainSums[] scored;
  private final int[] weights;

  private Neighbors(
      PodInfo pod,
      DomainSums[] near,
      boolean matchesItself,
      DomainSums[] apart,
      TermGroup[] othersApart,
      List<DomainSums> scored,
      List<Integer> weights) {
    this.pod = pod;
    this.near = near;
    this.matchesItself = matchesItself;
    this.isFirst = matchesItself && Arrays.stream(near).allMatch(sums -> sums.total() == 0);
    this.apart = apart;
    this.othersApart = othersApart;
    this.scored = scored.toArray(DomainSums[]::new);
    this.weights = weights.stream().mapToInt(Integer::intValue).toArray();
  }

  static Neighbors of(PodInfo pod, Cluster cluster, Profile profile) {
    PodTerms terms = pod.terms();
    List<DomainSums> scored = new ArrayList<>(0);
    List<Integer> weights = new ArrayList<>(0);
    List<TermGroup> othersApart = new ArrayList<>(0);
    for (PodTerm.Weighted weighted : terms.preferred()) {
      scored.add(cluster.counters.sums(sort(weighted.term()), weighted.term().topologyKey()));
      weights.add(weighted.weight());
    }
    for (TermGroup group : cluster.groups.concerning(pod)) {
      switch (group.kind()) {
        case APART -> othersApart.add(group);
        case NEAR -> {
          if (profile.nearWeight() > 0) {
            scored.add(group.sums());
            weights.add(profile.nearWeight());
          }
        }
        case PREFERRED -> {
          scored.add(group.sums());
          weights.add(1);
        }
      }
    }
    boolean matchesItself = false;
    DomainSums[] near = NONE;
    if (!terms.near().isEmpty()) {
      matchesItself = matchesAll(terms.near(), pod, cluster.namespaceLabels(pod.namespace()));
      PodCounter.Sort all = nearSort(terms);
      near =
          terms.near().stream()
              .map(term -> cluster.counters.sums(all, term.topologyKey()))
              .toArray(DomainSums[]::new);
    }
    DomainSums[] apart =
        terms.apart().isEmpty()
            ? NONE
            : terms.apart().stream()
                .map(term -> cluster.counters.sums(sort(term), term.topologyKey()))
                .toArray(DomainSums[]::new);
    return new Neighbors(
        pod, near, matchesItself, apart, othersApart.toArray(TermGroup[]::new), scored, weights);
  }

  /** A pod counts only if all terms are about it. */
  static PodCounter.Sort nearSort(PodTerms terms) {
    return new PodCounter.Sort(
        terms.near().stream()
            .map(term -> new PodCounter.Selection(term.scope(), term.selector()))
            .toList(),
        true);
  }

  private static PodCounter.Sort sort(PodTerm term) {
    return new PodCounter.Sort(
        List.of(new PodCounter.Selection(term.scope(), term.selector())), true);
  }

  static boolean matchesAll(List<PodTerm> terms, PodInfo pod, Map<String, String> namespaceLabels) {
    for (int i = 0; i < terms.size(); i++) {
      if (!terms.get(i).matches(pod, namespaceLabels)) {
        return false;
      }
    }
    return true;
  }

  /** Whether any node could be rejected. */
  boolean judges() {
    return near.length + apart.length + othersApart.length > 0;
  }

  boolean scores() {
    return scored.length > 0;
  }

  int verdict(int slot) {
    boolean all = true;
    for (DomainSums sums : near) {
      if (sums.topology().domain(slot) == Topology.NOWHERE) {
        return Reasons.NOT_NEAR;
      }
      all &= sums.at(slot) > 0;
    }
    if (!all && !isFirst) {
      return Reasons.NOT_NEAR;
    }
    for (DomainSums sums : apart) {
      if (sums.at(slot) > 0) {
        return Reasons.NOT_APART;
      }
    }
    for (TermGroup group : othersApart) {
      if (group.sums().at(slot) > 0) {
        return Reasons.OTHERS_APART;
      }
    }
    return Reasons.FITS;
  }

  long score(int slot) {
    long sum = 0;
    for (int i = 0; i < scored.length; i++) {
      sum += weights[i] * scored[i].at(slot);
    }
    return sum;
  }
}
