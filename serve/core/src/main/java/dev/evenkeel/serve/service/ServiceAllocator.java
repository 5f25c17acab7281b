package dev.evenkeel.serve.service;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.network.ServiceAddresses;
import dev.evenkeel.store.Store;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Gives services their cluster addresses and ports of nodes. What it chooses is free as far as is
 * known here; the transaction that writes the service finds out whether it is, and otherwise
 * another is chosen.
 *
 * <p><b>Threading:</b> any thread; an attempt is its call's own.
 */
public final class ServiceAllocator {

  /*
   * An address that a user asks for is never refused by what the caches say: it may have been let
   * go on another server a moment ago. The transaction is tried, and what it says is told.
   */

  private final ServiceRanges ranges;
  private final ServiceFamilies families;
  private final ServiceClaims claims;
  private final ServicePorts ports;
  private final Supplier<List<AddressRange>> more;
  private final RandomGenerator random;

  /**
   * @param more the ranges that objects of the kind ServiceCIDR add and that may be used
   */
  public ServiceAllocator(
      Env env,
      Store store,
      ServiceRanges ranges,
      ServiceClaims claims,
      Supplier<List<AddressRange>> more) {
    this.ranges = ranges;
    this.families = new ServiceFamilies(ranges);
    this.claims = claims;
    this.random = env.random();
    this.ports = new ServicePorts(store, ranges, env.clock(), env.random());
    this.more = more;
  }

  /** Reads what is taken; done before the first service is written. */
  public CompletableFuture<@Nullable Void> load() {
    return ports.load();
  }

  /** For one write of a service, which may have to be tried several times. */
  public Attempt attempt(boolean dryRun) {
    return new Attempt(dryRun);
  }

  /** What one call has found taken so far. */
  public final class Attempt {
    private final boolean dryRun;
    private final Set<Bytes> taken = new HashSet<>();

    private Attempt(boolean dryRun) {
      this.dryRun = dryRun;
    }

    /** What was given last, so that the same is given to the same service. */
    private @Nullable Given last;

    private int refusals;

    /** The store has this key already: another service was first. */
    public void found(Bytes key) {
      taken.add(key);
      refusals++;
      if (ServiceClaims.isPortKey(key)) {
        ports.learn(ServiceClaims.port(key));
      }
    }

    /** Whether something was taken, so that it must be chosen again. */
    public boolean wasRefused() {
      return !taken.isEmpty();
    }

    /**
     * Gives the service what it needs and does not have; refuses what it cannot have.
     *
     * @param old as it was; null for a new one
     */
    public void give(ObjectNode service, @Nullable ObjectNode old) {
      Given known = last;
      if (known != null && known.isFor(service, old, refusals)) {
        service.removeAll();
        service.setAll(known.given.deepCopy());
        return;
      }
      ObjectNode asked = service.deepCopy();
      choose(service, old);
      last = new Given(asked, old, refusals, service.deepCopy());
    }

    private record Given(
        ObjectNode asked, @Nullable ObjectNode old, int refusals, ObjectNode given) {
      boolean isFor(ObjectNode service, @Nullable ObjectNode other, int refusalsNow) {
        return refusals == refusalsNow && asked.equals(service) && Objects.equals(old, other);
      }
    }

    private void choose(ObjectNode service, @Nullable ObjectNode old) {
      if (!(service.get("spec") instanceof ObjectNode spec)) {
        return;
      }
      JsonNode oldSpec = old == null ? null : old.path("spec");
      if (ServiceFamilies.isExternalName(spec)) {
        spec.remove("internalTrafficPolicy");
        return;
      }
      normalize(spec, old == null);
      var problems = new Problems();
      ServiceAddresses.validate(
          Place.of(service, problems).at("spec"), Meta.text(spec.path("type")));
      refuse(service, problems);
      families.settle(spec, oldSpec, problems);
      refuse(service, problems);
      giveAddresses(service, spec, oldSpec);
      if (ServicePorts.areGiven(spec)) {
        givePorts(service, spec, oldSpec);
      }
      giveHealthCheckPort(spec, oldSpec);
    }

    private void normalize(ObjectNode spec, boolean isNew) {
      String address = Meta.text(spec.path("clusterIP"));
      if (isNew && !address.isEmpty() && spec.path("clusterIPs").isEmpty()) {
        spec.putArray("clusterIPs").add(address);
      }
    }

    // ---- addresses

    private void giveAddresses(ObjectNode service, ObjectNode spec, @Nullable JsonNode old) {
      if (ServiceFamilies.isHeadless(spec) || (old != null && ServiceFamilies.isHeadless(old))) {
        return;
      }
      int had =
          old == null || ServiceFamilies.isExternalName(old) ? 0 : old.path("clusterIPs").size();
      List<String> wanted = ServiceFamilies.texts(spec.path("ipFamilies"));
      ArrayNode addresses = ServiceFamilies.list(spec, "clusterIPs");
      for (int i = had; i < wanted.size(); i++) {
        if (i < addresses.size()) {
          check(service, Meta.text(addresses.path(i)), addresses);
        } else {
          addresses.add(choose(wanted.get(i)));
        }
      }
      if (!addresses.isEmpty() && Meta.text(spec.path("clusterIP")).isEmpty()) {
        spec.put("clusterIP", Meta.text(addresses.path(0)));
      }
    }

