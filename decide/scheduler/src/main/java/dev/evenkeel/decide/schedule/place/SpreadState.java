package dev.evenkeel.decide.schedule.place;

import dev.evenkeel.decide.schedule.column.PodCounter;
import dev.evenkeel.decide.schedule.column.Topology;
import dev.evenkeel.decide.schedule.model.NamespaceScope;
import dev.evenkeel.decide.schedule.model.NodeInfo;
import dev.evenkeel.decide.schedule.model.NodeSelection;
import dev.evenkeel.decide.schedule.model.SpreadConstraint;
import dev.evenkeel.decide.schedule.model.Toleration;
import java.util.Arrays;
import java.util.List;

/**
 * How the pods that some constraints count are spread, over the nodes that count for them. Kept for
 * the next pod with the same constraints, which then looks at the nodes that changed since.
 *
 * <p><b>Invariants</b>: after {@link #refresh}, all is as it would be if computed anew.
 *
 * <p><b>Threading</b>: of the cluster's thread.
 */
final class SpreadState {

  /**
   * What makes two pods see the same.
   *
   * @param constraints all required, or none
   * @param needsAllLabels whether nodes count only if they have the labels of all constraints
   */
  record Key(
      String namespace,
      List<SpreadConstraint> constraints,
      boolean needsAllLabels,
      NodeSelection selection,
      List<Toleration> tolerations) {}

  /** One constraint. */
  final class Part {
    final SpreadConstraint constraint;
    private Topology topology;
    private PodCounter counter;
    private int[] domains = new int[0];
    private int[] counted = new int[0];
    private boolean[] eligible = new boolean[0];
    private int[] counts = new int[8];
    private int[] nodes = new int[8];

    /** The smallest count of a domain, how many domains have it, and the next greater one. */
    private int least;

    private int leastDomains;
    private int second;
    private int domainCount;

    private Part(SpreadConstraint constraint) {
      this.constraint = constraint;
      this.topology = cluster.topologies.of(constraint.topologyKey());
      this.counter = cluster.counters.of(sort());
    }

    private PodCounter.Sort sort() {
      var selection =
          new PodCounter.Selection(NamespaceScope.only(key.namespace), constraint.selector());
      return new PodCounter.Sort(List.of(selection), false);
    }

    private void startAnew() {
      topology = cluster.topologies.of(constraint.topologyKey());
      counter = cluster.counters.of(sort());
      Arrays.fill(domains, Topology.NOWHERE);
      Arrays.fill(counts, 0);
      Arrays.fill(nodes, 0);
    }

    private void resize(int slots) {
      int before = domains.length;
      if (slots > before) {
        int size = Math.max(slots, before + before / 2);
        domains = Arrays.copyOf(domains, size);
        Arrays.fill(domains, before, size, Topology.NOWHERE);
        counted = Arrays.copyOf(counted, size);
        eligible = Arrays.copyOf(eligible, size);
      }
    }

    private void evaluate(int slot) {
      int before = domains[slot];
      if (before != Topology.NOWHERE) {
        counts[before] -= counted[slot];
        nodes[before]--;
      }
      int domain = eligible[slot] ? topology.domain(slot) : Topology.NOWHERE;
      domains[slot] = domain;
      if (domain != Topology.NOWHERE) {
        if (domain >= counts.length) {
          int size = Math.max(domain + 1, counts.length * 2);
          counts = Arrays.copyOf(counts, size);
          nodes = Arrays.copyOf(nodes, size);
        }
        counted[slot] = counter.at(slot);
        counts[domain] += counted[slot];
        nodes[domain]++;
      }
    }

    private void findLeast() {
      least = Integer.MAX_VALUE;
      second = Integer.MAX_VALUE;
      leastDomains = 0;
      domainCount = 0;
      int end = Math.min(counts.length, topology.numbers());
      for (int domain = 0; domain < end; domain++) {
        if (nodes[domain] > 0) {
          int count = counts[domain];
          domainCount++;
          if (count < least) {
            second = least;
            least = count;
            leastDomains = 1;
          } else if (count == least) {
            leastDomains++;
          } else if (count < second) {
            second = count;
          }
        }
      }
    }

    /** What the emptiest domain has. */
    int least() {
      return domainCount < constraint.minDomains() ? 0 : least;
    }

    /** The same if the slot's domain had so many more. */
    int leastWith(int slot, int more) {
      if (domainCount < constraint.minDomains()) {
        return 0;
      }
      int domain = domains[slot];
      if (domain == Topology.NOWHERE || more == 0) {
        return least;
      }
      int count = counts[domain];
      int others = count == least && leastDomains == 1 ? second : least;
      return Math.min(others, count + more);
    }

    /** Pods in the slot's domain; negative if it is in none. */
    int count(int slot) {
      int domain = topology.domain(slot);
      return domain == Topology.NOWHERE ? -1 : domain < counts.length ? counts[domain] : 0;
    }

    /** Whether what is on the slot counts. */
    boolean counts(int slot) {
      return domains[slot] != Topology.NOWHERE;
    }

    /** Pods on the slot itself. */
    int countAt(int slot) {
      return counter.at(slot);
    }

    Topology topology() {
      return topology;
    }
  }

  final Key key;
  final Part[] parts;
  private final Cluster cluster;
  private long seen = -1;

  SpreadState(Key key, Cluster cluster) {
    this.key = key;
    this.cluster = cluster;
    this.parts = new Part[key.constraints.size()];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = new Part(key.constraints.get(i));
    }
  }

  void refresh() {
    int slots = cluster.slotsUsed();
    boolean anew = !cluster.log.reachesBackTo(seen);
    for (Part part : parts) {
      part.resize(slots);
      if (anew) {
        part.startAnew();
      }
    }
    if (anew) {
      for (int slot = 0; slot < slots; slot++) {
        evaluate(slot, true);
      }
    } else {
      for (long position = seen; position < cluster.log.next(); position++) {
        int slot = cluster.log.at(position);
        Slot changed = cluster.slotAt(slot);
        evaluate(slot, changed == null || changed.nodeChanged >= seen);
      }
    }
    boolean changed = anew || seen != cluster.log.next();
    seen = cluster.log.next();
    if (changed) {
      for (Part part : parts) {
        part.findLeast();
      }
    }
  }

  private void evaluate(int number, boolean nodeChanged) {
    if (nodeChanged) {
      Slot slot = cluster.slotAt(number);
      NodeInfo node = slot == null ? null : slot.node;
      boolean counts = node != null && (!key.needsAllLabels || hasAllLabels(number));
      for (Part part : parts) {
        part.eligible[number] = counts && node != null && passes(part.constraint, node);
      }
    }
    for (Part part : parts) {
      part.evaluate(number);
    }
  }

  /** Whether the slot's node has the labels of all constraints. */
  boolean hasAllLabels(int slot) {
    for (Part part : parts) {
      if (part.topology.domain(slot) == Topology.NOWHERE) {
        return false;
      }
    }
    return true;
  }

  private boolean passes(SpreadConstraint constraint, NodeInfo node) {
    return (!constraint.honorsSelection() || key.selection.matches(node))
        && (!constraint.honorsTaints()
            || Toleration.firstUntolerated(node.taints(), key.tolerations) == null);
  }
}
