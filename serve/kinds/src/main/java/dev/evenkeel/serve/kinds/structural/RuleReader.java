package dev.evenkeel.serve.kinds.structural;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.schema.FieldError;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.serve.cel.CelEnvironment;
import dev.evenkeel.serve.cel.CelException;
import dev.evenkeel.serve.cel.CelLimits;
import dev.evenkeel.serve.cel.CelProgram;
import dev.evenkeel.serve.cel.CelResultType;
import dev.evenkeel.serve.cel.CelSchema;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Compiles the rules of a schema, and refuses those that could cost too much. */
final class RuleReader {

  private static final Map<String, FieldError.Reason> REASONS =
      Map.of(
          "", FieldError.Reason.INVALID,
          "FieldValueInvalid", FieldError.Reason.INVALID,
          "FieldValueForbidden", FieldError.Reason.FORBIDDEN,
          "FieldValueRequired", FieldError.Reason.REQUIRED,
          "FieldValueDuplicate", FieldError.Reason.DUPLICATE);

  /** How many of the expensive rules are told by name. */
  private static final int MOST_EXPENSIVE_MAX = 4;

  private final Problems problems;
  private long estimateSum;
  private final List<Estimate> mostExpensive = new ArrayList<>();

  /** What the expression at a path may cost. */
  private record Estimate(String path, long cost) {}

  private RuleReader(Problems problems) {
    this.problems = problems;
  }

  /**
   * @param schema the whole schema, as written
   * @param root the same, compiled
   */
  static RuleTree read(JsonNode schema, Node root, String path, Problems problems) {
    var reader = new RuleReader(problems);
    RuleTree tree = reader.tree(schema, root, path, new Around(true, null, 1));
    if (reader.estimateSum > CelLimits.KIND_ESTIMATE_MAX) {
      for (Estimate estimate : reader.mostExpensive) {
        problems.forbidden(
            estimate.path,
            "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3"
                + " schema");
      }
      problems.forbidden(
          path,
          CelLimits.exceeded(
              "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema",
              reader.estimateSum,
              CelLimits.KIND_ESTIMATE_MAX));
    }
    return tree;
  }

  /**
   * What a place's surroundings mean for its rules.
   *
   * @param root whether it is the whole object
   * @param uncorrelated where above it what stood there before cannot be found; null if it can
   * @param times how often it can occur at most; negative if nobody says
   */
  private record Around(boolean root, @Nullable String uncorrelated, long times) {

    Around inside(@Nullable String notFoundBelow, long most) {
      long count = times < 0 || most < 0 ? -1 : CelLimits.multiplied(times, most);
      return new Around(false, uncorrelated == null ? notFoundBelow : uncorrelated, count);
    }
  }

  private RuleTree tree(JsonNode schema, Node node, String path, Around around) {
    Map<String, RuleTree> properties = new HashMap<>();
    for (Map.Entry<String, Node> property : node.properties().entrySet()) {
      RuleTree inside =
          tree(
              schema.path("properties").path(property.getKey()),
              property.getValue(),
              path + ".properties[" + property.getKey() + "]",
              around.inside(node.atomic() ? path : null, 1));
      if (!inside.isEmpty()) {
        properties.put(property.getKey(), inside);
      }
    }
    RuleTree items = null;
    if (node.items() != null) {
      items =
          tree(
              schema.path("items"),
              node.items(),
              path + ".items",
              around.inside(
                  node.listType() == Schema.ListType.MAP ? null : path,
                  node.limits().items().most()));
    }
    RuleTree additional = null;
    if (node.additional() != null) {
      additional =
          tree(
              schema.path("additionalProperties"),
              node.additional(),
              path + ".additionalProperties",
              around.inside(null, node.limits().fields().most()));
    }
    return new RuleTree(
        node,
        rules(schema, node, path, around),
        properties.isEmpty() ? Map.of() : properties,
        items == null || items.isEmpty() ? null : items,
        additional == null || additional.isEmpty() ? null : additional);
  }

  private List<RuleTree.Rule> rules(JsonNode schema, Node node, String path, Around around) {
    if (node.rules().isEmpty() || !(schema instanceof ObjectNode written)) {
      return List.of();
    }
    CelSchema type = CelSchema.of(written, around.root || node.embedded(), "self");
    if (type == null) {
      problems.invalid(
          path + ".x-kubernetes-validations",
          "",
          "rules need a schema that says what is there: it has no properties, or keeps unknown"
              + " fields");
      return List.of();
    }
    List<RuleTree.Rule> rules = new ArrayList<>();
    for (int i = 0; i < node.rules().size(); i++) {
      RuleTree.Rule rule =
          rule(
              node.rules().get(i),
              written,
              type,
              path + ".x-kubernetes-validations[" + i + "]",
              around);
      if (rule != null) {
        rules.add(rule);
      }
    }
    return rules;
  }

