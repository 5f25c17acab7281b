package dev.evenkeel.decide.plan;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.observe.object.Cached;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Objects as a reconciler wants them. */
public final class Desired {

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private Desired() {}

  /**
   * An object from YAML or JSON.
   *
   * @throws dev.evenkeel.kernel.json.JsonException if it is neither
   */
  public static ObjectNode yaml(String text) {
    return (ObjectNode) Json.decode(text.getBytes(StandardCharsets.UTF_8), Json.Format.YAML).tree();
  }

  /** The same, in the namespace of its owner and in his charge. */
  public static ObjectNode ownedBy(Cached<?> owner, String yaml) {
    ObjectNode object = yaml(yaml);
    ObjectNode metadata = Meta.of(object);
    if (!owner.namespace().isEmpty()) {
      metadata.put("namespace", owner.namespace());
    }
    metadata
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", owner.kind().gvk().apiVersion())
        .put("kind", owner.kind().gvk().kind())
        .put("name", owner.name())
        .put("uid", owner.uid())
        .put("controller", true)
        .put("blockOwnerDeletion", true);
    return object;
  }

  /** A record's components as fields. */
  static ObjectNode fields(Record record) {
    return MAPPER.valueToTree(record) instanceof ObjectNode fields
        ? fields
        : JsonNodeFactory.instance.objectNode();
  }

  /**
   * Whether an object has all that is wanted of it; what it has beside that, such as defaults, does
   * not count. A list has to be as long, and each element as wanted.
   */
  public static boolean has(JsonNode there, JsonNode wanted) {
    if (wanted.isObject()) {
      return there.isObject()
          && wanted.properties().stream()
              .allMatch(field -> has(there.path(field.getKey()), field.getValue()));
    }
    if (wanted.isArray()) {
      if (!there.isArray() || there.size() != wanted.size()) {
        return false;
      }
      for (int i = 0; i < wanted.size(); i++) {
        if (!has(there.get(i), wanted.get(i))) {
          return false;
        }
      }
      return true;
    }
    if (wanted.isNumber() && there.isNumber()) {
      return wanted.decimalValue().compareTo(there.decimalValue()) == 0;
    }
    return wanted.equals(there);
  }
}
