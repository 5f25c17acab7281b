package dev.evenkeel.serve.quota;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.quantity.Amounts;
import dev.evenkeel.store.GetResult;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts anew, a few quotas at a time, and mends a ledger that is wrong. By the books' invariants
 * none ever is; a store that was edited by other means, or a fault of ours, would show here.
 *
 * <p>A ledger and the objects are held against each other as of one revision. What is off then is
 * off now, however much was charged since, so it is the difference that is written.
 *
 * <p><b>Threading:</b> owned by the loop.
 */
public final class QuotaAudit {

  private static final System.Logger LOG = System.getLogger(QuotaAudit.class.getName());

  private static final Duration FIRST = Duration.ofSeconds(5);
  private static final Duration INTERVAL = Duration.ofSeconds(30);
  private static final int QUOTAS_EACH_TIME = 20;
  private static final int ATTEMPTS_MAX = 50;

  private final Store store;
  private final QuotaBooks books;
  private final Counting counting;
  private final Loop loop;
  private final LongAdder audits = new LongAdder();
  private final LongAdder repairs = new LongAdder();
  private Bytes next = Ledger.prefix("");

  public QuotaAudit(Store store, QuotaBooks books, Loop loop) {
    this.store = store;
    this.books = books;
    this.counting = books.counting();
    this.loop = loop;
  }

  /** Begins, and goes on until the loop is closed. */
  public void start() {
    later(FIRST);
  }

  /** How many ledgers were held against the objects. */
  public long audits() {
    return audits.sum();
  }

  /** How many ledgers were wrong. */
  public long repairs() {
    return repairs.sum();
  }

  private void later(Duration delay) {
    try {
      var _ = loop.runLater(delay, this::someQuotas);
    } catch (RejectedExecutionException e) {
      // The server closes.
    }
  }

  private void someQuotas() {
    var query =
        RangeQuery.prefix(Ledger.prefix("")).startingAt(next).limit(QUOTAS_EACH_TIME).keysOnly();
    var _ =
        store
            .range(query)
            .thenCompose(
                range -> {
                  CompletableFuture<@Nullable Void> all = CompletableFuture.completedFuture(null);
                  for (KeyValue item : range.items()) {
                    String key = Ledger.objectKey(item.key());
                    all = all.thenCompose(_ -> audit(key));
                  }
                  Bytes from =
                      range.more() ? range.items().getLast().key().successor() : Ledger.prefix("");
                  return all.thenApply(_ -> from);
                })
            .whenComplete(
                (from, failure) -> {
                  if (failure != null) {
                    LOG.log(System.Logger.Level.DEBUG, "quotas were not counted anew", failure);
                  }
                  again(from == null ? Ledger.prefix("") : from);
                });
  }

  private void again(Bytes from) {
    try {
      loop.execute(
          () -> {
            next = from;
            later(INTERVAL);
          });
    } catch (RejectedExecutionException e) {
      // The server closes.
    }
  }

  /** Holds one ledger against the objects; what cannot be counted now is left for the next time. */
  CompletableFuture<@Nullable Void> audit(String key) {
    int slash = key.indexOf('/');
    String namespace = key.substring(0, slash);
    String name = key.substring(slash + 1);
    return store
        .currentRevision()
        .thenCompose(
            revision ->
                both(namespace, name, revision)
                    .thenCompose(
                        books ->
                            books == null
                                ? CompletableFuture.completedFuture(null)
                                : count(namespace, books, revision)))
        .handle(
            (_, failure) -> {
              if (failure != null) {
                LOG.log(System.Logger.Level.DEBUG, () -> "cannot count quota " + key, failure);
              }
              return null;
            });
  }

  private record Entry(QuotaSpec quota, long registered, Bytes value, Ledger ledger) {}

  /** A quota with its ledger, as of one revision; null if it was not counted yet. */
  private CompletableFuture<@Nullable Entry> both(String namespace, String name, long revision) {
    return store
        .get(Register.key(namespace), revision)
        .thenCompose(
            register ->
                store
                    .get(Ledger.key(namespace, name), register.revision())
                    .thenApply(ledger -> entry(name, register, ledger)));
  }

  private static @Nullable Entry entry(String name, GetResult found, GetResult stored) {
    Register register = Register.of(found.item());
    QuotaSpec quota = register.quotas().get(name);
    KeyValue item = stored.item();
    if (quota == null || item == null) {
      return null;
    }
    Ledger ledger = Account.ledger(quota, item.value());
    return ledger.counted() ? new Entry(quota, register.revision(), item.value(), ledger) : null;
  }

  private CompletableFuture<@Nullable Void> count(String namespace, Entry entry, long revision) {
    return counting
        .count(
            namespace,
            entry.quota,
            cache -> cache.atLeast(revision).thenCompose(_ -> cache.exactly(revision)))
        .thenCompose(
            counted -> {
              audits.increment();
              Amounts drift = counted.minus(entry.ledger.used()).withoutZeros();
              return drift.isEmpty()
                  ? CompletableFuture.completedFuture(null)
                  : repair(namespace, entry.quota, drift, 0);
            });
  }

  private CompletableFuture<@Nullable Void> repair(
      String namespace, QuotaSpec quota, Amounts drift, int attempts) {
    return both(namespace, quota.name(), Store.NEWEST)
        .thenCompose(
            entry -> {
              if (entry == null || !entry.quota.countsLike(quota) || attempts > ATTEMPTS_MAX) {
                return CompletableFuture.completedFuture(null);
              }
              Bytes key = Ledger.key(namespace, quota.name());
              Txn txn =
                  Txn.builder()
                      .ifModRevision(Register.key(namespace), entry.registered)
                      .ifValue(key, entry.value)
                      .put(key, entry.ledger.charged(drift).toBytes())
                      .build();
              return store
                  .commit(txn)
                  .thenCompose(
                      result -> {
                        if (result instanceof TxnResult.Rejected) {
                          return repair(namespace, quota, drift, attempts + 1);
                        }
                        repaired(namespace, quota, drift);
                        return CompletableFuture.completedFuture(null);
                      });
            });
  }

  private void repaired(String namespace, QuotaSpec quota, Amounts drift) {
    repairs.increment();
    books.changedElsewhere(namespace, quota.name());
    LOG.log(
        System.Logger.Level.WARNING,
        () ->
            "the ledger of quota "
                + namespace
                + "/"
                + quota.name()
                + " did not agree with the objects and was mended by "
                + drift);
  }
}
