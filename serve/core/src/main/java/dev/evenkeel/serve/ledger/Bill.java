package dev.evenkeel.serve.ledger;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.Compare;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.Write;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * What one write costs the ledgers of one kind, and on which conditions beside the ledgers that is
 * so.
 *
 * <p><b>Threading:</b> belongs to its write: first to whoever hands it in, then to the loop of
 * {@link Postings}. {@link #isCondition}, {@link #learn} and {@link #committed} may come on any
 * thread.
 */
public abstract class Bill<L> {

  private final Ledgers<L> ledgers;

  protected Bill(Ledgers<L> ledgers) {
    this.ledgers = ledgers;
  }

  final Ledgers<L> ledgers() {
    return ledgers;
  }

  /** By what is known here; at most one for each ledger. */
  protected abstract List<? extends Charge<L>> charges();

  /** Adds what the last {@link #charges} rest on, and what is to be written with them. */
  protected void addConditions(List<Compare> compares, List<Write> writes) {}

  /** Whether the key is one that conditions compare. */
  protected boolean isCondition(Bytes key) {
    return false;
  }

  /** A condition did not hold. */
  protected void learn(TxnResult.Failure failure, long revision) {}

  protected void committed(long revision) {}

  /**
   * The charges by what the store has, for a last word on those that are refused by what is known.
   *
   * @param suspects those charges
   */
  protected CompletableFuture<AsStored<L>> asStored(List<? extends Charge<L>> suspects) {
    return CompletableFuture.completedFuture(new AsStored<>(0, suspects));
  }

  /**
   * @param revision as of which the ledgers are to be read; 0 for the newest
   */
  public record AsStored<L>(long revision, List<? extends Charge<L>> charges) {}

  /** A charge that the store's own ledger does not allow. */
  public record Refused<L>(Charge<L> charge, LedgerState<L> state) {}

  /** What the client is told; of charges that no ledger refuses there is nothing to tell. */
  protected ApiException refusal(List<Refused<L>> refused) {
    throw new IllegalStateException("refused what no ledger refuses");
  }

  /** Whose ledgers it is about, for a client that came too often in vain. */
  protected String owner() {
    return ledgers.kind().called + " " + charges().getFirst().ledger() + " is charged";
  }

  final ApiException tooOften() {
    return Status.tooManyRequests(owner() + " by too many at once", 1).asException();
  }
}
