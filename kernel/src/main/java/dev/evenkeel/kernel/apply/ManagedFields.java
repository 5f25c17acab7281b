package dev.evenkeel.kernel.apply;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.json.JsonException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code metadata.managedFields}: the managers of an object and what each owns. Unchanging.
 *
 * @param owned by manager
 */
public record ManagedFields(Map<Manager, Owned> owned) {

  public static final ManagedFields NONE = new ManagedFields(Map.of());

  /** Entries of updates beyond that many are folded into one. */
  private static final int UPDATERS_MAX = 10;

  private static final String ANCIENT = "ancient-changes";

  /**
   * What a manager owns.
   *
   * @param apiVersion the version that the fields are of
   * @param time of its last change; null if nobody said
   */
  public record Owned(FieldSet fields, String apiVersion, @Nullable String time) {}

  public ManagedFields {
    owned = java.util.Collections.unmodifiableMap(new TreeMap<>(owned));
  }

  public boolean isEmpty() {
    return owned.isEmpty();
  }

  /** The same with another entry for one manager; without it if it owns nothing. */
  public ManagedFields with(Manager manager, Owned entry) {
    Map<Manager, Owned> next = new TreeMap<>(owned);
    if (entry.fields().isEmpty()) {
      next.remove(manager);
    } else {
      next.put(manager, entry);
    }
    return new ManagedFields(next);
  }

  // ---- JSON

  /**
   * Reads the list.
   *
   * @throws JsonException if it is not what a server writes
   */
  public static ManagedFields fromJson(@Nullable JsonNode list) {
    if (list == null || list.isEmpty()) {
      return NONE;
    }
    Map<Manager, Owned> owned = new HashMap<>();
    for (int i = 0; i < list.size(); i++) {
      JsonNode entry = list.path(i);
      String operation = Meta.text(entry.path("operation"));
      if (!operation.equals("Apply") && !operation.equals("Update")) {
        throw new JsonException("operation must be `Apply` or `Update`");
      }
      String apiVersion = Meta.text(entry.path("apiVersion"));
      if (apiVersion.isEmpty()) {
        throw new JsonException("apiVersion must not be empty");
      }
      String type = Meta.text(entry.path("fieldsType"));
      if (!type.equals("FieldsV1")) {
        throw new JsonException(
            type.isEmpty()
                ? "missing fieldsType in managed fields entry " + i
                : "invalid fieldsType " + Values.quoted(type) + " in managed fields entry " + i);
      }
      boolean applies = operation.equals("Apply");
      JsonNode fields = entry.get("fieldsV1");
      owned.put(
          new Manager(
              Meta.text(entry.path("manager")),
              applies,
              applies ? "" : apiVersion,
              Meta.text(entry.path("subresource"))),
          new Owned(
              fields == null ? FieldSet.EMPTY : FieldSet.fromJson(fields),
              apiVersion,
              entry.has("time") ? Meta.text(entry.path("time")) : null));
    }
    return new ManagedFields(owned);
  }

  /** As the list in metadata, in upstream's order; empty if there are none. */
  public ArrayNode toJson() {
    List<Map.Entry<Manager, Owned>> sorted = new ArrayList<>(owned.entrySet());
    sorted.sort(ORDER);
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    for (Map.Entry<Manager, Owned> entry : sorted) {
      Manager manager = entry.getKey();
      ObjectNode json = list.addObject();
      putUnlessEmpty(json, "manager", manager.name());
      json.put("operation", manager.operation());
      json.put("apiVersion", entry.getValue().apiVersion());
      putUnlessEmpty(json, "time", time(entry));
      json.put("fieldsType", "FieldsV1");
      json.set("fieldsV1", entry.getValue().fields().toJson());
      putUnlessEmpty(json, "subresource", manager.subresource());
    }
    return list;
  }

  /** Times are whole seconds, as upstream compares them; names decide within one. */
  private static final Comparator<Map.Entry<Manager, Owned>> ORDER =
      Comparator.<Map.Entry<Manager, Owned>, String>comparing(entry -> entry.getKey().operation())
          .thenComparing(ManagedFields::time)
          .thenComparing(entry -> entry.getKey().name(), Values::compareTexts)
          .thenComparing(entry -> entry.getValue().apiVersion(), Values::compareTexts)
          .thenComparing(entry -> entry.getKey().subresource(), Values::compareTexts);

  private static String time(Map.Entry<Manager, Owned> entry) {
    String time = entry.getValue().time();
    return time == null ? "" : time;
  }

  private static void putUnlessEmpty(ObjectNode json, String field, String value) {
    if (!value.isEmpty()) {
      json.put(field, value);
    }
  }

  /** Whether all but the times is the same. */
  public boolean sameButForTimes(ManagedFields other) {
    if (!owned.keySet().equals(other.owned.keySet())) {
      return false;
    }
    for (Map.Entry<Manager, Owned> entry : owned.entrySet()) {
      Owned one = entry.getValue();
      Owned two = other.owned.get(entry.getKey());
      if (two == null
          || !one.apiVersion().equals(two.apiVersion())
          || !one.fields().equals(two.fields())) {
        return false;
      }
    }
    return true;
  }

  // ---- limit

  /** Folds the oldest entries of updates into one for each version, until there are few enough. */
  ManagedFields capped() {
    List<Map.Entry<Manager, Owned>> updaters = new ArrayList<>();
    for (Map.Entry<Manager, Owned> entry : owned.entrySet()) {
      if (!entry.getKey().applies()) {
        updaters.add(entry);
      }
    }
    int count = updaters.size();
    if (count <= UPDATERS_MAX) {
      return this;
    }
    updaters.sort(
        Comparator.<Map.Entry<Manager, Owned>, String>comparing(ManagedFields::time)
            .thenComparing(Map.Entry::getKey));
    Map<Manager, Owned> next = new TreeMap<>(owned);
    Map<String, Manager> firstOfVersion = new HashMap<>();
    for (Map.Entry<Manager, Owned> entry : updaters) {
      if (count <= UPDATERS_MAX) {
        break;
      }
      Manager manager = entry.getKey();
      Owned fields = entry.getValue();
      Manager first = firstOfVersion.putIfAbsent(fields.apiVersion(), manager);
      if (first != null) {
        var bucket = Manager.updater(ANCIENT, fields.apiVersion(), "");
        Owned folded = next.get(bucket);
        if (folded == null) {
          folded = next.remove(first);
        }
        next.remove(manager);
        next.put(
            bucket,
            new Owned(
                folded == null ? fields.fields() : folded.fields().union(fields.fields()),
                fields.apiVersion(),
                fields.time()));
        count--;
      }
    }
    return new ManagedFields(next);
  }
}
