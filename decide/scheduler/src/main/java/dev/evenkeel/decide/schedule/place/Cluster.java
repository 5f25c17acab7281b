package dev.evenkeel.decide.schedule.place;

import dev.evenkeel.decide.schedule.column.Columns;
import dev.evenkeel.decide.schedule.column.Slot;
import dev.evenkeel.decide.schedule.model.Budget;
import dev.evenkeel.decide.schedule.model.NodeInfo;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.model.Sharing;
import dev.evenkeel.decide.schedule.plugin.ClusterView;
import dev.evenkeel.decide.schedule.tenant.TenantBook;
import dev.evenkeel.decide.schedule.volume.ClaimBook;
import dev.evenkeel.kernel.invariant.Invariants;
import dev.evenkeel.kernel.selector.LabelSelector;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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
public final class Cluster implements ClusterView {

  /** A pod on a node, really or as if. */
  record Bound(PodInfo pod, Slot slot, boolean assumed) {}

  private final Map<String, Bound> byUid = new HashMap<>();
  private final Map<String, Bound> nominations = new HashMap<>();

  /** Where pods were nominated that are so no longer, by uid, since somebody last asked. */
  private final Map<String, String> withdrawn = new HashMap<>();

  private final Map<String, Map<String, String>> namespaces = new HashMap<>();
  private final Map<String, Budget> budgets = new TreeMap<>();
  private final Map<String, Map<String, LabelSelector>> services = new HashMap<>();
  private final TreeMap<Integer, Integer> podsByPriority = new TreeMap<>();
  private final BitSet nominatedSlots = new BitSet();
  private final Columns columns = new Columns(this::namespaceLabels, this::forEachPod);
  private final TenantBook tenants = new TenantBook(this::forEachPodInItsZone);
  private final Sharing sharing = new Sharing();
  private long budgetsVersion;

  /** How many pods count in columns. */
  private int counted;

  /** As it is now; takes the place of the node of that name. */
  public void put(NodeInfo node) {
    Slot slot = columns.slot(node.name());
    String before = zone(slot);
    columns.nodeChanged(slot, node);
    tenants.moved(slot.pods(), before, node.zone());
  }

  /** Pods that are bound to it stay, in case it comes back. */
  public void removeNode(String name) {
    Slot slot = columns.slotOf(name);
    if (slot != null && slot.node() != null) {
      String before = zone(slot);
      columns.nodeChanged(slot, null);
      tenants.moved(slot.pods(), before, "");
      columns.release(slot);
    }
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

  /**
   * As if the pod were bound to the node, until it is known to be, or is forgotten. One that is
   * known to be bound stays where it is.
   */
  public void assume(PodInfo pod, String node) {
    Bound before = byUid.get(pod.uid());
    Invariants.hold(
        before == null || !before.assumed(),
        "scheduler_assumed_once",
        () -> pod + " is assumed on " + node + " and is so already: " + before);
    if (before == null || before.assumed()) {
      bind(pod, node, true);
    }
  }

  /** The node that a pod is assumed on, and not known to be bound to; null if there is none. */
  public @Nullable String assumedOn(String uid) {
    Bound bound = byUid.get(uid);
    return bound == null || !bound.assumed() ? null : bound.slot().name();
  }

  /** Each pod counts once, wherever it is. */
  private void checkCount() {
    Invariants.hold(
        counted == byUid.size(),
        "scheduler_counted_once",
        () -> counted + " pods are counted on nodes, and " + byUid.size() + " are known");
  }

  /** Takes an assumption back. A pod that is known to be bound stays. */
  public void forget(String uid) {
    Bound bound = byUid.get(uid);
    if (bound != null && bound.assumed()) {
      removePod(uid);
    }
  }

  private void bind(PodInfo given, String node, boolean assumed) {
    PodInfo pod = sharing.bound(given);
    Bound before = byUid.get(pod.uid());
    removeNomination(pod.uid());
    if (before != null && before.slot().name().equals(node) && countsTheSame(before.pod(), pod)) {
      before.slot().replace(before.pod(), pod);
      byUid.put(pod.uid(), new Bound(pod, before.slot(), assumed));
      return;
    }
    Slot slot = columns.slot(node);
    columns.add(pod, slot);
    counted++;
    tenants.added(pod, zone(slot));
    count(pod.priority(), 1);
    if (before != null) {
      unbind(before);
    }
    byUid.put(pod.uid(), new Bound(pod, slot, assumed));
    checkCount();
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
      checkCount();
    }
  }

