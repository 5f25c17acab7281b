package dev.evenkeel.serve.cel.json;

import dev.evenkeel.serve.cel.meter.Meter;
import dev.evenkeel.serve.cel.type.DeclaredType;
import dev.evenkeel.serve.cel.value.BuiltMap;
import dev.evenkeel.serve.cel.value.EvaluationError;
import dev.evenkeel.serve.cel.value.ListValue;
import dev.evenkeel.serve.cel.value.MapValue;
import dev.evenkeel.serve.cel.value.NullValue;
import dev.evenkeel.serve.cel.value.ObjectValue;
import dev.evenkeel.serve.cel.value.Octets;
import dev.evenkeel.serve.cel.value.OptionalValue;
import dev.evenkeel.serve.cel.value.PatchValue;
import dev.evenkeel.serve.cel.value.Times;
import dev.evenkeel.serve.cel.value.Uint;
import dev.evenkeel.serve.cel.value.Values;
import java.util.Base64;
import java.util.Collection;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** JSON to values and back. */
public final class JsonValues {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private JsonValues() {}

  /** Reading a time takes about a microsecond, however often it was read before. */
  private static final int TIME_WORK = 60;

  /**
   * The value of a tree; of containers a view, nothing is copied.
   *
   * @param meter charged for what is read through the view, as long as it is used: what one
   *     expression made and another looks at is paid for by the first
   */
  public static Object of(JsonNode node, DeclaredType type, Meter meter) {
    if (node.isNull() || node.isMissingNode()) {
      return NullValue.NULL;
    }
    return switch (type.kind()) {
      case ANY -> any(node, meter);
      case BOOLEAN -> {
        check(node.isBoolean(), "boolean");
        yield node.booleanValue();
      }
      case INTEGER -> {
        check(node.isNumber(), "integer");
        yield node.canConvertToLong() ? node.longValue() : node.bigIntegerValue().longValue();
      }
      case NUMBER -> {
        check(node.isNumber(), "number");
        yield node.doubleValue();
      }
      case STRING -> text(node, "string");
      case BYTES -> bytes(text(node, "byte"), meter);
      case DURATION -> Times.durationOfSchema(time(node, "duration", meter));
      case DATE -> Times.date(time(node, "date", meter));
      case TIMESTAMP -> Times.timestamp(time(node, "date-time", meter));
      case LIST -> {
        check(node instanceof ArrayNode, "array");
        yield new JsonList((ArrayNode) node, type, meter);
      }
      case MAP, OBJECT -> {
        check(node instanceof ObjectNode, "object");
        yield new JsonMap((ObjectNode) node, type, meter);
      }
    };
  }

  private static Object any(JsonNode node, Meter meter) {
    return switch (node) {
      case ObjectNode object -> new JsonMap(object, DeclaredType.DYN, meter);
      case ArrayNode array -> new JsonList(array, DeclaredType.DYN, meter);
      default -> {
        if (node.isString()) {
          yield node.stringValue();
        }
        if (node.isBoolean()) {
          yield node.booleanValue();
        }
        if (node.isIntegralNumber() && node.canConvertToLong()) {
          yield node.longValue();
        }
        check(node.isNumber(), "number");
        yield node.doubleValue();
      }
    };
  }

  private static String text(JsonNode node, String type) {
    check(node.isString(), type);
    return node.stringValue();
  }

  private static String time(JsonNode node, String type, Meter meter) {
    meter.work(TIME_WORK);
    return text(node, type);
  }

  private static Octets bytes(String base64, Meter meter) {
    meter.text(base64.length());
    try {
      return new Octets(Base64.getDecoder().decode(base64));
    } catch (IllegalArgumentException e) {
      throw new EvaluationError("failed to decode base64: " + e.getMessage());
    }
  }

  private static void check(boolean fits, String type) {
    if (!fits) {
      throw new EvaluationError(
          "invalid data, expected a value for the provided schema with type=" + type);
    }
  }

  /** The tree of a value. Parts that came from a tree are those very parts, not copies. */
  public static JsonNode toJson(Object value, Meter meter) {
    meter.work(1);
    return switch (value) {
      case NullValue _ -> NODES.nullNode();
      case Boolean bool -> NODES.booleanNode(bool);
      case Long number -> NODES.numberNode(number.longValue());
      case Uint number when number.bits() >= 0 -> NODES.numberNode(number.bits());
      case Uint number -> NODES.numberNode(Double.parseDouble(number.toString()));
      case Double number -> NODES.numberNode(number.doubleValue());
      case String text -> NODES.stringNode(text);
      case JsonList list -> list.array();
      case JsonMap map -> map.object();
      case ListValue list -> array(list, meter);
      case MapValue map -> object(map, meter);
      case OptionalValue optional ->
          optional.value() == null ? NODES.nullNode() : toJson(optional.value(), meter);
      case ObjectValue object -> object(object.fields(), meter);
      case PatchValue patch -> patch(patch, meter);
      default -> NODES.stringNode(Values.text(value));
    };
  }

  private static JsonNode array(ListValue list, Meter meter) {
    ArrayNode array = NODES.arrayNode();
    for (int i = 0; i < list.size(); i++) {
      array.add(toJson(list.get(i), meter));
    }
    return array;
  }

  private static JsonNode object(MapValue map, Meter meter) {
    ObjectNode object = NODES.objectNode();
    Collection<?> keys = map.keys();
    for (Object key : keys) {
      Object value = map.find(key);
      if (value != null) {
        object.set(Values.text(key), toJson(value, meter));
      }
    }
    return object;
  }

  private static JsonNode patch(PatchValue patch, Meter meter) {
    ObjectNode operation = NODES.objectNode();
    operation.put("op", patch.op());
    operation.put("path", patch.path());
    if (!patch.from().isEmpty()) {
      operation.put("from", patch.from());
    }
    if (patch.value() != null) {
      operation.set("value", toJson(patch.value(), meter));
    }
    return operation;
  }

  /** Charges for what {@link #toJson} of the value will take. */
  public static void measure(Object value, Meter meter) {
    meter.work(1);
    switch (value) {
      case JsonList _, JsonMap _ -> {}
      case ListValue list -> {
        for (int i = 0; i < list.size(); i++) {
          measure(list.get(i), meter);
        }
      }
      case BuiltMap map -> {
        for (Object key : map.keys()) {
          Object entry = map.find(key);
          if (entry != null) {
            measure(entry, meter);
          }
        }
      }
      case ObjectValue object -> measure(object.fields(), meter);
      case PatchValue patch -> {
        meter.work(4);
        if (patch.value() != null) {
          measure(patch.value(), meter);
        }
      }
      case OptionalValue optional -> {
        if (optional.value() != null) {
          measure(optional.value(), meter);
        }
      }
      default -> {}
    }
  }
}
