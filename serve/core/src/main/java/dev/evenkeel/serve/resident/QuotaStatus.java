package dev.evenkeel.serve.resident;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.quantity.Amounts;
import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.cache.Scope;
import dev.evenkeel.serve.cache.Snapshot;
import dev.evenkeel.serve.ownership.Managers;
import dev.evenkeel.serve.quota.QuotaLedgers;
import dev.evenkeel.serve.quota.TenantQuotas;
import dev.evenkeel.serve.resource.ResourceTable;
import dev.evenkeel.serve.resource.Served;
import dev.evenkeel.serve.write.Writes;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Shows in each quota's status what its ledger says: before anybody reads it, and otherwise shortly
 * after it changed, for those who watch. So a thousand creates are a thousand charges, and a few
 * versions of the quota.
 *
 * <p><b>Invariant:</b> a status is never replaced by an older one: the ledger is read after the
 * version of the quota that the write is conditional on.
 *
 * <p><b>Threading:</b> any thread; what is late is written from the loop.
 */
public final class QuotaStatus {

  private static final System.Logger LOG = System.getLogger(QuotaStatus.class.getName());

  /** Upstream's quotas are counted by a controller, and tools know it by this name. */
  private static final String MANAGER = "kube-controller-manager";

  private static final Duration DELAY = Duration.ofMillis(250);
  private static final int ATTEMPTS_MAX = 20;

  private final Store store;
  private final ResourceTable resources;
  private final QuotaLedgers ledgers;
  private final Managers managers;
  private final Loop loop;
  private final Set<String> late = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean scheduled = new AtomicBoolean();

  public QuotaStatus(
      Store store, ResourceTable resources, QuotaLedgers ledgers, Managers managers, Loop loop) {
    this.store = store;
    this.resources = resources;
    this.ledgers = ledgers;
    this.managers = managers;
    this.loop = loop;
    ledgers.onCharge(this::changed);
  }

  public static boolean isQuota(Served served) {
    return isTenant(served)
        || (served.group().isEmpty() && served.plural().equals("resourcequotas"));
  }

  private static boolean isTenant(Served served) {
    return TenantQuotas.isKind(served.group(), served.plural());
  }

  private void changed(String namespace, String quota) {
    if (late.add(namespace + "/" + quota) && scheduled.compareAndSet(false, true)) {
      try {
        var _ = loop.runLater(DELAY, this::writeLate);
      } catch (RejectedExecutionException e) {
        // The server closes: the next one to start looks at all of them.
      }
    }
  }

  private void writeLate() {
    scheduled.set(false);
    for (String key : List.copyOf(late)) {
      late.remove(key);
      var _ =
          writeRegistered(key)
              .exceptionally(
                  failure -> {
                    LOG.log(System.Logger.Level.DEBUG, () -> "the status of quota " + key, failure);
                    return null;
                  });
    }
  }

  /**
   * @param key of the ledger
   */
  private CompletableFuture<@Nullable Void> writeRegistered(String key) {
    int slash = key.indexOf('/');
    String name = key.substring(slash + 1);
    return TenantQuotas.isRegistered(name)
        ? write(tenantQuotas(), key.substring(0, slash + 1) + TenantQuotas.name(name), 0)
        : write(quotas(), key, 0);
  }

  /** Brings the statuses of the quotas of all namespaces to what the ledgers say now. */
  public CompletableFuture<@Nullable Void> refreshAll() {
    return refresh(quotas(), "").thenCompose(_ -> refresh(tenantQuotas(), ""));
  }

  /** Brings the statuses of a namespace's quotas, or of all, to what the ledgers say now. */
  public CompletableFuture<@Nullable Void> refresh(Served quotas, String namespace) {
    return quotas
        .cache()
        .ready()
        .thenCompose(_ -> store.currentRevision())
        .thenCompose(quotas.cache()::atLeast)
        .thenCompose(
            snapshot ->
                snapshot.tree().size() == 0
                    ? CompletableFuture.completedFuture(null)
                    : ledgers
                        .usedIn(namespace)
                        .thenCompose(used -> writeDiffering(quotas, namespace, snapshot, used)));
  }

