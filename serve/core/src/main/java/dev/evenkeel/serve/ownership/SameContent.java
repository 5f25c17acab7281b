package dev.evenkeel.serve.ownership;

import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Whether a write would change anything. Fields in another order are no change, nor is the version,
 * nor are times of managers alone. Trees are compared and not bytes, because both are at hand and
 * the first difference ends it.
 */
public final class SameContent {

  private static final Set<String> METADATA = Set.of("metadata");
  private static final Set<String> VERSION_AND_MANAGERS = Set.of("resourceVersion", Managers.FIELD);
  private static final Set<String> TIME = Set.of("time");

  /** A number is the same however wide it is held. */
  private static final Comparator<JsonNode> LEAVES =
      (one, other) ->
          one.equals(other)
                  || (one.isNumber()
                      && other.isNumber()
                      && one.decimalValue().compareTo(other.decimalValue()) == 0)
              ? 0
              : 1;

  private SameContent() {}

  public static boolean of(ObjectNode next, ObjectNode old) {
    JsonNode metadata = next.path("metadata");
    JsonNode before = old.path("metadata");
    return sameFields(metadata, before, VERSION_AND_MANAGERS)
        && sameFields(next, old, METADATA)
        && sameManagers(metadata.path(Managers.FIELD), before.path(Managers.FIELD));
  }

  private static boolean sameManagers(JsonNode managers, JsonNode before) {
    if (managers.size() != before.size()) {
      return false;
    }
    for (int i = 0; i < managers.size(); i++) {
      if (!sameFields(managers.path(i), before.path(i), TIME)) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameFields(JsonNode one, JsonNode other, Set<String> except) {
    int compared = 0;
    for (Map.Entry<String, JsonNode> field : one.properties()) {
      if (!except.contains(field.getKey())) {
        compared++;
        if (!same(field.getValue(), other.get(field.getKey()))) {
          return false;
        }
      }
    }
    for (String name : other.propertyNames()) {
      compared -= except.contains(name) ? 0 : 1;
    }
    return compared == 0;
  }

  private static boolean same(JsonNode value, @Nullable JsonNode before) {
    return before != null && value.equals(LEAVES, before);
  }
}
