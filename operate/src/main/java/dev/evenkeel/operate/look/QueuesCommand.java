package dev.evenkeel.operate.look;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.operate.kubeconfig.KubeconfigOption;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Shows what waits for which controller, and why. */
@Command(
    name = "queues",
    description = "Show what waits for which controller, and why.",
    optionListHeading = "%nOptions:%n")
public final class QueuesCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private KubeconfigOption server;

  @Parameters(
      arity = "0..1",
      paramLabel = "CONTROLLER",
      description = "Only this one's, with its entries.")
  private String controller = "";

  @Option(
      names = {"-o", "--output"},
      paramLabel = "text|json",
      description = "How to write it.")
  private Output output = Output.TEXT;

  @Override
  public Integer call() throws InterruptedException {
    ObjectNode page = ServerPages.read(server.read(), "/evenkeel/queues");
    PrintWriter out = spec.commandLine().getOut();
    if (output == Output.JSON) {
      out.println(new String(Json.encode(page), StandardCharsets.UTF_8));
      out.flush();
      return 0;
    }
    List<JsonNode> shown = new ArrayList<>();
    page.path("queues")
        .forEach(
            queue -> {
              if (controller.isEmpty() || controller.equals(Output.text(queue, "name"))) {
                shown.add(queue);
              }
            });
    if (shown.isEmpty()) {
      spec.commandLine()
          .getErr()
          .println("evenkeel queues: there is no controller '" + controller + "'");
      return 1;
    }
    if (controller.isEmpty()) {
      out.print(leases(page.path("leases")));
    }
    out.print(summary(shown));
    if (controller.isEmpty()) {
      out.print(events(page.path("events")));
    }
    out.print(late(page.path("late"), controller));
    shown.forEach(queue -> out.print(entries(queue)));
    out.flush();
    return 0;
  }

  /** Who leads; nothing where nobody else can. */
  static String leases(JsonNode leases) {
    if (leases.isEmpty()) {
      return "";
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("LEASE", "HOLDER", "HERE", "TERM"));
    for (JsonNode lease : leases) {
      String holder = Output.text(lease, "holder");
      boolean here = lease.path("here").asBoolean(false);
      rows.add(
          List.of(
              Output.text(lease, "name"),
              holder.isEmpty() ? "-" : holder,
              here ? "leads" : "waits",
              here ? Output.text(lease, "term") : "-"));
    }
    return Output.table(rows) + "\n";
  }

  /** What became of what controllers told users. */
  static String events(JsonNode events) {
    return "\nevents: %s told, %s written, %s dropped\n"
        .formatted(
            Output.text(events, "told"),
            Output.text(events, "written"),
            Output.text(events, "dropped"));
  }

  /** What is not planned for, because too little of it is seen; nothing if all is. */
  static String late(JsonNode late, String controller) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("CONTROLLER", "KEY", "LATE VIEW"));
    for (JsonNode each : late) {
      String name = Output.text(each, "controller");
      if (controller.isEmpty() || controller.equals(name)) {
        rows.add(
            List.of(
                name, each.has("name") ? Output.name(each) : "all", Output.text(each, "waits")));
      }
    }
    return rows.size() == 1 ? "" : "\n" + Output.table(rows);
  }

  private static String summary(List<JsonNode> queues) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "CONTROLLER",
            "DEPTH",
            "READY",
            "WORKING",
            "DELAYED",
            "BACKOFF",
            "HELD",
            "OLDEST",
            "TAKEN",
            "FAILED"));
    for (JsonNode queue : queues) {
      JsonNode depths = queue.path("depths");
      List<String> row = new ArrayList<>();
      row.add(Output.text(queue, "name"));
      row.add(Output.text(queue, "depth"));
      for (String state : List.of("READY", "WORKING", "DELAYED", "BACKOFF", "HELD")) {
        row.add(Output.text(depths, state));
      }
      row.add(Output.millis(queue.path("oldestReadyMillis").asDouble(0)));
      row.add(Output.text(queue, "takes"));
      row.add(Output.text(queue, "failures"));
      rows.add(row);
    }
    return Output.table(rows);
  }

  private static String entries(JsonNode queue) {
    if (queue.path("entries").isEmpty()) {
      return "";
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("KEY", "STATE", "PRIORITY", "SINCE", "ATTEMPTS", "NEXT", "WHY"));
    for (JsonNode entry : queue.path("entries")) {
      JsonNode wakes = entry.path("wakes");
      rows.add(
          List.of(
              Output.name(entry),
              Output.text(entry, "state").toLowerCase(Locale.ROOT),
              Output.text(entry, "priority").toLowerCase(Locale.ROOT),
              Output.millis(entry.path("inStateMillis").asDouble(0)),
              Output.text(entry, "attempts"),
              entry.has("next") ? Output.text(entry, "next") : "-",
              wakes.isEmpty() ? "" : Output.text(wakes.get(wakes.size() - 1), "text")));
    }
    return "\n" + Output.text(queue, "name") + "\n" + Output.table(rows);
  }
}
