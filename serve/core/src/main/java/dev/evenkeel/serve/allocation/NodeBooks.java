package dev.evenkeel.serve.allocation;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.fit.NodeLedger;
import dev.evenkeel.kernel.fit.Shortage;
import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.store.Compare;
import dev.evenkeel.store.GetResult;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Charges nodes in the transaction that gives a pod its node, changes what it takes, or ends it.
 *
 * <p><b>Invariants:</b> a write that changes what is taken of a node carries the ledger that it was
 * decided on, or that there is none; so what the ledger says is what the pods take, as of every
 * revision. A ledger is charged only once it was counted, and between a node's making and its count
 * nothing on it can change: any state in between is the right one to count. A refusal is one by a
 * ledger that the store had at some time since the call.
 *
 * <p><b>Threading:</b> any thread; a page is its own lock. Counting is the loop's.
 */
public final class NodeBooks {

  /*
   * As with quotas, a charge is decided on what its predecessor is about to write, and sent behind
   * it: a local store judges in the order of sending. If one fails, those behind it fail at their
   * comparison and are decided again. Pages are hints; the comparison decides.
   */

  /** Beyond it all hints are dropped: they are soon found again. */
  private static final int PAGES_MAX = 200_000;

  private static final String KEYS = "/evenkeel/nodes/ledgers/";

  private final Store store;
  private final NodeCounting counting;
  private final ConcurrentHashMap<String, Page> pages = new ConcurrentHashMap<>();
  private final LongAdder charges = new LongAdder();
  private final LongAdder conflicts = new LongAdder();
  private final Map<String, LongAdder> refusals = new ConcurrentHashMap<>();

  public NodeBooks(Store store, Loop loop, Supplier<@Nullable KindCache> pods) {
    this.store = store;
    this.counting = new NodeCounting(store, loop, pods, pages::remove);
  }

  static Bytes key(String node) {
    return Bytes.utf8(KEYS + node);
  }

  static Bytes prefix() {
    return Bytes.utf8(KEYS);
  }

  static String node(Bytes key) {
    return key.utf8().substring(KEYS.length());
  }

  /** How many charges were committed. */
  public long charges() {
    return charges.sum();
  }

  /** How many charges were decided again because the ledger was another by then. */
  public long conflicts() {
    return conflicts.sum();
  }

  /** How many writes were refused, by reason. */
  public Map<String, Long> refusals() {
    Map<String, Long> counts = new java.util.TreeMap<>();
    refusals.forEach((reason, count) -> counts.put(reason, count.sum()));
    return counts;
  }

  /** The version of a node's ledger as far as it is known here; 0 if it is not. */
  public long version(String node) {
    Page page = pages.get(node);
    return page == null ? 0 : page.revision;
  }

  /** The node's zone as its ledger has it; null if the ledger is not known here. */
  public @Nullable String zone(String node) {
    Page page = pages.get(node);
    if (page == null) {
      return null;
    }
    synchronized (page) {
      return page.ledger == null ? "" : page.ledger.zone();
    }
  }

  NodeCounting counting() {
    return counting;
  }

  /** A ledger was written past the books. */
  void changedElsewhere(String node) {
    pages.remove(node);
  }

  // ---- pods

  /**
   * Commits a write of pods with what they take: all of it, or nothing. Fails with a 409 whose
   * causes say what the nodes have too little of; what was rejected because of the ledgers is to be
   * tried again.
   *
   * @param next commits
   */
  public CompletableFuture<TxnResult> commit(
      List<PodChange> changes, Txn write, Function<Txn, CompletableFuture<TxnResult>> next) {
    return new NodePosting(this, changes, write, next).attempt();
  }

  /** Whether a write of pods would be let through; fails like {@link #commit} if not. */
  public CompletableFuture<@Nullable Void> check(List<PodChange> changes) {
    List<NodeCharge> charges = NodeCharge.of(changes);
    List<CompletableFuture<Refusal.@Nullable OfNode>> checks = new ArrayList<>(charges.size());
    for (NodeCharge charge : charges) {
      checks.add(
          store.get(key(charge.node()), Store.NEWEST).thenApply(found -> refusal(charge, found)));
    }
    return CompletableFuture.allOf(checks.toArray(CompletableFuture<?>[]::new))
        .thenApply(
            _ -> {
              List<Refusal.OfNode> refusals = new ArrayList<>(0);
              for (CompletableFuture<Refusal.@Nullable OfNode> check : checks) {
                Refusal.OfNode refusal = check.join();
                if (refusal != null) {
                  refusals.add(refusal);
                }
              }
              if (!refusals.isEmpty()) {
                throw Refusal.status(refusals).asException();
              }
              return null;
            });
  }

