package dev.evenkeel.serve.registry;

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
 * to the quotas of its namespace, and a namespace comes with its default account.
 */
final class Companions {

  /**
   * Kinds that no quota counts, as upstream has it: they come by themselves and go by themselves.
   */
  private static final Set<String> UNCOUNTED = Set.of("events");

  private final Store store;
  private final QuotaBooks books;
  private final DefaultAccounts accounts;

  Companions(Store store, QuotaBooks books, DefaultAccounts accounts) {
    this.store = store;
    this.books = books;
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
      return store.commit(
          current == null && DefaultAccounts.isNamespace(served)
              ? accounts.with(write, key)
              : write);
    }
    Change change = change(served, key, current, decision);
    return change == null ? store.commit(write) : books.commit(change, write);
  }

  /** Whether the write would be let through; fails if not. */
  @Nullable CompletableFuture<@Nullable Void> check(
      Served served, String key, @Nullable CachedObject current, Authority.Decision decision) {
    Change change =
        served.definition().namespaced() ? change(served, key, current, decision) : null;
    return change == null ? null : books.check(change);
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
            current == null ? null : current.json(),
            decision instanceof Authority.Decision.Put put ? put.stored() : null);
    return change.mayCount() ? change : null;
  }
}
