package dev.evenkeel.decide.controllers.workload;

import dev.evenkeel.kernel.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which pod templates are the same, and what they are called.
 *
 * <p>Clients differ in whether they write what is empty, and kubectl writes a template back that it
 * has decoded before: empty fields do not count, but where they say something.
 */
final class Templates {

  /** Tells a ReplicaSet's pods from those of the deployment's other ReplicaSets. */
  static final String HASH_LABEL = "pod-template-hash";

  /** Without vowels and what looks like them, so that no words come of it. */
  private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

  /** An empty selector selects all, a missing one nothing; an empty folder is a volume. */
  private static final Set<String> MEANT_THOUGH_EMPTY =
      Set.of("labelSelector", "namespaceSelector", "selector", "emptyDir");

  private static final int FNV_OFFSET = 0x811c9dc5;
  private static final int FNV_PRIME = 0x01000193;

  private Templates() {}

  /** In a form that is the same for all templates that ask for the same pods. */
  static JsonNode canonical(JsonNode template) {
    JsonNode plain = template;
    if (template.path("metadata").path("labels").has(HASH_LABEL)) {
      plain = template.deepCopy();
      ((ObjectNode) plain.path("metadata").path("labels")).remove(HASH_LABEL);
    }
    return sorted(plain);
  }

  private static JsonNode sorted(JsonNode node) {
    return switch (node) {
      case ObjectNode object -> {
        Map<String, JsonNode> fields = new TreeMap<>();
        object.forEachEntry(
            (name, value) -> {
              JsonNode inner = sorted(value);
              boolean empty = inner.isNull() || (inner.isContainer() && inner.isEmpty());
              if (!empty || (!value.isNull() && MEANT_THOUGH_EMPTY.contains(name))) {
                fields.put(name, inner);
              }
            });
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        fields.forEach(result::set);
        yield result;
      }
      case ArrayNode array -> {
        ArrayNode result = JsonNodeFactory.instance.arrayNode();
        array.forEach(element -> result.add(sorted(element)));
        yield result;
      }
      default -> node;
    };
  }

  /**
   * A name for a canonical template.
   *
   * @param collisions how often such a name was taken, so that another comes out; null if never
   */
  static String hash(JsonNode canonical, @Nullable Integer collisions) {
    int hash = FNV_OFFSET;
    for (byte each : Json.encode(canonical)) {
      hash = (hash ^ (each & 0xff)) * FNV_PRIME;
    }
    if (collisions != null) {
      for (int shift = 0; shift < 64; shift += 8) {
        hash = (hash ^ (int) ((collisions.longValue() >>> shift) & 0xff)) * FNV_PRIME;
      }
    }
    var name = new StringBuilder();
    for (byte digit : Integer.toUnsignedString(hash).getBytes(StandardCharsets.US_ASCII)) {
      name.append(ALPHABET.charAt(digit % ALPHABET.length()));
    }
    return name.toString();
  }
}
