package dev.evenkeel.decide.schedule.column;

import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.model.PodTerm;
import java.util.Map;

/** The pods that ask the same of the pods around them: how many on each node, or their weights. */
public final class TermGroup extends SlotCounts {

  /** What the term is to the pods that have it. */
  public enum Kind {
    /** None of the others may come near. */
    APART,
    /** They had to be near one of the others. */
    NEAR,
    /** They would rather be near, or apart; summed by weight. */
    PREFERRED
  }

  record Key(Kind kind, PodTerm term) {}

  private final Key key;
  private final DomainSums sums;

  /** Pods that have the term, wherever they are. */
  int members;

  TermGroup(Key key, int slots, Topologies topologies) {
    super(slots);
    this.key = key;
    this.sums = sums(key.term().topologyKey(), topologies);
  }

  public Kind kind() {
    return key.kind();
  }

  public PodTerm term() {
    return key.term();
  }

  /** By the domains of the term's topology. */
  public DomainSums sums() {
    return sums;
  }

  boolean concerns(PodInfo pod, Map<String, String> namespaceLabels) {
    return key.term().matches(pod, namespaceLabels);
  }
}
