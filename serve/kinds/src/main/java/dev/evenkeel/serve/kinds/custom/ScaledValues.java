package dev.evenkeel.serve.kinds.custom;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Where a kind can be scaled, its numbers of replicas must be numbers whatever its schema says. */
final class ScaledValues {

  private final KindRules.@Nullable ScalePaths paths;

  ScaledValues(KindRules.@Nullable ScalePaths paths) {
    this.paths = paths;
  }

  void validate(ObjectNode object, Problems problems) {
    if (paths != null) {
      replicas(object, paths.wanted(), problems);
      validateStatus(object, problems);
    }
  }

  void validateStatus(ObjectNode object, Problems problems) {
    if (paths != null) {
      replicas(object, paths.actual(), problems);
      if (!paths.selector().isEmpty()) {
        selector(object, paths.selector(), problems);
      }
    }
  }

  private static void replicas(ObjectNode object, String path, Problems problems) {
    JsonNode value = at(object, path, JsonNodeFactory.instance.numberNode(0), problems);
    if (value == null) {
      return;
    }
    if (!value.isIntegralNumber() || !value.canConvertToLong()) {
      refuse(path, JsonNodeFactory.instance.numberNode(0), value, "int64", problems);
    } else if (value.longValue() < 0) {
      problems.invalid("." + path, value, "should be a non-negative integer");
    } else if (value.longValue() > Integer.MAX_VALUE) {
      problems.invalid(
          "." + path, value, "should be less than or equal to " + Integer.MAX_VALUE);
    }
  }

  private static void selector(ObjectNode object, String path, Problems problems) {
    JsonNode value = at(object, path, JsonNodeFactory.instance.stringNode(""), problems);
    if (value != null && !value.isString()) {
      refuse(path, JsonNodeFactory.instance.stringNode(""), value, "string", problems);
    }
  }

  /** The value; null if there is none, or if something on the way holds no fields. */
  private static @Nullable JsonNode at(
      ObjectNode object, String path, JsonNode shown, Problems problems) {
    JsonNode here = object;
    for (String field : List.of(path.split("\\.", -1))) {
      if (!here.isObject()) {
        refuse(path, shown, here, "map[string]interface{}", problems);
        return null;
      }
      here = here.path(field);
      if (here.isMissingNode() || here.isNull()) {
        return null;
      }
    }
    return here;
  }

  private static void refuse(
      String path, JsonNode shown, JsonNode value, String expected, Problems problems) {
    problems.invalid(
        "." + path,
        shown,
        "."
            + path
            + " accessor error: "
            + text(value)
            + " is of the type "
            + typeOf(value)
            + ", expected "
            + expected);
  }

  private static String text(JsonNode value) {
    if (value.isNumber()) {
      return value.decimalValue().stripTrailingZeros().toPlainString();
    }
    return value.isString()
        ? value.stringValue()
        : new String(Json.encode(value), StandardCharsets.UTF_8);
  }

  /** In the words that these messages have always had. */
  private static String typeOf(JsonNode value) {
    if (value.isNumber()) {
      return value.isIntegralNumber() && value.canConvertToLong() ? "int64" : "float64";
    }
    return value.isString()
        ? "string"
        : value.isBoolean() ? "bool" : value.isArray() ? "[]interface {}" : "map[string]interface {}";
  }
}
