package dev.evenkeel.serve.kinds.rules.network;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Addresses;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Ingresses. */
public final class IngressRules implements KindRules {

  static final String CLASS_ANNOTATION = "kubernetes.io/ingress.class";

  private static final List<String> NOT_IN_PATHS = List.of("//", "/./", "/../", "%2f", "%2F");
  private static final List<String> NOT_AT_ENDS = List.of("/..", "/.");

  @Override
  public void prepareForCreate(ObjectNode ingress) {
    ingress.putObject("status").putObject("loadBalancer");
  }

  @Override
  public void validate(ObjectNode ingress, Problems problems) {
    Place spec = Place.of(ingress, problems).at("spec");
    Place rules = spec.at("rules");
    if (rules.isEmpty() && !spec.at("defaultBackend").isThere()) {
      spec.holding(rules.node()).invalid("either `defaultBackend` or `rules` must be specified");
    }
    if (spec.at("defaultBackend").isThere()) {
      backend(spec.at("defaultBackend"));
    }
    for (Place rule : rules.items()) {
      host(rule.at("host"));
      Place http = rule.at("http");
      if (http.isThere()) {
        http.at("paths").items().forEach(IngressRules::path);
      }
    }
    for (Place tls : spec.at("tls").items()) {
      tls.at("hosts").items().forEach(IngressRules::hostName);
      if (!tls.at("secretName").isEmpty()) {
        tls.at("secretName").invalid(Names.dnsSubdomain(tls.at("secretName").text()));
      }
    }
    if (spec.at("ingressClassName").isThere()) {
      spec.at("ingressClassName").invalid(Names.dnsSubdomain(spec.at("ingressClassName").text()));
    }
  }

  private static void host(Place host) {
    if (host.isEmpty()) {
      return;
    }
    if (Addresses.isIp(host.text())) {
      host.invalid("must be a DNS name, not an IP address");
    }
    hostName(host);
  }

  private static void hostName(Place host) {
    host.invalid(
        host.text().indexOf('*') >= 0
            ? Names.wildcardSubdomain(host.text())
            : Names.dnsSubdomain(host.text()));
  }

  private static void path(Place entry) {
    Place path = entry.at("path");
    String text = path.text();
    switch (entry.at("pathType").text()) {
      case "" -> {
        entry.at("pathType").required("pathType must be specified");
        return;
      }
      case "Exact", "Prefix" -> {
        if (!text.startsWith("/")) {
          path.invalid("must be an absolute path");
        }
        for (String sequence : NOT_IN_PATHS) {
          if (text.contains(sequence)) {
            path.invalid("must not contain '" + sequence + "'");
          }
        }
        for (String end : NOT_AT_ENDS) {
          if (text.endsWith(end)) {
            path.invalid("cannot end with '" + end + "'");
          }
        }
      }
      case "ImplementationSpecific" -> {
        if (!text.isEmpty() && !text.startsWith("/")) {
          path.invalid("must be an absolute path");
        }
      }
      default -> {
        // The schema knows no other.
      }
    }
    backend(entry.at("backend"));
  }

  private static void backend(Place backend) {
    Place service = backend.at("service");
    Place resource = backend.at("resource");
    if (service.isThere() && resource.isThere()) {
      backend.invalid("", "cannot set both resource and service backends");
    } else if (resource.isThere()) {
      reference(resource);
    } else if (service.isThere()) {
      service(backend, service);
    } else {
      backend.invalid("", "resource or service backend is required");
    }
  }

  private static void service(Place backend, Place service) {
    Place name = service.at("name");
    if (!name.isEmpty()) {
      name.invalid(Names.dns1035Label(name.text()));
    }
    Place portName = service.at("port", "name");
    Place portNumber = service.at("port", "number");
    if (!portName.isEmpty() && portNumber.number() != 0) {
      backend.invalid("", "cannot set both port name & port number");
    } else if (!portName.isEmpty()) {
      portName.invalid(Names.portName(portName.text()));
    } else if (portNumber.number() != 0) {
      portNumber.portNumber();
    } else {
      backend.required("port name or number is required");
    }
  }

  static void reference(Place reference) {
    Place group = reference.at("apiGroup");
    if (group.isThere()) {
      group.invalid(Names.dnsSubdomain(group.text()));
    }
    for (String field : List.of("kind", "name")) {
      Place value = reference.at(field);
      if (value.isEmpty()) {
        value.required();
      } else {
        value.invalid(Names.pathSegment(value.text()));
      }
    }
  }

  @Override
  public void validateCreate(ObjectNode ingress, Problems problems) {
    String annotated =
        Meta.text(Meta.at(ingress, "metadata", "annotations").path(CLASS_ANNOTATION));
    String named = Meta.text(Meta.at(ingress, "spec", "ingressClassName"));
    if (!annotated.isEmpty() && !named.isEmpty() && !annotated.equals(named)) {
      problems.invalid(
          "annotations." + CLASS_ANNOTATION,
          annotated,
          "must match `ingressClassName` when both are specified");
    }
  }

  @Override
  public void validateStatusUpdate(ObjectNode ingress, ObjectNode old, Problems problems) {
    IngressPoints.validate(Place.of(ingress, problems).at("status", "loadBalancer", "ingress"));
  }

  @Override
  public List<String> warnings(ObjectNode ingress) {
    return Meta.at(ingress, "metadata", "annotations").has(CLASS_ANNOTATION)
        ? List.of(
            "annotation \""
                + CLASS_ANNOTATION
                + "\" is deprecated, please use 'spec.ingressClassName' instead")
        : List.of();
  }
}
