package dev.evenkeel.operate.look;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.observe.transport.Query;
import dev.evenkeel.operate.kubeconfig.KubeconfigOption;
import dev.evenkeel.operate.kubeconfig.ServerAccess;
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
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Shows what controllers decided, on what they decided it, and what came of it. */
@Command(
    name = "decisions",
    description = "Show what controllers decided, on what, and what came of it; newest last.",
    optionListHeading = "%nOptions:%n")
public final class DecisionsCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private KubeconfigOption server;

  @Parameters(
      arity = "0..1",
      paramLabel = "KIND[/NAME]",
      description =
          "About which objects, for example deployment/web. The kind is named as for kubectl:"
              + " deployments and deploy are the same.")
  private String about = "";

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description = "About objects of this namespace.")
  private String namespace = "";

  @Option(names = "--controller", paramLabel = "NAME", description = "Of this controller.")
  private String controller = "";

  @Option(names = "--limit", paramLabel = "N", description = "How many at the most.")
  private int limit = 20;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "text|json",
      description = "How to write it.")
  private Output output = Output.TEXT;

  @Override
  public Integer call() throws InterruptedException {
    ServerAccess where = server.read();
    int slash = about.indexOf('/');
    String query =
        new Query()
            .with("limit", Integer.toString(limit))
            .withUnlessEmpty("kind", kind(where, slash < 0 ? about : about.substring(0, slash)))
            .withUnlessEmpty("name", slash < 0 ? "" : about.substring(slash + 1))
            .withUnlessEmpty("namespace", namespace)
            .withUnlessEmpty("controller", controller)
            .toString();
    ObjectNode page = ServerPages.read(where, "/evenkeel/decisions?" + query);
    PrintWriter out = spec.commandLine().getOut();
    if (output == Output.JSON) {
      out.println(new String(Json.encode(page), StandardCharsets.UTF_8));
    } else {
      JsonNode decisions = page.path("decisions");
      if (decisions.isEmpty()) {
        out.println("no decisions" + (about.isEmpty() ? "" : " about " + about));
      }
      for (int i = decisions.size() - 1; i >= 0; i--) {
        out.print(text(decisions.get(i)));
      }
    }
    out.flush();
    return 0;
  }

  /** What the server calls it. */
  private String kind(ServerAccess where, String word) throws InterruptedException {
    if (word.isEmpty()) {
      return "";
    }
    KindWords words = KindWords.read(where);
    String kind = words.kind(word);
    if (kind == null) {
      throw new ParameterException(spec.commandLine(), words.unknown(word));
    }
    return kind;
  }

  static String text(JsonNode decision) {
    var text = new StringBuilder();
    JsonNode subject = decision.path("subject");
    JsonNode waking = decision.path("waking");
    String time = Output.text(decision, "begun");
    text.append(time.length() > 23 ? time.substring(11, 23) : time)
        .append("  ")
        .append(Output.text(subject, "kind").toLowerCase(Locale.ROOT))
        .append('/')
        .append(Output.text(subject, "name"))
        .append(
            Output.text(subject, "namespace").isEmpty()
                ? ""
                : " in " + Output.text(subject, "namespace"))
        .append("  ")
        .append(Output.text(decision.path("outcome"), "kind").toLowerCase(Locale.ROOT))
        .append(" after ")
        .append(Output.millis(decision.path("tookMillis").asDouble(0)))
        .append("  (")
        .append(Output.text(decision, "controller"))
        .append(", ")
        .append(Output.text(decision, "id"))
        .append(")\n");
    for (JsonNode reason : waking.path("reasons")) {
      line(text, "woken", Output.text(reason, "text"));
    }
    waited(text, waking);
    for (JsonNode read : decision.path("reads")) {
      line(
          text,
          "read",
          Output.text(read, "kind")
              + " "
              + Output.text(read, "query")
              + ": "
              + Output.text(read, "found")
              + " at version "
              + Output.text(read, "version"));
    }
    evaluated(text, decision.path("evaluation"));
    for (JsonNode action : decision.path("actions")) {
      String result = Output.text(action, "result").toLowerCase(Locale.ROOT);
      String detail = Output.text(action, "detail");
      line(
          text,
          Output.text(action, "verb"),
          Output.text(action, "target")
              + ": "
              + Output.text(action, "because")
              + (result.equals("done") ? "" : "; " + result)
              + (detail.isEmpty() ? "" : " (" + detail + ")"));
    }
    String detail = Output.text(decision.path("outcome"), "detail");
    if (!detail.isEmpty()) {
      line(text, "so", detail);
    }
    if (decision.has("next")) {
      JsonNode next = decision.path("next");
      line(text, "next", Output.text(next, "at") + ": " + Output.text(next, "why"));
    }
    return text.toString();
  }

  /** How many candidates fell where, and what the best were worth. */
  private static void evaluated(StringBuilder text, JsonNode evaluation) {
    for (JsonNode rejection : evaluation.path("rejections")) {
      List<String> samples = new ArrayList<>();
      rejection.path("samples").forEach(name -> samples.add(name.asString("")));
      int others = rejection.path("count").asInt(0) - samples.size();
      line(
          text,
          "\u2717",
          Output.text(rejection, "count")
              + "  "
              + Output.text(rejection, "stage")
              + ": "
              + Output.text(rejection, "reason")
              + (samples.isEmpty()
                  ? ""
                  : "  ("
                      + String.join(", ", samples)
                      + (others > 0 ? " and " + others + " more" : "")
                      + ")"));
    }
    for (JsonNode score : evaluation.path("scores")) {
      List<String> parts = new ArrayList<>();
      score
          .path("parts")
          .forEach(
              part ->
                  parts.add(
                      Output.text(part, "judge") + " " + points(part.path("points").asDouble(0))));
      line(
          text,
          "\u2713",
          Output.text(score, "candidate")
              + "  "
              + points(score.path("total").asDouble(0))
              + (parts.isEmpty() ? "" : " = " + String.join(" + ", parts)));
    }
  }

  private static String points(double points) {
    return points == Math.rint(points)
        ? Long.toString(Math.round(points))
        : String.format(Locale.ROOT, "%.1f", points);
  }

  private static void waited(StringBuilder text, JsonNode waking) {
    var parts = new StringBuilder();
    for (String what : List.of("waited", "delayed", "backedOff", "gated")) {
      double millis = waking.path(what + "Millis").asDouble(0);
      if (millis >= 1) {
        parts
            .append(parts.isEmpty() ? "" : ", ")
            .append(what.equals("backedOff") ? "backed off" : what)
            .append(' ')
            .append(Output.millis(millis));
      }
    }
    int attempt = waking.path("attempt").asInt(1);
    if (attempt > 1) {
      parts.append(parts.isEmpty() ? "" : ", ").append("attempt ").append(attempt);
    }
    if (!parts.isEmpty()) {
      line(text, "", parts.toString());
    }
  }

  private static void line(StringBuilder text, String head, String rest) {
    text.append("  ")
        .append(head)
        .append(" ".repeat(Math.max(1, 8 - head.length())))
        .append(rest)
        .append('\n');
  }
}
