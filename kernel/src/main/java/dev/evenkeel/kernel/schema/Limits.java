package dev.evenkeel.kernel.schema;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the values of a field must keep to, beyond their type. {@link Checks} holds objects against
 * them. On a list, {@code choices} and {@code format} are about its items; on a map, {@code format}
 * is about its values.
 *
 * @param required whether an absent or empty value is refused
 * @param choices the strings that are allowed; empty for any
 * @param min the smallest whole number allowed, null for any
 * @param max the largest whole number allowed, null for any
 * @param positive for a whole number that must be greater than zero: how the message writes zero,
 *     since upstream has two ways; null for any
 * @param lengthMax how many bytes a string, or items a list, may have; 0 for any
 * @param format the form of a string, null for any
 * @param keys the form of a map's keys, null for any
 */
public record Limits(
    boolean required,
    List<String> choices,
    @Nullable Long min,
    @Nullable Long max,
    @Nullable String positive,
    int lengthMax,
    @Nullable TextFormat format,
    @Nullable TextFormat keys) {

  public static final Limits NONE = new Limits(false, List.of(), null, null, null, 0, null, null);

  public static final Limits REQUIRED =
      new Limits(true, List.of(), null, null, null, 0, null, null);

  public Limits {
    choices = List.copyOf(choices);
  }
}