  private void unbind(Bound bound) {
    Slot slot = bound.slot();
    columns.remove(bound.pod(), slot);
    counted--;
    tenants.removed(bound.pod(), zone(slot));
    count(bound.pod().priority(), -1);
    columns.release(slot);
  }

  private void count(int priority, int sign) {
    podsByPriority.merge(
        priority, sign, (was, more) -> was + more == 0 ? null : Integer.valueOf(was + more));
  }

  /** Others were removed from the node to make room for the pod: it counts there for its equals. */
  public void nominate(PodInfo pod, String node) {
    removeNomination(pod.uid());
    if (byUid.containsKey(pod.uid())) {
      return;
    }
    Slot slot = columns.slot(node);
    slot.nominate(pod);
    nominatedSlots.set(slot.number());
    nominations.put(pod.uid(), new Bound(pod, slot, true));
  }

  /** The node that the pod is nominated for; null if for none. */
  public @Nullable String nominationOf(String uid) {
    Bound nomination = nominations.get(uid);
    return nomination == null ? null : nomination.slot().name();
  }

  public void removeNomination(String uid) {
    Bound nomination = nominations.remove(uid);
    if (nomination != null) {
      Slot slot = nomination.slot();
      withdrawn.putIfAbsent(uid, slot.name());
      slot.withdraw(nomination.pod());
      if (slot.nominated().isEmpty()) {
        nominatedSlots.clear(slot.number());
      }
      columns.release(slot);
    }
  }

  /**
   * Nodes on which room was promised to a pod that since the last call was promised or given
   * another place, or none.
   */
  public Set<String> takeReleased() {
    if (withdrawn.isEmpty()) {
      return Set.of();
    }
    Set<String> released = new TreeSet<>();
    withdrawn.forEach(
        (uid, node) -> {
          if (!node.equals(nominationOf(uid)) && !node.equals(nodeOf(uid))) {
            released.add(node);
          }
        });
    withdrawn.clear();
    return released;
  }

  public void putNamespace(String name, Map<String, String> labels) {
    Map<String, String> before = namespaces.put(name, Map.copyOf(labels));
    if (!labels.equals(before)) {
      columns.namespacesChanged();
    }
  }

  public void removeNamespace(String name) {
    if (namespaces.remove(name) != null) {
      columns.namespacesChanged();
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
    return columns.claims();
  }

  /** To be told of what namespaces may have of zones. */
  public TenantBook tenants() {
    return tenants;
  }

  /** Of its node; empty if it has none, or there is no such node. */
  static String zone(Slot slot) {
    return slot.node() == null ? "" : slot.node().zone();
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

  @Override
  public int nodes() {
    return columns.nodes();
  }

  @Override
  public @Nullable NodeInfo node(String name) {
    Slot slot = columns.slotOf(name);
    return slot == null ? null : slot.node();
  }

  /** The pods bound to a node, assumed ones among them. */
  @Override
  public List<PodInfo> pods(String node) {
    Slot slot = columns.slotOf(node);
    return slot == null ? List.of() : List.copyOf(slot.pods());
  }

  /** How many pods are bound, assumed ones among them. */
  public int pods() {
    return byUid.size();
  }

  /** The node that a pod is bound to, really or as if; null if to none. */
  public @Nullable String nodeOf(String uid) {
    Bound bound = byUid.get(uid);
    return bound == null ? null : bound.slot().name();
  }

  Columns columns() {
    return columns;
  }

  int slotsUsed() {
    return columns.slotsUsed();
  }

  @Nullable Slot slotAt(int number) {
    return columns.slotAt(number);
  }

  @Nullable Slot slotOf(String node) {
    return columns.slotOf(node);
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

  private void forEachPodInItsZone(BiConsumer<PodInfo, String> action) {
    byUid.values().forEach(bound -> action.accept(bound.pod(), zone(bound.slot())));
  }

  private void forEachPod(BiConsumer<PodInfo, Integer> action) {
    for (Bound bound : byUid.values()) {
      action.accept(bound.pod(), bound.slot().number());
    }
  }
}
