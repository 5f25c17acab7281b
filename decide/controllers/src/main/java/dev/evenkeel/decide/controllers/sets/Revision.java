package dev.evenkeel.decide.controllers.sets;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.observe.object.Cached;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One version of a set's template, as a patch that brings it back.
 *
 * @param seen null if it is yet to be made
 * @param hash which pods carry that were made by it
 * @param number the newest has the highest
 * @param made when, as the API writes it
 * @param data the patch, its fields in order
 */
record Revision(
    @Nullable Cached<ObjectNode> seen,
    String name,
    String hash,
    long number,
    String made,
    ObjectNode data) {

  static final Comparator<Revision> OLDEST_FIRST =
      Comparator.comparingLong(Revision::number)
          .thenComparing(Revision::made)
          .thenComparing(Revision::name);

  private static final String REPLACE = "$patch";
  private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
  private static final int FNV_OFFSET = 0x811c9dc5;
  private static final int FNV_PRIME = 0x01000193;

  static Revision of(Cached<ObjectNode> seen, String hashLabel) {
    ObjectNode tree = seen.tree();
    return new Revision(
        seen,
        seen.name(),
        seen.labels().getOrDefault(hashLabel, seen.name()),
        tree.path("revision").asLong(0),
        Meta.text(tree.path("metadata").path("creationTimestamp")),
        sorted(tree.path("data")) instanceof ObjectNode data
            ? data
            : JsonNodeFactory.instance.objectNode());
  }

  /**
   * The patch that gives a set this template. kubectl compares it byte by byte with one of its own
   * making, whose fields are in order.
   */
  static ObjectNode dataOf(JsonNode template) {
    ObjectNode replacing =
        template instanceof ObjectNode known
            ? known.deepCopy()
            : JsonNodeFactory.instance.objectNode();
    replacing.put(REPLACE, "replace");
    ObjectNode data = JsonNodeFactory.instance.objectNode();
    data.putObject("spec").set("template", sorted(replacing));
    return data;
  }

  /** The template that it brings back. */
  ObjectNode template() {
    ObjectNode template =
        data.path("spec").path("template") instanceof ObjectNode known
            ? known.deepCopy()
            : JsonNodeFactory.instance.objectNode();
    template.remove(REPLACE);
    return template;
  }

  boolean hasData(ObjectNode other) {
    return Arrays.equals(Json.encode(data), Json.encode(other));
  }

  Revision numbered(long newest) {
    return new Revision(seen, name, hash, newest, made, data);
  }

  /**
   * A short name for the data: FNV-1, in letters that make no words.
   *
   * @param collisions how often such a name was taken already
   */
  static String hash(ObjectNode data, long collisions) {
    int hash = FNV_OFFSET;
    for (byte[] part :
        new byte[][] {
          Json.encode(data), Long.toString(collisions).getBytes(StandardCharsets.US_ASCII)
        }) {
      for (byte next : part) {
        hash = (hash * FNV_PRIME) ^ (next & 0xff);
      }
    }
    StringBuilder safe = new StringBuilder();
    Integer.toUnsignedString(hash)
        .chars()
        .forEach(digit -> safe.append(ALPHABET.charAt(digit % ALPHABET.length())));
    return safe.toString();
  }

  /** With fields in order, and without those that are null, which older servers wrote. */
  private static JsonNode sorted(JsonNode node) {
    if (node instanceof ObjectNode object) {
      ObjectNode ordered = JsonNodeFactory.instance.objectNode();
      for (String field : new TreeSet<>(object.propertyNames())) {
        if (!object.path(field).isNull()) {
          ordered.set(field, sorted(object.path(field)));
        }
      }
      return ordered;
    }
    if (node instanceof ArrayNode list) {
      ArrayNode ordered = JsonNodeFactory.instance.arrayNode();
      list.forEach(item -> ordered.add(sorted(item)));
      return ordered;
    }
    return node;
  }
}
