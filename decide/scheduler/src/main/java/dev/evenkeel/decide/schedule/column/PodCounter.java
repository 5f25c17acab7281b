package dev.evenkeel.decide.schedule.column;

import dev.evenkeel.decide.schedule.model.NamespaceScope;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.kernel.selector.LabelSelector;
import java.util.List;
import java.util.Map;

/** How many pods of a sort are on each node. */
public final class PodCounter extends SlotCounts {

  /**
   * Which pods: those that all of these select.
   *
   * @param countsDeleting whether those count too that are about to go
   */
  public record Sort(List<Selection> all, boolean countsDeleting) {

    public Sort {
      all = List.copyOf(all);
    }

    boolean includes(PodInfo pod, Map<String, String> namespaceLabels) {
      if (pod.isDeleting() && !countsDeleting) {
        return false;
      }
      for (int i = 0; i < all.size(); i++) {
        if (!all.get(i).includes(pod, namespaceLabels)) {
          return false;
        }
      }
      return true;
    }
  }

  /** Pods of some namespaces by their labels. */
  public record Selection(NamespaceScope scope, LabelSelector selector) {

    boolean includes(PodInfo pod, Map<String, String> namespaceLabels) {
      return selector.matches(pod.labels()) && scope.includes(pod.namespace(), namespaceLabels);
    }
  }

  private final Sort sort;

  /** When it was last asked for, so that those nobody asks for can go. */
  long used;

  PodCounter(Sort sort, int slots) {
    super(slots);
    this.sort = sort;
  }

  public Sort sort() {
    return sort;
  }

  boolean looksAtNamespaces() {
    return sort.all.stream().anyMatch(selection -> selection.scope().looksAtLabels());
  }
}
