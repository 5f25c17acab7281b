package dev.evenkeel.serve.allocation;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.fit.NodeLedger;
import dev.evenkeel.kernel.fit.Shortage;
import dev.evenkeel.store.Compare;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One write of pods on its way through the books of their nodes: of one pod, or of several that get
 * their nodes together.
 *
 * <p><b>Invariants:</b> all pages are charged, or none. A refusal is one by ledgers that the store
 * had at some time since the write came.
 *
 * <p><b>Threading:</b> one thread at a time. Pages are locked in the order of their nodes' names,
 * and what is sent is sent with all of them locked, so that it is sent in the order of the pages.
 */
final class NodePosting {

  private static final int ROUNDS_MAX = 100;

  private final NodeBooks books;
  private final List<NodeCharge> charges;
  private final Txn write;
  private final Function<Txn, CompletableFuture<TxnResult>> next;

  /** What the store showed of ledgers since the write came. */
  private final Map<String, Shown> shown = new HashMap<>(4);

  /** Completes when the store has answered, and the pages know it. */
  private final CompletableFuture<@Nullable Void> settled = new CompletableFuture<>();

  private int rounds;

  private record Shown(@Nullable NodeLedger ledger, long revision) {}

  /**
   * A page that was gone by.
   *
   * @param epoch the page's then
   * @param hadLedger whether there was something to charge
   * @param number how many had charged it, this one included
   */
  private record Charged(String node, Page page, long epoch, boolean hadLedger, long number) {}

  /**
   * @param next commits
   */
  NodePosting(
      NodeBooks books,
      List<PodChange> changes,
      Txn write,
      Function<Txn, CompletableFuture<TxnResult>> next) {
    this.books = books;
    this.charges = NodeCharge.of(changes);
    this.write = write;
    this.next = next;
  }

  CompletableFuture<TxnResult> attempt() {
    if (rounds++ > ROUNDS_MAX) {
      return CompletableFuture.failedFuture(
          Status.tooManyRequests(
                  "node " + charges.getFirst().node() + " is charged by too many at once", 1)
              .asException());
    }
    List<Page> pages = new ArrayList<>(charges.size());
    List<String> unknown = new ArrayList<>(0);
    for (NodeCharge charge : charges) {
      Page page = books.page(charge.node());
      if (page == null) {
        unknown.add(charge.node());
      } else {
        pages.add(page);
      }
    }
    return unknown.isEmpty() ? locked(pages, 0).get() : loadThenAttempt(unknown);
  }

  /** Decides with these pages locked, and says what to do when they are not. */
  private Supplier<CompletableFuture<TxnResult>> locked(List<Page> pages, int from) {
    if (from == pages.size()) {
      return decide(pages);
    }
    synchronized (pages.get(from)) {
      return locked(pages, from + 1);
    }
  }

  private Supplier<CompletableFuture<TxnResult>> decide(List<Page> pages) {
    List<String> uncounted = new ArrayList<>(0);
    List<String> late = new ArrayList<>(0);
    List<Refusal.OfNode> refusals = new ArrayList<>(0);
    for (int i = 0; i < pages.size(); i++) {
      NodeCharge charge = charges.get(i);
      Page page = pages.get(i);
      NodeLedger ledger = page.ledger;
      if (!charge.isIn(ledger == null ? "" : ledger.zone())) {
        // It says another zone than the node is in, and is decided again on what is known now.
        TxnResult again = new TxnResult.Rejected(page.revision, List.of());
        return () -> CompletableFuture.completedFuture(again);
      }
      if (ledger != null && !ledger.counted()) {
        uncounted.add(charge.node());
      } else if (ledger != null && !charge.shortages(ledger).isEmpty()) {
        Refusal.OfNode refusal = refusal(charge);
        if (refusal == null) {
          books.drop(charge.node(), page);
          late.add(charge.node());
        } else {
          refusals.add(refusal);
        }
      }
    }
    if (!uncounted.isEmpty()) {
      return () -> countThenAttempt(uncounted);
    }
    if (!late.isEmpty()) {
      return () -> loadThenAttempt(late);
    }
    if (!refusals.isEmpty()) {
      return () -> CompletableFuture.failedFuture(books.refused(refusals).asException());
    }
    List<Charged> charged = new ArrayList<>(pages.size());
    CompletableFuture<TxnResult> sent = send(pages, charged);
    return () -> settled(sent, charged);
  }

  /** Null if the store has not shown that there is too little: then it is to be asked. */
  private Refusal.@Nullable OfNode refusal(NodeCharge charge) {
    Shown seen = shown.get(charge.node());
    NodeLedger ledger = seen == null ? null : seen.ledger;
    List<Shortage> shortages =
        ledger == null || !ledger.counted() ? List.of() : charge.shortages(ledger);
    return seen == null || ledger == null || shortages.isEmpty()
        ? null
        : new Refusal.OfNode(charge, charge.firstRefused(ledger), shortages, seen.revision);
  }

