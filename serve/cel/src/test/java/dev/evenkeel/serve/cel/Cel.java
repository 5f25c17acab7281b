package dev.evenkeel.serve.cel;

import dev.evenkeel.kernel.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Short ways to compile and run. */
final class Cel {

  static final CelEnvironment BARE = CelEnvironment.builder().build();

  private Cel() {}

  static JsonNode json(String text) {
    return Json.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  static CelSchema schema(String text) {
    return schema(text, false);
  }

  static CelSchema schema(String text, boolean resource) {
    return Objects.requireNonNull(CelSchema.of((ObjectNode) json(text), resource, "selfType"));
  }

  /** What an expression without variables makes, as JSON, or what is wrong with it. */
  static String run(String expression) {
    return run(BARE, expression, new CelVariables());
  }

  static String run(CelEnvironment environment, String expression, CelVariables variables) {
    CelProgram program;
    try {
      program = environment.compile(expression, CelResultType.ANY);
    } catch (CelException e) {
      return e.text();
    }
    return switch (program.evaluate(variables, CelBudget.ofRequest())) {
      case CelResult.Made made -> shown(made.value().json());
      case CelResult.Failed failed -> "error: " + failed.message();
      case CelResult.Exceeded exceeded -> "exceeded: " + exceeded.message();
    };
  }

  private static String shown(JsonNode tree) {
    return new String(Json.encode(tree), StandardCharsets.UTF_8).replace('"', '\'');
  }

  static String firstLine(String text) {
    int end = text.indexOf('\n');
    return end < 0 ? text : text.substring(0, end);
  }
}
