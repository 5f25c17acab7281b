package dev.evenkeel.serve.ledger;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.env.FutureFailure;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.store.Compare;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The owner of all ledgers' pages: charged writes come here, and nothing is charged elsewhere.
 *
 * <p><b>Invariants:</b> a charge carries the ledger that it was judged on; so no write is charged
 * twice or forgotten, and what a ledger says is what the objects use, as of every revision. Writes
 * are sent in the order in which they were judged.
 *
 * <p><b>Threading:</b> writes may be handed in on any thread; all that is known of ledgers, and all
 * writes under way, are the loop's.
 */
public final class Postings {

  /*
   * A write is judged on what those before it are about to write, and sent behind them at once: a
   * local store judges in the order of sending, and one sync is for all of them. Waiting for each
   * other's sync would make one namespace as slow as the disk. docs/designs/028-one-ledger.md goes
   * through an example.
   */

  private final Store store;
  private final Loop loop;
  private final AtomicLong underWay = new AtomicLong();

  /**
   * @param loop of its own: it closes with the server
   */
  public Postings(Store store, Loop loop) {
    this.store = store;
    this.loop = loop;
  }

  Store store() {
    return store;
  }

  /** Writes that were sent and did not settle yet. */
  public long underWay() {
    return underWay.get();
  }

  /**
   * Commits the write with all that it is charged, or nothing. The answer is the store's; one that
   * is rejected for what is no ledger's business, or that was decided on another ledger, is to be
   * decided again. Fails if a ledger that the store had since the call refuses it.
   */
  public CompletableFuture<TxnResult> commit(Txn write, List<Bill<?>> bills) {
    boolean free = true;
    for (Bill<?> bill : bills) {
      free &= bill.charges().isEmpty();
    }
    if (free) {
      return commitFree(write, bills);
    }
    var posting = new Posting(this, write, bills);
    if (!onLoop(posting::round)) {
      posting.fail(closed());
    }
    return posting.answer();
  }

  /** What is charged nothing passes by the loop. */
  private CompletableFuture<TxnResult> commitFree(Txn write, List<Bill<?>> bills) {
    if (bills.isEmpty()) {
      return store.commit(write);
    }
    List<Compare> compares = new ArrayList<>(write.compares());
    List<Write> writes = new ArrayList<>(write.writes());
    bills.forEach(bill -> bill.addConditions(compares, writes));
    return store
        .commit(new Txn(compares, writes))
        .whenComplete(
            (result, _) -> {
              switch (result) {
                case TxnResult.Committed committed ->
                    bills.forEach(bill -> bill.committed(committed.revision()));
                case TxnResult.Rejected rejected -> learn(bills, rejected);
                case null -> {}
              }
            });
  }

  static void learn(List<Bill<?>> bills, TxnResult.Rejected rejected) {
    for (TxnResult.Failure failure : rejected.failures()) {
      for (Bill<?> bill : bills) {
        if (bill.isCondition(failure.compare().key())) {
          bill.learn(failure, rejected.revision());
        }
      }
    }
  }

  /** Whether a write would be let through by what the store has; fails like a commit if not. */
  public CompletableFuture<@Nullable Void> check(List<Bill<?>> bills) {
    CompletableFuture<@Nullable Void> checked = CompletableFuture.completedFuture(null);
    for (Bill<?> bill : bills) {
      checked = checked.thenCompose(_ -> check(bill, Posting.ROUNDS_MAX));
    }
    return checked;
  }

  private <L> CompletableFuture<@Nullable Void> check(Bill<L> bill, int rounds) {
    return ask(bill, bill.charges())
        .thenCompose(
            asked -> {
              if (!asked.refused.isEmpty()) {
                throw bill.refusal(asked.refused);
              }
              if (asked.uncounted.isEmpty()) {
                return CompletableFuture.completedFuture(null);
              }
              if (rounds == 0) {
                throw bill.tooOften();
              }
              return bill.ledgers()
                  .countAll(asked.uncounted)
                  .thenCompose(_ -> check(bill, rounds - 1));
            });
  }

  /** What the store's own ledgers say to charges. */
  static final class Asked<L> {
    private final List<LedgerState<L>> states = new ArrayList<>(1);
    private final List<Bill.Refused<L>> refused = new ArrayList<>(0);
    private final List<String> uncounted = new ArrayList<>(0);

    List<Bill.Refused<L>> refused() {
      return refused;
    }

    private Asked<L> judge(Charge<L> charge, LedgerState<L> state) {
      states.add(state);
      if (charge.isRefusedBy(state.ledger())) {
        refused.add(new Bill.Refused<>(charge, state));
      } else if (!charge.isReady(state.ledger())) {
        uncounted.add(charge.ledger());
      }
      return this;
    }

    /** Has the pages say what was found. On the loop. */
    void show(Ledgers<L> ledgers) {
      states.forEach(state -> ledgers.page(state.name()).shown(state));
    }
  }

  <L> CompletableFuture<Asked<L>> ask(Bill<L> bill, List<? extends Charge<L>> suspects) {
    return bill.asStored(suspects)
        .thenCompose(
            stored -> {
              CompletableFuture<Asked<L>> all = CompletableFuture.completedFuture(new Asked<>());
              for (Charge<L> charge : stored.charges()) {
                all =
                    bill.ledgers()
                        .read(charge.ledger(), stored.revision())
                        .thenCombine(all, (state, asked) -> asked.judge(charge, state));
              }
              return all;
            });
  }

  // ---- the loop

  CompletableFuture<TxnResult> send(Txn txn) {
    underWay.incrementAndGet();
    return store.commit(txn);
  }

  void settled() {
    underWay.decrementAndGet();
  }

  /** False if the server closes: then nobody waits any more. */
  boolean onLoop(Runnable task) {
    try {
      loop.execute(task);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  /** Goes on, on the loop, once the future is done. */
  <T extends @Nullable Object> void then(
      CompletableFuture<T> future, Consumer<T> action, Consumer<Throwable> failed) {
    var _ =
        future.whenComplete(
            (value, failure) -> {
              Runnable next =
                  failure == null
                      ? () -> run(value, action, failed)
                      : () -> failed.accept(FutureFailure.cause(failure));
              if (!onLoop(next)) {
                failed.accept(closed());
              }
            });
  }

  private static <T extends @Nullable Object> void run(
      T value, Consumer<T> action, Consumer<Throwable> failed) {
    try {
      action.accept(value);
    } catch (RuntimeException | StackOverflowError e) {
      failed.accept(e);
    }
  }

  static ApiException closed() {
    return Status.unavailable("the server is shutting down", 1).asException();
  }
}
