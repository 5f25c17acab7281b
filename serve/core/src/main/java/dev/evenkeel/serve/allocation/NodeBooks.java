package dev.evenkeel.serve.allocation;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.fit.Fit;
import dev.evenkeel.kernel.fit.NodeLedger;
import dev.evenkeel.kernel.fit.Shortage;
import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.store.Compare;
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

  private static final int ROUNDS_MAX = 100;

  /** Beyond it all hints are dropped: they are soon found again. */
  private static final int PAGES_MAX = 200_000;

  private static final String KEYS = "/evenkeel/nodes/ledgers/";

  private final Store store;
  private final NodeCounting counting;
  private final ConcurrentHashMap<String, Page> pages = new ConcurrentHashMap<>();
  private final LongAdder charges = new LongAdder();
  private final LongAdder conflicts = new LongAdder();
  private final Map<String, LongAdder> refusals = new ConcurrentHashMap<>();

  /** One ledger, as it will be once everything that was sent is committed. */
  private static final class Page {
    /** What is compared; null if there is no ledger. */
    private @Nullable Bytes value;

    private @Nullable NodeLedger ledger;
    private long revision;

    /** Grows when something that was written ahead did not come to be. */
    private long epoch;

    Page(@Nullable KeyValue stored) {
      set(stored);
    }

    Page(Bytes value, long revision) {
      set(value, revision);
    }

    private void set(@Nullable KeyValue stored) {
      set(stored == null ? null : stored.value(), stored == null ? 0 : stored.modRevision());
    }

    private void set(@Nullable Bytes newest, long newestRevision) {
      value = newest;
      ledger = newest == null ? null : NodeLedger.parse(newest.array());
      revision = newestRevision;
    }
  }

  public NodeBooks(Store store, Loop loop, Supplier<@Nullable KindCache> pods) {
    this.store = store;
    this.counting = new NodeCounting(store, loop, pods, this::counted);
  }

  /** What was counted is what the next one charges: it need not be read. */
  private void counted(String node, @Nullable Bytes ledger, long revision) {
    if (ledger == null || pages.size() >= PAGES_MAX) {
      pages.remove(node);
    } else {
      pages.put(node, new Page(ledger, revision));
    }
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
   * Commits the write of a pod with what it takes. Fails with a 409 whose causes say what the node
   * has too little of; what was rejected because of the ledger is to be tried again.
   *
   * @param next commits
   */
  public CompletableFuture<TxnResult> commit(
      PodChange change, Txn write, Function<Txn, CompletableFuture<TxnResult>> next) {
    return attempt(change, write, next, false, 0);
  }

  /** Whether the write of a pod would be let through; fails like {@link #commit} if not. */
  public CompletableFuture<@Nullable Void> check(PodChange change) {
    return store
        .get(key(change.node()), Store.NEWEST)
        .thenApply(
            found -> {
              KeyValue item = found.item();
              NodeLedger ledger = item == null ? null : NodeLedger.parse(item.value().array());
              if (item != null && ledger != null) {
                List<Shortage> shortages = shortages(change, ledger);
                if (!shortages.isEmpty()) {
                  throw Refusal.status(change, shortages, item.modRevision()).asException();
                }
              }
              return null;
            });
  }

  /**
   * @param fresh whether the page was just read from the store: only then it may refuse
   */
  private CompletableFuture<TxnResult> attempt(
      PodChange change,
      Txn write,
      Function<Txn, CompletableFuture<TxnResult>> next,
      boolean fresh,
      int rounds) {
    if (rounds > ROUNDS_MAX) {
      return CompletableFuture.failedFuture(
          Status.tooManyRequests("node " + change.node() + " is charged by too many at once", 1)
              .asException());
    }
    String node = change.node();
    Page page = pages.get(node);
    if (page == null) {
      return load(node).thenCompose(_ -> attempt(change, write, next, true, rounds + 1));
    }
    synchronized (page) {
      NodeLedger ledger = page.ledger;
      if (change.zone() != null && !change.zone().equals(ledger == null ? "" : ledger.zone())) {
        // It says another zone than the node is in, and is decided again on what is known now.
        return CompletableFuture.completedFuture(new TxnResult.Rejected(page.revision, List.of()));
      }
      if (ledger == null) {
        return withoutLedger(change, write, next, page);
      }
      if (ledger.counted()) {
        List<Shortage> shortages = shortages(change, ledger);
        if (shortages.isEmpty()) {
          return charge(change, write, next, page, ledger);
        }
        if (fresh) {
          refusals.computeIfAbsent(shortages.getFirst().reason(), _ -> new LongAdder()).increment();
          return CompletableFuture.failedFuture(
              Refusal.status(change, shortages, page.revision).asException());
        }
        pages.remove(node, page);
      }
    }
    NodeLedger seen = page.ledger;
    if (seen != null && !seen.counted()) {
      return counting
          .count(node)
          .thenCompose(
              _ -> {
                // Another server may have counted it, or the node is gone.
                pages.remove(node, page);
                return attempt(change, write, next, false, rounds + 1);
              });
    }
    return load(node).thenCompose(_ -> attempt(change, write, next, true, rounds + 1));
  }

  private static List<Shortage> shortages(PodChange change, NodeLedger ledger) {
    return change.refusable() && !change.after().isNothing()
        ? Fit.shortages(
            change.before().isNothing() ? ledger : ledger.without(change.before()), change.after())
        : List.of();
  }

  private CompletableFuture<@Nullable Void> load(String node) {
    if (pages.size() >= PAGES_MAX) {
      pages.clear();
    }
    return store
        .get(key(node), Store.NEWEST)
        .thenApply(
            found -> {
              pages.put(node, new Page(found.item()));
              return null;
            });
  }

  /** There is no such node: when there is, what is on it by then will be counted. */
  private CompletableFuture<TxnResult> withoutLedger(
      PodChange change, Txn write, Function<Txn, CompletableFuture<TxnResult>> next, Page page) {
    List<Compare> compares = new ArrayList<>(write.compares());
    compares.add(new Compare.Absent(key(change.node())));
    return next.apply(new Txn(compares, write.writes()))
        .whenComplete(
            (result, _) -> {
              if (!(result instanceof TxnResult.Committed)) {
                pages.remove(change.node(), page);
              }
            });
  }

  /** Called with the page's lock, so that what is sent is sent in the order of the pages. */
  private CompletableFuture<TxnResult> charge(
      PodChange change,
      Txn write,
      Function<Txn, CompletableFuture<TxnResult>> next,
      Page page,
      NodeLedger ledger) {
    NodeLedger after = ledger;
    if (!change.before().isNothing()) {
      after = after.without(change.before());
    }
    if (!change.after().isNothing()) {
      after = after.with(change.after());
    }
    Bytes key = key(change.node());
    Bytes before = page.value;
    if (before == null) {
      throw new IllegalStateException("charged a ledger that is not there");
    }
    Bytes value = Bytes.wrap(after.encode());
    List<Compare> compares = new ArrayList<>(write.compares());
    List<Write> writes = new ArrayList<>(write.writes());
    compares.add(new Compare.Value(key, before));
    writes.add(new Write.Put(key, value));
    long epoch = page.epoch;
    page.value = value;
    page.ledger = after;
    return next.apply(new Txn(compares, writes))
        .whenComplete((result, _) -> settle(change.node(), key, page, epoch, result));
  }

  private void settle(String node, Bytes key, Page page, long epoch, @Nullable TxnResult result) {
    synchronized (page) {
      switch (result) {
        case TxnResult.Committed committed -> {
          page.revision = Math.max(page.revision, committed.revision());
          charges.increment();
        }
        case TxnResult.Rejected rejected -> {
          boolean known = false;
          for (TxnResult.Failure failure : rejected.failures()) {
            if (failure.compare().key().equals(key)) {
              conflicts.increment();
              known = true;
              if (page.epoch == epoch) {
                page.epoch++;
                page.set(failure.current());
              }
            }
          }
          if (!known && page.epoch == epoch) {
            page.epoch++;
            pages.remove(node, page);
          }
        }
        // Refused further on, or nobody knows: the next one looks.
        case null -> {
          page.epoch++;
          pages.remove(node, page);
        }
      }
    }
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
