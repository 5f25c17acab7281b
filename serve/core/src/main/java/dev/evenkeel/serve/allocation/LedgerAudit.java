package dev.evenkeel.serve.allocation;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.fit.Demand;
import dev.evenkeel.kernel.fit.NodeLedger;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.RangeResult;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts anew what the pods take, some nodes at a time, and reports and mends a ledger that says
 * otherwise. By the books' invariants none ever does; a store that was edited by other means, or a
 * fault of ours, would show here.
 *
 * <p>Ledgers and pods are held against each other as of one revision, at which they must agree to
 * the unit.
 *
 * <p><b>Threading:</b> owned by the loop.
 */
public final class LedgerAudit {

  private static final System.Logger LOG = System.getLogger(LedgerAudit.class.getName());

  private static final Duration FIRST = Duration.ofSeconds(5);
  private static final Duration INTERVAL = Duration.ofSeconds(30);
  private static final int NODES_EACH_TIME = 1_000;

  private final Store store;
  private final NodeBooks books;
  private final Loop loop;
  private final Supplier<@Nullable KindCache> pods;
  private final Supplier<@Nullable KindCache> nodes;
  private final LongAdder audits = new LongAdder();
  private final LongAdder repairs = new LongAdder();
  private Bytes next = NodeBooks.prefix();

  public LedgerAudit(
      Store store,
      NodeBooks books,
      Loop loop,
      Supplier<@Nullable KindCache> pods,
      Supplier<@Nullable KindCache> nodes) {
    this.store = store;
    this.books = books;
    this.loop = loop;
    this.pods = pods;
    this.nodes = nodes;
  }

  /** Begins, and goes on until the loop is closed. */
  public void start() {
    later(FIRST);
  }

  /** How many ledgers were held against the pods. */
  public long audits() {
    return audits.sum();
  }

  /** How many ledgers were wrong. */
  public long repairs() {
    return repairs.sum();
  }

  private void later(Duration delay) {
    try {
      var _ = loop.runLater(delay, this::round);
    } catch (RejectedExecutionException e) {
      // The server closes.
    }
  }

  private void round() {
    var _ =
        someNodes()
            .whenComplete(
                (_, failure) -> {
                  if (failure != null) {
                    LOG.log(System.Logger.Level.DEBUG, "nodes were not counted anew", failure);
                  }
                  later(INTERVAL);
                });
  }

  /** Holds the next ledgers against the pods; those of nodes that have none are made. */
  CompletableFuture<@Nullable Void> someNodes() {
    KindCache cache = pods.get();
    KindCache nodeCache = nodes.get();
    if (cache == null || nodeCache == null) {
      return CompletableFuture.completedFuture(null);
    }
    return CompletableFuture.allOf(cache.ready(), nodeCache.ready())
        .thenCompose(_ -> enterMissing(nodeCache))
        .thenCompose(
            _ ->
                store.range(
                    RangeQuery.prefix(NodeBooks.prefix()).startingAt(next).limit(NODES_EACH_TIME)))
        .thenCompose(range -> audit(cache, range));
  }

  /** Nodes of a store that is older than ledgers are. */
  private CompletableFuture<@Nullable Void> enterMissing(KindCache nodeCache) {
    return store
        .range(RangeQuery.prefix(NodeBooks.prefix()).keysOnly())
        .thenCompose(
            range -> {
              Set<String> known = new HashSet<>();
              range.items().forEach(item -> known.add(NodeBooks.node(item.key())));
              List<CompletableFuture<?>> entered = new ArrayList<>(0);
              SortedTree.Walk<CachedObject> walk = nodeCache.newest().tree().from("");
              CachedObject node;
              while ((node = walk.next()) != null) {
                if (!known.contains(node.name())) {
                  entered.add(books.enter(node.name(), Json.parse(node.json())));
                }
              }
              return CompletableFuture.allOf(entered.toArray(new CompletableFuture<?>[0]))
                  .thenApply(_ -> null);
            });
  }

  private CompletableFuture<@Nullable Void> audit(KindCache cache, RangeResult range) {
    next = range.more() ? range.items().getLast().key().successor() : NodeBooks.prefix();
    Set<String> names = new HashSet<>();
    range.items().forEach(item -> names.add(NodeBooks.node(item.key())));
    if (names.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    return cache
        .atLeast(range.revision())
        .thenCompose(_ -> cache.exactly(range.revision()))
        .thenCompose(
            state ->
                state == null
                    // It left the window: the next round has another.
                    ? CompletableFuture.completedFuture(null)
                    : books
                        .counting()
                        .demands(state, names)
                        .thenCompose(demands -> compare(range, demands)));
  }

  private CompletableFuture<@Nullable Void> compare(
      RangeResult range, Map<String, List<Demand>> demands) {
    List<CompletableFuture<?>> mended = new ArrayList<>(0);
    for (KeyValue item : range.items()) {
      NodeLedger ledger = NodeLedger.parse(item.value().array());
      if (ledger == null || !ledger.counted()) {
        continue;
      }
      audits.increment();
      String node = NodeBooks.node(item.key());
      NodeLedger right = ledger.counted(demands.getOrDefault(node, List.of()));
      if (!right.equals(ledger)) {
        mended.add(mend(node, item, ledger, right));
      }
    }
    return CompletableFuture.allOf(mended.toArray(new CompletableFuture<?>[0]))
        .thenApply(_ -> null);
  }

  private CompletableFuture<?> mend(
      String node, KeyValue item, NodeLedger wrong, NodeLedger right) {
    repairs.increment();
    LOG.log(
        System.Logger.Level.WARNING,
        () ->
            "the ledger of node %s did not agree with its pods and is mended: it said %s %s, they take %s %s"
                .formatted(node, wrong.used(), wrong.ports(), right.used(), right.ports()));
    Bytes key = item.key();
    return store
        .commit(
            Txn.builder().ifValue(key, item.value()).put(key, Bytes.wrap(right.encode())).build())
        .thenAccept(
            result -> {
              // If others changed it since, it is still off by as much, and the next round sees it.
              if (result instanceof TxnResult.Committed) {
                books.changedElsewhere(node);
              }
            });
  }
}
