package dev.evenkeel.decide.schedule.place;

import dev.evenkeel.decide.schedule.column.DomainSums;
import dev.evenkeel.decide.schedule.column.Slot;
import dev.evenkeel.decide.schedule.column.TermGroup;
import dev.evenkeel.decide.schedule.column.Topology;
import dev.evenkeel.decide.schedule.judge.Neighbors;
import dev.evenkeel.decide.schedule.judge.Reasons;
import dev.evenkeel.decide.schedule.judge.SpreadState;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.model.PodTerm;
import dev.evenkeel.kernel.fit.HostPort;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Judges one node for a pod as if some pods were not there, or others were. It sees the same sums
 * as the scan, and adds what these pods change in them.
 *
 * <p><b>Invariants</b>: without any such pod the verdict is that of the scan.
 */
final class DryRunNode {

  private static final Slot NOWHERE = new Slot("", -1);

  private final PlacementContext attempt;
  private final Neighbors neighbors;
  private final SpreadState.Part[] parts;
  private final int[] selfMatches;
  private final List<PodTerm> nearTerms;
  private final List<PodTerm> apartTerms;

  private Slot slot = NOWHERE;
  private int number;
  private final long[] amounts;
  private final List<PodInfo> pods = new ArrayList<>(0);
  private final List<HostPort> ports = new ArrayList<>(0);
  private final int[] spread;
  private int near;
  private final int[] apart;
  private final int[] othersApart;
  private int claims;
  private int newApart;

  DryRunNode(PlacementContext attempt) {
    this.attempt = attempt;
    neighbors = attempt.neighbors();
    parts = attempt.required() == null ? new SpreadState.Part[0] : attempt.required().parts();
    selfMatches = new int[parts.length];
    for (int i = 0; i < parts.length; i++) {
      selfMatches[i] = parts[i].constraint().selector().matches(attempt.pod().labels()) ? 1 : 0;
    }
    nearTerms = attempt.pod().terms().near();
    apartTerms = attempt.pod().terms().apart();
    amounts = new long[attempt.shape().resources()];
    spread = new int[parts.length];
    apart = new int[apartTerms.size()];
    othersApart = new int[neighbors.othersApart().length];
  }

  /** Whether what is on other nodes does not matter. */
  static boolean isLocal(PlacementContext attempt) {
    return attempt.required() == null
        && !attempt.neighbors().judges()
        && attempt.extensions().filters().isEmpty()
        && attempt.pod().shape().claims().isEmpty()
        && attempt.shares().isEmpty();
  }

  void start(Slot on) {
    slot = on;
    number = slot.number();
    Arrays.fill(amounts, 0);
    pods.clear();
    pods.addAll(slot.pods());
    ports.clear();
    ports.addAll(slot.ports());
    Arrays.fill(spread, 0);
    near = 0;
    claims = 0;
    newApart = 0;
    Arrays.fill(apart, 0);
    Arrays.fill(othersApart, 0);
  }

  void remove(PodInfo pod) {
    pods.remove(pod);
    pod.demand().ports().forEach(ports::remove);
    change(pod, -1);
  }

  void add(PodInfo pod) {
    pods.add(pod);
    ports.addAll(pod.demand().ports());
    change(pod, 1);
  }

  /** Whether room that is promised to the other is not this one's to take. */
  private boolean yieldsTo(PodInfo other) {
    return other.priority() >= attempt.pod().priority() && !other.uid().equals(attempt.pod().uid());
  }

  /** With the pods that are to come and worth as much as this one; whether there are any. */
  private boolean addNominated() {
    boolean any = false;
    for (PodInfo other : slot.nominated()) {
      if (yieldsTo(other)) {
        add(other);
        newApart += apartFrom(other);
        any = true;
      }
    }
    return any;
  }

  /** Nobody has counted yet what a pod to come asks of others. */
  private int apartFrom(PodInfo other) {
    Map<String, String> labels = attempt.cluster().namespaceLabels(attempt.pod().namespace());
    int count = 0;
    for (PodTerm term : other.terms().apart()) {
      if (slot.node() != null
          && slot.node().labels().containsKey(term.topologyKey())
          && term.matches(attempt.pod(), labels)) {
        count++;
      }
    }
    return count;
  }

  private void removeNominated() {
    for (PodInfo other : slot.nominated()) {
      if (yieldsTo(other)) {
        remove(other);
      }
    }
    newApart = 0;
  }

  /** Whether the pod fits, beside those that are to come and without them. */
  int verdictWithNominated() {
    int verdict = verdict();
    return verdict == Reasons.FITS ? verdictBesideNominated() : verdict;
  }

