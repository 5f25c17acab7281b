package dev.evenkeel.serve.ledger;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.Compare;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What is particular to one kind of ledger: its form, and how it follows from the objects. Two
 * ledgers with the same bytes are the same, whatever happened between.
 */
public abstract class LedgerKind<L> {

  final String called;
  final Bytes prefix;
  final boolean areCountedTogether;
  final int auditedEachTime;

  /**
   * @param called what logs and metrics call the things that have such ledgers
   * @param prefix of the keys; the rest is the ledger's name
   * @param areCountedTogether whether one walk over the objects is enough for many
   * @param auditedEachTime how many are held against the objects in each round of the audit
   */
  protected LedgerKind(
      String called, Bytes prefix, boolean areCountedTogether, int auditedEachTime) {
    this.called = called;
    this.prefix = prefix;
    this.areCountedTogether = areCountedTogether;
    this.auditedEachTime = auditedEachTime;
  }

  protected abstract L parse(Bytes stored);

  protected abstract Bytes encode(L ledger);

  /** Whether what was there before the ledger is in it. */
  protected abstract boolean isCounted(L ledger);

  /** Enters what has no ledger yet, before an audit. */
  protected CompletableFuture<?> enterMissing() {
    return CompletableFuture.completedFuture(null);
  }

  /**
   * A ledger as it is right.
   *
   * @param read the one that was there
   * @param conditions what must still be so, for it to be written
   */
  public record Count<L>(LedgerState<L> read, L right, List<Compare> conditions) {}

  /**
   * Counts those of the ledgers that are not counted, as of any state since they were read: until
   * they are counted, nothing that they are about can change.
   *
   * @return without those that need no count, or are no more
   */
  protected abstract CompletableFuture<List<Count<L>>> count(List<LedgerState<L>> ledgers);

  /**
   * Counts ledgers as of the revision at which they were read.
   *
   * @return without those of which it cannot be told any more
   */
  protected abstract CompletableFuture<List<Count<L>>> recount(
      List<LedgerState<L>> ledgers, long revision);

  /** The ledger once it is right; null if it is not for us to say any more. */
  protected @Nullable L mended(@Nullable L now, @Nullable L wrong, L right) {
    return now == null ? (wrong == null ? right : null) : now.equals(wrong) ? right : null;
  }
}
