package dev.evenkeel.serve.describe;

import dev.evenkeel.kernel.json.Json;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A document of OpenAPI 2 in protobuf: the form that Go's clients ask for, and the only one they
 * take.
 */
/*
 * The messages are gnostic's (OpenAPIv2.proto), as far as our documents have use for them: a table
 * from JSON's names to the numbers of fields. A name that has no place in it is a mistake of ours,
 * so it is refused. Maps are lists of pairs there, a choice is a message with one field of several,
 * and what begins with x- is kept as text.
 */
final class ProtobufForm {

  private static final Message DOCUMENT = new Message(16);
  private static final Message INFO = new Message(7);
  private static final Message PATH = new Message(10);
  private static final Message OPERATION = new Message(13);
  private static final Message BODY_PARAMETER = new Message(6);
  private static final Message QUERY_PARAMETER = new Message(23);
  private static final Message PATH_PARAMETER = new Message(22);
  private static final Message RESPONSE = new Message(5);
  private static final Message SCHEMA = new Message(31);
  private static final Message API_KEY = new Message(5);

  /** Of the pairs that a map is made of. */
  private static final int NAME = 1;

  private static final int VALUE = 2;

  private static final int PATHS = 8;
  private static final int PATH_PAIR = 2;
  private static final int TYPES = 9;
  private static final int TYPE_PAIR = 1;

  /** Of an Any: its other field is for messages that were made from it. */
  private static final int YAML = 2;

  static {
    DOCUMENT
        .text("swagger", 1)
        .message("info", INFO, 2)
        .map("securityDefinitions", 13, 1, API_KEY, 2);
    INFO.text("title", 1).text("version", 2);
    PATH.message("get", OPERATION, 2)
        .message("put", OPERATION, 3)
        .message("post", OPERATION, 4)
        .message("delete", OPERATION, 5)
        .message("patch", OPERATION, 8)
        .put("parameters", (value, out) -> parameters(value, out, 9));
    OPERATION
        .texts("tags", 1)
        .text("description", 3)
        .text("operationId", 5)
        .texts("produces", 6)
        .texts("consumes", 7)
        .put("parameters", (value, out) -> parameters(value, out, 8))
        .map("responses", 9, 1, RESPONSE, 1)
        .texts("schemes", 10)
        .flag("deprecated", 11);
    BODY_PARAMETER.text("name", 2).text("in", 3).flag("required", 4).message("schema", SCHEMA, 5);
    QUERY_PARAMETER
        .flag("required", 1)
        .text("in", 2)
        .text("description", 3)
        .text("name", 4)
        .text("type", 6)
        .flag("uniqueItems", 20);
    PATH_PARAMETER
        .flag("required", 1)
        .text("in", 2)
        .text("description", 3)
        .text("name", 4)
        .text("type", 5)
        .flag("uniqueItems", 19);
    RESPONSE.text("description", 1).message("schema", SCHEMA, 2, 1);
    SCHEMA
        .text("$ref", 1)
        .text("format", 2)
        .text("title", 3)
        .text("description", 4)
        .number("multipleOf", 6)
        .number("maximum", 7)
        .flag("exclusiveMaximum", 8)
        .number("minimum", 9)
        .flag("exclusiveMinimum", 10)
        .whole("maxLength", 11)
        .whole("minLength", 12)
        .text("pattern", 13)
        .whole("maxItems", 14)
        .whole("minItems", 15)
        .whole("maxProperties", 17)
        .whole("minProperties", 18)
        .texts("required", 19)
        .put("enum", (value, out) -> value.forEach(choice -> out.bytes(20, any(choice))))
        .message("additionalProperties", SCHEMA, 21, 1)
        .put("type", (value, out) -> out.bytes(22, new Wire().text(1, value.stringValue())))
        .message("items", SCHEMA, 23, 1)
        .map("properties", 25, 1, SCHEMA);
    API_KEY.text("type", 1).text("name", 2).text("in", 3).text("description", 4);
  }

  private ProtobufForm() {}

  /** A document's fields but for its paths and types. */
  static byte[] encode(ObjectNode fields) {
    return DOCUMENT.encode(fields).bytes.toByteArray();
  }

  static byte[] path(String name, ObjectNode path) {
    return pair(PATH_PAIR, name, PATH.encode(path));
  }

  static byte[] type(String name, ObjectNode type) {
    return pair(TYPE_PAIR, name, SCHEMA.encode(type));
  }

  private static byte[] pair(int number, String name, Wire value) {
    return new Wire()
        .bytes(number, new Wire().text(NAME, name).bytes(VALUE, value))
        .bytes
        .toByteArray();
  }

  /** What stands before all paths. */
  static byte[] pathsHead(long length) {
    return head(PATHS, length);
  }

  /** What stands before all types. */
  static byte[] typesHead(long length) {
    return head(TYPES, length);
  }