  /** Whether the pod, which fits without those that are to come, also does so beside them. */
  int verdictBesideNominated() {
    if (!addNominated()) {
      return Reasons.FITS;
    }
    int verdict = verdict();
    removeNominated();
    return verdict == Reasons.FITS ? Reasons.FITS : held(verdict);
  }

  private int held(int beside) {
    Set<String> groups = new TreeSet<>();
    boolean pods = false;
    for (PodInfo other : slot.nominated()) {
      if (yieldsTo(other)) {
        if (other.group().isEmpty()) {
          pods = true;
        } else {
          groups.add(other.namespace() + "/" + other.group());
        }
      }
    }
    return attempt.reasons().held(groups, pods, beside);
  }

  private void change(PodInfo pod, int sign) {
    Map<String, Long> demand = pod.demand().amounts();
    for (int i = 0; i < amounts.length; i++) {
      Long amount = demand.get(attempt.shape().resource(i));
      amounts[i] += amount == null ? 0 : sign * amount;
    }
    claims += sign * attempt.shape().claims().sharedBy(pod);
    if (parts.length > 0
        && !pod.isDeleting()
        && pod.namespace().equals(attempt.pod().namespace())) {
      for (int i = 0; i < parts.length; i++) {
        if (parts[i].counts(number) && parts[i].constraint().selector().matches(pod.labels())) {
          spread[i] += sign;
        }
      }
    }
    if (neighbors.judges()) {
      changeNeighbors(pod, sign);
    }
  }

  private void changeNeighbors(PodInfo pod, int sign) {
    Map<String, String> labels = attempt.cluster().namespaceLabels(pod.namespace());
    if (!nearTerms.isEmpty() && Neighbors.matchesAll(nearTerms, pod, labels)) {
      near += sign;
    }
    for (int i = 0; i < apart.length; i++) {
      if (apartTerms.get(i).matches(pod, labels)) {
        apart[i] += sign;
      }
    }
    if (othersApart.length > 0) {
      for (PodTerm term : pod.terms().apart()) {
        for (int i = 0; i < othersApart.length; i++) {
          if (neighbors.othersApart()[i].term().equals(term)) {
            othersApart[i] += sign;
          }
        }
      }
    }
  }

  int verdict() {
    int verdict = attempt.shape().fixed(number);
    if (verdict != Reasons.FITS) {
      return verdict;
    }
    for (HostPort wanted : attempt.pod().demand().ports()) {
      if (ports.stream().anyMatch(wanted::excludes)) {
        return Reasons.PORTS_TAKEN;
      }
    }
    verdict = attempt.shape().room(number, amounts);
    if (verdict == Reasons.FITS) {
      verdict = attempt.shape().volumeVerdict(number, claims);
    }
    if (verdict == Reasons.FITS) {
      verdict = spreadVerdict();
    }
    if (verdict == Reasons.FITS) {
      verdict = neighborVerdict();
    }
    return verdict == Reasons.FITS ? pluginVerdict() : verdict;
  }

  private int pluginVerdict() {
    return attempt.extensions().filters().isEmpty()
        ? Reasons.FITS
        : attempt
            .extensions()
            .verdict(attempt.pod(), attempt.view(slot, List.copyOf(pods)), attempt.reasons());
  }

  private int spreadVerdict() {
    for (int i = 0; i < parts.length; i++) {
      SpreadState.Part part = parts[i];
      int count = part.count(number);
      if (count < 0) {
        return Reasons.SPREAD_LABEL;
      }
      int skew = count + spread[i] + selfMatches[i] - part.leastWith(number, spread[i]);
      if (skew > part.constraint().maxSkew()) {
        return Reasons.SPREAD_SKEW;
      }
    }
    return Reasons.FITS;
  }

  private int neighborVerdict() {
    boolean all = true;
    boolean nobody = true;
    for (DomainSums sums : neighbors.near()) {
      if (sums.topology().domain(number) == Topology.NOWHERE) {
        return Reasons.NOT_NEAR;
      }
      all &= sums.at(number) + near > 0;
      nobody &= sums.total() + near == 0;
    }
    if (!all && !(nobody && neighbors.matchesItself())) {
      return Reasons.NOT_NEAR;
    }
    for (int i = 0; i < apart.length; i++) {
      if (isIn(neighbors.apart()[i]) && neighbors.apart()[i].at(number) + apart[i] > 0) {
        return Reasons.NOT_APART;
      }
    }
    for (int i = 0; i < othersApart.length; i++) {
      TermGroup group = neighbors.othersApart()[i];
      if (isIn(group.sums()) && group.sums().at(number) + othersApart[i] > 0) {
        return Reasons.OTHERS_APART;
      }
    }
    return newApart > 0 ? Reasons.OTHERS_APART : Reasons.FITS;
  }

  private boolean isIn(DomainSums sums) {
    return sums.topology().domain(number) != Topology.NOWHERE;
  }
}
