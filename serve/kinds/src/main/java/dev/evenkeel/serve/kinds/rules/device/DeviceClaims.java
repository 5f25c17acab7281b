package dev.evenkeel.serve.kinds.rules.device;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a claim asks for: the spec of claims, and of templates for them. */
final class DeviceClaims {

  static final int REQUESTS_MAX = 32;
  static final int CONFIGS_MAX = 32;
  private static final int CONSTRAINTS_MAX = 32;
  private static final int SELECTORS_MAX = 32;
  private static final int CHOICES_MAX = 8;
  private static final int EXPRESSION_BYTES_MAX = 10 * 1024;
  private static final int PARAMETERS_BYTES_MAX = 10 * 1024;

  private static final String REFERENCE =
      "must be the name of a request in the claim or the name of a request and a subrequest"
          + " separated by '/'";

  private DeviceClaims() {}

  // ---- defaults

  static void applyDefaults(JsonNode spec) {
    for (JsonNode request : spec.path("devices").path("requests")) {
      count(request.path("exactly"));
      for (JsonNode choice : request.path("firstAvailable")) {
        count(choice);
      }
    }
  }

  private static void count(JsonNode request) {
    if (!(request instanceof ObjectNode object)) {
      return;
    }
    if (Meta.text(object.path("allocationMode")).isEmpty()) {
      object.put("allocationMode", "ExactCount");
    }
    if (Meta.text(object.path("allocationMode")).equals("ExactCount")
        && object.path("count").asLong(0) == 0) {
      object.put("count", 1L);
    }
  }

  /** Fields of features that are off in this version. */
  static void dropDisabled(JsonNode spec) {
    for (JsonNode request : spec.path("devices").path("requests")) {
      drop(request.path("exactly"), "capacity");
      for (JsonNode choice : request.path("firstAvailable")) {
        drop(choice, "capacity");
      }
    }
  }

  static void drop(JsonNode node, String... fields) {
    if (node instanceof ObjectNode object) {
      for (String field : fields) {
        object.remove(field);
      }
    }
  }

  // ---- validation

  /** Requests by name, with the names of their choices. */
  static Map<String, Set<String>> names(JsonNode devices) {
    Map<String, Set<String>> names = new HashMap<>();
    for (JsonNode request : devices.path("requests")) {
      Set<String> choices = new HashSet<>();
      for (JsonNode choice : request.path("firstAvailable")) {
        choices.add(Meta.text(choice.path("name")));
      }
      names.put(Meta.text(request.path("name")), choices);
    }
    return names;
  }

  static void validate(Place spec) {
    Place devices = spec.at("devices");
    Map<String, Set<String>> names = names(devices.node());
    DeviceNames.set(
        devices.at("requests"), REQUESTS_MAX, DeviceClaims::request, item -> item.at("name"));
    DeviceNames.list(devices.at("constraints"), CONSTRAINTS_MAX, item -> constraint(item, names));
    DeviceNames.list(
        devices.at("config"),
        CONFIGS_MAX,
        item -> {
          references(item.at("requests"), names);
          configuration(item);
        });
  }

  private static void request(Place request) {
    DeviceNames.label(request.at("name"));
    Place choices = request.at("firstAvailable");
    if (!choices.isEmpty()) {
      DeviceNames.set(
          choices,
          CHOICES_MAX,
          choice -> {
            DeviceNames.label(choice.at("name"));
            devices(choice);
          },
          item -> item.at("name"));
    }
    boolean exactly = request.at("exactly").isThere();
    if (exactly) {
      devices(request.at("exactly"));
    }
    if (!exactly && choices.isEmpty()) {
      request.required("exactly one of `exactly` or `firstAvailable` is required");
    } else if (exactly && !choices.isEmpty()) {
      request
          .holding(tools.jackson.databind.node.NullNode.getInstance())
          .invalid(
              "exactly one of `exactly` or `firstAvailable` is required, but multiple fields are"
                  + " set");
    }
  }

  private static void devices(Place request) {
    DeviceNames.deviceClass(request.at("deviceClassName"));
    selectors(request.at("selectors"));
    Place count = request.at("count");
    Place mode = request.at("allocationMode");
    switch (mode.text()) {
      case "All" -> {
        if (count.number() != 0) {
          count.invalid("must not be specified when allocationMode is 'All'");
        }
      }
      case "ExactCount" -> {
        if (count.number() <= 0) {
          count.invalid("must be greater than zero");
        }
      }
      default -> mode.notSupported(List.of("All", "ExactCount"));
    }
    request.at("tolerations").items().forEach(DeviceClaims::toleration);
  }

  static void selectors(Place selectors) {
    DeviceNames.list(
        selectors,
        SELECTORS_MAX,
        selector -> {
          Place cel = selector.at("cel");
          if (!cel.isThere()) {
            cel.required();
          } else if (Json.encode(cel.at("expression").node()).length - 2 > EXPRESSION_BYTES_MAX) {
            cel.at("expression").tooLong(EXPRESSION_BYTES_MAX);
          }
        });
  }

  private static void toleration(Place toleration) {
    Place key = toleration.at("key");
    if (!key.isEmpty()) {
      key.invalid(Names.qualifiedName(key.text()));
    }
    Place value = toleration.at("value");
    switch (toleration.at("operator").text()) {
      case "Exists" -> {
        if (!value.isEmpty()) {
          value.invalid("must be empty for operator `Exists`");
        }
      }
      case "Equal" -> value.invalid(Names.labelValue(value.text()));
      case "" -> toleration.at("operator").required();
      default -> toleration.at("operator").notSupported(List.of("Equal", "Exists"));
    }
    Place effect = toleration.at("effect");
    if (!effect.isEmpty()) {
      effect.oneOf(List.of("NoExecute", "NoSchedule"));
    }
  }

  private static void constraint(Place constraint, Map<String, Set<String>> names) {
    references(constraint.at("requests"), names);
    if (constraint.at("matchAttribute").isThere()) {
      DeviceNames.fullyQualified(constraint.at("matchAttribute"));
    } else if (constraint.at("distinctAttribute").isThere()) {
      DeviceNames.fullyQualified(constraint.at("distinctAttribute"));
    } else {
      constraint.at("matchAttribute").required();
    }
  }

  static void references(Place requests, Map<String, Set<String>> names) {
    DeviceNames.set(requests, REQUESTS_MAX, item -> reference(item, names), item -> item);
  }

  static void reference(Place reference, Map<String, Set<String>> names) {
    String[] parts = reference.text().split("/", -1);
    if (parts.length > 2) {
      reference.invalid(REFERENCE);
      return;
    }
    for (String part : parts) {
      for (String fault : Names.dnsLabel(part)) {
        reference.invalid(part, fault);
      }
    }
    Set<String> choices = names.get(parts[0]);
    if (choices == null || (parts.length == 2 && !choices.contains(parts[1]))) {
      reference.invalid(REFERENCE);
    }
  }

  static void configuration(Place config) {
    Place opaque = config.at("opaque");
    if (!opaque.isThere()) {
      opaque.required();
      return;
    }
    DeviceNames.driver(opaque.at("driver"));
    Place parameters = opaque.at("parameters");
    if (!parameters.isThere()) {
      parameters.required();
    } else if (Json.encode(parameters.node()).length > PARAMETERS_BYTES_MAX) {
      parameters.tooLong(PARAMETERS_BYTES_MAX);
    } else if (!parameters.node().isObject()) {
      parameters.invalid("<value omitted>", "must be a valid JSON object");
    }
  }
}
