package dev.evenkeel.kernel.schema;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A field of a {@link Schema.Struct}.
 *
 * @param required whether an object without it is refused
 * @param defaultValue filled in where the field is absent and its parent is there
 * @param merge how a strategic merge patch treats it
 */
public record Field(
    String name,
    Schema schema,
    boolean required,
    @Nullable JsonNode defaultValue,
    MergeStrategy merge) {}
