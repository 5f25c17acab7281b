package dev.evenkeel.kernel.schema;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A field of a {@link Schema.Struct}.
 *
 * @param required whether the published description calls it required. Go's zero values make many
 *     such fields harmless to omit, so what is refused says {@link Limits#required}
 * @param defaultValue filled in where the field is absent and its parent is there
 * @param merge how a strategic merge patch treats it
 * @param atomic for a map or an object: whether server-side apply owns it as one value
 * @param limits what its values must keep to
 * @param zeroIsAbsent whether a zero, or an empty list, is the same as none: it is replaced by the
 *     default, and no limit but {@link Limits#required} is about it
 * @param published what the OpenAPI documents say of it beyond its schema
 */
public record Field(
    String name,
    Schema schema,
    boolean required,
    @Nullable JsonNode defaultValue,
    MergeStrategy merge,
    boolean atomic,
    Limits limits,
    boolean zeroIsAbsent,
    Published published) {

  /** A field of which the OpenAPI documents say no more than its schema does. */
  public Field(
      String name,
      Schema schema,
      boolean required,
      @Nullable JsonNode defaultValue,
      MergeStrategy merge,
      boolean atomic,
      Limits limits,
      boolean zeroIsAbsent) {
    this(name, schema, required, defaultValue, merge, atomic, limits, zeroIsAbsent, Published.NONE);
  }

  /** A field that is owned part by part and whose values are as free as its type. */
  public Field(
      String name,
      Schema schema,
      boolean required,
      @Nullable JsonNode defaultValue,
      MergeStrategy merge) {
    this(name, schema, required, defaultValue, merge, false, Limits.NONE, false);
  }
}
