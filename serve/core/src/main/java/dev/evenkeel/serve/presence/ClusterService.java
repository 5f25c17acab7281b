package dev.evenkeel.serve.presence;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.WireTime;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.serve.kinds.rules.check.Addresses;
import dev.evenkeel.serve.resource.ResourceTable;
import dev.evenkeel.serve.service.AddressRange;
import dev.evenkeel.serve.service.ServiceRanges;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The Service {@code default/kubernetes}, by which pods reach the API, with its Endpoints and
 * EndpointSlices, and the ServiceCIDR of the range that it has the first address of. They are
 * written when they are missing or wrong, so a start that finds them right writes nothing.
 *
 * <p><b>Threading:</b> owned by the loop of {@link Presence}.
 */
final class ClusterService {

  private static final String NAME = "kubernetes";
  private static final String KEY = "default/" + NAME;
  private static final int HTTPS = 443;

  private static final String RANGES = "/apis/networking.k8s.io/v1/servicecidrs";
  private static final String SERVICES = "/api/v1/namespaces/default/services";
  private static final String ENDPOINTS = "/api/v1/namespaces/default/endpoints";
  private static final String SLICES =
      "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";

  private final Clock clock;
  private final OwnCalls calls;
  private final ServiceRanges ranges;
  private final Presence.Place place;
  private final KindCache cidrs;
  private final KindCache services;
  private final KindCache endpoints;
  private final KindCache slices;

  ClusterService(
      Env env,
      OwnCalls calls,
      ResourceTable resources,
      ServiceRanges ranges,
      Presence.Place place) {
    this.clock = env.clock();
    this.calls = calls;
    this.ranges = ranges;
    this.place = place;
    this.cidrs = resources.at("networking.k8s.io", "v1", "servicecidrs").cache();
    this.services = resources.at("", "v1", "services").cache();
    this.endpoints = resources.at("", "v1", "endpoints").cache();
    this.slices = resources.at("discovery.k8s.io", "v1", "endpointslices").cache();
  }

  /** Puts right what is missing or wrong. */
  void keep(List<IdentityLease.Alive> servers) {
    var _ = cidrs.ready().thenAccept(_ -> keepRange());
    var _ = services.ready().thenAccept(_ -> keepService());
    var _ = endpoints.ready().thenAccept(_ -> keepEndpoints(servers));
    var _ = slices.ready().thenAccept(_ -> keepSlices(servers));
  }

