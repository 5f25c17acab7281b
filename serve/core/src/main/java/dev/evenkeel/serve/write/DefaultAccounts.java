package dev.evenkeel.serve.write;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.WireTime;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.object.Uids;
import dev.evenkeel.serve.resource.ResourceTable;
import dev.evenkeel.serve.resource.Served;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The account named {@code default} that every namespace has. It comes in the transaction that
 * makes the namespace: a pod that follows at once finds it, and nobody has to wait for a controller
 * as upstream's clients do.
 */
public final class DefaultAccounts {

  static final String NAME = "default";

  private final ResourceTable resources;
  private final Uids uids;
  private final Clock clock;

  public DefaultAccounts(ResourceTable resources, Uids uids, Clock clock) {
    this.resources = resources;
    this.uids = uids;
    this.clock = clock;
  }

  static boolean isNamespace(Served served) {
    return served.group().isEmpty() && served.plural().equals("namespaces");
  }

  /** The transaction that makes the namespace, with its account; a left-over one is replaced. */
  Txn with(Txn write, String namespace) {
    Served accounts = resources.at("", "v1", "serviceaccounts");
    Bytes key = accounts.storeKey(accounts.key(namespace, NAME));
    List<Write> writes = new ArrayList<>(write.writes());
    writes.add(new Write.Put(key, Bytes.wrap(account(accounts, namespace))));
    return new Txn(write.compares(), writes);
  }

  /** Makes those that are missing: of older namespaces, and of users who deleted theirs. */
  public CompletableFuture<@Nullable Void> addMissing(Store store) {
    Served namespaces = resources.at("", "v1", "namespaces");
    Served accounts = resources.at("", "v1", "serviceaccounts");
    return CompletableFuture.allOf(namespaces.cache().ready(), accounts.cache().ready())
        .thenCompose(
            _ -> {
              List<CompletableFuture<?>> made = new ArrayList<>(0);
              SortedTree.Walk<CachedObject> walk = namespaces.cache().newest().tree().from("");
              CachedObject namespace;
              while ((namespace = walk.next()) != null) {
                String key = accounts.key(namespace.name(), NAME);
                if (accounts.cache().newest().tree().get(key) == null && !isGoing(namespace)) {
                  made.add(store.commit(missing(namespaces, namespace, accounts, key)));
                }
              }
              return CompletableFuture.allOf(made.toArray(new CompletableFuture<?>[0]));
            })
        .thenApply(_ -> null);
  }

  private static boolean isGoing(CachedObject namespace) {
    return Json.parse(namespace.json()).path("metadata").has("deletionTimestamp");
  }

  private Txn missing(Served namespaces, CachedObject namespace, Served accounts, String key) {
    Bytes account = accounts.storeKey(key);
    return Txn.builder()
        .ifModRevision(namespaces.storeKey(namespace.key()), namespace.revision())
        .ifAbsent(account)
        .put(account, Bytes.wrap(account(accounts, namespace.name())))
        .build();
  }

  private byte[] account(Served accounts, String namespace) {
    Gvk gvk = accounts.gvk();
    ObjectNode account = JsonNodeFactory.instance.objectNode();
    account.put("apiVersion", gvk.apiVersion()).put("kind", gvk.kind());
    Meta.of(account)
        .put("name", NAME)
        .put("namespace", namespace)
        .put("uid", uids.uid())
        .put("creationTimestamp", WireTime.seconds(clock.now()));
    return Writes.stored(accounts, account);
  }
}