  private CompletableFuture<TxnResult> loadThenAttempt(List<String> nodes) {
    List<CompletableFuture<?>> loads = new ArrayList<>(nodes.size());
    for (String node : nodes) {
      loads.add(
          books
              .load(node)
              .thenAccept(
                  found -> {
                    var seen =
                        new Shown(
                            found == null ? null : NodeLedger.parse(found.value().array()),
                            found == null ? 0 : found.modRevision());
                    synchronized (shown) {
                      shown.put(node, seen);
                    }
                  }));
    }
    return all(loads).thenCompose(_ -> attempt());
  }

  private CompletableFuture<TxnResult> countThenAttempt(List<String> nodes) {
    List<CompletableFuture<?>> counts = new ArrayList<>(nodes.size());
    for (String node : nodes) {
      counts.add(books.counting().count(node));
    }
    return all(counts)
        .thenCompose(
            _ -> {
              // Another server may have counted it, or the node is gone.
              nodes.forEach(books::changedElsewhere);
              return attempt();
            });
  }

  private static CompletableFuture<?> all(List<CompletableFuture<?>> futures) {
    return futures.size() == 1
        ? futures.getFirst()
        : CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new));
  }

  /** Called with the locks of the pages. */
  private CompletableFuture<TxnResult> send(List<Page> pages, List<Charged> charged) {
    List<Compare> compares = new ArrayList<>(write.compares());
    List<Write> writes = new ArrayList<>(write.writes());
    for (int i = 0; i < pages.size(); i++) {
      NodeCharge charge = charges.get(i);
      Page page = pages.get(i);
      Bytes key = NodeBooks.key(charge.node());
      Bytes before = page.value;
      NodeLedger ledger = page.ledger;
      boolean hasLedger = ledger != null && before != null;
      if (ledger == null || before == null) {
        // There is no such node: when there is, what is on it by then will be counted.
        compares.add(new Compare.Absent(key));
      } else {
        NodeLedger after = charge.charged(ledger);
        Bytes value = Bytes.wrap(after.encode());
        compares.add(new Compare.Value(key, before));
        writes.add(new Write.Put(key, value));
        page.value = value;
        page.ledger = after;
      }
      page.lastSettled = settled;
      charged.add(new Charged(charge.node(), page, page.epoch, hasLedger, ++page.charges));
    }
    return next.apply(new Txn(compares, writes));
  }

  /**
   * Brings the pages up to date with the answer before it is given. Those who were decided on what
   * a rejected write was to write will be rejected too; it is decided again when they have been,
   * and not on what they wrote ahead on other pages: two would take turns in failing for ever.
   */
  private CompletableFuture<TxnResult> settled(
      CompletableFuture<TxnResult> sent, List<Charged> charged) {
    var answer = new CompletableFuture<TxnResult>();
    var _ =
        sent.whenComplete(
            (result, failure) -> {
              List<CompletableFuture<?>> behind = new ArrayList<>(0);
              charged.forEach(one -> settle(one, result, behind));
              settled.complete(null);
              if (failure != null) {
                answer.completeExceptionally(failure);
              } else if (result instanceof TxnResult.Rejected && !behind.isEmpty()) {
                var _ = all(behind).whenComplete((_, _) -> answer.complete(result));
              } else {
                answer.complete(result);
              }
            });
    return answer;
  }

  /**
   * @param behind takes up those who charged the page after this one
   */
  private void settle(Charged one, @Nullable TxnResult result, List<CompletableFuture<?>> behind) {
    Page page = one.page;
    synchronized (page) {
      if (page.charges > one.number) {
        behind.add(page.lastSettled);
      }
      if (!one.hadLedger) {
        if (!(result instanceof TxnResult.Committed)) {
          books.drop(one.node, page);
        }
        return;
      }
      switch (result) {
        case TxnResult.Committed committed -> {
          page.revision = Math.max(page.revision, committed.revision());
          books.charged();
        }
        case TxnResult.Rejected rejected -> rejected(one, rejected);
        // Refused further on, or nobody knows: the next one looks.
        case null -> {
          page.epoch++;
          books.drop(one.node, page);
        }
      }
    }
  }

  private void rejected(Charged one, TxnResult.Rejected rejected) {
    Page page = one.page;
    Bytes key = NodeBooks.key(one.node);
    boolean known = false;
    for (TxnResult.Failure failure : rejected.failures()) {
      if (failure.compare().key().equals(key)) {
        books.conflicted();
        known = true;
        if (page.epoch == one.epoch) {
          page.epoch++;
          page.set(failure.current());
        }
      }
    }
    if (!known && page.epoch == one.epoch) {
      page.epoch++;
      books.drop(one.node, page);
    }
  }
}
