package dev.evenkeel.serve.cel;

import dev.evenkeel.serve.cel.json.JsonValues;
import dev.evenkeel.serve.cel.meter.Meter;
import dev.evenkeel.serve.cel.value.NullValue;
import dev.evenkeel.serve.cel.value.OptionalValue;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What an expression made; other expressions can use it as it is. */
public final class CelValue {

  private final Object value;

  CelValue(Object value) {
    this.value = value;
  }

  Object value() {
    return value;
  }

  /** Whether it is the value true. */
  public boolean isTrue() {
    return Boolean.TRUE.equals(value);
  }

  /** The text, or null if it is none. */
  public @Nullable String text() {
    return value instanceof String text ? text : null;
  }

  /** Whether it is null, or an optional without a value. */
  public boolean isNull() {
    return value == NullValue.NULL
        || (value instanceof OptionalValue optional && optional.value() == null);
  }

  /**
   * As a tree. Parts that were taken from a variable are that variable's own nodes: copy what is to
   * be changed.
   */
  public JsonNode json() {
    // The evaluation has paid for it.
    return JsonValues.toJson(value, new Meter(Long.MAX_VALUE));
  }
}
