package dev.evenkeel.store.engine.mvcc;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.store.Compare;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The one path by which anything changes. Transactions are taken in batches: each is judged against
 * the newest state, earlier ones of its batch included, and given its revision; the batch is kept
 * by the journal in one append, which is one sync; then it becomes visible, is routed to watches,
 * and is answered.
 *
 * <p><b>Invariants.</b> Revisions of changes are consecutive, without gaps. Nothing is visible
 * before it is in the journal. Nothing is answered before it is visible and handed to the hub.
 * After an append with unknown outcome nothing is taken any more: what the journal holds is found
 * out by opening it anew.
 *
 * <p><b>Threading.</b> {@link #submit} from any thread; all else on the loop.
 */
final class Sequencer {

  private final Loop loop;
  private final MvccState state;
  private final Journal journal;
  private final WatchHub hub;
  private final MvccOptions options;

  private final ConcurrentLinkedQueue<Pending> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger pendingCommits = new AtomicInteger();
  private final AtomicLong pendingBytes = new AtomicLong();
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private volatile @Nullable StoreException broken;
  private volatile boolean closed;

  private record Pending(Txn txn, long bytes, CompletableFuture<TxnResult> answer) {}

  Sequencer(Loop loop, MvccState state, Journal journal, WatchHub hub, MvccOptions options) {
    this.loop = loop;
    this.state = state;
    this.journal = journal;
    this.hub = hub;
    this.options = options;
  }

  int pendingCommits() {
    return pendingCommits.get();
  }

  Loop loop() {
    return loop;
  }

  /** Whether an append ended in a way that only a new start can tell. */
  boolean isBroken() {
    return broken != null;
  }

  CompletableFuture<TxnResult> submit(Txn txn) {
    StoreException refusal = refusal();
    if (refusal != null) {
      return CompletableFuture.failedFuture(refusal);
    }
    try {
      options.limits().check(txn);
    } catch (StoreException e) {
      return CompletableFuture.failedFuture(e);
    }
    var pending = new Pending(txn, bytes(txn), new CompletableFuture<>());
    // Both, before either is judged: release takes both back.
    int commits = pendingCommits.incrementAndGet();
    long bytes = pendingBytes.addAndGet(pending.bytes);
    if (commits > options.pendingCommitsMax() || bytes > options.pendingBytesMax()) {
      release(pending);
      return CompletableFuture.failedFuture(
          new StoreException.Unavailable(
              "the store is overloaded: "
                  + pendingCommits.get()
                  + " transactions are waiting; slow down and try again",
              null));
    }
    queue.add(pending);
    schedule();
    return pending.answer;
  }

  private @Nullable StoreException refusal() {
    return closed ? new StoreException.Closed("the store is closed") : broken;
  }

  private void release(Pending pending) {
    pendingCommits.decrementAndGet();
    pendingBytes.addAndGet(-pending.bytes);
  }

  private static long bytes(Txn txn) {
    long bytes = 64;
    for (Compare compare : txn.compares()) {
      bytes += compare.key().length() + 64;
      if (compare instanceof Compare.Value value) {
        bytes += value.value().length();
      }
    }
    for (Write write : txn.writes()) {
      bytes += write.key().length() + 64;
      if (write instanceof Write.Put put) {
        bytes += put.value().length();
      }
    }
    return bytes;
  }

  private void schedule() {
    if (scheduled.compareAndSet(false, true)) {
      try {
        loop.execute(this::drain);
      } catch (RejectedExecutionException _) {
        // In this order: whoever comes behind the sweep finds the flag down and sweeps itself.
        scheduled.set(false);
        failAll(new StoreException.Closed("the store is closed"));
      }
    }
  }

  /** Takes no more, and answers what it has taken. Not from the loop. */
  void close() {
    closed = true;
    loop.close();
    failAll(new StoreException.Closed("the store is closed"));
  }

  private void failAll(StoreException cause) {
    for (Pending pending = queue.poll(); pending != null; pending = queue.poll()) {
      release(pending);
      pending.answer.completeExceptionally(cause);
    }
  }

  private void drain() {
    scheduled.set(false);
    if (broken != null) {
      failAll(broken);
      return;
    }
    var batch = new Batch();
    while (batch.bytes < options.batchBytesMax()) {
      Pending pending = queue.poll();
      if (pending == null) {
        break;
      }
      batch.add(pending);
    }
    batch.commit();
    if (!queue.isEmpty()) {
      schedule();
    }
  }

  /** Transactions that share an append. */
  private final class Batch {

    private final List<Pending> members = new ArrayList<>();
    private final List<TxnResult> results = new ArrayList<>();
    private final List<KeyChange> changes = new ArrayList<>();
    private final Map<Bytes, Head> staged = new HashMap<>();
    private long revision = state.revision();
    private long bytes;

    void add(Pending pending) {
      members.add(pending);
      bytes += pending.bytes;
      TxnResult result;
      try {
        result = judge(pending.txn);
      } catch (Throwable e) { // an Error too: somebody waits for the answer
        members.removeLast();
        release(pending);
        pending.answer.completeExceptionally(
            e instanceof StoreException known
                ? known
                : new StoreException.Unavailable("the transaction could not be judged: " + e, e));
        return;
      }
      results.add(result);
    }

    private TxnResult judge(Txn txn) {
      List<TxnResult.Failure> failures = null;
      for (Compare compare : txn.compares()) {
        KeyValue current = current(compare);
        if (!compare.holdsFor(current)) {
          if (failures == null) {
            failures = new ArrayList<>();
          }
          Head head = head(compare.key());
          failures.add(
              new TxnResult.Failure(
                  compare, head == null ? null : state.keyValue(compare.key(), head)));
        }
      }
      if (failures != null) {
        return new TxnResult.Rejected(revision, List.copyOf(failures));
      }
      return apply(txn);
    }

    /** What the comparison needs to know; the value only if it is what is compared. */
    private @Nullable KeyValue current(Compare compare) {
      Head head = head(compare.key());
      if (head == null) {
        return null;
      }
      return compare instanceof Compare.Value
          ? state.keyValue(compare.key(), head)
          : state.keyOnly(compare.key(), head);
    }

    /** The key's newest version, null if it is not there. */
    private @Nullable Head head(Bytes key) {
      Head head = newest(key);
      return head == null || head.deleted() ? null : head;
    }

    private @Nullable Head newest(Bytes key) {
      Head head = staged.get(key);
      return head != null ? head : state.head(key);
    }

    private TxnResult apply(Txn txn) {
      long next = revision + 1;
      int position = 0;
      for (Write write : txn.writes()) {
        Head before = newest(write.key());
        Head live = before == null || before.deleted() ? null : before;
        if (live == null && write instanceof Write.Delete) {
          continue;
        }
        long previousRevision = before == null ? 0 : before.modRevision();
        int previousPosition = before == null ? 0 : before.position();
        KeyChange change =
            switch (write) {
              case Write.Put put ->
                  new KeyChange(
                      next,
                      position,
                      put.key(),
                      put.value(),
                      live == null ? next : live.createRevision(),
                      live == null ? 1 : live.version() + 1,
                      previousRevision,
                      previousPosition);
              case Write.Delete delete ->
                  new KeyChange(
                      next, position, delete.key(), null, 0, 0, previousRevision, previousPosition);
            };
        position++;
        changes.add(change);
        Head head = Head.of(change);
        head.cached = change.value();
        staged.put(change.key(), head);
      }
      if (position == 0) {
        return new TxnResult.Committed(revision, false);
      }
      revision = next;
      return new TxnResult.Committed(revision, true);
    }

    void commit() {
      if (!changes.isEmpty()) {
        try {
          journal.append(changes);
        } catch (StoreException.OutOfSpace | StoreException.Closed e) {
          fail(e);
          return;
        } catch (Throwable e) { // an Error too: what was kept is as unknown then
          broken =
              new StoreException.Unavailable(
                  "the store takes no more writes since one failed ("
                      + e.getMessage()
                      + "); restart to find out what was kept",
                  e);
          fail(
              new StoreException.UnknownOutcome("the write failed half-way: " + e.getMessage(), e));
          return;
        }
        state.publish(changes, staged, revision);
        hub.publish(changes, revision);
      }
      for (int i = 0; i < members.size(); i++) {
        release(members.get(i));
        members.get(i).answer.complete(results.get(i));
      }
    }

    private void fail(StoreException cause) {
      for (Pending member : members) {
        release(member);
        member.answer.completeExceptionally(cause);
      }
    }
  }
}
