package dev.evenkeel.serve.write;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.call.Call;
import dev.evenkeel.serve.object.Uids;
import dev.evenkeel.serve.resource.ResourceTable;
import dev.evenkeel.serve.resource.Served;
import dev.evenkeel.serve.service.AddressRange;
import dev.evenkeel.serve.service.ServiceAllocator;
import dev.evenkeel.serve.service.ServiceClaims;
import dev.evenkeel.serve.service.ServiceRanges;
import dev.evenkeel.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is special about writes of services: they are given addresses and ports. Kinds that are none
 * pass by.
 */
public final class Services {

  private final ServiceAllocator allocator;
  private final ServiceClaims claims;
  private final Served addresses;
  private final Served ranges;

  public Services(
      Env env, Store store, ResourceTable resources, Uids uids, ServiceRanges configured) {
    this.addresses = resources.at("networking.k8s.io", "v1", "ipaddresses");
    this.ranges = resources.at("networking.k8s.io", "v1", "servicecidrs");
    this.claims = new ServiceClaims(new AddressObjects(), uids::uid, env.clock());
    this.allocator = new ServiceAllocator(env, store, configured, claims, this::readyRanges);
  }

  public static boolean areServed(Served served) {
    return served.plural().equals("services") && served.group().isEmpty();
  }

  public ServiceClaims claims() {
    return claims;
  }

  /** Answered when what is known of addresses and ports is there. */
  public CompletableFuture<@Nullable Void> ready() {
    return CompletableFuture.allOf(addresses.cache().ready(), ranges.cache().ready())
        .thenApply(_ -> null);
  }

  public boolean isReady() {
    return addresses.cache().isReady() && ranges.cache().isReady();
  }

  public CompletableFuture<@Nullable Void> start() {
    return allocator.load();
  }

  /** For one write; null if the kind is given nothing. */
  ServiceAllocator.@Nullable Attempt attempt(Call call, Served served) {
    return areServed(served) ? allocator.attempt(call.dryRun()) : null;
  }

  /** Has what the store refuses told to the attempt. */
  static Authority.Decider telling(
      ServiceAllocator.@Nullable Attempt attempt, Authority.Decider decider) {
    if (attempt == null) {
      return decider;
    }
    return new Authority.Decider() {
      @Override
      public Authority.Decision decide(@Nullable CachedObject current) {
        return decider.decide(current);
      }

      @Override
      public void found(Bytes key) {
        attempt.found(key);
      }
    };
  }

  /** Ranges that were added by objects, without those that are going or not ready. */
  private List<AddressRange> readyRanges() {
    List<AddressRange> ready = new ArrayList<>(1);
    SortedTree.Walk<CachedObject> walk = ranges.cache().newest().tree().from("");
    CachedObject next;
    while ((next = walk.next()) != null) {
      JsonNode object = Json.parse(next.json());
      if (!object.path("metadata").has("deletionTimestamp") && isReady(object)) {
        for (JsonNode text : object.path("spec").path("cidrs")) {
          AddressRange range = AddressRange.parse(Meta.text(text));
          if (range != null) {
            ready.add(range);
          }
        }
      }
    }
    return ready;
  }

  private static boolean isReady(JsonNode object) {
    for (JsonNode condition : object.path("status").path("conditions")) {
      if (Meta.text(condition.path("type")).equals("Ready")) {
        return Meta.text(condition.path("status")).equals("True");
      }
    }
    return false;
  }

  private final class AddressObjects implements ServiceClaims.Addresses {

    @Override
    public Bytes key(String address) {
      return addresses.storeKey(address);
    }

    @Override
    public byte[] stored(ObjectNode object) {
      return Writes.stored(addresses, object);
    }

    @Override
    public @Nullable JsonNode known(String address) {
      CachedObject known = addresses.cache().newest().tree().get(address);
      return known == null ? null : Json.parse(known.json());
    }
  }
}
