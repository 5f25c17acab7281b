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
import dev.evenkeel.serve.ledger.LedgerKind;
import dev.evenkeel.serve.ledger.LedgerState;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.Store;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Nodes as a kind of ledger: what pods take is added up, in one walk over all pods for all nodes
 * that are to be counted by then.
 *
 * <p><b>Threading:</b> adds up on the loop, a slice at a time.
 */
final class NodeKind extends LedgerKind<NodeLedger> {

  private static final Bytes PREFIX = Bytes.utf8("/evenkeel/nodes/ledgers/");
  private static final int AUDITED_EACH_TIME = 1_000;
  private static final int SLICE_OBJECTS = 2_000;
  private static final String NODE_NAME = "spec.nodeName";

  private final Store store;
  private final Loop loop;
  private final Supplier<@Nullable KindCache> pods;
  private final Supplier<@Nullable KindCache> nodes;
  private final Entering entering;

  /** Makes the ledger of a node that has none. */
  interface Entering {
    CompletableFuture<?> enter(String node, JsonNode object);
  }

  NodeKind(
      Store store,
      Loop loop,
      Supplier<@Nullable KindCache> pods,
      Supplier<@Nullable KindCache> nodes,
      Entering entering) {
    super("node", PREFIX, true, AUDITED_EACH_TIME);
    this.store = store;
    this.loop = loop;
    this.pods = pods;
    this.nodes = nodes;
    this.entering = entering;
  }

  @Override
  protected NodeLedger parse(Bytes stored) {
    return Objects.requireNonNull(NodeLedger.parse(stored.array()));
  }

  @Override
  protected Bytes encode(NodeLedger ledger) {
    return Bytes.wrap(ledger.encode());
  }

  @Override
  protected boolean isCounted(NodeLedger ledger) {
    return ledger.counted();
  }

  /** Nodes of a store that is older than ledgers are. */
  @Override
  protected CompletableFuture<?> enterMissing() {
    KindCache cache = nodes.get();
    return cache == null
        ? CompletableFuture.completedFuture(null)
        : cache
            .ready()
            .thenCompose(_ -> store.range(RangeQuery.prefix(PREFIX).keysOnly()))
            .thenCompose(
                range -> {
                  Set<Bytes> known = new HashSet<>();
                  range.items().forEach(item -> known.add(item.key()));
                  List<CompletableFuture<?>> entered = new ArrayList<>(0);
                  SortedTree.Walk<CachedObject> walk = cache.newest().tree().from("");
                  CachedObject node;
                  while ((node = walk.next()) != null) {
                    if (!known.contains(Bytes.utf8(PREFIX.utf8() + node.name()))) {
                      entered.add(entering.enter(node.name(), Json.parse(node.json())));
                    }
                  }
                  return CompletableFuture.allOf(entered.toArray(CompletableFuture<?>[]::new));
                });
  }

  @Override
  protected CompletableFuture<List<Count<NodeLedger>>> count(
      List<LedgerState<NodeLedger>> uncounted) {
    List<LedgerState<NodeLedger>> left = new ArrayList<>(uncounted.size());
    long newest = 0;
    for (LedgerState<NodeLedger> state : uncounted) {
      if (state.ledger() != null && !state.ledger().counted()) {
        left.add(state);
        newest = Math.max(newest, state.version());
      }
    }
    long atLeast = newest;
    return left.isEmpty()
        ? CompletableFuture.completedFuture(List.of())
        : counted(left, cache -> cache.atLeast(atLeast));
  }

  @Override
  protected CompletableFuture<List<Count<NodeLedger>>> recount(
      List<LedgerState<NodeLedger>> counted, long revision) {
    return counted(
        counted, cache -> cache.atLeast(revision).thenCompose(_ -> cache.exactly(revision)));
  }

  /** Shows the pods as they are to be counted; null if that cannot be had any more. */
  private interface Time {
    CompletableFuture<? extends @Nullable Snapshot> of(KindCache cache);
  }

  private CompletableFuture<List<Count<NodeLedger>>> counted(
      List<LedgerState<NodeLedger>> ledgers, Time time) {
    KindCache cache = pods.get();
    if (cache == null) {
      return CompletableFuture.completedFuture(List.of());
    }
    return cache
        .ready()
        .thenCompose(time::of)
        .thenCompose(
            state ->
                state == null
                    ? CompletableFuture.completedFuture(List.of())
                    : demands(cache, state, ledgers).thenApply(it -> counted(ledgers, it)));
  }

  private static List<Count<NodeLedger>> counted(
      List<LedgerState<NodeLedger>> ledgers, Map<String, List<Demand>> demands) {
    List<Count<NodeLedger>> counts = new ArrayList<>(ledgers.size());
    for (LedgerState<NodeLedger> state : ledgers) {
      if (state.ledger() != null) {
        NodeLedger right = state.ledger().counted(demands.getOrDefault(state.name(), List.of()));
        counts.add(new Count<>(state, right, List.of()));
      }
    }
    return counts;
  }

  /** What the pods on these nodes take. */
  private CompletableFuture<Map<String, List<Demand>>> demands(
      KindCache cache, Snapshot state, List<LedgerState<NodeLedger>> ledgers) {
    var answer = new CompletableFuture<Map<String, List<Demand>>>();
    int field = cache.indexedFields().indexOf(NODE_NAME);
    Map<String, List<Demand>> demands = new HashMap<>();
    ledgers.forEach(ledger -> demands.put(ledger.name(), new ArrayList<>()));
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
                  Demand demand = Demand.of(Json.parse(pod.json()));
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
}
