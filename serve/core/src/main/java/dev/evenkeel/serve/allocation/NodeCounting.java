package dev.evenkeel.serve.allocation;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.fit.Demand;
import dev.evenkeel.kernel.fit.NodeLedger;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.serve.cache.Snapshot;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Adds up what the pods on nodes take: one walk over all pods for all nodes that are to be counted
 * by then.
 *
 * <p><b>Threading:</b> what is wanted is guarded by this; the rest is the loop's, a slice at a
 * time.
 */
final class NodeCounting {

  private static final System.Logger LOG = System.getLogger(NodeCounting.class.getName());
  private static final int SLICE_OBJECTS = 2_000;
  private static final String NODE_NAME = "spec.nodeName";

  private final Store store;
  private final Loop loop;
  private final Supplier<@Nullable KindCache> pods;
  private final Counted counted;
  private Map<String, CompletableFuture<@Nullable Void>> wanted = new LinkedHashMap<>();
  private boolean busy;

  /** Is told what came of counting. */
  interface Counted {
    /**
     * @param ledger as it was written; null if it was not
     */
    void is(String node, @Nullable Bytes ledger, long revision);
  }

  NodeCounting(Store store, Loop loop, Supplier<@Nullable KindCache> pods, Counted counted) {
    this.store = store;
    this.loop = loop;
    this.pods = pods;
    this.counted = counted;
  }

  /** Has a node's ledger counted, unless it is; completed when it was tried. */
  CompletableFuture<@Nullable Void> count(String node) {
    CompletableFuture<@Nullable Void> done;
    synchronized (this) {
      done = wanted.computeIfAbsent(node, _ -> new CompletableFuture<>());
      if (busy) {
        return done;
      }
      busy = true;
    }
    begin();
    return done;
  }

  private void begin() {
    try {
      loop.execute(this::round);
    } catch (RejectedExecutionException e) {
      Map<String, CompletableFuture<@Nullable Void>> left;
      synchronized (this) {
        left = wanted;
        wanted = new LinkedHashMap<>();
      }
      left.values().forEach(it -> it.completeExceptionally(e));
    }
  }

  private void round() {
    Map<String, CompletableFuture<@Nullable Void>> nodes;
    synchronized (this) {
      nodes = wanted;
      wanted = new LinkedHashMap<>();
      if (nodes.isEmpty()) {
        busy = false;
        return;
      }
    }
    var _ =
        count(nodes.keySet())
            .whenComplete(
                (_, failure) -> {
                  if (failure != null) {
                    LOG.log(System.Logger.Level.DEBUG, "nodes were not counted", failure);
                  }
                  nodes
                      .values()
                      .forEach(
                          it -> {
                            if (failure == null) {
                              it.complete(null);
                            } else {
                              it.completeExceptionally(failure);
                            }
                          });
                  begin();
                });
  }

  private CompletableFuture<@Nullable Void> count(Set<String> nodes) {
    Map<String, KeyValue> uncounted = new HashMap<>();
    CompletableFuture<@Nullable Void> read = CompletableFuture.completedFuture(null);
    for (String node : nodes) {
      read =
          read.thenCompose(_ -> store.get(NodeBooks.key(node), Store.NEWEST))
              .thenApply(
                  found -> {
                    KeyValue item = found.item();
                    NodeLedger ledger =
                        item == null ? null : NodeLedger.parse(item.value().array());
                    if (item != null && ledger != null && !ledger.counted()) {
                      uncounted.put(node, item);
                    }
                    return null;
                  });
    }
    KindCache cache = pods.get();
    return read.thenCompose(
        _ -> {
          if (uncounted.isEmpty() || cache == null) {
            return CompletableFuture.completedFuture(null);
          }
          long newest =
              uncounted.values().stream().mapToLong(KeyValue::modRevision).max().orElse(0);
          return cache
              .ready()
              .thenCompose(it -> it.atLeast(newest))
              .thenCompose(state -> demands(state, uncounted.keySet()))
              .thenCompose(demands -> write(uncounted, demands));
        });
  }

  /** What the pods on these nodes take. */
  CompletableFuture<Map<String, List<Demand>>> demands(Snapshot state, Set<String> nodes) {
    var answer = new CompletableFuture<Map<String, List<Demand>>>();
    KindCache cache = pods.get();
    int field = cache == null ? -1 : cache.indexedFields().indexOf(NODE_NAME);
    Map<String, List<Demand>> demands = new HashMap<>();
    nodes.forEach(node -> demands.put(node, new ArrayList<>()));
    var slice =
        new Runnable() {
          private final SortedTree.Walk<CachedObject> walk = state.tree().from("");

          @Override
          public void run() {
            try {
              for (int i = 0; i < SLICE_OBJECTS; i++) {
                CachedObject pod = walk.next();
                if (pod == null) {
                  answer.complete(demands);
                  return;
                }
                List<Demand> on = demands.get(node(pod, field));
                if (on != null) {
                  JsonNode json = Json.parse(pod.json());
                  Demand demand = Demand.of(json);
                  if (!demand.isNothing()) {
                    on.add(demand);
                  }
                }
              }
              loop.execute(this);
            } catch (RuntimeException e) {
              answer.completeExceptionally(e);
            }
          }
        };
    try {
      loop.execute(slice);
    } catch (RejectedExecutionException e) {
      answer.completeExceptionally(e);
    }
    return answer;
  }

  private static String node(CachedObject pod, int field) {
    return field >= 0
        ? pod.field(field)
        : Json.parse(pod.json()).path("spec").path("nodeName").asString("");
  }

  private CompletableFuture<@Nullable Void> write(
      Map<String, KeyValue> uncounted, Map<String, List<Demand>> demands) {
    List<CompletableFuture<?>> written = new ArrayList<>();
    uncounted.forEach(
        (node, item) -> {
          NodeLedger ledger = NodeLedger.parse(item.value().array());
          if (ledger == null) {
            return;
          }
          Bytes key = NodeBooks.key(node);
          NodeLedger sum = ledger.counted(demands.getOrDefault(node, List.of()));
          Bytes value = Bytes.wrap(sum.encode());
          CompletableFuture<TxnResult> sent =
              store.commit(Txn.builder().ifValue(key, item.value()).put(key, value).build());
          // One that changed meanwhile is counted again by whoever meets it.
          written.add(
              sent.whenComplete(
                  (result, _) -> {
                    if (result instanceof TxnResult.Committed committed) {
                      counted.is(node, value, committed.revision());
                    } else {
                      counted.is(node, null, 0);
                    }
                  }));
        });
    return CompletableFuture.allOf(written.toArray(new CompletableFuture<?>[0]))
        .thenApply(_ -> null);
  }
}
