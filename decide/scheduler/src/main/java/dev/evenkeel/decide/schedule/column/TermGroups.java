package dev.evenkeel.decide.schedule.column;

import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.model.PodTerm;
import dev.evenkeel.decide.schedule.model.PodTerms;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What the pods in the cluster ask of others, those that ask the same together.
 *
 * <p><b>Invariants</b>: every term of every pod in the cluster is counted in its group.
 *
 * <p><b>Threading</b>: of the cluster's thread.
 */
public final class TermGroups {

  /** So many groups without members are kept, for pods that are tried and taken back. */
  public static final int IDLE_MAX = 256;

  private final Map<TermGroup.Key, TermGroup> byKey = new HashMap<>();
  private final LabelIndex<TermGroup> index = new LabelIndex<>();
  private final Function<String, Map<String, String>> namespaceLabels;
  private final Topologies topologies;
  private int slots;
  private int idle;

  public TermGroups(
      Function<String, Map<String, String>> namespaceLabels, Topologies topologies, int slots) {
    this.namespaceLabels = namespaceLabels;
    this.topologies = topologies;
    this.slots = slots;
  }

  /** Groups with a term that is about this pod. */
  public List<TermGroup> concerning(PodInfo pod) {
    if (byKey.size() == idle) {
      return List.of();
    }
    List<TermGroup> found = new ArrayList<>(2);
    Map<String, String> ofNamespace = namespaceLabels.apply(pod.namespace());
    index.forEachCandidate(
        pod.labels(),
        group -> {
          if (group.members > 0 && group.concerns(pod, ofNamespace)) {
            found.add(group);
          }
        });
    return found;
  }

  public void resize(int grown) {
    slots = grown;
    byKey.values().forEach(group -> group.resize(grown));
  }

  /**
   * @param more 1 if the pod came, -1 if it left
   */
  public void podChanged(PodInfo pod, int slot, int more) {
    PodTerms terms = pod.terms();
    for (int i = 0; i < terms.apart().size(); i++) {
      change(TermGroup.Kind.APART, terms.apart().get(i), slot, more, more);
    }
    for (int i = 0; i < terms.near().size(); i++) {
      change(TermGroup.Kind.NEAR, terms.near().get(i), slot, more, more);
    }
    for (int i = 0; i < terms.preferred().size(); i++) {
      PodTerm.Weighted weighted = terms.preferred().get(i);
      int weight = weighted.weight() * more;
      change(TermGroup.Kind.PREFERRED, weighted.term(), slot, weight, more);
    }
  }

  private void change(TermGroup.Kind kind, PodTerm term, int slot, int more, int members) {
    TermGroup group =
        byKey.computeIfAbsent(
            new TermGroup.Key(kind, term),
            key -> {
              var made = new TermGroup(key, slots, topologies);
              index.add(term.selector(), made);
              idle++;
              return made;
            });
    idle -= group.members == 0 ? 1 : 0;
    group.members += members;
    group.add(slot, more);
    if (group.members == 0 && ++idle > IDLE_MAX) {
      letIdleGo();
    }
  }

  private void letIdleGo() {
    byKey
        .values()
        .removeIf(
            group -> {
              if (group.members > 0) {
                return false;
              }
              index.remove(group.term().selector(), group);
              group.drop();
              return true;
            });
    idle = 0;
  }
}
