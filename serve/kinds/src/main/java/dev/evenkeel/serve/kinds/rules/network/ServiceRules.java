package dev.evenkeel.serve.kinds.rules.network;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Addresses;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Services. Addresses and ports of nodes are given out by the registry, not here. */
public final class ServiceRules implements KindRules {

  private static final long AFFINITY_SECONDS = 10_800;
  private static final long AFFINITY_SECONDS_MAX = 86_400;

  private static final String HINTS = "service.kubernetes.io/topology-aware-hints";
  private static final String MODE = "service.kubernetes.io/topology-mode";

  @Override
  public NameRule nameRule() {
    return NameRule.DNS_1035_LABEL;
  }

  @Override
  public void applyDefaults(ObjectNode service) {
    if (!(service.path("spec") instanceof ObjectNode spec)) {
      return;
    }
    sessionAffinity(spec);
    for (JsonNode port : spec.path("ports")) {
      if (port instanceof ObjectNode object) {
        applyToPort(object);
      }
    }
    String type = Meta.text(spec.path("type"));
    if (isOpenToOutside(spec)) {
      putIfEmpty(spec, "externalTrafficPolicy", "Cluster");
    }
    if (!type.equals("ExternalName")) {
      putIfEmpty(spec, "internalTrafficPolicy", "Cluster");
    }
    if (type.equals("LoadBalancer") && !spec.path("allocateLoadBalancerNodePorts").isBoolean()) {
      spec.put("allocateLoadBalancerNodePorts", true);
    }
  }

  private static void sessionAffinity(ObjectNode spec) {
    if (spec.path("sessionAffinity").asString("").equals("None")) {
      spec.remove("sessionAffinityConfig");
    } else if (!Meta.at(spec, "sessionAffinityConfig", "clientIP", "timeoutSeconds").isNumber()) {
      spec.putObject("sessionAffinityConfig")
          .putObject("clientIP")
          .put("timeoutSeconds", AFFINITY_SECONDS);
    }
  }

  private static void applyToPort(ObjectNode port) {
    JsonNode target = port.path("targetPort");
    boolean unset =
        target.isMissingNode()
            || target.isNull()
            || (target.isNumber() && target.asLong(0) == 0)
            || (target.isString() && target.stringValue().isEmpty());
    if (unset) {
      port.put("targetPort", port.path("port").asLong(0));
    }
  }

  private static boolean isOpenToOutside(JsonNode spec) {
    String type = Meta.text(spec.path("type"));
    return type.equals("LoadBalancer")
        || type.equals("NodePort")
        || (type.equals("ClusterIP") && !spec.path("externalIPs").isEmpty());
  }

  private static void putIfEmpty(ObjectNode object, String field, String value) {
    if (Meta.text(object.path(field)).isEmpty()) {
      object.put(field, value);
    }
  }

  @Override
  public void prepareForCreate(ObjectNode service) {
    service.putObject("status").putObject("loadBalancer");
  }

  @Override
  public void prepareForUpdate(ObjectNode service, ObjectNode old) {
    if (service.path("spec") instanceof ObjectNode spec) {
      ServiceChange.keepWhatWasGiven(spec, old.path("spec"));
      boolean balanced = Meta.text(spec.path("type")).equals("LoadBalancer");
      if (!balanced && service.path("status") instanceof ObjectNode status) {
        status.putObject("loadBalancer");
      }
    }
  }

  @Override
  public void validate(ObjectNode service, Problems problems) {
    Place whole = Place.of(service, problems);
    Place spec = whole.at("spec");
    String type = spec.at("type").text();
    topologyAnnotations(whole.at("metadata", "annotations"));
    if (spec.at("ports").isEmpty()
        && !ServiceAddresses.isHeadless(spec)
        && !type.equals("ExternalName")) {
      spec.at("ports").required();
    }
    byType(spec, type);
    ports(spec, type);
    if (spec.at("sessionAffinity").is("ClientIP")) {
      Place timeout = spec.at("sessionAffinityConfig", "clientIP", "timeoutSeconds");
      if (timeout.number() <= 0 || timeout.number() > AFFINITY_SECONDS_MAX) {
        timeout.invalid("must be greater than 0 and less than " + AFFINITY_SECONDS_MAX);
      }
    }
    ServiceAddresses.validate(spec, type);
    for (Place address : spec.at("externalIPs").items()) {
      Addresses.ip(address);
      Addresses.endpointIp(address);
    }
    loadBalancer(spec, type);
    trafficPolicy(spec);
  }

  private static void topologyAnnotations(Place annotations) {
    Place mode = annotations.key(MODE);
    Place hints = annotations.key(HINTS);
    if (mode.isThere() && hints.isThere() && !mode.text().equals(hints.text())) {
      mode.invalid("must match annotations[" + HINTS + "] when both are specified");
    }
  }

  private static void byType(Place spec, String type) {
    switch (type) {
      case "LoadBalancer", "NodePort" -> {
        if (ServiceAddresses.isHeadless(spec)) {
          spec.at("clusterIPs")
              .item(0)
              .invalid("may not be set to 'None' for " + type + " services");
        }
      }
      case "ExternalName" -> {
        for (String field : List.of("clusterIPs", "ipFamilies", "ipFamilyPolicy")) {
          if (!spec.at(field).isEmpty()) {
            spec.at(field).forbidden("may not be set for ExternalName services");
          }
        }
        Place name = spec.at("externalName");
        String host = name.text().endsWith(".") ? withoutLast(name.text()) : name.text();
        if (host.isEmpty()) {
          name.required();
        } else {
          for (String fault : Names.dnsSubdomain(host)) {
            name.invalid(host, fault);
          }
        }
      }
      default -> {
        // Nothing more to say of services in the cluster.
      }
    }
  }

