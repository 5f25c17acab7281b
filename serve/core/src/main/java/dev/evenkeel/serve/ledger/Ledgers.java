package dev.evenkeel.serve.ledger;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.metric.Meters;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.TxnResult;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * All ledgers of one kind: their pages, and how they are counted.
 *
 * <p><b>Invariant:</b> a ledger is charged only once it was counted. Between its making and its
 * count nothing that it is about can change: any state in between is the right one to count.
 *
 * <p><b>Threading:</b> pages are written on the loop of {@link Postings}; what they say may be read
 * by all.
 */
public final class Ledgers<L> {

  /** Beyond it the idle ones are dropped: they are soon read again. */
  private static final int PAGES_MAX = 250_000;

  private final Postings postings;
  private final LedgerKind<L> kind;
  private final Counts<L> counts;
  private final LedgerAudit<L> audit;
  private final ConcurrentHashMap<String, Page<L>> pages = new ConcurrentHashMap<>();
  private final LongAdder charges = new LongAdder();
  private final LongAdder repeated = new LongAdder();

  /**
   * @param walks the loop on which the audit goes round
   */
  public Ledgers(Postings postings, LedgerKind<L> kind, Loop walks) {
    this.postings = postings;
    this.kind = kind;
    this.counts = new Counts<>(this);
    this.audit = new LedgerAudit<>(this, walks);
  }

  /** Has ledgers held against the objects from now on, some at a time. */
  public void startAudit() {
    audit.start();
  }

  Postings postings() {
    return postings;
  }

  LedgerKind<L> kind() {
    return kind;
  }

  Counts<L> counts() {
    return counts;
  }

  Bytes key(String name) {
    return Bytes.utf8(kind.prefix.utf8() + name);
  }

  String name(Bytes key) {
    return key.utf8().substring(kind.prefix.length());
  }

  /** What is known here of a ledger, with what is posted to it; null if nothing is. */
  public @Nullable LedgerState<L> known(String name) {
    Page<L> page = pages.get(name);
    return page == null ? null : page.newest();
  }

  /** Has a ledger counted that was not yet; completed when it was tried. */
  public CompletableFuture<@Nullable Void> count(String name) {
    var counted = new CompletableFuture<@Nullable Void>();
    boolean open =
        postings.onLoop(
            () ->
                postings.then(
                    counts.count(name), counted::complete, counted::completeExceptionally));
    if (!open) {
      counted.completeExceptionally(Postings.closed());
    }
    return counted;
  }

  CompletableFuture<?> countAll(List<String> names) {
    return CompletableFuture.allOf(
        names.stream().map(this::count).toArray(CompletableFuture<?>[]::new));
  }

  /** A ledger was written past the postings. */
  public void forget(String name) {
    postings.onLoop(
        () -> {
          Page<L> page = pages.get(name);
          if (page != null) {
            page.forget();
          }
        });
  }

  CompletableFuture<LedgerState<L>> read(String name, long revision) {
    return postings
        .store()
        .get(key(name), revision)
        .thenApply(found -> state(name, found.item(), found.revision()));
  }

  LedgerState<L> state(String name, @Nullable KeyValue item, long asOf) {
    return item == null
        ? new LedgerState<>(name, null, null, 0, asOf)
        : new LedgerState<>(name, item.value(), kind.parse(item.value()), item.modRevision(), asOf);
  }

  // ---- the loop's

  Page<L> page(String name) {
    Page<L> page = pages.get(name);
    if (page == null) {
      if (pages.size() >= PAGES_MAX) {
        pages.values().removeIf(Page::isIdle);
      }
      page = new Page<>(this, name);
      pages.put(name, page);
    }
    return page;
  }

  /** One charge of a write was settled. */
  void settled(@Nullable TxnResult result, boolean again) {
    if (result instanceof TxnResult.Committed) {
      charges.increment();
    } else if (again) {
      repeated.increment();
    }
  }

  // ---- what there is to see

  /** Adds how charges and audits went, under the name of this kind of ledger. */
  public void register(Meters meters) {
    String name = "evenkeel_" + kind.called;
    meters.counted(
        name + "_charges_total",
        "Charges to " + kind.called + "s that were committed",
        () -> (double) charges.sum());
    meters.counted(
        name + "_charges_repeated_total",
        "Charges decided again, since others came first",
        () -> (double) repeated.sum());
    meters.measured(
        name + "_charges_posted",
        "Charges on their way, by which ledgers are judged already",
        () -> (double) pages.values().stream().mapToLong(Page::postedCount).sum());
    meters.counted(
        name + "_ledgers_audited_total",
        "Ledgers held against the objects",
        () -> (double) audit.audits());
    meters.counted(
        name + "_ledgers_repaired_total",
        "Ledgers that were wrong and were mended",
        () -> (double) audit.repairs());
  }
}
