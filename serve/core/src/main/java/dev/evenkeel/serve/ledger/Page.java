package dev.evenkeel.serve.ledger;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.Store;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One ledger as this server knows it: what the store showed last, and on top of it what was posted
 * and is not answered yet. A hint, for the store's comparison decides.
 *
 * <p><b>Invariants:</b> entries are in the order in which their writes were sent, and each was
 * judged on what the one before it is to write. So what becomes of the page when one of them is
 * lost is known at once: all behind it are lost too. What is settled is not posted any more.
 *
 * <p><b>Threading:</b> owned by the loop of {@link Postings}; the newest state may be read by all.
 */
final class Page<L> {

  /** As many charges as the writes' lane is likely to have under way at a time. */
  static final int WINDOW_MAX = 128;

  final Ledgers<L> ledgers;
  final String name;
  final Bytes key;

  /** Writes that wait for room, first come first. */
  final ArrayDeque<Posting> waiting = new ArrayDeque<>(0);

  private final ArrayDeque<Entry<L>> posted = new ArrayDeque<>(2);
  private @Nullable LedgerState<L> settled;
  private volatile @Nullable LedgerState<L> newest;
  private @Nullable CompletableFuture<@Nullable Void> loading;
  private long settledAsOf;
  private int window = WINDOW_MAX;

  Page(Ledgers<L> ledgers, String name) {
    this.ledgers = ledgers;
    this.name = name;
    this.key = ledgers.key(name);
  }

  /** As it will be when all that is posted is committed; null if it must be read first. */
  @Nullable LedgerState<L> newest() {
    return newest;
  }

  boolean isFull() {
    return posted.size() >= window;
  }

  boolean isIdle() {
    return posted.isEmpty() && waiting.isEmpty();
  }

  int postedCount() {
    return posted.size();
  }

  boolean holds(Entry<?> entry) {
    return posted.contains(entry);
  }

  @Nullable Posting lastPosting() {
    return posted.isEmpty() ? null : posted.getLast().posting;
  }

  /** What the store has; what is posted stays on top of it. */
  void shown(LedgerState<L> state) {
    if (posted.isEmpty() && state.asOf() >= settledAsOf) {
      settle(state, state.asOf());
    }
  }

  /** Others were faster, here or elsewhere: fewer at a time are decided on one another. */
  void conflicted() {
    window = Math.max(1, window / 2);
  }

  /** The ledger was written by other means: whoever comes next reads it. */
  void forget() {
    settle(null, settledAsOf);
  }

  /** Reads the ledger, whoever else wants it too. */
  CompletableFuture<?> load() {
    if (loading != null) {
      return loading;
    }
    var loaded = new CompletableFuture<@Nullable Void>();
    loading = loaded;
    ledgers
        .postings()
        .then(
            ledgers.read(name, Store.NEWEST),
            state -> {
              loading = null;
              shown(state);
              loaded.complete(null);
            },
            failure -> {
              loading = null;
              loaded.completeExceptionally(failure);
            });
    return loaded;
  }

  CompletableFuture<?> count() {
    return ledgers.counts().count(name);
  }

  private void settle(@Nullable LedgerState<L> state, long asOf) {
    settled = state;
    settledAsOf = asOf;
    showNewest();
  }

  private void showNewest() {
    newest = posted.isEmpty() ? settled : posted.getLast().after;
  }

  /** A charge to this page on its way. */
  static final class Entry<L> {
    final Posting posting;
    final Charge<L> charge;
    final Page<L> page;

    /** What it was judged on; set when it is posted, like what is to come of it. */
    @Nullable LedgerState<L> before;

    @Nullable LedgerState<L> after;
    boolean posted;

    Entry(Posting posting, Charge<L> charge, Page<L> page) {
      this.posting = posting;
      this.charge = charge;
      this.page = page;
    }

    /** Works out what is to be written; the page stays as it is. */
    void prepare() {
      LedgerState<L> now = page.newest;
      if (now == null) {
        throw new IllegalStateException("charged a ledger that is not known");
      }
      L ledger = charge.charged(now.ledger());
      Bytes value = ledger == null ? null : page.ledgers.kind().encode(ledger);
      before = now;
      after = new LedgerState<>(page.name, value, ledger, now.version(), 0);
    }

    void post() {
      posted = true;
      page.posted.addLast(this);
      page.showNewest();
    }

    /**
     * It is not to be, and so is nothing behind it.
     *
     * @param others takes up the writes that are lost with it
     */
    void takeBack(Collection<Posting> others) {
      if (!posted) {
        return;
      }
      Entry<L> last;
      do {
        last = page.posted.removeLast();
        last.posted = false;
        if (last != this) {
          others.add(last.posting);
        }
      } while (last != this);
      page.showNewest();
    }

    /** The store has it, and all that was before it. */
    void committed(long revision) {
      page.window = Math.min(WINDOW_MAX, page.window + 1);
      LedgerState<L> now = after;
      if (posted && now != null) {
        Entry<L> first;
        do {
          first = page.posted.removeFirst();
          first.posted = false;
        } while (first != this);
        page.settle(
            new LedgerState<>(now.name(), now.value(), now.ledger(), revision, revision), revision);
      } else if (revision > page.settledAsOf) {
        // It was taken back, and the store had the same ledger for another reason. If it is older,
        // one behind it was answered first.
        page.forget();
      }
    }

    /** Nobody knows: what is behind it will tell, or whoever looks next. */
    void unknown() {
      page.posted.remove(this);
      posted = false;
      page.forget();
    }
  }
}
