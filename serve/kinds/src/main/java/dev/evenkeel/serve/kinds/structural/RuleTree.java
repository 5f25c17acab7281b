package dev.evenkeel.serve.kinds.structural;

import dev.evenkeel.kernel.schema.FieldError;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.serve.cel.CelBudget;
import dev.evenkeel.serve.cel.CelProgram;
import dev.evenkeel.serve.cel.CelResult;
import dev.evenkeel.serve.cel.CelVariables;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The rules of a schema in CEL, at the places they are about. Only places with rules in or below
 * them are there.
 *
 * @param rules about the place itself
 */
record RuleTree(
    Node schema,
    List<Rule> rules,
    Map<String, RuleTree> properties,
    @Nullable RuleTree items,
    @Nullable RuleTree additional) {

  /**
   * One rule.
   *
   * @param messageProgram makes the message, if it does not stand fast
   * @param fieldPath where below the place the problem is to be shown; empty for the place itself
   */
  record Rule(
      CelProgram program,
      @Nullable CelProgram messageProgram,
      String message,
      FieldError.Reason reason,
      String fieldPath,
      boolean optionalOldSelf) {

    String shown() {
      return message.isEmpty() ? program.expression().strip() : message;
    }
  }

  boolean isEmpty() {
    return rules.isEmpty() && properties.isEmpty() && items == null && additional == null;
  }

  /** Holds an object against the rules; those about changes only if there was one before. */
  void validate(ObjectNode object, @Nullable ObjectNode old, Problems problems) {
    new Walk(CelBudget.ofRequest(), problems).at(this, object, old, "");
  }

  /** Owned by one validation. */
  private static final class Walk {

    private final CelBudget budget;
    private final Problems problems;
    private boolean over;

    Walk(CelBudget budget, Problems problems) {
      this.budget = budget;
      this.problems = problems;
    }

    void at(RuleTree tree, JsonNode value, @Nullable JsonNode old, String path) {
      if (over || (value.isNull() && tree.schema.nullable())) {
        return;
      }
      boolean untouched = old != null && old.equals(value);
      for (Rule rule : tree.rules) {
        boolean ofChange = rule.program.usesOldSelf();
        boolean runs = ofChange ? old != null || rule.optionalOldSelf : !untouched;
        if (runs && !over) {
          run(rule, tree.schema, value, old, path);
        }
      }
      switch (value) {
        case ObjectNode object -> fields(tree, object, old, path);
        case ArrayNode array -> items(tree, array, old, path);
        default -> {}
      }
    }

    private void fields(RuleTree tree, ObjectNode object, @Nullable JsonNode old, String path) {
      for (Map.Entry<String, JsonNode> field : object.properties()) {
        RuleTree inside = tree.properties.getOrDefault(field.getKey(), tree.additional);
        if (inside != null) {
          JsonNode before = old == null ? null : old.get(field.getKey());
          at(inside, field.getValue(), before, child(path, field.getKey()));
        }
      }
    }

    private void items(RuleTree tree, ArrayNode array, @Nullable JsonNode old, String path) {
      RuleTree inside = tree.items;
      if (inside == null) {
        return;
      }
      for (int i = 0; i < array.size(); i++) {
        at(inside, array.get(i), correlated(tree.schema, array.get(i), old), path + "[" + i + "]");
      }
    }

    /** Only items with keys can be told to be the same as before. */
    private static @Nullable JsonNode correlated(
        Node schema, JsonNode item, @Nullable JsonNode old) {
      if (schema.listType() != Schema.ListType.MAP || old == null) {
        return null;
      }
      for (JsonNode before : old) {
        boolean same = true;
        for (String key : schema.listKeys()) {
          same &= before.path(key).equals(item.path(key));
        }
        if (same) {
          return before;
        }
      }
      return null;
    }

    private void run(Rule rule, Node schema, JsonNode value, @Nullable JsonNode old, String path) {
      var variables = new CelVariables().set("self", value);
      if (old != null) {
        variables.set("oldSelf", old);
      }
      String shownType = schema.type().isEmpty() ? "object" : schema.type();
      switch (rule.program.evaluate(variables, budget)) {
        case CelResult.Made made -> {
          if (!made.value().isTrue()) {
            refuse(rule, shownType, message(rule, variables), path);
          }
        }
        case CelResult.Failed failed ->
            problem(
                FieldError.Reason.INVALID,
                path,
                shownType,
                failed.isNoSuchOverload()
                    ? "call arguments did not match a supported operator, function or macro"
                        + " signature for rule: "
                        + rule.shown()
                    : failed.message() + " evaluating rule: " + rule.shown());
        case CelResult.Exceeded exceeded -> {
          over = exceeded.ofBudget();
          problem(
              FieldError.Reason.INVALID,
              path,
              shownType,
              exceeded.ofBudget()
                  ? exceeded.message()
                  : exceeded.message() + " evaluating rule: " + rule.shown());
        }
      }
    }

    private String message(Rule rule, CelVariables variables) {
      if (rule.messageProgram != null
          && rule.messageProgram.evaluate(variables, budget) instanceof CelResult.Made made) {
        String text = made.value().text();
        if (text != null && !text.isBlank() && text.indexOf('\n') < 0) {
          return text.strip();
        }
      }
      return rule.message.isEmpty() ? "failed rule: " + rule.shown() : rule.message;
    }

    private void refuse(Rule rule, String type, String message, String path) {
      problem(rule.reason, path + rule.fieldPath, type, message);
    }

    private void problem(FieldError.Reason reason, String path, String type, String detail) {
      String head =
          switch (reason) {
            case REQUIRED -> "Required value";
            case FORBIDDEN -> "Forbidden";
            case DUPLICATE -> "Duplicate value: \"" + type + "\"";
            default -> "Invalid value: \"" + type + "\"";
          };
      String field = path.startsWith(".") ? path.substring(1) : path;
      problems.add(
          reason,
          field.isEmpty() ? "<nil>" : field,
          reason == FieldError.Reason.DUPLICATE ? head : head + ": " + detail);
    }

    private static String child(String path, String field) {
      return path.isEmpty() ? field : path + "." + field;
    }
  }
}
