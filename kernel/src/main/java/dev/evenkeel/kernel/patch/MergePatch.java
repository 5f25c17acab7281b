package dev.evenkeel.kernel.patch;

import dev.evenkeel.kernel.api.ApiException;
import tools.jackson.databind.JsonNode;
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
}
