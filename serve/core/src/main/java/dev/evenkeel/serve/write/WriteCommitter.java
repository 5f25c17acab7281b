package dev.evenkeel.serve.write;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.allocation.NodeChange;
import dev.evenkeel.serve.allocation.NodeLedgers;
import dev.evenkeel.serve.allocation.PodChange;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.ledger.Bill;
import dev.evenkeel.serve.ledger.Postings;
import dev.evenkeel.serve.quota.PlannedWrite;
import dev.evenkeel.serve.quota.QuotaLedgers;
import dev.evenkeel.serve.resource.Served;
import dev.evenkeel.serve.service.ServiceClaims;
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

  private final Postings postings;
  private final QuotaLedgers quotas;
  private final NodeLedgers nodes;
  private final DefaultAccounts accounts;
  private final ServiceClaims claims;

  public WriteCommitter(
      Postings postings,
      QuotaLedgers quotas,
      NodeLedgers nodes,
      DefaultAccounts accounts,
      ServiceClaims claims) {
    this.postings = postings;
    this.quotas = quotas;
    this.nodes = nodes;
    this.accounts = accounts;
    this.claims = claims;
  }

  /** One object of a write. */
  record Part(String key, @Nullable CachedObject current, Authority.Decision decision) {}

  /**
   * Commits a write, of one object or of several of one namespace, with all that belongs to them.
   */
  CompletableFuture<TxnResult> commit(Served served, List<Part> parts, Txn write) {
    Part first = parts.getFirst();
    Txn whole = write;
    if (first.current == null && DefaultAccounts.isNamespace(served)) {
      whole = accounts.with(write, first.key);
    } else if (Services.areServed(served)) {
      whole = claims.with(write, tree(json(first.current)), tree(stored(first.decision)));
    }
    return postings.commit(whole, bills(served, parts));
  }

  /** Whether the write would be let through; fails if not. */
  CompletableFuture<@Nullable Void> check(Served served, List<Part> parts) {
    return postings.check(bills(served, parts));
  }

  /** Asks whether what a service would claim is free; null if it would claim nothing. */
  @Nullable Txn claimed(Served served, List<Part> parts) {
    Part first = parts.getFirst();
    return Services.areServed(served)
        ? claims.question(tree(json(first.current)), tree(stored(first.decision)))
        : null;
  }

  private static @Nullable JsonNode tree(byte @Nullable [] json) {
    return json == null ? null : Json.parse(json);
  }

  /** What the write is charged: of several that refuse it the first is told. */
  private List<Bill<?>> bills(Served served, List<Part> parts) {
    if (!served.definition().namespaced()) {
      Part first = parts.getFirst();
      NodeChange node =
          isCore(served, "nodes")
              ? NodeChange.of(first.key, json(first.current), stored(first.decision))
              : null;
      return node == null ? List.of() : List.of(nodes.bill(node));
    }
    List<PodChange> pods = podChanges(served, parts);
    List<PlannedWrite> changes = changes(served, parts);
    if (pods.isEmpty()) {
      return changes.isEmpty() ? List.of() : List.of(quotas.bill(changes));
    }
    return changes.isEmpty()
        ? List.of(nodes.bill(pods))
        : List.of(nodes.bill(pods), quotas.bill(changes));
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

  private static List<PlannedWrite> changes(Served served, List<Part> parts) {
    if (UNCOUNTED.contains(served.plural())) {
      return List.of();
    }
    List<PlannedWrite> changes = new ArrayList<>(parts.size());
    for (Part part : parts) {
      int slash = part.key.indexOf('/');
      var change =
          new PlannedWrite(
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
