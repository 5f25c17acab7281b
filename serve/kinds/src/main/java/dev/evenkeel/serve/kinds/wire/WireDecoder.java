package dev.evenkeel.serve.kinds.wire;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.json.JsonException;
import dev.evenkeel.serve.kinds.wire.WireField.Form;
import dev.evenkeel.serve.kinds.wire.WireField.WireValue;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes a tree from a message. What it does not know is passed over, as protobuf wants it, so that
 * clients of other versions are understood.
 *
 * <p>Threading: one thread.
 */
final class WireDecoder {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final WireReader in;

  WireDecoder(WireReader in) {
    this.in = in;
  }

  /**
   * Reads fields up to the end, into an object that may have some already: a message that comes in
   * several pieces is the sum of them.
   *
   * @param depth of the object within the body, as JSON counts it
   */
  void message(WireType type, int end, ObjectNode into, int depth) {
    if (depth > Json.DEPTH_MAX) {
      throw WireReader.malformed("it nests too deep");
    }
    while (in.at() < end) {
      int tag = in.tag(end);
      WireField field = type.field(tag >>> 3);
      if (field == null) {
        in.skip(tag, end);
        continue;
      }
      switch (field.count()) {
        case ONCE -> once(field, tag, end, into, depth);
        case LIST -> item(field, tag, end, into, depth);
        case MAP -> entry(field, tag, end, into, depth);
        case INLINE -> {
          in.expect(tag, Wire.LENGTH);
          message(field.type(), in.end(end), into, depth + 1);
        }
      }
    }
  }

  private void once(WireField field, int tag, int end, ObjectNode into, int depth) {
    in.expect(tag, field.value().form().wireType);
    JsonNode value;
    if (field.value().form() == Form.MESSAGE) {
      ObjectNode object =
          into.get(field.name()) instanceof ObjectNode known ? known : NODES.objectNode();
      message(field.type(), in.end(end), object, depth + 1);
      value = object;
    } else {
      value = value(field.value(), end, depth + 1);
    }
    if (value == null || (field.dropsZero() && isZero(field.value().form(), value))) {
      into.remove(field.name());
    } else {
      into.set(field.name(), value);
    }
  }

  private void item(WireField field, int tag, int end, ObjectNode into, int depth) {
    ArrayNode list =
        into.get(field.name()) instanceof ArrayNode known ? known : into.putArray(field.name());
    Form form = field.value().form();
    if (form.packable() && (tag & 7) == Wire.LENGTH) {
      int packed = in.end(end);
      while (in.at() < packed) {
        add(list, field.value(), packed, depth);
      }
    } else {
      in.expect(tag, form.wireType);
      add(list, field.value(), end, depth);
    }
  }

  private void add(ArrayNode list, WireValue kind, int end, int depth) {
    list.add(orNull(value(kind, end, depth + 2)));
  }

  private static JsonNode orNull(@Nullable JsonNode value) {
    return value == null ? NODES.nullNode() : value;
  }

  private void entry(WireField field, int tag, int end, ObjectNode into, int depth) {
    in.expect(tag, Wire.LENGTH);
    int entryEnd = in.end(end);
    String key = "";
    JsonNode value = null;
    while (in.at() < entryEnd) {
      int inner = in.tag(entryEnd);
      switch (inner >>> 3) {
        case 1 -> {
          in.expect(inner, Wire.LENGTH);
          key = in.string(entryEnd);
        }
        case 2 -> {
          in.expect(inner, field.value().form().wireType);
          value = value(field.value(), entryEnd, depth + 2);
        }
        default -> in.skip(inner, entryEnd);
      }
    }
    ObjectNode map =
        into.get(field.name()) instanceof ObjectNode known ? known : into.putObject(field.name());
    map.set(key, value == null ? zero(field.value().form()) : value);
  }

  /** Null for a time that is none, and for no JSON. */
  private @Nullable JsonNode value(WireValue kind, int end, int depth) {
    return switch (kind.form()) {
      case STRING -> NODES.stringNode(in.string(end));
      case BYTES -> NODES.stringNode(Base64.getEncoder().encodeToString(in.bytes(end)));
      case BOOLEAN -> NODES.booleanNode(in.varint(end) != 0);
      case INT32 -> NODES.numberNode((long) (int) in.varint(end));
      case INT64 -> NODES.numberNode(in.varint(end));
      case DOUBLE -> number(Double.longBitsToDouble(in.fixed64(end)));
      case INT_OR_STRING -> intOrString(in.end(end));
      case QUANTITY -> quantity(in.end(end));
      case TIME -> time(in.end(end), false);
      case MICRO_TIME -> time(in.end(end), true);
      case RAW -> raw(in.end(end), depth);
      case MESSAGE -> {
        ObjectNode object = NODES.objectNode();
        message(kind.type(), in.end(end), object, depth);
        yield object;
      }
      case LIST -> list(kind.item(), in.end(end), depth);
      case SCHEMA_OR_ARRAY, SCHEMA_OR_BOOLEAN, SCHEMA_OR_STRINGS ->
          schemaOr(kind, in.end(end), depth);
    };
  }

  private static JsonNode number(double number) {
    if (Double.isNaN(number) || Double.isInfinite(number)) {
      throw new JsonException("a number is out of range");
    }
    // As JSON has it: whole numbers carry no fraction.
    return number == Math.rint(number) && Math.abs(number) < 1L << 53
        ? NODES.numberNode((long) number)
        : NODES.numberNode(number);
  }

