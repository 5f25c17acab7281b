package dev.evenkeel.serve.kinds.wire;

import dev.evenkeel.kernel.schema.Field;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.serve.kinds.catalog.Catalog;
import dev.evenkeel.serve.kinds.wire.WireField.Count;
import dev.evenkeel.serve.kinds.wire.WireField.Form;
import dev.evenkeel.serve.kinds.wire.WireField.WireValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The messages of the catalog's types.
 *
 * <p>Invariants: a type is made once, when it is first asked for. Threading: any.
 */
final class WireTypes {

  private static final String SCHEMA =
      "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps";

  private static final WireValue RAW = WireValue.of(Form.RAW);

  private final WireNumbers numbers;
  private final Map<String, WireType> types = new ConcurrentHashMap<>();

  WireTypes(WireNumbers numbers) {
    this.numbers = numbers;
  }

  /** The message of a type, null if the wire does not know it. */
  @Nullable WireType find(Schema.Struct struct) {
    WireType known = types.get(struct.name());
    if (known != null) {
      return known;
    }
    String line = numbers.line(struct.name());
    return line == null
        ? null
        : types.computeIfAbsent(
            struct.name(), name -> new WireType(name, () -> fields(name, line, struct)));
  }

  private WireType require(Schema.Struct struct) {
    WireType type = find(struct);
    if (type == null) {
      throw new IllegalStateException("no field numbers are written for " + struct.name());
    }
    return type;
  }

  /**
   * @param owner the type of the line
   * @param struct the type as JSON has it: the same, or the one that the line's is a part of
   */
  private List<WireField> fields(String owner, String line, Schema.Struct struct) {
    List<WireField> fields = new ArrayList<>();
    for (WireNumbers.Word word : WireNumbers.words(line)) {
      fields.add(word.inline() ? inline(owner, word, struct) : field(owner, word, struct));
    }
    return fields;
  }

  private static IllegalStateException unknown(String owner, WireNumbers.Word word) {
    return new IllegalStateException(owner + " has no field " + word.name());
  }

  private WireField field(String owner, WireNumbers.Word word, Schema.Struct struct) {
    Field field = struct.field(word.name());
    if (field == null) {
      throw unknown(owner, word);
    }
    boolean dropsZero = !word.pointer() && !word.showsZero();
    return switch (field.schema()) {
      case Schema.ListOf list ->
          new WireField(word.number(), word.name(), Count.LIST, value(list.items()), true);
      case Schema.MapOf map ->
          new WireField(word.number(), word.name(), Count.MAP, value(map.values()), true);
      case Schema.Struct _, Schema.Scalar _ ->
          new WireField(word.number(), word.name(), Count.ONCE, value(field.schema()), dropsZero);
    };
  }

  private WireField inline(String owner, WireNumbers.Word word, Schema.Struct struct) {
    String name = owner.substring(0, owner.lastIndexOf('.') + 1) + word.name();
    String line = numbers.line(name);
    if (line == null) {
      throw unknown(owner, word);
    }
    // Made for each type around it: its fields' schemas are those of the type around it.
    var type = new WireType(name, () -> fields(name, line, struct));
    return new WireField(
        word.number(), "", Count.INLINE, new WireValue(Form.MESSAGE, type, null), true);
  }

  private WireValue value(Schema schema) {
    return switch (schema) {
      case Schema.Scalar scalar -> WireValue.of(form(scalar));
      case Schema.Struct struct -> message(struct);
      case Schema.ListOf list -> new WireValue(Form.LIST, null, value(list.items()));
      case Schema.MapOf _ -> throw new IllegalStateException("a map inside a list or map");
    };
  }

  private WireValue message(Schema.Struct struct) {
    if (struct.keepsUnknown()) {
      return RAW;
    }
    return switch (struct.name().substring(struct.name().lastIndexOf('.') + 1)) {
      case "JSONSchemaPropsOrArray" -> schemaOr(Form.SCHEMA_OR_ARRAY);
      case "JSONSchemaPropsOrBool" -> schemaOr(Form.SCHEMA_OR_BOOLEAN);
      case "JSONSchemaPropsOrStringArray" -> schemaOr(Form.SCHEMA_OR_STRINGS);
      default -> new WireValue(Form.MESSAGE, require(struct), null);
    };
  }

  private WireValue schemaOr(Form form) {
    return new WireValue(form, require(Objects.requireNonNull(Catalog.type(SCHEMA))), null);
  }

  private static Form form(Schema.Scalar scalar) {
    return switch (scalar) {
      case STRING -> Form.STRING;
      case INT32 -> Form.INT32;
      case INT64 -> Form.INT64;
      case DOUBLE -> Form.DOUBLE;
      case BOOLEAN -> Form.BOOLEAN;
      case INT_OR_STRING -> Form.INT_OR_STRING;
      case QUANTITY -> Form.QUANTITY;
      case TIME -> Form.TIME;
      case MICRO_TIME -> Form.MICRO_TIME;
      case BYTES -> Form.BYTES;
      case ANY -> Form.RAW;
    };
  }
}
