package dev.evenkeel.serve.kinds.wire;

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

  private static final WireValue STRINGS = WireValue.of(Form.STRING);

  private final JsonScanner in;
  private final WireBuffer out;

  WireTranscoder(byte[] json, WireBuffer out) {
    this.in = new JsonScanner(json);
    this.out = out;
  }

  void message(WireType type) {
    if (!in.enter('{', '}')) {
      return;
    }
    do {
      in.name();
      WireType.Place place =
          in.textIsPlain() ? type.place(in.json(), in.textStart(), in.textEnd()) : null;
      if (place == null) {
        in.skip();
      } else if (!in.skipNull()) {
        field(place, 0);
      }
    } while (in.another('}'));
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
    if (!in.enter('{', '}')) {
      return;
    }
    do {
      out.tag(field.number(), Wire.LENGTH);
      int mark = out.open();
      in.name();
      out.tag(1, Wire.LENGTH);
      text();
      if (!in.skipNull()) {
        one(2, field.value());
      }
      out.close(mark);
    } while (in.another('}'));
  }

  private void items(int number, WireValue kind) {
    if (!in.enter('[', ']')) {
      return;
    }
    do {
      one(number, kind);
    } while (in.another(']'));
  }

  private void one(int number, WireValue kind) {
    out.tag(number, kind.form().wireType);
    switch (kind.form()) {
      case STRING -> {
        in.string();
        text();
      }
      case BYTES -> bytes();
      case BOOLEAN -> out.varint(in.flag() ? 1 : 0);
      case INT32, INT64 -> out.varint(in.whole());
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
    if (in.textIsPlain()) {
      out.varint(in.textEnd() - in.textStart());
      out.put(in.json(), in.textStart(), in.textEnd());
    } else {
      int mark = out.open();
      in.unescape(out);
      out.close(mark);
    }
  }

  private void bytes() {
    in.string();
    try {
      byte[] decoded = Base64.getDecoder().decode(in.text().getBytes(StandardCharsets.US_ASCII));
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
          whole(2, in.whole());
        }
      }
      case QUANTITY -> one(1, STRINGS);
      case TIME -> {
        in.string();
        whole(1, WireTime.seconds(in.text()));
      }
      case MICRO_TIME -> {
        in.string();
        whole(1, WireTime.seconds(in.text()));
        whole(2, WireTime.nanos(in.text()));
      }
      case RAW -> {
        int start = in.at();
        in.skip();
        out.tag(1, Wire.LENGTH);
        out.varint(in.at() - start);
        out.put(in.json(), start, in.at());
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
