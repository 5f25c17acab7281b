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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
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

  private final Problems problems;
  private long estimateSum;

  private RuleReader(Problems problems) {
    this.problems = problems;
  }

  /**
   * @param schema the whole schema, as written
   * @param root the same, compiled
   */
  static RuleTree read(JsonNode schema, Node root, String path, Problems problems) {
    var reader = new RuleReader(problems);
    RuleTree tree = reader.tree(schema, root, path, new Around(true, true, 1));
    if (reader.estimateSum > CelLimits.KIND_ESTIMATE_MAX) {
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
   * @param correlated whether what stood there before can be found
   * @param times how often it can occur at most; negative if nobody says
   */
  private record Around(boolean root, boolean correlated, long times) {

    Around inside(boolean stillCorrelated, long most) {
      long count = times < 0 || most < 0 ? -1 : CelLimits.multiplied(times, most);
      return new Around(false, correlated && stillCorrelated, count);
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
              around.inside(true, 1));
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
              around.inside(node.listType() == Schema.ListType.MAP, node.limits().items().max()));
    }
    RuleTree additional = null;
    if (node.additional() != null) {
      additional =
          tree(
              schema.path("additionalProperties"),
              node.additional(),
              path + ".additionalProperties",
              around.inside(true, node.limits().fields().max()));
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
          rule(node.rules().get(i), type, path + ".x-kubernetes-validations[" + i + "]", around);
      if (rule != null) {
        rules.add(rule);
      }
    }
    return rules;
  }

  private RuleTree.@Nullable Rule rule(
      ObjectNode written, CelSchema type, String path, Around around) {
    boolean optionalOldSelf = written.path("optionalOldSelf").asBoolean(false);
    CelEnvironment.Builder builder = CelEnvironment.builder().variable("self", type);
    CelEnvironment environment =
        (optionalOldSelf
                ? builder.optionalVariable("oldSelf", type)
                : builder.variable("oldSelf", type))
            .build();
    CelProgram program =
        compiled(environment, Meta.text(written.path("rule")), CelResultType.BOOL, path + ".rule");
    String expression = Meta.text(written.path("messageExpression"));
    CelProgram messageProgram =
        expression.isBlank()
            ? null
            : compiled(environment, expression, CelResultType.STRING, path + ".messageExpression");
    FieldError.Reason reason = REASONS.get(Meta.text(written.path("reason")));
    if (reason == null) {
      problems.notSupported(
          path + ".reason",
          Meta.text(written.path("reason")),
          REASONS.keySet().stream().filter(word -> !word.isEmpty()).sorted().toList());
    }
    String message = Meta.text(written.path("message")).strip();
    if (message.indexOf('\n') >= 0) {
      problems.invalid(path + ".message", message, "message must not contain line breaks");
    }
    if (program == null || reason == null) {
      return null;
    }
    if (program.usesOldSelf() && !around.correlated) {
      problems.invalid(
          path + ".rule",
          program.expression(),
          "oldSelf cannot be used on the uncorrelatable portion of the schema");
    }
    estimate(program, type, path, around);
    return new RuleTree.Rule(
        program,
        messageProgram,
        message,
        reason,
        Meta.text(written.path("fieldPath")),
        optionalOldSelf);
  }

  private @Nullable CelProgram compiled(
      CelEnvironment environment, String expression, CelResultType expected, String path) {
    try {
      return environment.compile(expression, expected);
    } catch (CelException e) {
      problems.invalid(
          path,
          expression,
          e.isOfResultType()
              ? e.text()
              : (expected == CelResultType.BOOL ? "" : "messageExpression ")
                  + "compilation failed: "
                  + e.text());
      return null;
    }
  }

  private void estimate(CelProgram program, CelSchema type, String path, Around around) {
    long times = around.times < 0 ? type.cardinalityMax() : around.times;
    long cost = CelLimits.multiplied(program.estimatedCostMax(), times);
    if (cost > CelLimits.RULE_ESTIMATE_MAX) {
      problems.forbidden(
          path + ".rule",
          CelLimits.exceeded("estimated rule cost", cost, CelLimits.RULE_ESTIMATE_MAX));
    }
    estimateSum = estimateSum > Long.MAX_VALUE - cost ? Long.MAX_VALUE : estimateSum + cost;
  }
}
