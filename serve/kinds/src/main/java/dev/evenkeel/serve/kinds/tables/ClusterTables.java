package dev.evenkeel.serve.kinds.tables;

import static dev.evenkeel.serve.kinds.tables.Cells.NONE;
import static dev.evenkeel.serve.kinds.tables.Cells.UNSET;
import static dev.evenkeel.serve.kinds.tables.Cells.at;
import static dev.evenkeel.serve.kinds.tables.Cells.orElse;
import static dev.evenkeel.serve.kinds.tables.Cells.text;
import static dev.evenkeel.serve.kinds.tables.TableColumn.age;
import static dev.evenkeel.serve.kinds.tables.TableColumn.column;
import static dev.evenkeel.serve.kinds.tables.TableColumn.computed;
import static dev.evenkeel.serve.kinds.tables.TableColumn.count;
import static dev.evenkeel.serve.kinds.tables.TableColumn.createdAt;
import static dev.evenkeel.serve.kinds.tables.TableColumn.flag;
import static dev.evenkeel.serve.kinds.tables.TableColumn.name;
import static dev.evenkeel.serve.kinds.tables.TableColumn.number;
import static dev.evenkeel.serve.kinds.tables.TableColumn.text;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.serve.kinds.TablePrinter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What orders a cluster: namespaces, limits, priorities, leases, policies, webhooks. */
final class ClusterTables {

  private ClusterTables() {}

  static TablePrinter plain() {
    return ColumnsPrinter.of(name(), age());
  }

  /** The kinds that never got a table of their own upstream show the date instead of the age. */
  static TablePrinter dated() {
    return ColumnsPrinter.of(name(), createdAt());
  }

  static TablePrinter componentStatuses() {
    return ColumnsPrinter.of(
        name(),
        computed("Status", "How the component is", o -> health(o, "status")),
        computed("Message", "What it says of itself", o -> health(o, "message")),
        computed("Error", "What is wrong with it", o -> health(o, "error")));
  }

  private static String health(ObjectNode component, String field) {
    for (JsonNode condition : component.path("conditions")) {
      if (text(condition, "type").equals("Healthy")) {
        String said = text(condition, field);
        return field.equals("status") ? said.equals("True") ? "Healthy" : "Unhealthy" : said;
      }
    }
    return field.equals("status") ? "Unknown" : "";
  }

  static TablePrinter resourceClaims() {
    return ColumnsPrinter.of(
        name(), computed("State", "Where it is in its life", ClusterTables::claimState), age());
  }

  private static String claimState(ObjectNode claim) {
    boolean deleted = claim.path("metadata").has("deletionTimestamp");
    if (!at(claim, "status.allocation").isObject()) {
      return deleted ? "deleted" : "pending";
    }
    boolean reserved = !at(claim, "status.reservedFor").isEmpty();
    return (deleted ? "deleted," : "") + "allocated" + (reserved ? ",reserved" : "");
  }

  static TablePrinter resourceSlices() {
    return ColumnsPrinter.of(
        name(),
        text("Node", "spec.nodeName", "The node that has the devices"),
        text("Driver", "spec.driver", "Who offers them"),
        text("Pool", "spec.pool.name", "The pool that the slice is of"),
        age());
  }

  static TablePrinter namespaces() {
    return ColumnsPrinter.of(
        name(), text("Status", "status.phase", "Where it is in its life"), age());
  }

  static TablePrinter configMaps() {
    return ColumnsPrinter.of(
        name(),
        column(
            "Data",
            "string",
            "Number of entries",
            (o, now) -> Cells.node(o.path("data").size() + o.path("binaryData").size())),
        age());
  }

  static TablePrinter resourceQuotas() {
    return ColumnsPrinter.of(
        name(),
        computed("Request", "Used and granted, but for limits", o -> quota(o, false)),
        computed("Limit", "Used and granted of limits", o -> quota(o, true)),
        age());
  }

  static TablePrinter podGroups() {
    return ColumnsPrinter.of(
        name(),
        number("Min Member", "spec.minMember", "With fewer pods none is placed"),
        number("Members", "status.members", "Pods of the group that are there"),
        number("Scheduled", "status.scheduled", "Those that have a node"),
        text("Phase", "status.phase", "Pending, Holding or Scheduled"),
        age());
  }

  static TablePrinter tenantQuotas() {
    return ColumnsPrinter.of(
        name(),
        text("Zone", "spec.zone", "<all>", "Where it holds"),
        computed("Used", "Used and granted", o -> quota(o, false)),
        age());
  }

  static TablePrinter schedulingPolicies() {
    return ColumnsPrinter.of(
        name(),
        text("Version", "spec.policyVersion", "What decisions call it"),
        computed(
            "Active",
            "Whether pods are placed by it, as a scheduler says",
            o -> orElse(text(Cells.condition(o, "InForce"), "status"), "Unknown")),
        number("Canary", "spec.canaryPercent", "Share of the pods in its scope, of a hundred"),
        age(),
        text("Observed", "status.observedVersion", "The version that a scheduler saw last").wide(),
        text("Reason", "status.reason", "Why it is in force, or is not").wide());
  }

