package dev.evenkeel.serve.kinds.rules.pod;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.rules.check.Addresses;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a node's agent may say of a pod. */
final class PodStatusUpdate {

  private static final List<String> OWN_CONDITIONS =
      List.of("PodScheduled", "Ready", "Initialized");

  private PodStatusUpdate() {}

  static void validate(ObjectNode pod, ObjectNode old, Problems problems) {
    Place status = Place.of(pod, problems).at("status");
    JsonNode before = old.path("status");
    for (Place condition : status.at("conditions").items()) {
      String type = condition.at("type").text();
      if (!OWN_CONDITIONS.contains(type)) {
        condition
            .at("Type")
            .holding(condition.at("type").node())
            .invalid(Names.qualifiedName(type));
      }
    }
    nominatedNode(status.at("nominatedNodeName"), old);
    if (!Meta.text(before.path("qosClass")).isEmpty() && status.at("qosClass").isThere()) {
      status.at("qosClass").immutable(before.path("qosClass"));
    }
    states(status, before, old.path("spec"));
    addresses(status.at("podIPs"));
    addresses(status.at("hostIPs"));
    if (!status.at("hostIPs").isEmpty()) {
      Place first = status.at("hostIPs").item(0).at("ip");
      if (!first.text().equals(status.at("hostIP").text())) {
        first.invalid("must be equal to `hostIP`");
      }
    }
  }

  private static void nominatedNode(Place name, ObjectNode old) {
    String before = Meta.text(Meta.at(old, "status", "nominatedNodeName"));
    if (!name.isEmpty() && !name.text().equals(before)) {
      name.invalid(Names.dnsSubdomain(name.text()));
    }
  }

  /** What has ended for good stays ended. */
  private static void states(Place status, JsonNode before, JsonNode spec) {
    String policy = Meta.text(spec.path("restartPolicy"));
    Set<String> sidecars = new HashSet<>();
    for (JsonNode container : spec.path("initContainers")) {
      if (Meta.text(container.path("restartPolicy")).equals("Always")) {
        sidecars.add(Meta.text(container.path("name")));
      }
    }
    if (!policy.equals("Always")) {
      states(status.at("containerStatuses"), before.path("containerStatuses"), policy, Set.of());
      states(
          status.at("initContainerStatuses"),
          before.path("initContainerStatuses"),
          policy,
          sidecars);
    }
    states(
        status.at("ephemeralContainerStatuses"),
        before.path("ephemeralContainerStatuses"),
        "Never",
        Set.of());
  }

  private static void states(Place now, JsonNode before, String policy, Set<String> restarted) {
    for (int i = 0; i < before.size(); i++) {
      JsonNode terminated = before.path(i).path("state").path("terminated");
      String name = Meta.text(before.path(i).path("name"));
      boolean mayRestart =
          !terminated.isObject()
              || restarted.contains(name)
              || (policy.equals("OnFailure") && terminated.path("exitCode").asLong(0) != 0);
      if (mayRestart) {
        continue;
      }
      for (JsonNode status : now.node()) {
        if (Meta.text(status.path("name")).equals(name)
            && !status.path("state").path("terminated").isObject()) {
          now.item(i).at("state").forbidden("may not be transitioned to non-terminated state");
        }
      }
    }
  }

  private static void addresses(Place addresses) {
    List<String> all = new ArrayList<>();
    for (Place address : addresses.items()) {
      Addresses.ip(address.holding(address.at("ip").node()));
      all.add(address.at("ip").text());
    }
    if (all.size() > 1 && !Addresses.isDualStack(all)) {
      addresses.invalid("may specify no more than one IP for each IP family");
    }
  }
}
