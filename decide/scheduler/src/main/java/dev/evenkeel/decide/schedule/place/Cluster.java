package dev.evenkeel.decide.schedule.place;

import dev.evenkeel.decide.schedule.column.ChangeLog;
import dev.evenkeel.decide.schedule.column.PodCounters;
import dev.evenkeel.decide.schedule.column.ResourceColumns;
import dev.evenkeel.decide.schedule.column.TermGroups;
import dev.evenkeel.decide.schedule.column.Topologies;
import dev.evenkeel.decide.schedule.model.Budget;
import dev.evenkeel.decide.schedule.model.NodeInfo;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.volume.ClaimBook;
import dev.evenkeel.kernel.selector.LabelSelector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What pods are placed by: nodes, the pods on them, and what else matters. Fed change by change, in
 * any order that keeps those of one object in theirs: a pod may come before its node, and stay when
 * the node is gone.
 *
 * <p><b>Invariants</b>: every pod is on one node at most; a pod that has ended is on none. Columns
 * and sums say at any time what the pods and nodes say. Each change of a slot is in the log.
 *
 * <p><b>Threading</b>: all calls from one thread, those of the placers included.
 */
public final class Cluster {

  private static final int SLOTS_FIRST = 64;

  /** A pod on a node, really or as if. */
  record Bound(PodInfo pod, Slot slot, boolean assumed) {}

  private final Map<String, Slot> byName = new HashMap<>();
  private final Map<String, Bound> byUid = new HashMap<>();
  private final Map<String, Bound> nominations = new HashMap<>();
  private final Map<String, Map<String, String>> namespaces = new HashMap<>();
  private final Map<String, Budget> budgets = new TreeMap<>();
  private final Map<String, Map<String, LabelSelector>> services = new HashMap<>();
  private final TreeMap<Integer, Integer> podsByPriority = new TreeMap<>();
  private final BitSet nominatedSlots = new BitSet();
  private final List<Integer> free = new ArrayList<>(0);
  private @Nullable Slot[] slots = new Slot[SLOTS_FIRST];
  private @Nullable NodeInfo[] nodes = new NodeInfo[SLOTS_FIRST];

  final ChangeLog log = new ChangeLog();
  final Topologies topologies = new Topologies(nodes, log);
  final ResourceColumns resources = new ResourceColumns(SLOTS_FIRST);
  final Images images = new Images();
  final TermGroups groups = new TermGroups(this::namespaceLabels, topologies, SLOTS_FIRST);
  final PodCounters counters =
      new PodCounters(this::namespaceLabels, this::forEachPod, topologies, log, SLOTS_FIRST);

  final ClaimBook claims = new ClaimBook();

  private int slotsUsed;
  private int nodeCount;
  private long budgetsVersion;

  /** As it is now; takes the place of the node of that name. */
  public void put(NodeInfo node) {
    Slot slot = slot(node.name());
    images.changed(slot.node, node);
    nodeCount += slot.node == null ? 1 : 0;
    changeNode(slot, node);
  }

  /** Pods that are bound to it stay, in case it comes back. */
  public void removeNode(String name) {
    Slot slot = byName.get(name);
    if (slot != null && slot.node != null) {
      images.changed(slot.node, null);
      nodeCount--;
      changeNode(slot, null);
      release(slot);
    }
  }

  private void changeNode(Slot slot, @Nullable NodeInfo node) {
    slot.node = node;
    slot.nodeChanged = log.next();
    nodes[slot.number] = node;
    topologies.nodeChanged(slot.number, node);
    resources.nodeChanged(slot.number, node);
    log.add(slot.number);
  }

  /** A pod with a node; takes the place of what was known of it, an assumption included. */
  public void put(PodInfo pod) {
    if (pod.nodeName().isEmpty()) {
      throw new IllegalArgumentException(pod + " is bound to no node; assume() it to place it");
    }
    if (pod.hasEnded()) {
      removePod(pod.uid());
    } else {
      bind(pod, pod.nodeName(), false);
    }
  }