  private RuleTree.@Nullable Rule rule(
      ObjectNode written, JsonNode schema, CelSchema type, String path, Around around) {
    boolean optionalOldSelf = written.path("optionalOldSelf").asBoolean(false);
    CelEnvironment.Builder builder = CelEnvironment.builder().variable("self", type);
    CelEnvironment environment =
        (optionalOldSelf
                ? builder.optionalVariable("oldSelf", type)
                : builder.variable("oldSelf", type))
            .build();
    CelProgram program;
    try {
      program = environment.compile(Meta.text(written.path("rule")), CelResultType.BOOL);
    } catch (CelException e) {
      problems.invalid(
          path + ".rule",
          shown(written),
          e.isOfResultType() ? e.text() : "compilation failed: " + e.text());
      return null;
    }
    long times = around.times < 0 ? type.cardinalityMax() : around.times;
    estimate(
        "estimated rule cost",
        CelLimits.multiplied(program.estimatedCostMax(), times),
        path + ".rule");
    CelProgram messageProgram = messageProgram(written, environment, path + ".messageExpression");
    if (program.usesOldSelf() && around.uncorrelated != null) {
      problems.invalid(
          path + ".rule",
          program.expression(),
          "oldSelf cannot be used on the uncorrelatable portion of the schema within "
              + around.uncorrelated);
    } else if (!program.usesOldSelf() && written.path("optionalOldSelf").isBoolean()) {
      problems.invalid(
          path + ".optionalOldSelf",
          written.path("optionalOldSelf"),
          "may not be set if oldSelf is not used in rule");
    }
    FieldError.Reason reason = REASONS.get(Meta.text(written.path("reason")));
    return new RuleTree.Rule(
        program,
        messageProgram,
        Meta.text(written.path("message")).strip(),
        reason == null ? FieldError.Reason.INVALID : reason,
        fieldPath(Meta.text(written.path("fieldPath")), schema),
        optionalOldSelf);
  }

  private @Nullable CelProgram messageProgram(
      ObjectNode written, CelEnvironment environment, String path) {
    String expression = Meta.text(written.path("messageExpression"));
    if (expression.isBlank()) {
      return null;
    }
    try {
      CelProgram program = environment.compile(expression, CelResultType.STRING);
      estimate("estimated messageExpression cost", program.estimatedCostMax(), path);
      return program;
    } catch (CelException e) {
      problems.invalid(
          path,
          shown(written),
          e.isOfResultType()
              ? "messageExpression must evaluate to a string"
              : "messageExpression compilation failed: " + e.text());
      return null;
    }
  }

  /** A rule as messages have always shown it: every field, by its name in the server. */
  private static ObjectNode shown(ObjectNode written) {
    ObjectNode shown = JsonNodeFactory.instance.objectNode();
    for (String field : List.of("rule", "message", "messageExpression")) {
      shown.put(capital(field), Meta.text(written.path(field)));
    }
    shown.set("Reason", orNull(written.path("reason")));
    shown.put("FieldPath", Meta.text(written.path("fieldPath")));
    shown.set("OptionalOldSelf", orNull(written.path("optionalOldSelf")));
    return shown;
  }

  private static String capital(String word) {
    return Character.toUpperCase(word.charAt(0)) + word.substring(1);
  }

  private static JsonNode orNull(JsonNode value) {
    return value.isMissingNode() ? JsonNodeFactory.instance.nullNode() : value;
  }

  /** Where below its place a rule's problem is shown, with the dot before it. */
  private static String fieldPath(String given, JsonNode schema) {
    if (given.isEmpty()) {
      return "";
    }
    try {
      return "." + FieldPath.of(given, schema, true).shown();
    } catch (IllegalArgumentException e) {
      // Accepted by another version of the server.
      return given;
    }
  }

  private void estimate(String name, long cost, String path) {
    if (cost > CelLimits.RULE_ESTIMATE_MAX) {
      problems.forbidden(path, CelLimits.exceeded(name, cost, CelLimits.RULE_ESTIMATE_MAX));
    }
    estimateSum = estimateSum > Long.MAX_VALUE - cost ? Long.MAX_VALUE : estimateSum + cost;
    if (cost >= CelLimits.KIND_ESTIMATE_MAX / 100) {
      mostExpensive.add(new Estimate(path, cost));
      mostExpensive.sort(Comparator.comparingLong(Estimate::cost).reversed());
      if (mostExpensive.size() > MOST_EXPENSIVE_MAX) {
        mostExpensive.removeLast();
      }
    }
  }
}
