package dev.evenkeel.serve.ownership;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.apply.NewOwnership;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sees at a glance whether a change leaves all ownership as it is: by far the most updates come
 * from the one manager an object has, and change values of fields that it owns already.
 */
final class SoleOwner {

  private SoleOwner() {}

  /**
   * Whether the update changes nothing but fields of their only manager. False where it would take
   * more than a glance to tell.
   *
   * @param managers of the old object, which has them no more
   */
  static boolean ownsAllChanges(
      JsonNode managers,
      ObjectNode old,
      ObjectNode next,
      String manager,
      String apiVersion,
      String subresource) {
    JsonNode only = managers.path(0);
    return managers.size() == 1
        && Meta.text(only.path("manager")).equals(manager)
        && Meta.text(only.path("operation")).equals("Update")
        && Meta.text(only.path("apiVersion")).equals(apiVersion)
        && Meta.text(only.path("subresource")).equals(subresource)
        && only.get("fieldsV1") instanceof ObjectNode owned
        && isWithin(owned, old, next, true);
  }

  /** The one entry with another time; the given list is not changed. */
  static JsonNode at(JsonNode managers, String time) {
    ObjectNode entry = JsonNodeFactory.instance.objectNode();
    entry.setAll((ObjectNode) managers.path(0));
    entry.put("time", time);
    return JsonNodeFactory.instance.arrayNode().add(entry);
  }

  /** An owned part without parts of its own is owned as a whole. */
  private static boolean isWithin(JsonNode owned, JsonNode old, JsonNode next, boolean root) {
    if (owned.isEmpty()) {
      return true;
    }
    if (!(old instanceof ObjectNode before)
        || !(next instanceof ObjectNode after)
        || before.size() != after.size()) {
      return false;
    }
    for (Map.Entry<String, JsonNode> field : after.properties()) {
      JsonNode was = before.get(field.getKey());
      if (was == null) {
        return false;
      }
      JsonNode is = field.getValue();
      if (was.equals(is) || (root && field.getKey().equals("metadata") && sameMetadata(was, is))) {
        continue;
      }
      JsonNode part = owned.get("f:" + field.getKey());
      if (part == null || !isWithin(part, was, is, false)) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameMetadata(JsonNode was, JsonNode is) {
    return same(was, is) && same(is, was);
  }

  private static boolean same(JsonNode was, JsonNode is) {
    for (Map.Entry<String, JsonNode> field : is.properties()) {
      if (!NewOwnership.UNOWNED_METADATA.contains(field.getKey())
          && !field.getValue().equals(was.get(field.getKey()))) {
        return false;
      }
    }
    return true;
  }
}
