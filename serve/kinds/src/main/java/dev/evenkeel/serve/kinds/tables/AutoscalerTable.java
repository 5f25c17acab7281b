package dev.evenkeel.serve.kinds.tables;

import static dev.evenkeel.serve.kinds.tables.Cells.UNKNOWN;
import static dev.evenkeel.serve.kinds.tables.Cells.UNSET;
import static dev.evenkeel.serve.kinds.tables.Cells.at;
import static dev.evenkeel.serve.kinds.tables.Cells.orElse;
import static dev.evenkeel.serve.kinds.tables.Cells.text;
import static dev.evenkeel.serve.kinds.tables.TableColumn.age;
import static dev.evenkeel.serve.kinds.tables.TableColumn.computed;
import static dev.evenkeel.serve.kinds.tables.TableColumn.name;
import static dev.evenkeel.serve.kinds.tables.TableColumn.number;
import static dev.evenkeel.serve.kinds.tables.TableColumn.text;

import dev.evenkeel.serve.kinds.TablePrinter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Horizontal pod autoscalers, with the one target of v1 or the many of v2. */
final class AutoscalerTable {

  /** How many targets a cell names before it only counts. */
  private static final int TARGETS_MAX = 2;

  private AutoscalerTable() {}

  static TablePrinter autoscalersV1() {
    return autoscalers(AutoscalerTable::cpuTarget);
  }

  static TablePrinter autoscalers() {
    return autoscalers(AutoscalerTable::targets);
  }

  private static TablePrinter autoscalers(Function<ObjectNode, String> targets) {
    return ColumnsPrinter.of(
        name(),
        computed(
            "Reference",
            "What it scales",
            o -> text(o, "spec.scaleTargetRef.kind") + "/" + text(o, "spec.scaleTargetRef.name")),
        computed("Targets", "Measured and wanted", targets),
        text("MinPods", "spec.minReplicas", UNSET, "Fewest pods"),
        number("MaxPods", "spec.maxReplicas", "Most pods").withType("string"),
        number("Replicas", "status.currentReplicas", "Pods there are").withType("string"),
        age());
  }

  private static String cpuTarget(ObjectNode autoscaler) {
    JsonNode wanted = at(autoscaler, "spec.targetCPUUtilizationPercentage");
    if (!wanted.isNumber()) {
      return Cells.NONE;
    }
    JsonNode current = at(autoscaler, "status.currentCPUUtilizationPercentage");
    return "cpu: " + percent(current, UNKNOWN) + "/" + percent(wanted, "<auto>");
  }

  private static String targets(ObjectNode autoscaler) {
    JsonNode metrics = at(autoscaler, "spec.metrics");
    if (metrics.isEmpty()) {
      return Cells.NONE;
    }
    JsonNode statuses = at(autoscaler, "status.currentMetrics");
    List<String> targets = new ArrayList<>();
    for (int i = 0; i < metrics.size(); i++) {
      targets.add(target(metrics.path(i), statuses.path(i)));
    }
    return Cells.shortened(targets, TARGETS_MAX, ", ");
  }

  private static String target(JsonNode metric, JsonNode status) {
    return switch (text(metric, "type")) {
      case "External" -> valueTarget(metric.path("external"), status.path("external"));
      case "Object" -> valueTarget(metric.path("object"), status.path("object"));
      case "Pods" ->
          averageValue(status.path("pods").path("current"))
              + "/"
              + text(metric, "pods.target.averageValue");
      case "Resource" -> resourceTarget(metric.path("resource"), status.path("resource"));
      case "ContainerResource" ->
          resourceTarget(metric.path("containerResource"), status.path("containerResource"));
      default -> "<unknown type>";
    };
  }

  private static String valueTarget(JsonNode source, JsonNode status) {
    String average = text(source, "target.averageValue");
    if (!average.isEmpty()) {
      return averageValue(status.path("current")) + "/" + average + " (avg)";
    }
    return orElse(text(status, "current.value"), UNKNOWN) + "/" + text(source, "target.value");
  }

  private static String resourceTarget(JsonNode source, JsonNode status) {
    String head = text(source, "name") + ": ";
    JsonNode current = status.path("current");
    String average = text(source, "target.averageValue");
    if (!average.isEmpty()) {
      return head + averageValue(current) + "/" + average;
    }
    return head
        + percent(current.path("averageUtilization"), UNKNOWN)
        + "/"
        + percent(at(source, "target.averageUtilization"), "<auto>");
  }

  private static String averageValue(JsonNode current) {
    return orElse(text(current, "averageValue"), UNKNOWN);
  }

  private static String percent(JsonNode number, String whenAbsent) {
    return number.isNumber() ? number.asLong(0) + "%" : whenAbsent;
  }
}
