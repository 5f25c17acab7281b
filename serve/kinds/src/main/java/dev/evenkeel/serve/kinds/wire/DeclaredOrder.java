package dev.evenkeel.serve.kinds.wire;

import dev.evenkeel.kernel.schema.Field;
import dev.evenkeel.kernel.schema.Schema;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The order in which Kubernetes declares the fields of its types. Their numbers keep it; the
 * catalog, whose fields stand by the alphabet, does not.
 */
public final class DeclaredOrder {

  private DeclaredOrder() {}

  /**
   * Whether one field stands before another. Of a field and what is inside it neither does, nor of
   * two entries of a map, nor of fields that have no numbers.
   *
   * @param type the type of the object that both are in
   * @param path as errors write it, such as {@code spec.containers[0].name}
   */
  public static boolean isBefore(Schema.Struct type, String path, String other) {
    List<String> some = steps(path);
    List<String> others = steps(other);
    Schema here = type;
    for (int i = 0; i < some.size() && i < others.size(); i++) {
      if (!some.get(i).equals(others.get(i))) {
        return isBeforeAt(here, some.get(i), others.get(i));
      }
      here = here == null ? null : inside(here, some.get(i));
    }
    return false;
  }

  private static boolean isBeforeAt(@Nullable Schema here, String step, String other) {
    if (here instanceof Schema.ListOf && isIndex(step) && isIndex(other)) {
      return Integer.parseInt(step.substring(1)) < Integer.parseInt(other.substring(1));
    }
    if (!(here instanceof Schema.Struct struct)) {
      return false;
    }
    int[] number = number(struct, step);
    int[] otherNumber = number(struct, other);
    return number != null && otherNumber != null && Arrays.compare(number, otherNumber) < 0;
  }

  /** The number of a field, after those of the messages around it that JSON does not show. */
  private static int @Nullable [] number(Schema.Struct struct, String field) {
    WireType type = WireCodec.type(struct);
    byte[] name = field.getBytes(StandardCharsets.UTF_8);
    WireType.Place place = type == null ? null : type.place(name, 0, name.length);
    if (place == null) {
      return null;
    }
    int[] number = Arrays.copyOf(place.within(), place.within().length + 1);
    number[place.within().length] = place.field().number();
    return number;
  }

  private static @Nullable Schema inside(Schema schema, String step) {
    boolean bracketed = step.startsWith("[");
    return switch (schema) {
      case Schema.Struct struct -> {
        Field field = bracketed ? null : struct.field(step);
        yield field == null ? null : field.schema();
      }
      case Schema.ListOf list -> bracketed ? list.items() : null;
      case Schema.MapOf map -> bracketed ? map.values() : null;
      case Schema.Scalar _ -> null;
    };
  }

  /** Nobody has lists of more than nine digits. */
  private static boolean isIndex(String step) {
    return step.length() > 1
        && step.length() <= 10
        && step.chars().skip(1).allMatch(c -> c >= '0' && c <= '9');
  }

  /** The names of fields, and what stands in brackets behind one opening bracket. */
  private static List<String> steps(String path) {
    List<String> steps = new ArrayList<>();
    int at = 0;
    while (at < path.length()) {
      int end;
      if (path.charAt(at) == '[') {
        int close = path.indexOf(']', at);
        end = close < 0 ? path.length() : close;
        steps.add(path.substring(at, end));
        at = end + 1;
      } else if (path.charAt(at) == '.') {
        at++;
      } else {
        end = at;
        while (end < path.length() && path.charAt(end) != '.' && path.charAt(end) != '[') {
          end++;
        }
        steps.add(path.substring(at, end));
        at = end;
      }
    }
    return steps;
  }
}