  private CompletableFuture<@Nullable Void> writeDiffering(
      Served quotas, String namespace, Snapshot snapshot, Map<String, Amounts> usedByKey) {
    List<CompletableFuture<?>> writes = new ArrayList<>();
    Scope scope = Scope.of(namespace);
    SortedTree.Walk<CachedObject> walk = snapshot.tree().from(scope.firstKey());
    CachedObject quota;
    while ((quota = walk.next()) != null && !scope.isPast(quota)) {
      Amounts used = shown(quotas, usedByKey.get(ledgerKey(quotas, quota.key())));
      if (used == null || !shows(Json.parseObject(quota.json()), used)) {
        writes.add(write(quotas, quota.key(), 0));
      }
    }
    return CompletableFuture.allOf(writes.toArray(new CompletableFuture<?>[0]))
        .thenApply(_ -> null);
  }

  private Served quotas() {
    return resources.at("", "v1", "resourcequotas");
  }

  private Served tenantQuotas() {
    return resources.at(TenantQuotas.GROUP, "v1alpha1", TenantQuotas.PLURAL);
  }

  private static String registered(Served quotas, String name) {
    return isTenant(quotas) ? TenantQuotas.registered(name) : name;
  }

  private static String ledgerKey(Served quotas, String key) {
    int slash = key.indexOf('/');
    return key.substring(0, slash + 1) + registered(quotas, key.substring(slash + 1));
  }

  /** What is used, by the names that the kind has for it. */
  private static @Nullable Amounts shown(Served quotas, @Nullable Amounts used) {
    return used == null || !isTenant(quotas) ? used : TenantQuotas.shown(used);
  }

  private static boolean shows(ObjectNode quota, Amounts used) {
    return Amounts.of(quota.path("status").path("used")).equals(used)
        && Amounts.of(quota.path("status").path("hard"))
            .equals(Amounts.of(quota.path("spec").path("hard")));
  }

  private CompletableFuture<@Nullable Void> write(Served quotas, String key, int attempts) {
    Bytes storeKey = quotas.storeKey(key);
    int slash = key.indexOf('/');
    String namespace = key.substring(0, slash);
    String name = key.substring(slash + 1);
    return store
        .get(storeKey, Store.NEWEST)
        .thenCompose(
            found -> {
              if (found.item() == null || attempts > ATTEMPTS_MAX) {
                return CompletableFuture.completedFuture(null);
              }
              ObjectNode quota = Json.parseObject(found.item().value().array());
              long revision = found.item().modRevision();
              return ledgers
                  .used(namespace, registered(quotas, name), Meta.uid(quota))
                  .thenApply(used -> shown(quotas, used))
                  .thenCompose(
                      used -> {
                        if (used == null) {
                          return ledgers
                              .countIfNeeded(namespace, quota, isTenant(quotas))
                              .thenCompose(_ -> write(quotas, key, attempts + 1));
                        }
                        return shows(quota, used)
                            ? CompletableFuture.completedFuture(null)
                            : commit(quotas, key, quota, revision, used, attempts);
                      });
            });
  }

  private CompletableFuture<@Nullable Void> commit(
      Served quotas, String key, ObjectNode quota, long revision, Amounts used, int attempts) {
    ObjectNode before = quota.deepCopy();
    ObjectNode status = quota.putObject("status");
    status.set("hard", quota.path("spec").path("hard").deepCopy());
    status.set("used", used.toJson());
    managers.updateByServer(quotas, quota, before, MANAGER, "status");
    Bytes storeKey = quotas.storeKey(key);
    Txn txn =
        Txn.builder()
            .ifModRevision(storeKey, revision)
            .put(storeKey, Bytes.wrap(Writes.stored(quotas, quota)))
            .build();
    return store
        .commit(txn)
        .thenCompose(
            result ->
                result instanceof TxnResult.Rejected
                    ? write(quotas, key, attempts + 1)
                    : CompletableFuture.completedFuture(null));
  }
}
