package dev.evenkeel.serve.ledger;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.FutureFailure;
import dev.evenkeel.serve.ledger.Page.Entry;
import dev.evenkeel.store.Compare;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.Write;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One write on its way through the ledgers: judged on all of them, sent with all of them, settled
 * on all of them.
 *
 * <p><b>Invariants:</b> it is posted on all of its pages, or on none. It is refused only by ledgers
 * that the store had at some time since it came.
 *
 * <p><b>Threading:</b> owned by the loop; {@link #answered} comes from the store.
 */
final class Posting {

  /** Each round one of those who meet wins, so this many may. */
  static final int ROUNDS_MAX = 200;

  private final Postings postings;
  private final Txn write;
  private final List<Bill<?>> bills;
  private final CompletableFuture<TxnResult> answer = new CompletableFuture<>();
  private List<Entry<?>> entries = List.of();
  private @Nullable List<Runnable> whenSettled;
  private boolean waited;
  private int rounds;

  Posting(Postings postings, Txn write, List<Bill<?>> bills) {
    this.postings = postings;
    this.write = write;
    this.bills = bills;
  }

  CompletableFuture<TxnResult> answer() {
    return answer;
  }

  void fail(Throwable failure) {
    answer.completeExceptionally(FutureFailure.cause(failure));
  }

  // ---- judging

  /** What keeps it from being posted, by how it is got out of the way. */
  private final class Obstacles {
    private final List<Page<?>> unknown = new ArrayList<>(0);
    private final List<Page<?>> uncounted = new ArrayList<>(0);
    private @Nullable Suspects<?> refused;
    private @Nullable Page<?> full;
    private @Nullable Page<?> another;

    <L> void look(Bill<L> bill) {
      List<Entry<L>> refusing = null;
      for (Charge<L> charge : bill.charges()) {
        Page<L> page = bill.ledgers().page(charge.ledger());
        var entry = new Entry<>(Posting.this, charge, page);
        entries.add(entry);
        LedgerState<L> newest = page.newest();
        if (newest == null) {
          unknown.add(page);
        } else if (!charge.isFor(newest.ledger())) {
          another = page;
        } else if (charge.isRefusedBy(newest.ledger())) {
          refusing = refusing == null ? new ArrayList<>(1) : refusing;
          refusing.add(entry);
        } else if (!charge.isReady(newest.ledger())) {
          uncounted.add(page);
        } else if (!waited && (page.isFull() || !page.waiting.isEmpty())) {
          full = page;
        }
      }
      if (refused == null && refusing != null) {
        refused = new Suspects<>(bill, refusing);
      }
    }
  }

  private record Suspects<L>(Bill<L> bill, List<Entry<L>> entries) {}

  /** Judges on what is known, and goes on from there. */
  void round() {
    try {
      if (rounds++ >= ROUNDS_MAX) {
        fail(bills.getFirst().tooOften());
        return;
      }
      entries = new ArrayList<>(4);
      var obstacles = new Obstacles();
      bills.forEach(obstacles::look);
      Page<?> another = obstacles.another;
      Suspects<?> refused = obstacles.refused;
      Page<?> full = obstacles.full;
      if (!obstacles.unknown.isEmpty()) {
        thenRound(obstacles.unknown.stream().map(Page::load));
      } else if (another != null) {
        answer.complete(new TxnResult.Rejected(0, List.of()));
      } else if (refused != null) {
        confirmWhenSettled(refused);
      } else if (!obstacles.uncounted.isEmpty()) {
        thenRound(obstacles.uncounted.stream().map(Page::count));
      } else if (full != null) {
        rounds--;
        full.waiting.addLast(this);
      } else {
        post();
      }
    } catch (RuntimeException | StackOverflowError e) {
      fail(e);
    }
  }

  private void thenRound(Stream<CompletableFuture<?>> futures) {
    postings.then(
        CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new)),
        _ -> round(),
        this::fail);
  }

  // ---- refusing

  /** Only the store's own ledgers refuse, and only once what was posted before has settled. */
  private <L> void confirmWhenSettled(Suspects<L> suspects) {
    for (Entry<L> entry : suspects.entries) {
      Posting before = entry.page.lastPosting();
      if (before != null) {
        if (before.whenSettled == null) {
          before.whenSettled = new ArrayList<>(1);
        }
        before.whenSettled.add(() -> confirm(suspects));
        return;
      }
    }
    confirm(suspects);
  }

  private <L> void confirm(Suspects<L> suspects) {
    List<Charge<L>> charges = suspects.entries.stream().map(entry -> entry.charge).toList();
    postings.then(
        postings.ask(suspects.bill, charges),
        asked -> {
          if (asked.refused().isEmpty()) {
            asked.show(suspects.bill.ledgers());
            round();
          } else {
            fail(suspects.bill.refusal(asked.refused()));
          }
        },
        this::fail);
  }

  // ---- posting

  private void post() {
    waited = false;
    List<Compare> compares = new ArrayList<>(write.compares());
    List<Write> writes = new ArrayList<>(write.writes());
    for (Entry<?> entry : entries) {
      entry.prepare();
    }
    for (Bill<?> bill : bills) {
      bill.addConditions(compares, writes);
    }
    for (Entry<?> entry : entries) {
      addTo(compares, writes, entry);
      entry.post();
    }
    var _ = postings.send(new Txn(compares, writes)).whenComplete(this::answered);
  }

  private static <L> void addTo(List<Compare> compares, List<Write> writes, Entry<L> entry) {
    Bytes key = entry.page.key;
    Bytes before = entry.before == null ? null : entry.before.value();
    Bytes after = entry.after == null ? null : entry.after.value();
    compares.add(before == null ? new Compare.Absent(key) : new Compare.Value(key, before));
    if (after != null) {
      writes.add(new Write.Put(key, after));
    } else if (before != null) {
      writes.add(new Write.Delete(key));
    }
  }

  // ---- settling

  /**
   * The writer hears of it from the store's own thread: what it does then is not the loop's work.
   * The pages are brought up to date before anything that it hands in next.
   */
  private void answered(@Nullable TxnResult result, @Nullable Throwable failure) {
    boolean again = result instanceof TxnResult.Rejected rejected && isOursAlone(rejected);
    boolean open = postings.onLoop(() -> settle(result, failure, again));
    if (failure != null) {
      fail(failure);
    } else if (!again && result != null) {
      answer.complete(result);
    } else if (!open) {
      fail(Postings.closed());
    }
  }

  /** Whether nothing but ledgers, and what charges rest on, was another than it was judged on. */
  private boolean isOursAlone(TxnResult.Rejected rejected) {
    for (TxnResult.Failure failure : rejected.failures()) {
      Bytes key = failure.compare().key();
      boolean ours = false;
      for (int i = 0; !ours && i < entries.size(); i++) {
        ours = entries.get(i).page.key.equals(key);
      }
      for (int i = 0; !ours && i < bills.size(); i++) {
        ours = bills.get(i).isCondition(key);
      }
      if (!ours) {
        return false;
      }
    }
    return true;
  }

  private void settle(@Nullable TxnResult result, @Nullable Throwable failure, boolean again) {
    List<Entry<?>> settled = entries;
    switch (result) {
      case TxnResult.Committed committed -> {
        settled.forEach(entry -> entry.committed(committed.revision()));
        for (Bill<?> bill : bills) {
          bill.committed(committed.revision());
        }
      }
      case TxnResult.Rejected rejected -> {
        takeBack();
        settled.forEach(entry -> learn(entry, rejected));
        Postings.learn(bills, rejected);
      }
      case null -> {
        if (failure != null
            && FutureFailure.cause(failure) instanceof StoreException.UnknownOutcome) {
          settled.forEach(Entry::unknown);
        } else {
          takeBack();
        }
      }
    }
    for (Entry<?> entry : settled) {
      assert !entry.page.holds(entry) : "settled, and still posted on " + entry.page.key;
      if (entry.charge.isOfUse()) {
        entry.page.ledgers.settled(result, again);
      }
    }
    postings.settled();
    List<Runnable> others = whenSettled;
    whenSettled = null;
    if (others != null) {
      others.forEach(Runnable::run);
    }
    if (again) {
      round();
    }
    settled.forEach(entry -> wake(entry.page));
  }

  /**
   * Takes back what will not be, on all pages: with a write those that were judged on what it was
   * to write, and so on. The store will reject each of them, since it compares what never came to
   * be; nobody is judged on any of it from now on.
   */
  private void takeBack() {
    var lost = new ArrayDeque<Posting>();
    for (Posting next = this; next != null; next = lost.poll()) {
      for (Entry<?> entry : next.entries) {
        entry.takeBack(lost);
      }
    }
  }

  private <L> void learn(Entry<L> entry, TxnResult.Rejected rejected) {
    Page<L> page = entry.page;
    for (TxnResult.Failure failure : rejected.failures()) {
      if (failure.compare().key().equals(page.key)) {
        page.conflicted();
        page.shown(page.ledgers.state(page.name, failure.current(), rejected.revision()));
      }
    }
  }

  private static void wake(Page<?> page) {
    Posting next;
    while (!page.isFull() && (next = page.waiting.poll()) != null) {
      next.waited = true;
      next.round();
    }
  }
}
