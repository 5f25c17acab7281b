package dev.evenkeel.serve.kinds.tables;

import static dev.evenkeel.serve.kinds.tables.Cells.NONE;
import static dev.evenkeel.serve.kinds.tables.Cells.at;
import static dev.evenkeel.serve.kinds.tables.Cells.orElse;
import static dev.evenkeel.serve.kinds.tables.Cells.text;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.serve.kinds.TablePrinter;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Pods: the one table whose cells are worked out together, by {@link PodSummary}. */
final class PodTable implements TablePrinter {

  private static final List<Column> COLUMNS =
      List.of(
          new Column("Name", "string", "name", "Name of the object", 0),
          new Column("Ready", "string", "", "Ready containers of all that keep running", 0),
          new Column("Status", "string", "", "What the pod is doing, or what ails it", 0),
          new Column("Restarts", "string", "", "Restarts of its containers, and the last one", 0),
          new Column("Age", "string", "", "Time since the object was created", 0),
          new Column("IP", "string", "", "First address of the pod", 1),
          new Column("Node", "string", "", "Node the pod is bound to", 1),
          new Column("Nominated Node", "string", "", "Node kept free for the pod", 1),
          new Column("Readiness Gates", "string", "", "Gates that are open, of all", 1));

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode pod, Instant now) {
    var summary = PodSummary.of(pod);
    return List.of(
        Cells.node(Meta.name(pod)),
        Cells.node(summary.readyContainers() + "/" + summary.containers()),
        Cells.node(summary.reason()),
        Cells.node(restarts(summary, now)),
        Cells.node(Cells.age(pod, now)),
        Cells.node(orElse(text(at(pod, "status.podIPs").path(0), "ip"), NONE)),
        Cells.node(orElse(text(pod, "spec.nodeName"), NONE)),
        Cells.node(orElse(text(pod, "status.nominatedNodeName"), NONE)),
        Cells.node(readinessGates(pod)));
  }

  private static String restarts(PodSummary summary, Instant now) {
    return summary.restarts() == 0 || summary.lastRestart() == null
        ? Long.toString(summary.restarts())
        : summary.restarts() + " (" + Cells.since(summary.lastRestart(), now) + " ago)";
  }

  private static String readinessGates(ObjectNode pod) {
    JsonNode gates = at(pod, "spec.readinessGates");
    if (gates.isEmpty()) {
      return NONE;
    }
    int open = 0;
    for (JsonNode gate : gates) {
      if (Cells.isTrue(Cells.condition(pod, text(gate, "conditionType")))) {
        open++;
      }
    }
    return open + "/" + gates.size();
  }
}
