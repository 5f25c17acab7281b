package dev.evenkeel.serve.write;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.allocation.NodeBooks;
import dev.evenkeel.serve.allocation.NodeChange;
import dev.evenkeel.serve.allocation.PodChange;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.quota.Change;
import dev.evenkeel.serve.quota.QuotaBooks;
import dev.evenkeel.serve.resource.Served;
import dev.evenkeel.serve.service.ServiceClaims;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a write brings about beside its own object, in the same transaction: what it uses is charged
 * to the quotas of its namespace, what a pod takes to its node, a service claims its addresses and
 * ports, and a namespace comes with its default account.
 */
public final class WriteCommitter {

  /**
   * Kinds that no quota counts, as upstream has it: they come by themselves and go by themselves.
   */
  private static final Set<String> UNCOUNTED = Set.of("events");

  private final Store store;
  private final QuotaBooks books;
  private final NodeBooks nodes;
  private final DefaultAccounts accounts;
  private final ServiceClaims claims;

  public WriteCommitter(
      Store store,
      QuotaBooks books,
      NodeBooks nodes,
      DefaultAccounts accounts,
      ServiceClaims claims) {
    this.claims = claims;
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
    Txn whole =
        Services.areServed(served)
            ? claims.with(write, tree(json(current)), tree(stored(decision)))
            : write;
    return commit(served, List.of(new Part(key, current, decision)), whole);
  }

  /** Asks whether what a service would claim is free; null if it would claim nothing. */
  @Nullable CompletableFuture<TxnResult> tryClaims(
      Served served, @Nullable CachedObject current, Authority.Decision decision) {
    Txn question =
        Services.areServed(served)
            ? claims.question(tree(json(current)), tree(stored(decision)))
            : null;
    return question == null ? null : store.commit(question);
  }

  private static @Nullable JsonNode tree(byte @Nullable [] json) {
    return json == null ? null : Json.parse(json);
  }

  /** One object of a write of several. */
  record Part(String key, @Nullable CachedObject current, Authority.Decision decision) {}

  /** Commits a write of several objects of one namespace with all that belongs to them. */
  CompletableFuture<TxnResult> commit(Served served, List<Part> parts, Txn write) {
    List<Change> changes = changes(served, parts);
    List<PodChange> pods = podChanges(served, parts);
    return pods.isEmpty()
        ? changes.isEmpty() ? store.commit(write) : books.commit(changes, write)
        : nodes.commit(
            pods,
            write,
            txn -> changes.isEmpty() ? store.commit(txn) : books.commitCharged(changes, txn));
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

  /** Whether the write would be let through; fails if not. */
  @Nullable CompletableFuture<@Nullable Void> check(
      Served served, String key, @Nullable CachedObject current, Authority.Decision decision) {
    return served.definition().namespaced()
        ? check(served, List.of(new Part(key, current, decision)))
        : null;
  }

  /** Whether the write of several would be let through; fails if not, null if nobody asks. */
  @Nullable CompletableFuture<@Nullable Void> check(Served served, List<Part> parts) {
    List<Change> changes = changes(served, parts);
    List<PodChange> pods = podChanges(served, parts);
    if (pods.isEmpty()) {
      return changes.isEmpty() ? null : books.check(changes);
    }
    CompletableFuture<@Nullable Void> fits = nodes.check(pods);
    return changes.isEmpty() ? fits : fits.thenCompose(_ -> books.check(changes));
  }

  private static List<PodChange> podChanges(Served served, List<Part> parts) {
    if (!isCore(served, "pods")) {
      return List.of();
    }
    int field = served.cache().indexedFields().indexOf("spec.nodeName");
    List<PodChange> changes = new ArrayList<>(parts.size());
    for (Part part : parts) {
      CachedObject current = part.current;
      boolean hadNode = current != null && (field < 0 || !current.field(field).isEmpty());
      int slash = part.key.indexOf('/');
      PodChange change =
          PodChange.of(
              part.key.substring(0, slash),
              part.key.substring(slash + 1),
              current != null && hadNode ? Json.parse(current.json()) : null,
              part.decision instanceof Authority.Decision.Put put ? put.object() : null);
      if (change != null) {
        changes.add(change);
      }
    }
    return changes;
  }

  private static List<Change> changes(Served served, List<Part> parts) {
    if (UNCOUNTED.contains(served.plural())) {
      return List.of();
    }
    List<Change> changes = new ArrayList<>(parts.size());
    for (Part part : parts) {
      int slash = part.key.indexOf('/');
      var change =
          new Change(
              served.definition().storage().group(),
              served.definition().storage().resource(),
              part.key.substring(0, slash),
              part.key.substring(slash + 1),
              json(part.current),
              stored(part.decision));
      if (change.mayCount()) {
        changes.add(change);
      }
    }
    return changes;
  }
}