  static TablePrinter priorityClasses() {
    return ColumnsPrinter.of(
        name(),
        number("Value", "value", "Priority it stands for"),
        flag("Global-Default", "globalDefault", false, "Whether pods without a class have it"),
        age(),
        text("PreemptionPolicy", "preemptionPolicy", "Whether its pods may displace others"));
  }

  static TablePrinter disruptionBudgets() {
    return ColumnsPrinter.of(
        name(),
        text("Min Available", "spec.minAvailable", "N/A", "Pods that must stay"),
        text("Max Unavailable", "spec.maxUnavailable", "N/A", "Pods that may be missing"),
        number("Allowed Disruptions", "status.disruptionsAllowed", "Pods that may go now"),
        age());
  }

  static TablePrinter leases() {
    return ColumnsPrinter.of(name(), text("Holder", "spec.holderIdentity", "Who holds it"), age());
  }

  static TablePrinter runtimeClasses() {
    return ColumnsPrinter.of(name(), text("Handler", "handler", "What runs the pods"), age());
  }

  static TablePrinter flowSchemas() {
    return ColumnsPrinter.of(
        name(),
        text("PriorityLevel", "spec.priorityLevelConfiguration.name", "Level of its requests"),
        number("MatchingPrecedence", "spec.matchingPrecedence", "Lower ones are tried first")
            .withType("string"),
        text("DistinguisherMethod", "spec.distinguisherMethod.type", NONE, "How flows differ"),
        age(),
        computed(
            "MissingPL",
            "Whether its level does not exist",
            o -> orElse(text(Cells.condition(o, "Dangling"), "status"), "?")));
  }

  static TablePrinter priorityLevels() {
    return ColumnsPrinter.of(
        name(),
        text("Type", "spec.type", "Limited or exempt"),
        limited("NominalConcurrencyShares", "nominalConcurrencyShares", "Its share of seats"),
        limited("Queues", "limitResponse.queuing.queues", "Number of queues"),
        limited("HandSize", "limitResponse.queuing.handSize", "Queues a flow may use"),
        limited("QueueLengthLimit", "limitResponse.queuing.queueLengthLimit", "Room in a queue"),
        age());
  }

  static TablePrinter webhookConfigurations() {
    return ColumnsPrinter.of(name(), count("Webhooks", "webhooks", "Number of webhooks"), age());
  }

  static TablePrinter admissionPolicies(String rulesColumn, String rulesField) {
    return ColumnsPrinter.of(
        name(),
        count(rulesColumn, "spec." + rulesField, "Number of rules"),
        computed("ParamKind", "Kind of its parameters", ClusterTables::paramKind),
        age());
  }

  static TablePrinter admissionPolicyBindings() {
    return ColumnsPrinter.of(
        name(),
        text("PolicyName", "spec.policyName", "The policy"),
        computed("ParamRef", "Parameters it is used with", ClusterTables::paramRef),
        age());
  }

  static TablePrinter apiServices() {
    return ColumnsPrinter.of(
        name(),
        computed("Service", "Who answers", ClusterTables::apiService),
        computed("Available", "Whether it answers", ClusterTables::apiAvailable),
        age());
  }

  private static String quota(ObjectNode quota, boolean limits) {
    Map<String, String> hard = new TreeMap<>(Meta.strings(at(quota, "status.hard")));
    Map<String, String> used = Meta.strings(at(quota, "status.used"));
    List<String> entries = new ArrayList<>();
    hard.forEach(
        (resource, most) -> {
          if (resource.startsWith("limits.") == limits) {
            entries.add(
                resource
                    + ": "
                    + orElse(used.getOrDefault(resource, ""), "0")
                    + "/"
                    + orElse(most, "0"));
          }
        });
    return String.join(", ", entries);
  }

  /** A number where there is one, so that clients can sort by it. */
  private static TableColumn limited(String name, String path, String description) {
    return column(
        name,
        "string",
        description,
        (o, now) -> {
          JsonNode value = at(at(o, "spec.limited"), path);
          return value.isNumber() ? value : Cells.node(NONE);
        });
  }

  private static String paramKind(ObjectNode policy) {
    JsonNode kind = at(policy, "spec.paramKind");
    return kind.isObject() ? text(kind, "apiVersion") + "/" + text(kind, "kind") : UNSET;
  }

  private static String paramRef(ObjectNode binding) {
    JsonNode reference = at(binding, "spec.paramRef");
    String name = text(reference, "name");
    if (!name.isEmpty()) {
      return orElse(text(reference, "namespace"), "*") + "/" + name;
    }
    JsonNode selector = reference.path("selector");
    return selector.isObject() ? orElse(Cells.selector(selector), "*") : UNSET;
  }

  private static String apiService(ObjectNode apiService) {
    JsonNode service = at(apiService, "spec.service");
    return service.isObject() ? text(service, "namespace") + "/" + text(service, "name") : "Local";
  }

  private static String apiAvailable(ObjectNode apiService) {
    JsonNode condition = Cells.condition(apiService, "Available");
    String status = orElse(text(condition, "status"), "Unknown");
    String reason = text(condition, "reason");
    return status.equals("True") || reason.isEmpty() ? status : status + " (" + reason + ")";
  }
}