  /** As if the pod were bound to the node, until it is known to be, or is forgotten. */
  public void assume(PodInfo pod, String node) {
    bind(pod, node, true);
  }

  /** Takes an assumption back. A pod that is known to be bound stays. */
  public void forget(String uid) {
    Bound bound = byUid.get(uid);
    if (bound != null && bound.assumed()) {
      removePod(uid);
    }
  }

  private void bind(PodInfo pod, String node, boolean assumed) {
    Bound before = byUid.get(pod.uid());
    removeNomination(pod.uid());
    if (before != null && before.slot().name.equals(node) && countsTheSame(before.pod(), pod)) {
      before.slot().replace(before.pod(), pod);
      byUid.put(pod.uid(), new Bound(pod, before.slot(), assumed));
      return;
    }
    Slot slot = slot(node);
    slot.pods.add(pod);
    count(pod, slot, 1);
    if (before != null) {
      unbind(before);
    }
    byUid.put(pod.uid(), new Bound(pod, slot, assumed));
  }

  /** What a bind changes in a pod changes nothing here: only the common case, and no more. */
  private static boolean countsTheSame(PodInfo before, PodInfo after) {
    return before.demand().equals(after.demand())
        && before.labels().equals(after.labels())
        && before.terms().equals(after.terms())
        && before.isDeleting() == after.isDeleting()
        && before.priority() == after.priority()
        && before.shape().claims().equals(after.shape().claims())
        && before.shape().scoredCpuMillis() == after.shape().scoredCpuMillis()
        && before.shape().scoredMemoryBytes() == after.shape().scoredMemoryBytes()
        && Objects.equals(before.started(), after.started());
  }

  public void removePod(String uid) {
    removeNomination(uid);
    Bound bound = byUid.remove(uid);
    if (bound != null) {
      unbind(bound);
    }
  }

  private void unbind(Bound bound) {
    Slot slot = bound.slot();
    slot.remove(bound.pod());
    count(bound.pod(), slot, -1);
    release(slot);
  }

  private void count(PodInfo pod, Slot slot, int sign) {
    if (sign > 0) {
      slot.ports.addAll(pod.demand().ports());
    } else {
      pod.demand().ports().forEach(slot.ports::remove);
    }
    resources.podChanged(pod.shape(), slot.number, sign);
    counters.podChanged(pod, slot.number, sign);
    groups.podChanged(pod, slot.number, sign);
    claims.podChanged(pod, sign);
    podsByPriority.merge(
        pod.priority(), sign, (was, more) -> was + more == 0 ? null : Integer.valueOf(was + more));
    log.add(slot.number);
  }

  /** Others were removed from the node to make room for the pod: it counts there for its equals. */
  public void nominate(PodInfo pod, String node) {
    removeNomination(pod.uid());
    if (byUid.containsKey(pod.uid())) {
      return;
    }
    Slot slot = slot(node);
    slot.nominated.add(pod);
    nominatedSlots.set(slot.number);
    nominations.put(pod.uid(), new Bound(pod, slot, true));
  }

  public void removeNomination(String uid) {
    Bound nomination = nominations.remove(uid);
    if (nomination != null) {
      Slot slot = nomination.slot();
      slot.nominated.remove(nomination.pod());
      if (slot.nominated.isEmpty()) {
        nominatedSlots.clear(slot.number);
      }
      release(slot);
    }
  }

  public void putNamespace(String name, Map<String, String> labels) {
    Map<String, String> before = namespaces.put(name, Map.copyOf(labels));
    if (!labels.equals(before)) {
      namespacesChanged();
    }
  }

  public void removeNamespace(String name) {
    if (namespaces.remove(name) != null) {
      namespacesChanged();
    }
  }

  private void namespacesChanged() {
    if (counters.namespacesChanged()) {
      log.everythingChanged();
    }
  }

