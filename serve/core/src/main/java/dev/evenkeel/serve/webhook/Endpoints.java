package dev.evenkeel.serve.webhook;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.json.GoText;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.serve.admission.Resource;
import dev.evenkeel.serve.admission.Views;
import dev.evenkeel.serve.cache.CachedObject;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;

/**
 * Finds somebody behind a service. Cluster addresses lead nowhere without kube-proxy, so it is one
 * of the ready endpoints that is called.
 */
final class Endpoints {

  static final Resource SERVICES = Resource.core("services");
  static final Resource SLICES = new Resource("discovery.k8s.io", "endpointslices");

  private static final String SERVICE_NAME = "kubernetes.io/service-name";

  /** Of a service with more, the first so many share the calls. */
  private static final int ENDPOINTS_MAX = 1_000;

  private Endpoints() {}

  record Endpoint(String host, int port) {}

  static Endpoint choose(Views views, Place.Service place, RandomGenerator random)
      throws Outside.CallException {
    CachedObject service = views.of(SERVICES).get(place.namespace() + "/" + place.name());
    if (service == null) {
      throw new Outside.CallException(
          "service " + GoText.quoted(place.name()) + " not found in " + place.namespace());
    }
    JsonNode spec = Json.parseObject(service.json()).path("spec");
    if (Meta.text(spec.path("type")).equals("ExternalName")) {
      return new Endpoint(Meta.text(spec.path("externalName")), place.port());
    }
    String portName = null;
    for (JsonNode port : spec.path("ports")) {
      if (port.path("port").asInt(0) == place.port()) {
        portName = Meta.text(port.path("name"));
      }
    }
    if (portName == null) {
      throw new Outside.CallException(
          "no service port " + place.port() + " found for service " + GoText.quoted(place.name()));
    }
    List<Endpoint> ready = ready(views, place, portName);
    if (ready.isEmpty()) {
      throw new Outside.CallException(
          "no endpoints available for service " + GoText.quoted(place.name()));
    }
    return ready.get(random.nextInt(ready.size()));
  }

  private static List<Endpoint> ready(Views views, Place.Service place, String portName) {
    List<Endpoint> ready = new ArrayList<>();
    String in = place.namespace() + "/";
    SortedTree.Walk<CachedObject> walk = views.of(SLICES).from(in);
    CachedObject object;
    while ((object = walk.next()) != null && object.key().startsWith(in)) {
      if (!place.name().equals(object.labels().get(SERVICE_NAME))) {
        continue;
      }
      JsonNode slice = Json.parseObject(object.json());
      int port = port(slice, portName);
      for (JsonNode endpoint : slice.path("endpoints")) {
        boolean isReady = endpoint.path("conditions").path("ready").asBoolean(true);
        if (port > 0 && isReady && ready.size() < ENDPOINTS_MAX) {
          String address = Meta.text(endpoint.path("addresses").path(0));
          ready.add(new Endpoint(address, port));
        }
      }
    }
    return ready;
  }

  private static int port(JsonNode slice, String name) {
    for (JsonNode port : slice.path("ports")) {
      if (Meta.text(port.path("name")).equals(name)) {
        return port.path("port").asInt(0);
      }
    }
    return 0;
  }
}
