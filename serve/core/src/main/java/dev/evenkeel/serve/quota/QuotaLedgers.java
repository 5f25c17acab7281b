package dev.evenkeel.serve.quota;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.quantity.Amounts;
import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.serve.ledger.Bill;
import dev.evenkeel.serve.ledger.Ledgers;
import dev.evenkeel.serve.ledger.Postings;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.Txn;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The ledgers of quotas, and of tenants' shares of zones, which are quotas of pods that have a
 * node.
 *
 * <p><b>Invariant:</b> a write that may change what is used carries the revision of its namespace's
 * register; so none is admitted beside a quota.
 *
 * <p><b>Threading:</b> any thread; objects are added up on a loop.
 */
public final class QuotaLedgers {

  private final Store store;
  private final Registers registers;
  private final Ledgers<QuotaLedger> ledgers;
  private volatile BiConsumer<String, String> onCharge = (_, _) -> {};

  /** Where to find the objects of a kind; null if it is not served. */
  public interface Kinds {
    @Nullable KindCache cache(String group, String plural);
  }

  /**
   * @param walks where objects are added up
   */
  public QuotaLedgers(Store store, Postings postings, Loop walks, Kinds kinds) {
    this.store = store;
    this.registers = new Registers(store);
    this.ledgers = new Ledgers<>(postings, new QuotaKind(registers, walks, kinds), walks);
  }

  /** Is told the namespace and name of each quota whose ledger this server changed. */
  public void onCharge(BiConsumer<String, String> listener) {
    onCharge = listener;
  }

  /**
   * What a write costs.
   *
   * @param changes of objects of one namespace that are written together
   */
  public Bill<?> bill(List<PlannedWrite> changes) {
    return new QuotaBill(this, changes);
  }

  /** All of them. */
  public Ledgers<?> all() {
    return ledgers;
  }

  Ledgers<QuotaLedger> ledgers() {
    return ledgers;
  }

  Registers registers() {
    return registers;
  }

  void changed(String ledger) {
    int slash = ledger.indexOf('/');
    onCharge.accept(ledger.substring(0, slash), ledger.substring(slash + 1));
  }

  /** A ledger was written with its quota. */
  void changedElsewhere(String ledger) {
    ledgers.forget(ledger);
    changed(ledger);
  }

  // ---- for statuses

  /**
   * Counts what there is of a quota if nobody has yet. One that the register does not know, made by
   * an older version of this server, is entered first.
   */
  public CompletableFuture<@Nullable Void> countIfNeeded(
      String namespace, ObjectNode quota, boolean isTenant) {
    QuotaSpec stored = QuotaSpec.of(quota, isTenant);
    return registers
        .read(namespace, Store.NEWEST)
        .thenCompose(
            found -> {
              QuotaSpec known = found.register().quotas().get(stored.name());
              return known == null || !known.uid().equals(stored.uid())
                  ? enter(namespace, found.register(), stored)
                  : ledgers.count(QuotaLedger.name(namespace, known.name()));
            });
  }

  private CompletableFuture<@Nullable Void> enter(
      String namespace, Register register, QuotaSpec quota) {
    Bytes key = Register.key(namespace);
    Txn txn =
        Txn.builder()
            .ifModRevision(key, register.revision())
            .put(key, register.with(quota).toBytes())
            .put(QuotaLedger.key(namespace, quota.name()), QuotaLedger.uncounted(quota).toBytes())
            .build();
    return store
        .commit(txn)
        .thenCompose(_ -> registers.read(namespace, Store.NEWEST))
        .thenApply(
            _ -> {
              ledgers.forget(QuotaLedger.name(namespace, quota.name()));
              return null;
            });
  }

  /** What is used of a quota; null if it has no ledger or is not counted yet. */
  public CompletableFuture<@Nullable Amounts> used(String namespace, String quota, String uid) {
    return store
        .get(QuotaLedger.key(namespace, quota), Store.NEWEST)
        .thenApply(
            found -> {
              KeyValue item = found.item();
              QuotaLedger ledger = item == null ? null : QuotaLedger.parse(item.value());
              return ledger != null && ledger.counted() && ledger.uid().equals(uid)
                  ? ledger.used()
                  : null;
            });
  }

  /** What is used of a namespace's quotas, or of all; those not counted yet are left out. */
  public CompletableFuture<Map<String, Amounts>> usedIn(String namespace) {
    return store
        .range(RangeQuery.prefix(QuotaLedger.prefix(namespace)))
        .thenApply(
            range -> {
              Map<String, Amounts> used = new HashMap<>();
              for (KeyValue item : range.items()) {
                QuotaLedger ledger = QuotaLedger.parse(item.value());
                if (ledger.counted()) {
                  used.put(QuotaLedger.name(item.key()), ledger.used());
                }
              }
              return used;
            });
  }
}
