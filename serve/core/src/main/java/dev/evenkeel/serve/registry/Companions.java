package dev.evenkeel.serve.registry;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.allocation.NodeBooks;
import dev.evenkeel.serve.allocation.NodeChange;
import dev.evenkeel.serve.allocation.PodChange;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.quota.Change;
import dev.evenkeel.serve.quota.QuotaBooks;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What a write brings about beside its own object, in the same transaction: what it uses is charged
 * to the quotas of its namespace, what a pod takes to its node, and a namespace comes with its
 * default account.
 */
final class Companions {

  /**
   * Kinds that no quota counts, as upstream has it: they come by themselves and go by themselves.
   */
  private static final Set<String> UNCOUNTED = Set.of("events");

  private final Store store;
  private final QuotaBooks books;
  private final NodeBooks nodes;
  private final DefaultAccounts accounts;

  Companions(Store store, QuotaBooks books, NodeBooks nodes, DefaultAccounts accounts) {
    this.store = store;
    this.books = books;
    this.nodes = nodes;
    this.accounts = accounts;
  }

  /** Commits the write with all that belongs to it. */
  CompletableFuture<TxnResult> commit(
      Served served,
      String key,
      @Nullable CachedObject current,
      Authority.Decision decision,
      Txn write) {
    if (!served.definition().namespaced()) {
      NodeChange node =
          isCore(served, "nodes") ? NodeChange.of(key, json(current), stored(decision)) : null;
      if (node != null) {
        return nodes.commit(node, write);
      }
      return store.commit(
          current == null && DefaultAccounts.isNamespace(served)
              ? accounts.with(write, key)
              : write);
    }
    Change change = change(served, key, current, decision);
    PodChange pod = podChange(served, key, current, decision);
    if (pod != null) {
      return nodes.commit(
          pod, write, txn -> change == null ? store.commit(txn) : books.commit(change, txn));
    }
    return change == null ? store.commit(write) : books.commit(change, write);
  }

  private static boolean isCore(Served served, String plural) {
    return served.group().isEmpty() && served.plural().equals(plural);
  }

  private static byte @Nullable [] json(@Nullable CachedObject current) {
    return current == null ? null : current.json();
  }

  private static byte @Nullable [] stored(Authority.Decision decision) {
    return decision instanceof Authority.Decision.Put put ? put.stored() : null;
  }

  private static @Nullable PodChange podChange(
      Served served, String key, @Nullable CachedObject current, Authority.Decision decision) {
    if (!isCore(served, "pods")) {
      return null;
    }
    int field = served.cache().indexedFields().indexOf("spec.nodeName");
    boolean hadNode = current != null && (field < 0 || !current.field(field).isEmpty());
    int slash = key.indexOf('/');
    return PodChange.of(
        key.substring(0, slash),
        key.substring(slash + 1),
        current != null && hadNode ? Json.parse(current.json()) : null,
        decision instanceof Authority.Decision.Put put ? put.object() : null);
  }

  /** Whether the write would be let through; fails if not. */
  @Nullable CompletableFuture<@Nullable Void> check(
      Served served, String key, @Nullable CachedObject current, Authority.Decision decision) {
    Change change =
        served.definition().namespaced() ? change(served, key, current, decision) : null;
    PodChange pod = podChange(served, key, current, decision);
    if (pod == null) {
      return change == null ? null : books.check(change);
    }
    CompletableFuture<@Nullable Void> fits = nodes.check(pod);
    return change == null ? fits : fits.thenCompose(_ -> books.check(change));
  }

  private static @Nullable Change change(
      Served served, String key, @Nullable CachedObject current, Authority.Decision decision) {
    if (UNCOUNTED.contains(served.plural())) {
      return null;
    }
    int slash = key.indexOf('/');
    var change =
        new Change(
            served.definition().storage().group(),
            served.definition().storage().resource(),
            key.substring(0, slash),
            key.substring(slash + 1),
            json(current),
            stored(decision));
    return change.mayCount() ? change : null;
  }
}
