package dev.evenkeel.serve.service;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.WireTime;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.store.Compare;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.Write;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Claims what a service has, in the transaction that writes the service: an address is the object
 * IPAddress of its name, a port of nodes a key of its own. What a service comes to have must not be
 * there before; what it has no longer goes.
 *
 * <p>What a service has is a function of the service, so what is let go is what was claimed.
 */
public final class ServiceClaims {

  private static final String PORTS = "/evenkeel/services/ports/";

  private static final String FAMILY_LABEL = "ipaddress.kubernetes.io/ip-family";
  private static final String MANAGED_BY_LABEL = "ipaddress.kubernetes.io/managed-by";
  private static final String MANAGED_BY = "ipallocator.k8s.io";

  private final Addresses addresses;
  private final Supplier<String> uids;
  private final Clock clock;

  /** Where objects of the kind IPAddress are kept, and how. */
  public interface Addresses {

    /** The store's key of one. */
    Bytes key(String address);

    /** Its bytes in the store. */
    byte[] stored(ObjectNode object);

    /** As it is known here; null if it is not. */
    @Nullable JsonNode known(String address);
  }

  public ServiceClaims(Addresses addresses, Supplier<String> uids, Clock clock) {
    this.addresses = addresses;
    this.uids = uids;
    this.clock = clock;
  }

  /**
   * What a service has.
   *
   * @param addresses as objects of the kind IPAddress are named
   */
  record Held(Set<String> addresses, Set<Integer> ports) {

    static final Held NOTHING = new Held(Set.of(), Set.of());

    static Held by(@Nullable JsonNode service) {
      if (service == null) {
        return NOTHING;
      }
      JsonNode spec = service.path("spec");
      Set<String> addresses = new LinkedHashSet<>(2);
      if (!ServiceFamilies.isExternalName(spec) && !ServiceFamilies.isHeadless(spec)) {
        for (JsonNode address : spec.path("clusterIPs")) {
          addresses.add(AddressRange.canonical(Meta.text(address)));
        }
      }
      return new Held(addresses, ServicePorts.heldBy(spec));
    }

    Held without(Held other) {
      Set<String> restOfAddresses = new LinkedHashSet<>(addresses);
      restOfAddresses.removeAll(other.addresses);
      Set<Integer> restOfPorts = new LinkedHashSet<>(ports);
      restOfPorts.removeAll(other.ports);
      return new Held(restOfAddresses, restOfPorts);
    }

    boolean isEmpty() {
      return addresses.isEmpty() && ports.isEmpty();
    }
  }

  /**
   * The write of a service with what it claims and lets go.
   *
   * @param before null if there was none
   * @param after null if it goes
   */
  public Txn with(Txn write, @Nullable JsonNode before, @Nullable JsonNode after) {
    Held had = Held.by(before);
    Held has = Held.by(after);
    Held claimed = has.without(had);
    Held left = had.without(has);
    if (claimed.isEmpty() && left.isEmpty()) {
      return write;
    }
    List<Compare> compares = new ArrayList<>(write.compares());
    List<Write> writes = new ArrayList<>(write.writes());
    addCompares(claimed, compares);
    if (after != null) {
      for (String address : claimed.addresses) {
        writes.add(new Write.Put(addresses.key(address), Bytes.wrap(object(address, after))));
      }
      Bytes holder = Bytes.wrap(Json.encode(parent(after)));
      for (int port : claimed.ports) {
        writes.add(new Write.Put(portKey(port), holder));
      }
    }
    for (String address : left.addresses) {
      if (before != null && isOurs(address, before)) {
        writes.add(new Write.Delete(addresses.key(address)));
      }
    }
    for (int port : left.ports) {
      writes.add(new Write.Delete(portKey(port)));
    }
    return new Txn(compares, writes);
  }

  /** Asks whether all that would be claimed is free; null if nothing would be. */
  public @Nullable Txn question(@Nullable JsonNode before, @Nullable JsonNode after) {
    Held claimed = Held.by(after).without(Held.by(before));
    if (claimed.isEmpty()) {
      return null;
    }
    List<Compare> compares = new ArrayList<>();
    addCompares(claimed, compares);
    return new Txn(compares, List.of());
  }

  private void addCompares(Held claimed, List<Compare> compares) {
    for (String address : claimed.addresses) {
      compares.add(new Compare.Absent(addresses.key(address)));
    }
    for (int port : claimed.ports) {
      compares.add(new Compare.Absent(portKey(port)));
    }
  }

  /** Users may delete an IPAddress by hand, and another service may have it by now. */
  private boolean isOurs(String address, JsonNode service) {
    JsonNode known = addresses.known(address);
    return known == null || Meta.at(known, "spec", "parentRef").equals(parent(service));
  }

  byte[] object(String address, JsonNode service) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.put("apiVersion", "networking.k8s.io/v1").put("kind", "IPAddress");
    Meta.of(object)
        .put("name", address)
        .put("uid", uids.get())
        .put("creationTimestamp", WireTime.seconds(clock.now()))
        .putObject("labels")
        .put(FAMILY_LABEL, ServiceFamilies.familyOf(address))
        .put(MANAGED_BY_LABEL, MANAGED_BY);
    object.putObject("spec").set("parentRef", parent(service));
    return addresses.stored(object);
  }

  private static ObjectNode parent(JsonNode service) {
    ObjectNode parent = JsonNodeFactory.instance.objectNode();
    parent.put("resource", "services");
    parent.put("namespace", Meta.text(Meta.at(service, "metadata", "namespace")));
    parent.put("name", Meta.text(Meta.at(service, "metadata", "name")));
    return parent;
  }

  Bytes addressKey(String address) {
    return addresses.key(address);
  }

  boolean isKnown(String address) {
    return addresses.known(address) != null;
  }

  static Bytes portKey(int port) {
    return Bytes.utf8(PORTS + port);
  }

  static Bytes portKeys() {
    return Bytes.utf8(PORTS);
  }

  /** The port that a key of the store stands for. */
  static int port(Bytes key) {
    return Integer.parseInt(key.utf8().substring(PORTS.length()));
  }

  static boolean isPortKey(Bytes key) {
    return key.utf8().startsWith(PORTS);
  }
}
