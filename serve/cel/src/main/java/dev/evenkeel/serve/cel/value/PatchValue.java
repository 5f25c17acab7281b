package dev.evenkeel.serve.cel.value;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a patch. Whether it makes sense is seen when it is applied.
 *
 * @param from empty if not set
 * @param value null if not set, which is something else than a JSON null
 */
public record PatchValue(String op, String path, String from, @Nullable Object value)
    implements Opaque {

  /**
   * @throws EvaluationError if a field is not a text that has to be one
   */
  public static PatchValue of(Map<Object, Object> fields) {
    return new PatchValue(
        text(fields, "op"), text(fields, "path"), text(fields, "from"), fields.get("value"));
  }

  private static String text(Map<Object, Object> fields, String name) {
    Object value = fields.getOrDefault(name, "");
    if (value instanceof String text) {
      return text;
    }
    throw new EvaluationError(
        "unexpected type " + Values.typeName(value) + " for JSONPatchType '" + name + "' field");
  }

  @Override
  public String typeName() {
    return "JSONPatch";
  }

  /** The value of a field, or null if it is not set. */
  public @Nullable Object find(String name) {
    return switch (name) {
      case "op" -> set(op);
      case "path" -> set(path);
      case "from" -> set(from);
      case "value" -> value;
      default -> null;
    };
  }

  private static @Nullable String set(String text) {
    return text.isEmpty() ? null : text;
  }

  /** The value of a field; a text that was not set is empty. */
  public Object field(String name) {
    Object found = find(name);
    return found != null ? found : name.equals("value") ? NullValue.NULL : "";
  }
}