  private static byte[] head(int number, long length) {
    var out = new Wire();
    out.tag(number, Wire.LENGTH_FIRST);
    out.varint(length);
    return out.bytes.toByteArray();
  }

  private static Wire any(JsonNode value) {
    return new Wire().text(YAML, new String(Json.encode(value), StandardCharsets.UTF_8));
  }

  /** ParametersItem.parameter = 1; Parameter.body = 1, non_body = 2; then query = 3, path = 4. */
  private static void parameters(JsonNode parameters, Wire out, int number) {
    for (JsonNode parameter : parameters) {
      Wire item =
          switch (parameter.path("in").stringValue()) {
            case "body" -> BODY_PARAMETER.encode(parameter).in(1);
            case "query" -> QUERY_PARAMETER.encode(parameter).in(3).in(2);
            case "path" -> PATH_PARAMETER.encode(parameter).in(4).in(2);
            case String other -> throw new IllegalStateException("a parameter in " + other);
          };
      out.bytes(number, item.in(1));
    }
  }

  private interface Slot {
    void write(JsonNode value, Wire out);
  }

  /** A message: where each of its fields goes. */
  private static final class Message {

    private final Map<String, Slot> slots = new HashMap<>();
    private final int extensions;

    /**
     * @param extensions the number for what begins with x-
     */
    Message(int extensions) {
      this.extensions = extensions;
    }

    Message put(String name, Slot slot) {
      slots.put(name, slot);
      return this;
    }

    Message text(String name, int number) {
      return put(name, (value, out) -> out.text(number, value.stringValue()));
    }

    Message texts(String name, int number) {
      return put(name, (value, out) -> value.forEach(text -> out.text(number, text.stringValue())));
    }

    Message flag(String name, int number) {
      return put(name, (value, out) -> out.flag(number, value.booleanValue()));
    }

    Message whole(String name, int number) {
      return put(name, (value, out) -> out.whole(number, value.longValue()));
    }

    Message number(String name, int number) {
      return put(name, (value, out) -> out.number(number, value.doubleValue()));
    }

    /**
     * @param numbers its own, then those of the messages around it that JSON does without, from the
     *     outermost
     */
    Message message(String name, Message message, int... numbers) {
      return put(
          name,
          (value, out) -> {
            Wire inner = message.encode(value);
            for (int i = numbers.length - 1; i > 0; i--) {
              inner = inner.in(numbers[i]);
            }
            out.bytes(numbers[0], inner);
          });
    }

    /**
     * @param pairs the number of the pairs within the map
     * @param choice the number of the value within its choice, if it is one
     */
    Message map(String name, int number, int pairs, Message values, int... choice) {
      return put(
          name,
          (value, out) -> {
            var map = new Wire();
            value.forEachEntry(
                (key, entry) -> {
                  Wire encoded = values.encode(entry);
                  for (int wrapping : choice) {
                    encoded = encoded.in(wrapping);
                  }
                  map.bytes(pairs, new Wire().text(NAME, key).bytes(VALUE, encoded));
                });
            out.bytes(number, map);
          });
    }

    Wire encode(JsonNode json) {
      var out = new Wire();
      json.forEachEntry(
          (name, value) -> {
            Slot slot = slots.get(name);
            if (slot != null) {
              slot.write(value, out);
            } else if (name.startsWith("x-")) {
              out.bytes(extensions, new Wire().text(NAME, name).bytes(VALUE, any(value)));
            } else {
              throw new IllegalStateException("no place for " + name);
            }
          });
      return out;
    }
  }

  /** Protobuf's encoding. */
  private static final class Wire {

    private static final int VARINT = 0;
    private static final int FIXED_64 = 1;
    private static final int LENGTH_FIRST = 2;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Wire in(int number) {
      return new Wire().bytes(number, this);
    }

    Wire bytes(int number, Wire message) {
      tag(number, LENGTH_FIRST);
      varint(message.bytes.size());
      bytes.writeBytes(message.bytes.toByteArray());
      return this;
    }

    Wire text(int number, String text) {
      byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
      tag(number, LENGTH_FIRST);
      varint(utf8.length);
      bytes.writeBytes(utf8);
      return this;
    }

    void flag(int number, boolean value) {
      tag(number, VARINT);
      varint(value ? 1 : 0);
    }

    void whole(int number, long value) {
      tag(number, VARINT);
      varint(value);
    }

    void number(int number, double value) {
      tag(number, FIXED_64);
      long bits = Double.doubleToLongBits(value);
      for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
        bytes.write((int) (bits >>> shift));
      }
    }

    private void tag(int number, int type) {
      varint((number << 3) | type);
    }

    private void varint(long value) {
      long rest = value;
      while ((rest & ~0x7fL) != 0) {
        bytes.write((int) (rest & 0x7f) | 0x80);
        rest >>>= 7;
      }
      bytes.write((int) rest);
    }
  }
}