  private JsonNode intOrString(int end) {
    long type = 0;
    int number = 0;
    String text = "";
    while (in.at() < end) {
      int tag = in.tag(end);
      switch (tag) {
        case 1 << 3 -> type = in.varint(end);
        case 2 << 3 -> number = (int) in.varint(end);
        case 3 << 3 | Wire.LENGTH -> text = in.string(end);
        default -> in.skip(tag, end);
      }
    }
    return type == 0 ? NODES.numberNode((long) number) : NODES.stringNode(text);
  }

  private JsonNode quantity(int end) {
    String text = "0";
    while (in.at() < end) {
      int tag = in.tag(end);
      if (tag == (1 << 3 | Wire.LENGTH)) {
        text = in.string(end);
      } else {
        in.skip(tag, end);
      }
    }
    return NODES.stringNode(text);
  }

  private @Nullable JsonNode time(int end, boolean micros) {
    if (in.at() == end) {
      return null;
    }
    long seconds = 0;
    int nanos = 0;
    while (in.at() < end) {
      int tag = in.tag(end);
      switch (tag) {
        case 1 << 3 -> seconds = in.varint(end);
        case 2 << 3 -> nanos = (int) in.varint(end);
        default -> in.skip(tag, end);
      }
    }
    return NODES.stringNode(WireTime.text(seconds, nanos, micros));
  }

  private @Nullable JsonNode raw(int end, int depth) {
    byte[] json = null;
    while (in.at() < end) {
      int tag = in.tag(end);
      if (tag == (1 << 3 | Wire.LENGTH)) {
        json = in.bytes(end);
      } else {
        in.skip(tag, end);
      }
    }
    if (json == null || json.length == 0) {
      return null;
    }
    JsonNode tree = Json.parse(json);
    checkDepth(tree, depth);
    return tree;
  }

  /** What is taken in must be readable again when it is stored as one JSON. */
  private static void checkDepth(JsonNode tree, int depth) {
    if (!tree.isContainer()) {
      return;
    }
    if (depth > Json.DEPTH_MAX) {
      throw WireReader.malformed("it nests too deep");
    }
    for (JsonNode child : tree.values()) {
      checkDepth(child, depth + 1);
    }
  }

  private JsonNode list(WireValue kind, int end, int depth) {
    ArrayNode list = NODES.arrayNode();
    while (in.at() < end) {
      int tag = in.tag(end);
      if (tag == (1 << 3 | kind.form().wireType)) {
        list.add(orNull(value(kind, end, depth + 1)));
      } else {
        in.skip(tag, end);
      }
    }
    return list;
  }

  private @Nullable JsonNode schemaOr(WireValue kind, int end, int depth) {
    int schemaField = kind.form() == Form.SCHEMA_OR_BOOLEAN ? 2 : 1;
    ObjectNode schema = null;
    ArrayNode list = null;
    boolean allows = false;
    while (in.at() < end) {
      int tag = in.tag(end);
      if (tag == (schemaField << 3 | Wire.LENGTH)) {
        schema = schema == null ? NODES.objectNode() : schema;
        message(kind.type(), in.end(end), schema, depth);
      } else if (kind.form() == Form.SCHEMA_OR_BOOLEAN && tag == 1 << 3) {
        allows = in.varint(end) != 0;
      } else if (kind.form() != Form.SCHEMA_OR_BOOLEAN && tag == (2 << 3 | Wire.LENGTH)) {
        list = list == null ? NODES.arrayNode() : list;
        list.add(schemaItem(kind, end, depth + 1));
      } else {
        in.skip(tag, end);
      }
    }
    if (kind.form() == Form.SCHEMA_OR_BOOLEAN) {
      return schema != null ? schema : NODES.booleanNode(allows);
    }
    return list != null ? list : schema;
  }

  private JsonNode schemaItem(WireValue kind, int end, int depth) {
    if (kind.form() == Form.SCHEMA_OR_STRINGS) {
      return NODES.stringNode(in.string(end));
    }
    ObjectNode item = NODES.objectNode();
    message(kind.type(), in.end(end), item, depth);
    return item;
  }

  /** Whether a value is what its field is when nobody set it. */
  private static boolean isZero(Form form, JsonNode value) {
    return switch (form) {
      case STRING, BYTES -> value.stringValue().isEmpty();
      case BOOLEAN -> !value.booleanValue();
      case INT32, INT64, DOUBLE -> value.doubleValue() == 0;
      case INT_OR_STRING ->
          value.isString() ? value.stringValue().isEmpty() : value.longValue() == 0;
      case QUANTITY -> value.stringValue().equals("0");
      case MESSAGE -> value.isEmpty();
      case TIME, MICRO_TIME, RAW, LIST, SCHEMA_OR_ARRAY, SCHEMA_OR_BOOLEAN, SCHEMA_OR_STRINGS ->
          false;
    };
  }

  /** What a map's entry without a value has. */
  private static JsonNode zero(Form form) {
    return switch (form) {
      case STRING, BYTES -> NODES.stringNode("");
      case BOOLEAN -> NODES.booleanNode(false);
      case INT32, INT64, DOUBLE, INT_OR_STRING -> NODES.numberNode(0L);
      case QUANTITY -> NODES.stringNode("0");
      case MESSAGE -> NODES.objectNode();
      case LIST -> NODES.arrayNode();
      case TIME, MICRO_TIME, RAW, SCHEMA_OR_ARRAY, SCHEMA_OR_BOOLEAN, SCHEMA_OR_STRINGS ->
          NODES.nullNode();
    };
  }
}