  private static ObjectNode named(String apiVersion, String kind) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.put("apiVersion", apiVersion).put("kind", kind);
    Meta.of(object).put("name", NAME);
    return object;
  }

  // ---- the range

  private void keepRange() {
    CachedObject current = cidrs.newest().tree().get(NAME);
    if (current != null) {
      sayReady(Json.parseObject(current.json()));
      return;
    }
    ObjectNode range = named("networking.k8s.io/v1", "ServiceCIDR");
    range.set("spec", spec());
    calls.create(
        RANGES,
        range,
        answer -> {
          if (answer.isGood() && answer.body() instanceof ObjectNode made) {
            sayReady(made);
          }
        });
  }

  private ObjectNode spec() {
    ObjectNode spec = JsonNodeFactory.instance.objectNode();
    ArrayNode list = spec.putArray("cidrs");
    for (AddressRange range : ranges.addresses()) {
      list.add(range.text());
    }
    return spec;
  }

  private void sayReady(ObjectNode range) {
    boolean going = Meta.of(range).has("deletionTimestamp");
    boolean said = !Meta.at(range, "status", "conditions").isEmpty();
    if (going || said || !range.path("spec").equals(spec())) {
      return;
    }
    range
        .putObject("status")
        .putArray("conditions")
        .addObject()
        .put("type", "Ready")
        .put("status", "True")
        .put("reason", "")
        .put("message", "Kubernetes default Service CIDR is ready")
        .put("lastTransitionTime", WireTime.seconds(clock.now()));
    calls.update(RANGES + "/" + NAME + "/status", range, _ -> {});
  }

  // ---- the service

  private void keepService() {
    if (services.newest().tree().get(KEY) != null) {
      return;
    }
    ObjectNode service = named("v1", "Service");
    Meta.of(service)
        .putObject("labels")
        .put("component", "apiserver")
        .put("provider", "kubernetes");
    ObjectNode spec = service.putObject("spec");
    spec.put("clusterIP", ranges.addresses().getFirst().firstAddress());
    spec.put("ipFamilyPolicy", "SingleStack")
        .put("sessionAffinity", "None")
        .put("type", "ClusterIP");
    spec.putArray("ports")
        .addObject()
        .put("name", "https")
        .put("port", HTTPS)
        .put("protocol", "TCP")
        .put("targetPort", place.port());
    calls.create(SERVICES, service, _ -> {});
  }

  // ---- where it leads

  /** Servers by their port: one set of ports is for all addresses beside it. */
  private static Map<Integer, List<String>> byPort(List<IdentityLease.Alive> servers) {
    Map<Integer, List<String>> byPort = new TreeMap<>();
    for (IdentityLease.Alive server : servers) {
      byPort.computeIfAbsent(server.port(), _ -> new ArrayList<>()).add(server.address());
    }
    byPort.values().forEach(addresses -> addresses.sort(null));
    return byPort;
  }

  private void keepEndpoints(List<IdentityLease.Alive> servers) {
    ArrayNode subsets = JsonNodeFactory.instance.arrayNode();
    byPort(servers)
        .forEach(
            (port, addresses) -> {
              ObjectNode subset = subsets.addObject();
              ArrayNode list = subset.putArray("addresses");
              addresses.forEach(address -> list.addObject().put("ip", address));
              subset
                  .putArray("ports")
                  .addObject()
                  .put("name", "https")
                  .put("port", port)
                  .put("protocol", "TCP");
            });
    CachedObject current = endpoints.newest().tree().get(KEY);
    if (current == null) {
      if (!subsets.isEmpty()) {
        ObjectNode object = named("v1", "Endpoints");
        Meta.of(object).putObject("labels").put("endpointslice.kubernetes.io/skip-mirror", "true");
        object.set("subsets", subsets);
        calls.create(ENDPOINTS, object, _ -> {});
      }
      return;
    }
    ObjectNode object = Json.parseObject(current.json());
    if (!same(object.path("subsets"), subsets)) {
      object.set("subsets", subsets);
      calls.update(ENDPOINTS + "/" + NAME, object, _ -> {});
    }
  }

  private static boolean same(JsonNode one, JsonNode other) {
    return one.equals(other) || (one.isEmpty() && other.isEmpty());
  }

  private void keepSlices(List<IdentityLease.Alive> servers) {
    Map<String, ObjectNode> wanted = new TreeMap<>();
    byPort(servers)
        .forEach(
            (port, addresses) -> {
              String name = wanted.isEmpty() ? NAME : NAME + "-" + port;
              wanted.put(name, slice(name, port, addresses));
            });
    wanted.forEach(
        (name, slice) -> {
          CachedObject current = slices.newest().tree().get("default/" + name);
          if (current == null) {
            calls.create(SLICES, slice, _ -> {});
            return;
          }
          ObjectNode object = Json.parseObject(current.json());
          if (!same(object.path("endpoints"), slice.path("endpoints"))
              || !same(object.path("ports"), slice.path("ports"))) {
            object.set("endpoints", slice.get("endpoints"));
            object.set("ports", slice.get("ports"));
            calls.update(SLICES + "/" + name, object, _ -> {});
          }
        });
    if (!wanted.isEmpty()) {
      removeOthers(wanted);
    }
  }

  private void removeOthers(Map<String, ObjectNode> wanted) {
    String prefix = KEY + "-";
    SortedTree.Walk<CachedObject> walk = slices.newest().tree().from(prefix);
    CachedObject next;
    while ((next = walk.next()) != null && next.key().startsWith(prefix)) {
      boolean ours =
          NAME.equals(next.labels().get("kubernetes.io/service-name"))
              && !next.labels().containsKey("endpointslice.kubernetes.io/managed-by");
      if (ours && !wanted.containsKey(next.name())) {
        calls.delete(SLICES + "/" + next.name());
      }
    }
  }

  private static ObjectNode slice(String name, int port, List<String> addresses) {
    ObjectNode slice = named("discovery.k8s.io/v1", "EndpointSlice");
    Meta.of(slice).put("name", name).putObject("labels").put("kubernetes.io/service-name", NAME);
    slice.put("addressType", Addresses.isV6(addresses.getFirst()) ? "IPv6" : "IPv4");
    ArrayNode list = slice.putArray("endpoints");
    for (String address : addresses) {
      ObjectNode endpoint = list.addObject();
      endpoint.putArray("addresses").add(address);
      endpoint.putObject("conditions").put("ready", true);
    }
    slice
        .putArray("ports")
        .addObject()
        .put("name", "https")
        .put("port", port)
        .put("protocol", "TCP");
    return slice;
  }
}
