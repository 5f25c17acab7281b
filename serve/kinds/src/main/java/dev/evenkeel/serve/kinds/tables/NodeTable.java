package dev.evenkeel.serve.kinds.tables;

import static dev.evenkeel.serve.kinds.tables.Cells.NONE;
import static dev.evenkeel.serve.kinds.tables.Cells.UNKNOWN;
import static dev.evenkeel.serve.kinds.tables.Cells.at;
import static dev.evenkeel.serve.kinds.tables.Cells.orElse;
import static dev.evenkeel.serve.kinds.tables.Cells.text;
import static dev.evenkeel.serve.kinds.tables.TableColumn.age;
import static dev.evenkeel.serve.kinds.tables.TableColumn.computed;
import static dev.evenkeel.serve.kinds.tables.TableColumn.name;
import static dev.evenkeel.serve.kinds.tables.TableColumn.text;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.serve.kinds.TablePrinter;
import java.util.SortedSet;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Nodes. */
final class NodeTable {

  private static final String ROLE_PREFIX = "node-role.kubernetes.io/";
  private static final String ROLE_LABEL = "kubernetes.io/role";

  private NodeTable() {}

  static TablePrinter nodes() {
    return ColumnsPrinter.of(
        name(),
        computed("Status", "Whether pods can run there", NodeTable::status),
        computed("Roles", "What the node is for", NodeTable::roles),
        age(),
        text("Version", "status.nodeInfo.kubeletVersion", "Version of its agent"),
        address("Internal-IP", "InternalIP", "Address in the cluster"),
        address("External-IP", "ExternalIP", "Address from outside"),
        text("OS-Image", "status.nodeInfo.osImage", UNKNOWN, "Operating system").wide(),
        text("Kernel-Version", "status.nodeInfo.kernelVersion", UNKNOWN, "Kernel").wide(),
        text(
                "Container-Runtime",
                "status.nodeInfo.containerRuntimeVersion",
                UNKNOWN,
                "What runs its containers")
            .wide());
  }

  private static String status(ObjectNode node) {
    JsonNode ready = Cells.condition(node, "Ready");
    String status = !ready.isObject() ? "Unknown" : Cells.isTrue(ready) ? "Ready" : "NotReady";
    boolean cordoned = at(node, "spec.unschedulable").asBoolean(false);
    return cordoned ? status + ",SchedulingDisabled" : status;
  }

  private static String roles(ObjectNode node) {
    SortedSet<String> roles = new TreeSet<>();
    Meta.labels(node)
        .forEach(
            (key, value) -> {
              if (key.startsWith(ROLE_PREFIX)) {
                roles.add(key.substring(ROLE_PREFIX.length()));
              } else if (key.equals(ROLE_LABEL)) {
                roles.add(value);
              }
            });
    roles.remove("");
    return orElse(String.join(",", roles), NONE);
  }

  private static TableColumn address(String name, String type, String description) {
    return computed(name, description, o -> address(o, type)).wide();
  }

  private static String address(ObjectNode node, String type) {
    for (JsonNode address : at(node, "status.addresses")) {
      if (text(address, "type").equals(type)) {
        return text(address, "address");
      }
    }
    return NONE;
  }
}