  private static Refusal.@Nullable OfNode refusal(NodeCharge charge, GetResult found) {
    KeyValue item = found.item();
    NodeLedger ledger = item == null ? null : NodeLedger.parse(item.value().array());
    if (item == null || ledger == null) {
      return null;
    }
    List<Shortage> shortages = charge.shortages(ledger);
    return shortages.isEmpty()
        ? null
        : new Refusal.OfNode(charge, charge.firstRefused(ledger), shortages, item.modRevision());
  }

  // ---- what postings need

  @Nullable Page page(String node) {
    return pages.get(node);
  }

  /** The page is not what the store has. */
  void drop(String node, Page page) {
    pages.remove(node, page);
  }

  /** Reads a ledger into its page, unless there is one by then; null if there is no ledger. */
  CompletableFuture<@Nullable KeyValue> load(String node) {
    if (pages.size() >= PAGES_MAX) {
      pages.clear();
    }
    return store
        .get(key(node), Store.NEWEST)
        .thenApply(
            found -> {
              pages.putIfAbsent(node, new Page(found.item()));
              return found.item();
            });
  }

  Status refused(List<Refusal.OfNode> nodes) {
    for (Refusal.OfNode node : nodes) {
      String reason = node.shortages().getFirst().reason();
      refusals.computeIfAbsent(reason, _ -> new LongAdder()).increment();
    }
    return Refusal.status(nodes);
  }

  void charged() {
    charges.increment();
  }

  void conflicted() {
    conflicts.increment();
  }

  // ---- nodes

  /** Commits the write of a node with its ledger. */
  public CompletableFuture<TxnResult> commit(NodeChange change, Txn write) {
    String node = change.node();
    Bytes key = key(node);
    JsonNode now = change.now();
    if (now == null) {
      return store
          .commit(with(write, List.of(), new Write.Delete(key)))
          .whenComplete((_, _) -> pages.remove(node));
    }
    if (change.isNew()) {
      Bytes uncounted = Bytes.wrap(NodeLedger.uncounted(now).encode());
      return store
          .commit(with(write, List.of(), new Write.Put(key, uncounted)))
          .whenComplete(
              (result, _) -> {
                pages.remove(node);
                if (result instanceof TxnResult.Committed) {
                  // Before somebody has to wait for it.
                  var _ = counting.count(node);
                }
              });
    }
    return store
        .get(key, Store.NEWEST)
        .thenCompose(
            found -> {
              KeyValue item = found.item();
              NodeLedger ledger = item == null ? null : NodeLedger.parse(item.value().array());
              NodeLedger next = ledger == null ? NodeLedger.uncounted(now) : ledger.of(now);
              Compare same =
                  item == null ? new Compare.Absent(key) : new Compare.Value(key, item.value());
              return store.commit(
                  with(write, List.of(same), new Write.Put(key, Bytes.wrap(next.encode()))));
            })
        .whenComplete((_, _) -> pages.remove(node));
  }

  private static Txn with(Txn write, List<Compare> more, Write last) {
    List<Compare> compares = new ArrayList<>(write.compares());
    compares.addAll(more);
    List<Write> writes = new ArrayList<>(write.writes());
    writes.add(last);
    return new Txn(compares, writes);
  }

  /** Enters a node that has no ledger, as those of a store have that is older than ledgers are. */
  CompletableFuture<@Nullable Void> enter(String node, JsonNode object) {
    Bytes key = key(node);
    return store
        .commit(
            Txn.builder()
                .ifAbsent(key)
                .put(key, Bytes.wrap(NodeLedger.uncounted(object).encode()))
                .build())
        .thenCompose(
            _ -> {
              pages.remove(node);
              return counting.count(node);
            });
  }
}
