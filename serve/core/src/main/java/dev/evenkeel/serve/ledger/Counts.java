package dev.evenkeel.serve.ledger;

import dev.evenkeel.store.Store;
import dev.evenkeel.store.Txn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Has ledgers counted that are not: once, whoever wants it too, and many at a time where one walk
 * over the objects is enough for all.
 *
 * <p><b>Threading:</b> owned by the loop of {@link Postings}.
 */
final class Counts<L> {

  private static final System.Logger LOG = System.getLogger(Counts.class.getName());

  private final Ledgers<L> ledgers;

  /** Until they are done. */
  private final Map<String, CompletableFuture<@Nullable Void>> wanted = new HashMap<>();

  /** Those of them whose count has not begun. */
  private List<String> waiting = new ArrayList<>();

  private int underWay;

  Counts(Ledgers<L> ledgers) {
    this.ledgers = ledgers;
  }

  CompletableFuture<@Nullable Void> count(String name) {
    CompletableFuture<@Nullable Void> known = wanted.get(name);
    if (known != null) {
      return known;
    }
    var counted = new CompletableFuture<@Nullable Void>();
    wanted.put(name, counted);
    waiting.add(name);
    if (underWay == 0 || !ledgers.kind().areCountedTogether) {
      begin();
    }
    return counted;
  }

  private void begin() {
    List<String> names = waiting;
    waiting = new ArrayList<>();
    underWay++;
    ledgers
        .postings()
        .then(
            read(names).thenCompose(ledgers.kind()::count).thenCompose(this::write),
            _ -> end(names, null),
            failure -> {
              LOG.log(
                  System.Logger.Level.DEBUG,
                  () -> "ledgers of " + ledgers.kind().called + " were not counted",
                  failure);
              end(names, failure);
            });
  }

  private CompletableFuture<List<LedgerState<L>>> read(List<String> names) {
    CompletableFuture<List<LedgerState<L>>> all =
        CompletableFuture.completedFuture(new ArrayList<>(names.size()));
    for (String name : names) {
      all =
          ledgers
              .read(name, Store.NEWEST)
              .thenCombine(
                  all,
                  (state, sum) -> {
                    sum.add(state);
                    ledgers.postings().onLoop(() -> ledgers.page(name).shown(state));
                    return sum;
                  });
    }
    return all;
  }

  private CompletableFuture<?> write(List<LedgerKind.Count<L>> counted) {
    List<CompletableFuture<?>> written = new ArrayList<>(counted.size());
    counted.forEach(
        count ->
            written.add(
                // One that changed meanwhile is counted again by whoever meets it.
                ledgers
                    .postings()
                    .commit(Txn.builder().build(), List.of(new Rewrite<>(ledgers, count)))));
    return CompletableFuture.allOf(written.toArray(CompletableFuture<?>[]::new));
  }

  private void end(List<String> names, @Nullable Throwable failure) {
    underWay--;
    names.forEach(name -> done(name, failure));
    if (!waiting.isEmpty() && underWay == 0) {
      begin();
    }
  }

  private void done(String name, @Nullable Throwable failure) {
    CompletableFuture<@Nullable Void> counted = wanted.remove(name);
    if (counted == null) {
      return;
    }
    if (failure == null) {
      counted.complete(null);
    } else {
      counted.completeExceptionally(failure);
    }
  }
}
