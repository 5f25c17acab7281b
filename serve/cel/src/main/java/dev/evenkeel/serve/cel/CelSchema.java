package dev.evenkeel.serve.cel;

import dev.evenkeel.serve.cel.type.DeclaredType;
import dev.evenkeel.serve.cel.type.SchemaTypes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** What expressions know of a piece of data: made from its structural schema, immutable. */
public final class CelSchema {

  private final DeclaredType type;
  private final SchemaTypes types;

  private CelSchema(DeclaredType type, SchemaTypes types) {
    this.type = type;
    this.types = types;
  }

  /**
   * Reads a structural schema.
   *
   * @param resource whether it is that of a whole object, whose kind and name are always known
   * @param typeName what to call the type in messages; two schemas of one environment need two
   *     names
   * @return null if expressions cannot look at such data, because the schema says too little
   */
  public static @Nullable CelSchema of(ObjectNode schema, boolean resource, String typeName) {
    var types = new SchemaTypes();
    DeclaredType type = types.of(schema, resource, typeName);
    return type == null ? null : new CelSchema(type, types);
  }

  /**
   * Reads the schema of data whose fields expressions call by their own names, also where these are
   * words of the language.
   */
  public static CelSchema ofPlainNames(ObjectNode schema, String typeName) {
    var types = SchemaTypes.ofPlainNames();
    return new CelSchema(Objects.requireNonNull(types.of(schema, false, typeName)), types);
  }

  /**
   * How often data of this schema can occur in one request at most, where nothing around it says
   * so.
   */
  public long cardinalityMax() {
    return SchemaTypes.REQUEST_BYTES_MAX / (type.serializedSizeMin() + 1);
  }

  DeclaredType type() {
    return type;
  }

  SchemaTypes types() {
    return types;
  }
}