  private static String withoutLast(String text) {
    return text.substring(0, text.length() - 1);
  }

  private static void ports(Place spec, String type) {
    List<Place> ports = spec.at("ports").items();
    Set<String> names = new HashSet<>();
    Set<String> numbers = new HashSet<>();
    Set<String> nodePorts = new HashSet<>();
    for (Place port : ports) {
      Place name = port.at("name");
      if (name.isEmpty() && ports.size() > 1) {
        name.required();
      } else if (!name.isEmpty()) {
        if (!names.add(name.text())) {
          name.duplicate();
        }
      }
      String protocol = port.at("protocol").text();
      Place nodePort = port.at("nodePort");
      if (nodePort.number() != 0) {
        if (type.equals("ClusterIP")) {
          nodePort.forbidden("may not be used when `type` is 'ClusterIP'");
        }
        if (!nodePorts.add(protocol + nodePort.number())) {
          nodePort.duplicate();
        }
      }
      if (!numbers.add(protocol + port.at("port").number())) {
        port.holding(portKey(port)).duplicate();
      }
    }
  }

  private static ObjectNode portKey(Place port) {
    ObjectNode key = JsonNodeFactory.instance.objectNode();
    key.put("protocol", port.at("protocol").text());
    key.put("port", port.at("port").number());
    return key;
  }

  private static void loadBalancer(Place spec, String type) {
    boolean balanced = type.equals("LoadBalancer");
    Place ranges = spec.at("loadBalancerSourceRanges");
    // Upstream spells this path with a capital letter.
    Place told = spec.at("LoadBalancerSourceRanges").holding(ranges.node());
    if (!ranges.isEmpty() && !balanced) {
      told.forbidden("may only be used when `type` is 'LoadBalancer'");
    }
    told.items().forEach(Addresses::cidr);
    for (String field : List.of("allocateLoadBalancerNodePorts", "loadBalancerClass")) {
      if (spec.at(field).isThere() && !balanced) {
        spec.at(field).forbidden("may only be used when `type` is 'LoadBalancer'");
      }
    }
    Place name = spec.at("loadBalancerClass");
    if (balanced && name.isThere()) {
      name.invalid(Names.qualifiedName(name.text()));
    }
  }

  private static void trafficPolicy(Place spec) {
    Place policy = spec.at("externalTrafficPolicy");
    if (!policy.isEmpty() && !isOpenToOutside(spec.node())) {
      policy.invalid("may only be set for externally-accessible services");
    }
    Place health = spec.at("healthCheckNodePort");
    if (health.number() == 0) {
      return;
    }
    if (spec.at("type").is("LoadBalancer") && policy.is("Local")) {
      health.portNumber();
    } else {
      health.invalid(
          "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'");
    }
  }

  @Override
  public void validateUpdate(ObjectNode service, ObjectNode old, Problems problems) {
    ServiceChange.validate(Place.of(service, problems).at("spec"), old.path("spec"));
  }

  @Override
  public void validateStatusUpdate(ObjectNode service, ObjectNode old, Problems problems) {
    Place ingresses = Place.of(service, problems).at("status", "loadBalancer", "ingress");
    boolean balanced = Meta.text(service.path("spec").path("type")).equals("LoadBalancer");
    if (!balanced && !ingresses.isEmpty()) {
      ingresses.forbidden("may only be used when `spec.type` is 'LoadBalancer'");
      return;
    }
    IngressPoints.validate(ingresses);
  }

  @Override
  public List<String> warnings(ObjectNode service) {
    List<String> warnings = new ArrayList<>();
    if (Meta.at(service, "metadata", "annotations").has(HINTS)) {
      warnings.add("annotation " + HINTS + " is deprecated, please use " + MODE + " instead");
    }
    JsonNode spec = service.path("spec");
    boolean external = Meta.text(spec.path("type")).equals("ExternalName");
    if (Meta.text(spec.path("type")).equals("ClusterIP")
        && Meta.text(spec.path("clusterIP")).equals("None")) {
      if (!Meta.text(spec.path("loadBalancerIP")).isEmpty()) {
        warnings.add("spec.loadBalancerIP is ignored for headless services");
      }
      if (!spec.path("externalIPs").isEmpty()) {
        warnings.add("spec.externalIPs is ignored for headless services");
      }
      // None is what it becomes by default: nobody asked for it, though v1.34.0 warns of it.
      if (Meta.text(spec.path("sessionAffinity")).equals("ClientIP")) {
        warnings.add("spec.SessionAffinity is ignored for headless services");
      }
    }
    if (external && !spec.path("externalIPs").isEmpty()) {
      warnings.add("spec.externalIPs is ignored when spec.type is \"ExternalName\"");
    }
    if (!external && !Meta.text(spec.path("externalName")).isEmpty()) {
      warnings.add("spec.externalName is ignored when spec.type is not \"ExternalName\"");
    }
    return warnings;
  }
}
