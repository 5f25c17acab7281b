package dev.evenkeel.kernel.patch;

import dev.evenkeel.kernel.api.ApiException;
import java.util.Comparator;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * JSON merge patch, RFC 7386: objects are merged, null deletes, everything else replaces.
 *
 * <p>In one point it follows upstream and not the RFC: an object inside a list loses its null
 * entries too, as it would outside of one.
 */
public final class MergePatch {

  private MergePatch() {}

  /**
   * The object with the patch applied. Neither is changed; the result shares what stays the same.
   *
   * @throws ApiException if the patch is no object
   */
  public static ObjectNode apply(JsonNode patch, ObjectNode object) {
    if (patch instanceof ObjectNode changes) {
      return merged(changes, object, new Draft());
    }
    throw PatchErrors.malformed("Invalid JSON Patch");
  }

  static ObjectNode merged(ObjectNode patch, ObjectNode object, Draft draft) {
    ObjectNode result = draft.writable(object);
    patch.forEachEntry((name, value) -> mergeInto(result, name, value, draft));
    return result;
  }

  /** Merges one entry of a patch into an object that may be changed. */
  static void mergeInto(ObjectNode object, String name, JsonNode value, Draft draft) {
    if (value.isNull()) {
      object.remove(name);
    } else if (value instanceof ObjectNode changes
        && object.get(name) instanceof ObjectNode current) {
      object.set(name, merged(changes, current, draft));
    } else {
      object.set(name, Trees.withoutNullEntries(value));
    }
  }

  /**
   * The smallest patch that gives the object these fields with these values. Fields that are not
   * among the wanted ones stay; below a wanted field that is an object, likewise. Lists are one
   * value. An empty list or object is not asked for where there is none: servers keep neither.
   */
  public static ObjectNode setting(ObjectNode object, ObjectNode wanted) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> field : wanted.properties()) {
      JsonNode now = object.get(field.getKey());
      JsonNode value = field.getValue();
      if (value instanceof ObjectNode inner && now instanceof ObjectNode known) {
        ObjectNode change = setting(known, inner);
        if (!change.isEmpty()) {
          patch.set(field.getKey(), change);
        }
      } else if (isMissing(value) ? now != null && !isMissing(now) : !isSame(now, value)) {
        patch.set(field.getKey(), value);
      }
    }
    return patch;
  }

  private static boolean isMissing(JsonNode value) {
    return value.isNull() || (value.isContainer() && value.isEmpty());
  }

  /** The same value, whatever type of number it was made from. */
  private static boolean isSame(@Nullable JsonNode now, JsonNode value) {
    return now != null && now.equals(SAME_NUMBERS, value);
  }

  private static final Comparator<JsonNode> SAME_NUMBERS =
      (one, other) -> {
        if (one.isNumber() && other.isNumber()) {
          return one.decimalValue().compareTo(other.decimalValue());
        }
        return one.equals(other) ? 0 : 1;
      };
}
