package dev.evenkeel.serve.quota;

import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.quantity.Amounts;
import dev.evenkeel.kernel.quantity.Quantity;
import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.serve.cache.Scope;
import dev.evenkeel.serve.cache.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Adds up what the objects of a namespace use of a quota.
 *
 * <p><b>Threading:</b> adds up on the loop, a slice at a time: others want it too.
 */
final class Counting {

  private static final int SLICE_OBJECTS = 200;

  private final Loop loop;
  private final QuotaBooks.Kinds kinds;

  Counting(Loop loop, QuotaBooks.Kinds kinds) {
    this.loop = loop;
    this.kinds = kinds;
  }

  /** As of a state that is at least as new as the revision. */
  CompletableFuture<Amounts> count(String namespace, QuotaSpec quota, long revision) {
    return count(namespace, quota, cache -> cache.atLeast(revision));
  }

  /** As of the state that is asked for. Null if one of the caches cannot show it. */
  CompletableFuture<Amounts> count(
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
