package dev.evenkeel.serve.cel.value;

import org.jspecify.annotations.Nullable;

/** A value or none. */
public record OptionalValue(@Nullable Object value) {

  public static final OptionalValue NONE = new OptionalValue(null);

  public static OptionalValue of(@Nullable Object value) {
    return value == null ? NONE : new OptionalValue(value);
  }
}