    private void check(ObjectNode service, String address, ArrayNode all) {
      String name = AddressRange.canonical(address);
      if (usable(ServiceFamilies.familyOf(address)).stream().noneMatch(r -> r.contains(name))) {
        throw notGiven(service, address, all, outside(address));
      }
      if (taken.contains(claims.addressKey(name))) {
        throw notGiven(service, address, all, "provided IP is already allocated");
      }
    }

    private String outside(String address) {
      return dryRun
          ? "the provided IP ("
              + address
              + ") is not in the valid range. The range of valid IPs is "
              + ranges.addresses().getFirst().text()
          : "the provided network does not match the current range";
    }

    private RuntimeException notGiven(
        ObjectNode service, String address, ArrayNode all, String reason) {
      var problems = new Problems();
      problems.invalid("spec.clusterIPs", all, "failed to allocate IP " + address + ": " + reason);
      return invalid(service, problems);
    }

    private String choose(String family) {
      for (AddressRange range : usable(family)) {
        String free;
        synchronized (random) {
          free =
              range.free(
                  random,
                  address -> claims.isKnown(address) || taken.contains(claims.addressKey(address)));
        }
        if (free != null) {
          return free;
        }
      }
      throw Status.internal("failed to allocate a serviceIP: range is full").asException();
    }

    // ---- ports

    private void givePorts(ObjectNode service, ObjectNode spec, @Nullable JsonNode old) {
      Set<Integer> had = old == null ? Set.of() : ServicePorts.heldBy(old);
      Set<Integer> chosen = new HashSet<>(ServicePorts.ofPorts(spec));
      boolean isNew = old == null;
      JsonNode list = spec.path("ports");
      for (int i = 0; i < list.size(); i++) {
        if (!(list.path(i) instanceof ObjectNode port)) {
          continue;
        }
        int asked = port.path("nodePort").asInt(0);
        if (asked == 0 && !ServicePorts.areChosen(spec)) {
          continue;
        }
        if (asked != 0) {
          if (!had.contains(asked)) {
            String refused = refusal(asked);
            if (refused != null) {
              var problems = new Problems();
              problems.invalid(
                  "spec.ports[" + i + "].nodePort",
                  JsonNodeFactory.instance.numberNode(asked),
                  refused);
              throw invalid(service, problems);
            }
          }
          continue;
        }
        int same = isNew ? ofSamePort(list, port) : 0;
        int number = same != 0 ? same : choosePort(chosen, "failed to allocate a nodePort: ");
        chosen.add(number);
        port.put("nodePort", number);
      }
    }

    /** Two protocols of one port share the port of the nodes. */
    private int ofSamePort(JsonNode list, JsonNode port) {
      for (JsonNode other : list) {
        int number = other.path("nodePort").asInt(0);
        if (number != 0 && other.path("port").asInt(0) == port.path("port").asInt(0)) {
          return number;
        }
      }
      return 0;
    }

    private @Nullable String refusal(int port) {
      if (!ranges.isPort(port)) {
        return "provided port is not in the valid range. The range of valid ports is "
            + ranges.ports();
      }
      return taken.contains(ServicePorts.key(port)) ? "provided port is already allocated" : null;
    }

    private int choosePort(Set<Integer> chosen, String failing) {
      int port = ports.free(chosen);
      if (port == 0) {
        throw Status.internal(failing + "range is full").asException();
      }
      if (!dryRun) {
        ports.learn(port);
      }
      return port;
    }

    private void giveHealthCheckPort(ObjectNode spec, @Nullable JsonNode old) {
      if (!ServicePorts.needHealthCheck(spec)
          || (old != null && ServicePorts.needHealthCheck(old))) {
        return;
      }
      int asked = spec.path("healthCheckNodePort").asInt(0);
      if (asked != 0) {
        String refused = refusal(asked);
        if (refused != null) {
          throw Status.internal(
                  "failed to allocate requested HealthCheck NodePort " + asked + ": " + refused)
              .asException();
        }
        return;
      }
      spec.put(
          "healthCheckNodePort",
          choosePort(
              new HashSet<>(ServicePorts.ofPorts(spec)),
              "failed to allocate a HealthCheck NodePort 0: "));
    }
  }

  /** The ranges of a family that addresses may be of, the cluster's own first. */
  private List<AddressRange> usable(String family) {
    List<AddressRange> usable = new ArrayList<>(2);
    for (AddressRange range : ranges.addresses()) {
      if (range.family().equals(family)) {
        usable.add(range);
      }
    }
    for (AddressRange range : more.get()) {
      if (range.family().equals(family) && !usable.contains(range)) {
        usable.add(range);
      }
    }
    return usable;
  }

  private static void refuse(ObjectNode service, Problems problems) {
    if (!problems.isEmpty()) {
      throw invalid(service, problems);
    }
  }

  private static RuntimeException invalid(ObjectNode service, Problems problems) {
    return Status.invalid("", "Service", Meta.name(service), problems.errors()).asException();
  }
}
