package dev.evenkeel.serve.kinds.wire;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.json.JsonException;
import dev.evenkeel.serve.kinds.wire.WireField.Form;
import dev.evenkeel.serve.kinds.wire.WireField.WireValue;
import java.util.Base64;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes a tree as a message, back to front. Fields without a number and nulls are left out: the
 * wire has no place for them.
 *
 * <p>Threading: one thread.
 */
final class WireEncoder {

  private static final WireValue STRINGS = WireValue.of(Form.STRING);

  private final WireWriter out;

  WireEncoder(WireWriter out) {
    this.out = out;
  }

  void message(WireType type, JsonNode value) {
    if (!(value instanceof ObjectNode object)) {
      throw new JsonException("a " + type + " is an object");
    }
    for (Map.Entry<String, JsonNode> property : object.properties()) {
      WireField field = type.field(property.getKey());
      if (field != null && !property.getValue().isNull()) {
        field(field, property.getValue());
      }
    }
    for (WireField inline : type.inline()) {
      int mark = out.size();
      message(inline.type(), object);
      if (out.size() > mark) {
        out.close(inline.number(), mark);
      }
    }
  }

  private void field(WireField field, JsonNode value) {
    switch (field.count()) {
      case ONCE, INLINE -> one(field.number(), field.value(), value);
      case LIST -> items(field.number(), field.value(), value);
      case MAP -> {
        for (Map.Entry<String, JsonNode> entry : value.properties()) {
          int mark = out.size();
          if (!entry.getValue().isNull()) {
            one(2, field.value(), entry.getValue());
          }
          out.string(entry.getKey());
          out.tag(1, Wire.LENGTH);
          out.close(field.number(), mark);
        }
      }
    }
  }

  private void items(int number, WireValue kind, JsonNode value) {
    if (!(value instanceof ArrayNode list)) {
      throw mismatch(kind.form());
    }
    for (int i = list.size() - 1; i >= 0; i--) {
      one(number, kind, list.get(i));
    }
  }

  private static JsonException mismatch(Form form) {
    return new JsonException("a value is no " + form);
  }

  private static String text(JsonNode value, Form form) {
    if (!value.isString()) {
      throw mismatch(form);
    }
    return value.stringValue();
  }

  private static long whole(JsonNode value, Form form) {
    if (!value.isIntegralNumber()) {
      throw mismatch(form);
    }
    return value.longValue();
  }

  private void one(int number, WireValue kind, JsonNode value) {
    Form form = kind.form();
    switch (form) {
      case STRING -> out.string(text(value, form));
      case BYTES -> out.block(base64(text(value, form)));
      case BOOLEAN -> out.varint(value.asBoolean() ? 1 : 0);
      case INT32, INT64 -> out.varint(whole(value, form));
      case DOUBLE -> out.fixed64(Double.doubleToLongBits(value.asDouble()));
      case INT_OR_STRING,
          QUANTITY,
          TIME,
          MICRO_TIME,
          RAW,
          MESSAGE,
          LIST,
          SCHEMA_OR_ARRAY,
          SCHEMA_OR_BOOLEAN,
          SCHEMA_OR_STRINGS -> {
        int mark = out.size();
        content(kind, value);
        out.varint(out.size() - mark);
      }
    }
    out.tag(number, form.wireType);
  }

  /** What stands inside a message. */
  private void content(WireValue kind, JsonNode value) {
    Form form = kind.form();
    switch (form) {
      case INT_OR_STRING -> {
        if (value.isString()) {
          out.string(value.stringValue());
          out.tag(3, Wire.LENGTH);
          number(1, 1);
        } else {
          number(2, whole(value, form));
          number(1, 0);
        }
      }
      case QUANTITY -> {
        out.string(text(value, form));
        out.tag(1, Wire.LENGTH);
      }
      case TIME -> number(1, WireTime.seconds(text(value, form)));
      case MICRO_TIME -> {
        number(2, WireTime.nanos(text(value, form)));
        number(1, WireTime.seconds(text(value, form)));
      }
      case RAW -> {
        out.block(Json.encode(value));
        out.tag(1, Wire.LENGTH);
      }
      case MESSAGE -> message(kind.type(), value);
      case LIST -> items(1, kind.item(), value);
      case SCHEMA_OR_ARRAY, SCHEMA_OR_BOOLEAN, SCHEMA_OR_STRINGS -> schemaOr(kind, value);
      case STRING, BYTES, BOOLEAN, INT32, INT64, DOUBLE ->
          throw new IllegalStateException(form + " is no message");
    }
  }

  private void number(int field, long value) {
    out.varint(value);
    out.tag(field, Wire.VARINT);
  }

  private void schemaOr(WireValue kind, JsonNode value) {
    var schema = new WireValue(Form.MESSAGE, kind.type(), null);
    boolean orBoolean = kind.form() == Form.SCHEMA_OR_BOOLEAN;
    if (value instanceof ArrayNode && !orBoolean) {
      items(2, kind.form() == Form.SCHEMA_OR_ARRAY ? schema : STRINGS, value);
    } else if (orBoolean && value.isBoolean()) {
      number(1, value.booleanValue() ? 1 : 0);
    } else {
      one(orBoolean ? 2 : 1, schema, value);
      if (orBoolean) {
        number(1, 1);
      }
    }
  }

  private static byte[] base64(String text) {
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw mismatch(Form.BYTES);
    }
  }
}
