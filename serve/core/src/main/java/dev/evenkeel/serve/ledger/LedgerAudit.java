package dev.evenkeel.serve.ledger;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.RangeResult;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts ledgers anew, some at a time, and reports and mends one that says otherwise. By the
 * protocol's invariants none ever does; a store that was edited by other means, or a fault of ours,
 * would show here.
 *
 * <p>Ledgers and objects are held against each other as of one revision, at which they must agree
 * to the unit.
 *
 * <p><b>Threading:</b> owned by its loop.
 */
final class LedgerAudit<L> {

  private static final System.Logger LOG = System.getLogger(LedgerAudit.class.getName());

  private static final Duration FIRST = Duration.ofSeconds(5);
  private static final Duration INTERVAL = Duration.ofSeconds(30);

  private final Ledgers<L> ledgers;
  private final LedgerKind<L> kind;
  private final Loop loop;
  private final LongAdder audits = new LongAdder();
  private final LongAdder repairs = new LongAdder();
  private Bytes next;

  LedgerAudit(Ledgers<L> ledgers, Loop loop) {
    this.ledgers = ledgers;
    this.kind = ledgers.kind();
    this.loop = loop;
    this.next = kind.prefix;
  }

  /** Begins, and goes on until the loop is closed. */
  void start() {
    later(FIRST);
  }

  /** How many ledgers were held against the objects. */
  long audits() {
    return audits.sum();
  }

  /** How many ledgers were wrong. */
  long repairs() {
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
    Bytes from = next;
    var _ =
        kind.enterMissing()
            .thenCompose(_ -> audit(from, kind.auditedEachTime))
            .whenComplete(
                (then, failure) -> {
                  if (failure != null) {
                    LOG.log(
                        System.Logger.Level.DEBUG,
                        () -> "ledgers of " + kind.called + " were not counted anew",
                        failure);
                  }
                  again(then == null ? kind.prefix : then);
                });
  }

  private void again(Bytes from) {
    try {
      loop.execute(
          () -> {
            next = from;
            later(INTERVAL);
          });
    } catch (RejectedExecutionException e) {
      // The server closes.
    }
  }

  /** Holds some ledgers against the objects; answers where to go on the next time. */
  private CompletableFuture<Bytes> audit(Bytes from, int left) {
    if (left <= 0) {
      return CompletableFuture.completedFuture(from);
    }
    // Each walk needs the state of its revision to be there still.
    int some = kind.areCountedTogether ? left : 1;
    return ledgers
        .postings()
        .store()
        .range(RangeQuery.prefix(kind.prefix).startingAt(from).limit(some))
        .thenCompose(
            range ->
                audit(range)
                    .thenCompose(
                        _ ->
                            range.more()
                                ? audit(range.items().getLast().key().successor(), left - some)
                                : CompletableFuture.completedFuture(kind.prefix)));
  }

  private CompletableFuture<?> audit(RangeResult range) {
    List<LedgerState<L>> counted = new ArrayList<>(range.items().size());
    for (KeyValue item : range.items()) {
      LedgerState<L> state = ledgers.state(ledgers.name(item.key()), item, range.revision());
      if (state.ledger() != null && kind.isCounted(state.ledger())) {
        counted.add(state);
      }
    }
    if (counted.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    return kind.recount(counted, range.revision())
        .thenCompose(this::compare)
        // What cannot be counted now is left for the next time.
        .exceptionally(
            failure -> {
              LOG.log(
                  System.Logger.Level.DEBUG,
                  () -> "cannot count ledgers of " + kind.called,
                  failure);
              return null;
            });
  }

  private CompletableFuture<@Nullable Void> compare(List<LedgerKind.Count<L>> counts) {
    List<CompletableFuture<?>> mended = new ArrayList<>(0);
    for (LedgerKind.Count<L> count : counts) {
      audits.increment();
      if (!count.right().equals(count.read().ledger())) {
        mended.add(mend(count));
      }
    }
    return CompletableFuture.allOf(mended.toArray(CompletableFuture<?>[]::new))
        .thenApply(_ -> null);
  }

  /** If it is beyond mending by now, it is still off by as much, and the next round sees it. */
  private CompletableFuture<?> mend(LedgerKind.Count<L> count) {
    // Who wrote it told no page.
    ledgers.forget(count.read().name());
    return ledgers
        .postings()
        .commit(Txn.builder().build(), List.of(new Rewrite<>(ledgers, count)))
        .thenAccept(
            result -> {
              if (result instanceof TxnResult.Committed) {
                repairs.increment();
                LOG.log(
                    System.Logger.Level.WARNING,
                    () ->
                        "the ledger of %s %s did not agree with the objects and was mended: it said %s, and should have said %s"
                            .formatted(
                                kind.called,
                                count.read().name(),
                                count.read().ledger(),
                                count.right()));
              }
            });
  }
}
