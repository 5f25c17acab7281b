package dev.evenkeel.serve.allocation;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.fit.NodeLedger;
import dev.evenkeel.store.KeyValue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One node's ledger, as it will be once everything that was sent is committed: a hint, for the
 * store's comparison decides.
 *
 * <p><b>Threading:</b> everything but the revision is guarded by the page itself.
 */
final class Page {

  /** What is compared; null if there is no ledger. */
  @Nullable Bytes value;

  @Nullable NodeLedger ledger;

  /** Of what the store showed last. */
  volatile long revision;

  /** How many writes charged it. */
  long charges;

  /** Completes when the store has answered the write that charged it last, and pages know it. */
  CompletableFuture<?> lastSettled = CompletableFuture.completedFuture(null);

  /** Grows when something that was written ahead did not come to be. */
  long epoch;

  Page(@Nullable KeyValue stored) {
    set(stored);
  }

  void set(@Nullable KeyValue stored) {
    value = stored == null ? null : stored.value();
    ledger = stored == null ? null : NodeLedger.parse(stored.value().array());
    revision = stored == null ? 0 : stored.modRevision();
  }
}
