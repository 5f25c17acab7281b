package dev.evenkeel.serve.quota;

import dev.evenkeel.kernel.bytes.Bytes;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One namespace's books as this server knows them: a hint, for the store's comparisons decide.
 *
 * <p><b>Invariants:</b> a page is what the store will have once everything in flight is committed.
 * When something in flight fails, the pages it wrote are set back and their epoch grows, so that
 * others that fail in its wake set nothing back. At most {@code window} charges are in flight.
 *
 * <p><b>Threading:</b> everything is guarded by the account itself.
 */
final class Account {

  /** As many charges as the writes' lane is likely to have under way at a time. */
  static final int WINDOW_MAX = 128;

  /** One ledger. */
  static final class Page {
    /** What is compared; null if there is no such key. */
    @Nullable Bytes value;

    Ledger ledger;
    long epoch;

    Page(@Nullable Bytes value, Ledger ledger) {
      this.value = value;
      this.ledger = ledger;
    }

    void set(@Nullable Bytes newValue, Ledger newLedger) {
      value = newValue;
      ledger = newLedger;
    }
  }

  private volatile Register register = Register.NONE;
  private long registerAsOf;
  private final Map<String, Page> pages = new HashMap<>();
  final Map<String, CompletableFuture<@Nullable Void>> counting = new HashMap<>();
  final ArrayDeque<Runnable> waiting = new ArrayDeque<>();

  /** That of the charge that was sent last. */
  CompletableFuture<?> lastSettled = CompletableFuture.completedFuture(null);

  /** Likewise. */
  CompletableFuture<?> lastAnswered = CompletableFuture.completedFuture(null);

  /** How many charges were sent. */
  long sent;

  int inFlight;
  int window = WINDOW_MAX;
  boolean waking;

  Register register() {
    return register;
  }

  /** Takes over a register that the store showed, unless a newer one is known. */
  synchronized void learn(Register newest, long asOfRevision) {
    if (asOfRevision <= registerAsOf) {
      return;
    }
    registerAsOf = asOfRevision;
    if (newest.revision() != register.revision()) {
      register = newest;
      pages.clear();
    }
  }

  synchronized @Nullable Page page(String quota) {
    return pages.get(quota);
  }

  /** Takes over a ledger that the store showed, unless one is known. */
  synchronized void learn(QuotaSpec quota, @Nullable Bytes stored) {
    if (quota.equals(register.quotas().get(quota.name())) && !pages.containsKey(quota.name())) {
      pages.put(quota.name(), new Page(stored, ledger(quota, stored)));
    }
  }

  static Ledger ledger(QuotaSpec quota, @Nullable Bytes stored) {
    Ledger ledger = Ledger.of(stored);
    return ledger == null || !ledger.uid().equals(quota.uid()) ? Ledger.uncounted(quota) : ledger;
  }

  synchronized void forget(String quota) {
    pages.remove(quota);
  }
}