  public void put(Budget budget) {
    if (!budget.equals(budgets.put(budget.key(), budget))) {
      budgetsVersion++;
    }
  }

  /**
   * @param key {@code namespace/name}
   */
  public void removeBudget(String key) {
    if (budgets.remove(key) != null) {
      budgetsVersion++;
    }
  }

  /** To be told of claims, volumes and storage classes. */
  public ClaimBook claims() {
    return claims;
  }

  /** Pods that a service selects are spread by default. */
  public void putService(String namespace, String name, Map<String, String> selector) {
    services
        .computeIfAbsent(namespace, _ -> new TreeMap<>())
        .put(name, LabelSelector.ofLabels(selector));
  }

  public void removeService(String namespace, String name) {
    Map<String, LabelSelector> ofNamespace = services.get(namespace);
    if (ofNamespace != null && ofNamespace.remove(name) != null && ofNamespace.isEmpty()) {
      services.remove(namespace);
    }
  }

  /** How many nodes there are. */
  public int nodes() {
    return nodeCount;
  }

  public @Nullable NodeInfo node(String name) {
    Slot slot = byName.get(name);
    return slot == null ? null : slot.node;
  }

  /** The pods bound to a node, assumed ones among them. */
  public List<PodInfo> pods(String node) {
    Slot slot = byName.get(node);
    return slot == null ? List.of() : List.copyOf(slot.pods);
  }

  /** How many pods are bound, assumed ones among them. */
  public int pods() {
    return byUid.size();
  }

  /** The node that a pod is bound to, really or as if; null if to none. */
  public @Nullable String nodeOf(String uid) {
    Bound bound = byUid.get(uid);
    return bound == null ? null : bound.slot().name;
  }

  int slotsUsed() {
    return slotsUsed;
  }

  @Nullable Slot slotAt(int number) {
    return slots[number];
  }

  @Nullable Slot slotOf(String node) {
    return byName.get(node);
  }

  /** Of nodes that pods are nominated for; to be read only. */
  BitSet nominatedSlots() {
    return nominatedSlots;
  }

  Collection<Budget> budgets() {
    return budgets.values();
  }

  long budgetsVersion() {
    return budgetsVersion;
  }

  /** What all services select that select the pod; null if none does. */
  @Nullable LabelSelector serviceSelector(PodInfo pod) {
    Map<String, LabelSelector> ofNamespace = services.get(pod.namespace());
    if (ofNamespace == null) {
      return null;
    }
    var all = new StringBuilder();
    for (LabelSelector selector : ofNamespace.values()) {
      if (!selector.isEverything() && selector.matches(pod.labels())) {
        all.append(all.isEmpty() ? "" : ",").append(selector);
      }
    }
    return all.isEmpty() ? null : LabelSelector.parse(all.toString());
  }

  /** Whether any pod could be removed for one of this priority. */
  boolean hasPodsBelow(int priority) {
    return !podsByPriority.isEmpty() && podsByPriority.firstKey() < priority;
  }

  Map<String, String> namespaceLabels(String namespace) {
    return namespaces.getOrDefault(namespace, Map.of());
  }

  private void forEachPod(BiConsumer<PodInfo, Integer> action) {
    for (Bound bound : byUid.values()) {
      action.accept(bound.pod(), bound.slot().number);
    }
  }

  private Slot slot(String name) {
    Slot known = byName.get(name);
    if (known != null) {
      return known;
    }
    int number = free.isEmpty() ? slotsUsed++ : free.removeLast();
    if (number == slots.length) {
      grow(slots.length * 2);
    }
    var made = new Slot(name, number);
    slots[number] = made;
    byName.put(name, made);
    log.add(number);
    return made;
  }

  private void release(Slot slot) {
    if (slot.isEmpty()) {
      byName.remove(slot.name);
      slots[slot.number] = null;
      free.add(slot.number);
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
