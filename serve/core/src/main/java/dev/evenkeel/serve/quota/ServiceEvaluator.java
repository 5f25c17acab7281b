package dev.evenkeel.serve.quota;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.quantity.Amounts;
import dev.evenkeel.kernel.quantity.Quantity;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** Services, the ports they open on nodes, and the load balancers they need. */
record ServiceEvaluator() implements Evaluator {

  private static final Set<String> RESOURCES =
      Set.of("count/services", "services", "services.nodeports", "services.loadbalancers");

  @Override
  public String group() {
    return "";
  }

  @Override
  public String plural() {
    return "services";
  }

  @Override
  public boolean tracks(String resource) {
    return RESOURCES.contains(resource);
  }

  @Override
  public Amounts usage(JsonNode service) {
    JsonNode spec = service.path("spec");
    long ports = spec.path("ports").size();
    long nodePorts = 0;
    long balancers = 0;
    switch (Meta.text(spec.path("type"))) {
      case "NodePort" -> nodePorts = ports;
      case "LoadBalancer" -> {
        balancers = 1;
        // Ports are counted by what is wanted: those to be given by the server are not there yet.
        nodePorts =
            spec.path("allocateLoadBalancerNodePorts").asBoolean(true) ? ports : given(spec);
      }
      default -> {}
    }
    var amounts = new TreeMap<String, Quantity>();
    amounts.put("count/services", Amounts.ONE);
    amounts.put("services", Amounts.ONE);
    amounts.put("services.nodeports", Quantity.of(nodePorts));
    amounts.put("services.loadbalancers", Quantity.of(balancers));
    return new Amounts(amounts);
  }

  private static long given(JsonNode spec) {
    long given = 0;
    for (JsonNode port : spec.path("ports")) {
      if (port.path("nodePort").asLong(0) != 0) {
        given++;
      }
    }
    return given;
  }
}
