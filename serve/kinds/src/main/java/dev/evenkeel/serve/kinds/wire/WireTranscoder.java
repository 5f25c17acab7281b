package dev.evenkeel.serve.kinds.wire;

import dev.evenkeel.kernel.json.JsonCursor;
import dev.evenkeel.kernel.json.JsonException;
import dev.evenkeel.serve.kinds.wire.WireField.Form;
import dev.evenkeel.serve.kinds.wire.WireField.WireValue;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Writes JSON as a message, in the order in which it comes, without a tree in between: texts
 * without escapes, which is nearly all there is, are copied as they are. Fields without a number
 * and nulls are left out: the wire has no place for them.
 *
 * <p>Threading: one thread.
 */
final class WireTranscoder {

  private static final int REPLACEMENT = 0xFFFD;

  private static final WireValue STRINGS = WireValue.of(Form.STRING);

  private final JsonCursor in;
  private final WireBuffer out;

  WireTranscoder(byte[] json, WireBuffer out) {
    this.in = new JsonCursor().reset(json, 0, json.length);
    this.out = out;
  }

  void message(WireType type) {
    in.enterObject();
    while (in.nextName()) {
      WireType.Place place =
          in.stringIsPlain() ? type.place(in.array(), in.stringStart(), in.stringEnd()) : null;
      if (place == null) {
        in.skipValue();
      } else if (!in.skipNull()) {
        field(place, 0);
      }
    }
  }

  /** A field that stands in messages within the message comes in as many messages of its own. */
  private void field(WireType.Place place, int depth) {
    if (depth == place.within().length) {
      field(place.field());
      return;
    }
    out.tag(place.within()[depth], Wire.LENGTH);
    int mark = out.open();
    field(place, depth + 1);
    out.close(mark);
  }

  private void field(WireField field) {
    switch (field.count()) {
      case ONCE, INLINE -> one(field.number(), field.value());
      case LIST -> items(field.number(), field.value());
      case MAP -> entries(field);
    }
  }

  private void entries(WireField field) {
    in.enterObject();
    while (in.nextName()) {
      out.tag(field.number(), Wire.LENGTH);
      int mark = out.open();
      out.tag(1, Wire.LENGTH);
      text();
      if (!in.skipNull()) {
        one(2, field.value());
      }
      out.close(mark);
    }
  }

  private void items(int number, WireValue kind) {
    in.enterArray();
    while (in.nextElement()) {
      one(number, kind);
    }
  }

  private void one(int number, WireValue kind) {
    out.tag(number, kind.form().wireType);
    switch (kind.form()) {
      case STRING -> {
        in.readString();
        text();
      }
      case BYTES -> bytes();
      case BOOLEAN -> out.varint(in.flag() ? 1 : 0);
      case INT32, INT64 -> out.varint(in.wholeNumber());
      case DOUBLE -> out.fixed64(Double.doubleToLongBits(in.number()));
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
        int mark = out.open();
        content(kind);
        out.close(mark);
      }
    }
  }

  /** The text that was read last, behind its length. */
  private void text() {
    if (in.stringIsPlain()) {
      out.varint(in.stringEnd() - in.stringStart());
      out.put(in.array(), in.stringStart(), in.stringEnd());
    } else {
      byte[] text = wellFormed(in.stringText()).getBytes(StandardCharsets.UTF_8);
      out.varint(text.length);
      out.put(text, 0, text.length);
    }
  }

  /** JSON can escape halves of a character, which UTF-8 has no bytes for. */
  private static String wellFormed(String text) {
    var whole = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            point ->
                whole.appendCodePoint(
                    point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE
                        ? REPLACEMENT
                        : point));
    return whole.toString();
  }

  private void bytes() {
    in.readString();
    try {
      byte[] decoded =
          Base64.getDecoder().decode(in.stringText().getBytes(StandardCharsets.US_ASCII));
      out.varint(decoded.length);
      out.put(decoded, 0, decoded.length);
    } catch (IllegalArgumentException e) {
      throw new JsonException("a value is no base64");
    }
  }

  /** What stands inside a message. */
  private void content(WireValue kind) {
    switch (kind.form()) {
      case INT_OR_STRING -> {
        if (in.peek() == '"') {
          whole(1, 1);
          one(3, STRINGS);
        } else {
          whole(1, 0);
          whole(2, in.wholeNumber());
        }
      }
      case QUANTITY -> one(1, STRINGS);
      case TIME -> {
        in.readString();
        whole(1, WireTime.seconds(in.stringText()));
      }
      case MICRO_TIME -> {
        in.readString();
        whole(1, WireTime.seconds(in.stringText()));
        whole(2, WireTime.nanos(in.stringText()));
      }
      case RAW -> {
        byte _ = in.peek();
        int start = in.position();
        in.skipValue();
        out.tag(1, Wire.LENGTH);
        out.varint(in.position() - start);
        out.put(in.array(), start, in.position());
      }
      case MESSAGE -> message(kind.type());
      case LIST -> items(1, kind.item());
      case SCHEMA_OR_ARRAY, SCHEMA_OR_BOOLEAN, SCHEMA_OR_STRINGS -> schemaOr(kind);
      case STRING, BYTES, BOOLEAN, INT32, INT64, DOUBLE ->
          throw new IllegalStateException(kind.form() + " is no message");
    }
  }

  private void whole(int field, long value) {
    out.tag(field, Wire.VARINT);
    out.varint(value);
  }

  private void schemaOr(WireValue kind) {
    var schema = new WireValue(Form.MESSAGE, kind.type(), null);
    boolean orBoolean = kind.form() == Form.SCHEMA_OR_BOOLEAN;
    int next = in.peek();
    if (next == '[' && !orBoolean) {
      items(2, kind.form() == Form.SCHEMA_OR_ARRAY ? schema : STRINGS);
    } else if (orBoolean && next != '{') {
      whole(1, in.flag() ? 1 : 0);
    } else if (orBoolean) {
      whole(1, 1);
      one(2, schema);
    } else {
      one(1, schema);
    }
  }
}
