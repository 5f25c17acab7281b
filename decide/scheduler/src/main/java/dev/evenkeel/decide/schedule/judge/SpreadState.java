package dev.evenkeel.decide.schedule.judge;

import dev.evenkeel.decide.schedule.column.Columns;
import dev.evenkeel.decide.schedule.column.PodCounter;
import dev.evenkeel.decide.schedule.column.Slot;
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
public final class SpreadState {

  /**
   * What makes two pods see the same.
   *
   * @param constraints all required, or none
   * @param needsAllLabels whether nodes count only if they have the labels of all constraints
   */
  public record Key(
      String namespace,
      List<SpreadConstraint> constraints,
      boolean needsAllLabels,
      NodeSelection selection,
      List<Toleration> tolerations) {}

  /** One constraint. */
  public final class Part {
    private final SpreadConstraint constraint;
    private Topology topology;
    private PodCounter counter;
    private int[] domains = new int[0];
    private int[] counted = new int[0];
    private boolean[] eligible = new boolean[0];
    private int[] counts = new int[8];
    private int[] nodes = new int[8];

    /** The smallest count of a domain, how many domains have it, and the next greater one. */
    private int least;

    private boolean leastIsStale = true;

    private int leastDomains;
    private int second;
    private int domainCount;

    private Part(SpreadConstraint constraint) {
      this.constraint = constraint;
      this.topology = columns.topologies().of(constraint.topologyKey());
      this.counter = columns.counters().of(sort());
    }

    private PodCounter.Sort sort() {
      var selection =
          new PodCounter.Selection(NamespaceScope.only(key.namespace), constraint.selector());
      return new PodCounter.Sort(List.of(selection), false);
    }

    private void startAnew() {
      topology = columns.topologies().of(constraint.topologyKey());
      counter = columns.counters().of(sort());
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

    private void coverAllDomains() {
      if (counts.length < topology.numbers()) {
        int size = Math.max(topology.numbers(), counts.length * 2);
        counts = Arrays.copyOf(counts, size);
        nodes = Arrays.copyOf(nodes, size);
      }
    }

    private void findLeast() {
      if (!leastIsStale) {
        return;
      }
      leastIsStale = false;
      least = Integer.MAX_VALUE;
      second = Integer.MAX_VALUE;
      leastDomains = 0;
      domainCount = 0;
      for (int domain = 0; domain < topology.numbers(); domain++) {
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

    public SpreadConstraint constraint() {
      return constraint;
    }

    /** What the emptiest domain has. */
    public int least() {
      findLeast();
      return domainCount < constraint.minDomains() ? 0 : least;
    }

    /** The same if the slot's domain had so many more. */
    public int leastWith(int slot, int more) {
      findLeast();
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
    public int count(int slot) {
      int domain = topology.domain(slot);
      return domain == Topology.NOWHERE ? -1 : counts[domain];
    }

    /** By domain, all of them; to be read only. */
    public int[] counts() {
      return counts;
    }

    /** By slot, pods on the slot itself; to be read only. */
    public int[] countsBySlot() {
      return counter.numbers();
    }

    /** Whether what is on the slot counts. */
    public boolean counts(int slot) {
      return domains[slot] != Topology.NOWHERE;
    }

    public Topology topology() {
      return topology;
    }
  }

  private final Key key;
  private final Part[] parts;
  private final Columns columns;
  private long seen = -1;

  public SpreadState(Key key, Columns columns) {
    this.key = key;
    this.columns = columns;
    this.parts = new Part[key.constraints.size()];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = new Part(key.constraints.get(i));
    }
  }

  public Key key() {
    return key;
  }

  /** In the order of the constraints; to be read only. */
  public Part[] parts() {
    return parts;
  }

  /** Looks at what changed; at everything if that is too much. */
  public void refresh() {
    int slots = columns.slotsUsed();
    boolean anew = !columns.log().reachesBackTo(seen);
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
      for (long position = seen; position < columns.log().next(); position++) {
        int slot = columns.log().at(position);
        Slot changed = columns.slotAt(slot);
        evaluate(slot, changed == null || changed.nodeChanged() >= seen);
      }
    }
    boolean changed = anew || seen != columns.log().next();
    seen = columns.log().next();
    if (changed) {
      for (Part part : parts) {
        part.coverAllDomains();
        part.leastIsStale = true;
      }
    }
  }

  private void evaluate(int number, boolean nodeChanged) {
    if (nodeChanged) {
      Slot slot = columns.slotAt(number);
      NodeInfo node = slot == null ? null : slot.node();
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
  public boolean hasAllLabels(int slot) {
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
