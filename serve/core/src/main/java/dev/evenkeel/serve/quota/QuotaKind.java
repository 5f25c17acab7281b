package dev.evenkeel.serve.quota;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.quantity.Amounts;
import dev.evenkeel.kernel.quantity.Quantity;
import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.serve.cache.Scope;
import dev.evenkeel.serve.cache.Snapshot;
import dev.evenkeel.serve.ledger.LedgerKind;
import dev.evenkeel.serve.ledger.LedgerState;
import dev.evenkeel.store.Compare;
import dev.evenkeel.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Quotas as a kind of ledger: what the objects of the namespace use is added up, as the quota has
 * it in the register. A share of a zone is a quota like others, of pods that have a node there.
 *
 * <p><b>Threading:</b> adds up on the loop, a slice at a time: others want it too.
 */
final class QuotaKind extends LedgerKind<QuotaLedger> {

  private static final int AUDITED_EACH_TIME = 20;

  private static final int SLICE_OBJECTS = 200;

  private final Registers registers;
  private final Loop loop;
  private final QuotaLedgers.Kinds kinds;

  QuotaKind(Registers registers, Loop loop, QuotaLedgers.Kinds kinds) {
    super("quota", QuotaLedger.PREFIX, false, AUDITED_EACH_TIME);
    this.registers = registers;
    this.loop = loop;
    this.kinds = kinds;
  }

  @Override
  protected QuotaLedger parse(Bytes stored) {
    return QuotaLedger.parse(stored);
  }

  @Override
  protected Bytes encode(QuotaLedger ledger) {
    return ledger.toBytes();
  }

  @Override
  protected boolean isCounted(QuotaLedger ledger) {
    return ledger.counted();
  }

  @Override
  protected CompletableFuture<List<Count<QuotaLedger>>> count(
      List<LedgerState<QuotaLedger>> uncounted) {
    return each(uncounted, state -> count(state, Store.NEWEST));
  }

  @Override
  protected CompletableFuture<List<Count<QuotaLedger>>> recount(
      List<LedgerState<QuotaLedger>> counted, long revision) {
    return each(counted, state -> count(state, revision));
  }

  private static CompletableFuture<List<Count<QuotaLedger>>> each(
      List<LedgerState<QuotaLedger>> states,
      Function<LedgerState<QuotaLedger>, CompletableFuture<? extends @Nullable Count<QuotaLedger>>>
          count) {
    CompletableFuture<List<Count<QuotaLedger>>> all =
        CompletableFuture.completedFuture(new ArrayList<>(states.size()));
    for (LedgerState<QuotaLedger> state : states) {
      all =
          all.thenCombine(
              count.apply(state),
              (sum, counted) -> {
                if (counted != null) {
                  sum.add(counted);
                }
                return sum;
              });
    }
    return all;
  }

  /**
   * @param revision as of which; {@link Store#NEWEST} for any since the ledger was read, if it is
   *     not counted yet
   */
  private CompletableFuture<@Nullable Count<QuotaLedger>> count(
      LedgerState<QuotaLedger> state, long revision) {
    int slash = state.name().indexOf('/');
    String namespace = state.name().substring(0, slash);
    QuotaLedger ledger = state.ledger();
    return registers
        .read(namespace, revision)
        .thenCompose(
            found -> {
              QuotaSpec quota = found.register().quotas().get(state.name().substring(slash + 1));
              boolean newest = revision == Store.NEWEST;
              boolean counted =
                  quota != null
                      && ledger != null
                      && ledger.counted()
                      && ledger.uid().equals(quota.uid());
              if (quota == null || counted == newest) {
                return CompletableFuture.completedFuture(null);
              }
              long since = Math.max(found.register().revision(), state.version());
              return count(
                      namespace,
                      quota,
                      cache ->
                          newest
                              ? cache.atLeast(since)
                              : cache.atLeast(revision).thenCompose(_ -> cache.exactly(revision)))
                  .thenApply(
                      used ->
                          new Count<>(
                              state,
                              right(quota, ledger, used),
                              List.of(
                                  new Compare.ModRevision(
                                      Register.key(namespace), found.register().revision()))));
            });
  }

  /** The ledger itself if it says so: zeros may be written out or not. */
  private static QuotaLedger right(QuotaSpec quota, @Nullable QuotaLedger ledger, Amounts used) {
    return ledger != null && ledger.counted() && used.minus(ledger.used()).withoutZeros().isEmpty()
        ? ledger
        : new QuotaLedger(quota.uid(), true, used);
  }

  /** What was off then is off now, however much was charged since: the difference is written. */
  @Override
  protected @Nullable QuotaLedger mended(
      @Nullable QuotaLedger now, @Nullable QuotaLedger wrong, QuotaLedger right) {
    if (wrong == null || !wrong.counted()) {
      return super.mended(now, wrong, right);
    }
    return now == null || !now.counted() || !now.uid().equals(right.uid())
        ? null
        : now.charged(right.used().minus(wrong.used()).withoutZeros());
  }

  /** As of the state that is asked for. Null if one of the caches cannot show it. */
  private CompletableFuture<Amounts> count(
      String namespace,
      QuotaSpec quota,
      Function<KindCache, CompletableFuture<? extends @Nullable Snapshot>> state) {
    SortedMap<String, Quantity> zeros = new TreeMap<>();
    quota.hard().names().forEach(name -> zeros.put(name, Quantity.ZERO));
    CompletableFuture<Amounts> sum = CompletableFuture.completedFuture(new Amounts(zeros));
    for (Part part : parts(quota)) {
      sum =
          sum.thenCompose(
              before ->
                  part.cache
                      .ready()
                      .thenCompose(state::apply)
                      .thenCompose(
                          snapshot ->
                              snapshot == null
                                  ? CompletableFuture.<Amounts>failedFuture(new StateIsGone())
                                  : sum(namespace, quota, part.evaluator, snapshot, before)));
    }
    return sum;
  }

  /** The state to be counted is no longer in a cache's window. */
  static final class StateIsGone extends RuntimeException {
    StateIsGone() {
      super("the state to be counted left the window", null, false, false);
    }
  }

  private record Part(Evaluator evaluator, KindCache cache) {}

  private List<Part> parts(QuotaSpec quota) {
    List<Part> parts = new ArrayList<>();
    for (Evaluator evaluator : quota.evaluators()) {
      KindCache cache = kinds.cache(evaluator.group(), evaluator.plural());
      if (cache != null) {
        parts.add(new Part(evaluator, cache));
      }
    }
    return parts;
  }

  private CompletableFuture<Amounts> sum(
      String namespace, QuotaSpec quota, Evaluator evaluator, Snapshot state, Amounts before) {
    var answer = new CompletableFuture<Amounts>();
    Scope scope = Scope.of(namespace);
    loop.execute(
        new Runnable() {
          private final SortedTree.Walk<CachedObject> walk = state.tree().from(scope.firstKey());
          private Amounts sum = before;

          @Override
          public void run() {
            try {
              for (int i = 0; i < SLICE_OBJECTS; i++) {
                CachedObject object = walk.next();
                if (object == null || scope.isPast(object)) {
                  answer.complete(sum);
                  return;
                }
                sum = sum.plus(quota.usage(evaluator, Json.parse(object.json())));
              }
              loop.execute(this);
            } catch (RuntimeException e) {
              answer.completeExceptionally(e);
            }
          }
        });
    return answer;
  }
}
