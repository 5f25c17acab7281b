package dev.evenkeel.decide.schedule.column;

import dev.evenkeel.decide.schedule.model.PodInfo;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The counters that somebody asked for.
 *
 * <p><b>Invariants</b>: each counts exactly the pods that are in the cluster. A counter that was
 * given out is kept up to date until the log says that everything changed; whoever holds one asks
 * again then.
 *
 * <p><b>Threading</b>: of the cluster's thread.
 */
public final class PodCounters {

  /** Beyond, the half that was not asked for for longest is let go. */
  public static final int COUNTERS_MAX = 2_048;

  /** Also with many nodes. */
  private static final int COUNTERS_MIN = 256;

  /** Numbers in all counters together, four bytes each. */
  private static final int CELLS_MAX = 1 << 23;

  private final Map<PodCounter.Sort, PodCounter> bySort = new HashMap<>();
  private final LabelIndex<PodCounter> index = new LabelIndex<>();
  private final Function<String, Map<String, String>> namespaceLabels;
  private final Consumer<BiConsumer<PodInfo, Integer>> pods;
  private final Topologies topologies;
  private final ChangeLog log;
  private int slots;
  private long asked;

  /**
   * @param pods gives all pods with their slots
   */
  public PodCounters(
      Function<String, Map<String, String>> namespaceLabels,
      Consumer<BiConsumer<PodInfo, Integer>> pods,
      Topologies topologies,
      ChangeLog log,
      int slots) {
    this.namespaceLabels = namespaceLabels;
    this.pods = pods;
    this.topologies = topologies;
    this.log = log;
    this.slots = slots;
  }

  /** Counted now if nobody asked before. */
  public PodCounter of(PodCounter.Sort sort) {
    PodCounter counter = bySort.get(sort);
    if (counter == null) {
      if (bySort.size() >= Math.clamp(CELLS_MAX / slots, COUNTERS_MIN, COUNTERS_MAX)) {
        letHalfGo();
      }
      counter = new PodCounter(sort, slots);
      count(counter);
      bySort.put(sort, counter);
      index.add(sort.all().getFirst().selector(), counter);
    }
    counter.used = ++asked;
    return counter;
  }

  public DomainSums sums(PodCounter.Sort sort, String topologyKey) {
    return of(sort).sums(topologyKey, topologies);
  }

  private void count(PodCounter counter) {
    pods.accept(
        (pod, slot) -> {
          if (counter.sort().includes(pod, namespaceLabels.apply(pod.namespace()))) {
            counter.add(slot, 1);
          }
        });
  }

  private void letHalfGo() {
    List<PodCounter> oldest =
        bySort.values().stream()
            .sorted(Comparator.comparingLong(counter -> counter.used))
            .limit(bySort.size() / 2)
            .toList();
    for (PodCounter counter : oldest) {
      bySort.remove(counter.sort());
      index.remove(counter.sort().all().getFirst().selector(), counter);
      counter.drop();
    }
    log.everythingChanged();
  }

  public void resize(int grown) {
    slots = grown;
    bySort.values().forEach(counter -> counter.resize(grown));
  }

  /**
   * @param more 1 if the pod came, -1 if it left
   */
  public void podChanged(PodInfo pod, int slot, int more) {
    if (bySort.isEmpty()) {
      return;
    }
    Map<String, String> ofNamespace = namespaceLabels.apply(pod.namespace());
    index.forEachCandidate(
        pod.labels(),
        counter -> {
          if (counter.sort().includes(pod, ofNamespace)) {
            counter.add(slot, more);
          }
        });
  }

  /** Takes the place of what was counted by labels of namespaces; whether there was any. */
  public boolean namespacesChanged() {
    boolean any = false;
    for (PodCounter counter : bySort.values()) {
      if (counter.looksAtNamespaces()) {
        counter.clear();
        count(counter);
        any = true;
      }
    }
    return any;
  }
}
