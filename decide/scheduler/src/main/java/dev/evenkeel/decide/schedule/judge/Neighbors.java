package dev.evenkeel.decide.schedule.judge;

import dev.evenkeel.decide.schedule.column.Columns;
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
public final class Neighbors {

  private static final DomainSums[] NONE = {};

  private final DomainSums[] near;
  private final DomainSums[] apart;
  private final TermGroup[] othersApart;

  /** Nobody is there whom it must be near, and it would do itself for those to come. */
  private final boolean isFirst;

  private final boolean matchesItself;
  private final int[] weights;
  private final int[][] nearDomains;
  private final long[][] nearSums;
  private final int[][] apartDomains;
  private final long[][] apartSums;
  private final int[][] othersDomains;
  private final long[][] othersSums;
  private final int[][] scoredDomains;
  private final long[][] scoredSums;

  private Neighbors(
      DomainSums[] near,
      boolean matchesItself,
      DomainSums[] apart,
      TermGroup[] othersApart,
      List<DomainSums> scored,
      List<Integer> weights) {
    this.near = near;
    this.matchesItself = matchesItself;
    this.isFirst = matchesItself && Arrays.stream(near).allMatch(sums -> sums.total() == 0);
    this.apart = apart;
    this.othersApart = othersApart;
    this.weights = weights.stream().mapToInt(Integer::intValue).toArray();
    nearDomains = domains(near);
    nearSums = sums(near);
    apartDomains = domains(apart);
    apartSums = sums(apart);
    DomainSums[] others = new DomainSums[othersApart.length];
    for (int i = 0; i < others.length; i++) {
      others[i] = othersApart[i].sums();
    }
    othersDomains = domains(others);
    othersSums = sums(others);
    DomainSums[] scoring = scored.toArray(DomainSums[]::new);
    scoredDomains = domains(scoring);
    scoredSums = sums(scoring);
  }

  private static int[][] domains(DomainSums[] all) {
    int[][] domains = new int[all.length][];
    for (int i = 0; i < domains.length; i++) {
      domains[i] = all[i].topology().domains();
    }
    return domains;
  }

  private static long[][] sums(DomainSums[] all) {
    long[][] sums = new long[all.length][];
    for (int i = 0; i < sums.length; i++) {
      sums[i] = all[i].sums();
    }
    return sums;
  }

  public static Neighbors of(PodInfo pod, Columns columns, Weights weighing) {
    PodTerms terms = pod.terms();
    List<DomainSums> scored = new ArrayList<>(0);
    List<Integer> weights = new ArrayList<>(0);
    List<TermGroup> othersApart = new ArrayList<>(0);
    for (PodTerm.Weighted weighted : terms.preferred()) {
      scored.add(columns.counters().sums(sort(weighted.term()), weighted.term().topologyKey()));
      weights.add(weighted.weight());
    }
    for (TermGroup group : columns.groups().concerning(pod)) {
      switch (group.kind()) {
        case APART -> othersApart.add(group);
        case NEAR -> {
          if (weighing.near() > 0) {
            scored.add(group.sums());
            weights.add(weighing.near());
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
      matchesItself = matchesAll(terms.near(), pod, columns.namespaceLabels(pod.namespace()));
      PodCounter.Sort all = nearSort(terms);
      near =
          terms.near().stream()
              .map(term -> columns.counters().sums(all, term.topologyKey()))
              .toArray(DomainSums[]::new);
    }
    DomainSums[] apart =
        terms.apart().isEmpty()
            ? NONE
            : terms.apart().stream()
                .map(term -> columns.counters().sums(sort(term), term.topologyKey()))
                .toArray(DomainSums[]::new);
    return new Neighbors(
        near, matchesItself, apart, othersApart.toArray(TermGroup[]::new), scored, weights);
  }

  /** A pod counts only if all terms are about it. */
  public static PodCounter.Sort nearSort(PodTerms terms) {
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

  public static boolean matchesAll(
      List<PodTerm> terms, PodInfo pod, Map<String, String> namespaceLabels) {
    for (int i = 0; i < terms.size(); i++) {
      if (!terms.get(i).matches(pod, namespaceLabels)) {
        return false;
      }
    }
    return true;
  }

  /** By term that it must be near to: the pods that all these terms are about. */
  public DomainSums[] near() {
    return near;
  }

  /** By term that it must be apart from. */
  public DomainSums[] apart() {
    return apart;
  }

  /** Pods that must be apart from this one. */
  public TermGroup[] othersApart() {
    return othersApart;
  }

  /** Whether it is one of those whom it must be near. */
  public boolean matchesItself() {
    return matchesItself;
  }

  /** Whether any node could be rejected. */
  public boolean judges() {
    return near.length + apart.length + othersApart.length > 0;
  }

  public boolean scores() {
    return weights.length > 0;
  }

  public int verdict(int slot) {
    boolean all = true;
    for (int i = 0; i < nearDomains.length; i++) {
      int domain = nearDomains[i][slot];
      if (domain == Topology.NOWHERE) {
        return Reasons.NOT_NEAR;
      }
      all &= nearSums[i][domain] > 0;
    }
    if (!all && !isFirst) {
      return Reasons.NOT_NEAR;
    }
    if (isAny(apartDomains, apartSums, slot)) {
      return Reasons.NOT_APART;
    }
    return isAny(othersDomains, othersSums, slot) ? Reasons.OTHERS_APART : Reasons.FITS;
  }

  private static boolean isAny(int[][] domains, long[][] sums, int slot) {
    for (int i = 0; i < domains.length; i++) {
      int domain = domains[i][slot];
      if (domain != Topology.NOWHERE && sums[i][domain] > 0) {
        return true;
      }
    }
    return false;
  }

  public long score(int slot) {
    long sum = 0;
    for (int i = 0; i < weights.length; i++) {
      int domain = scoredDomains[i][slot];
      if (domain != Topology.NOWHERE) {
        sum += weights[i] * scoredSums[i][domain];
      }
    }
    return sum;
  }
}
