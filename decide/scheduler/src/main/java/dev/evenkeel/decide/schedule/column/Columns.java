package dev.evenkeel.decide.schedule.column;

import dev.evenkeel.decide.schedule.model.NodeInfo;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.volume.ClaimBook;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All columns of a cluster, over the same slots.
 *
 * <p><b>Invariants</b>: columns and sums say at any time what the nodes and pods in the slots say.
 * Each change of a slot is in the log. A slot without node, pods and nominations is given again.
 *
 * <p><b>Threading</b>: of the cluster's thread.
 */
public final class Columns {

  private static final int SLOTS_FIRST = 64;

  private final Map<String, Slot> byName = new HashMap<>();
  private final List<Integer> free = new ArrayList<>(0);
  private @Nullable Slot[] slots = new Slot[SLOTS_FIRST];
  private @Nullable NodeInfo[] nodes = new NodeInfo[SLOTS_FIRST];
  private final ChangeLog log = new ChangeLog();
  private final Topologies topologies = new Topologies(nodes, log);
  private final ResourceColumns resources = new ResourceColumns(SLOTS_FIRST);
  private final Images images = new Images();
  private final ClaimBook claims = new ClaimBook();
  private final Function<String, Map<String, String>> namespaceLabels;
  private final TermGroups groups;
  private final PodCounters counters;
  private int slotsUsed;
  private int nodeCount;

  /**
   * @param namespaceLabels by the namespace's name
   * @param pods gives all pods with their slots
   */
  public Columns(
      Function<String, Map<String, String>> namespaceLabels,
      Consumer<BiConsumer<PodInfo, Integer>> pods) {
    this.namespaceLabels = namespaceLabels;
    this.groups = new TermGroups(namespaceLabels, topologies, SLOTS_FIRST);
    this.counters = new PodCounters(namespaceLabels, pods, topologies, log, SLOTS_FIRST);
  }

  public ChangeLog log() {
    return log;
  }

  public Topologies topologies() {
    return topologies;
  }

  public ResourceColumns resources() {
    return resources;
  }

  public Images images() {
    return images;
  }

  public ClaimBook claims() {
    return claims;
  }

  public TermGroups groups() {
    return groups;
  }

  public PodCounters counters() {
    return counters;
  }

  public Map<String, String> namespaceLabels(String namespace) {
    return namespaceLabels.apply(namespace);
  }

  /** How many nodes there are. */
  public int nodes() {
    return nodeCount;
  }

  /** Slots from here on were never used. */
  public int slotsUsed() {
    return slotsUsed;
  }

  public @Nullable Slot slotAt(int number) {
    return slots[number];
  }

  public @Nullable Slot slotOf(String node) {
    return byName.get(node);
  }

  /** Made if there is none yet. */
  public Slot slot(String node) {
    Slot known = byName.get(node);
    if (known != null) {
      return known;
    }
    int number = free.isEmpty() ? slotsUsed++ : free.removeLast();
    if (number == slots.length) {
      grow(slots.length * 2);
    }
    var made = new Slot(node, number);
    slots[number] = made;
    byName.put(node, made);
    log.add(number);
    return made;
  }

  /** Gives the slot away if nothing is left in it. */
  public void release(Slot slot) {
    if (slot.isEmpty()) {
      byName.remove(slot.name());
      slots[slot.number()] = null;
      free.add(slot.number());
    }
  }

  /**
   * @param node null if it is gone
   */
  public void nodeChanged(Slot slot, @Nullable NodeInfo node) {
    images.changed(slot.node(), node);
    nodeCount += (node == null ? 0 : 1) - (slot.node() == null ? 0 : 1);
    slot.setNode(node, log.next());
    nodes[slot.number()] = node;
    topologies.nodeChanged(slot.number(), node);
    resources.nodeChanged(slot.number(), node);
    log.add(slot.number());
  }

  public void add(PodInfo pod, Slot slot) {
    slot.add(pod);
    count(pod, slot.number(), 1);
  }

  public void remove(PodInfo pod, Slot slot) {
    slot.remove(pod);
    count(pod, slot.number(), -1);
  }

  private void count(PodInfo pod, int slot, int sign) {
    resources.podChanged(pod.shape(), slot, sign);
    counters.podChanged(pod, slot, sign);
    groups.podChanged(pod, slot, sign);
    claims.podChanged(pod, sign);
    log.add(slot);
  }

  public void namespacesChanged() {
    if (counters.namespacesChanged()) {
      log.everythingChanged();
    }
  }

  private void grow(int size) {
    slots = Arrays.copyOf(slots, size);
    nodes = Arrays.copyOf(nodes, size);
    topologies.resize(nodes);
    resources.resize(size);
    groups.resize(size);
    counters.resize(size);
  }
}
