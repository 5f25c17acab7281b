package dev.evenkeel.kernel.apply;

import dev.evenkeel.kernel.schema.Field;
import dev.evenkeel.kernel.schema.Schema;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Puts an applied configuration over a live object. Neither is changed; parts may be shared. */
public final class Merge {

  private Merge() {}

  /**
   * @throws TypeException if a key comes twice in the configuration
   */
  public static ObjectNode of(ObjectNode live, ObjectNode applied, Schema.Struct schema) {
    return maps(live, applied, schema);
  }

  /**
   * The same for a configuration that is to change parts of the object only, whatever it is.
   *
   * @throws TypeException if it cannot be applied, or would replace something as a whole
   */
  public static ObjectNode checked(ObjectNode live, ObjectNode applied, Schema.Struct schema) {
    try {
      TypeCheck.check(applied, schema);
    } catch (TypeException e) {
      throw new TypeException("failed to convert patch object to typed object: " + e.getMessage());
    }
    List<String> atomics = Atomics.in(applied, schema);
    if (!atomics.isEmpty()) {
      throw new TypeException(
          "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: "
              + String.join(", ", atomics));
    }
    return of(live, applied, schema);
  }

  private static ObjectNode maps(ObjectNode live, ObjectNode applied, Schema schema) {
    ObjectNode merged = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> entry : live.properties()) {
      String name = entry.getKey();
      Field field = Types.field(schema, name);
      merged.set(
          name,
          values(
              entry.getValue(),
              applied.get(name),
              Types.member(schema, field),
              Types.memberAtomic(schema, field)));
    }
    for (Map.Entry<String, JsonNode> entry : applied.properties()) {
      if (!live.has(entry.getKey())) {
        merged.set(entry.getKey(), entry.getValue());
      }
    }
    return merged;
  }

  private static JsonNode values(
      @Nullable JsonNode live, @Nullable JsonNode applied, Schema schema, boolean atomic) {
    if (applied == null || live == null) {
      return applied != null ? applied : java.util.Objects.requireNonNull(live);
    }
    return switch (Types.form(applied, schema, atomic)) {
      case LEAF -> applied;
      case MAP ->
          live instanceof ObjectNode map ? maps(map, (ObjectNode) applied, schema) : applied;
      case LIST ->
          live instanceof ArrayNode list
              ? new Lists((Schema.ListOf) schema, list, (ArrayNode) applied).merged()
              : applied;
    };
  }

  /**
   * Merges two lists of items that are told apart. Items of both lists stand in the order of the
   * applied one; what only the live one has keeps its place between them. Used once.
   */
  private static final class Lists {
    private final Schema.ListOf type;
    private final ArrayNode live;
    private final List<PathElement> liveOrder = new ArrayList<>();
    private final List<PathElement> appliedOrder = new ArrayList<>();

    /** Without what comes more than once: such items are not merged. */
    private final Map<PathElement, JsonNode> liveItems = new TreeMap<>();

    private final TreeSet<PathElement> inLive = new TreeSet<>();
    private final Map<PathElement, JsonNode> appliedItems = new TreeMap<>();

    /** What both have and is still to come, in the order it is to come. */
    private final Deque<PathElement> shared = new ArrayDeque<>();

    private final ArrayNode merged = JsonNodeFactory.instance.arrayNode();

    Lists(Schema.ListOf type, ArrayNode live, ArrayNode applied) {
      this.type = type;
      this.live = live;
      for (JsonNode item : live) {
        PathElement element = Types.item(item, type);
        liveOrder.add(element);
        if (inLive.add(element)) {
          liveItems.put(element, item);
        } else {
          liveItems.remove(element);
        }
      }
      for (JsonNode item : applied) {
        PathElement element = Types.item(item, type);
        if (appliedItems.put(element, item) != null) {
          throw new TypeException("duplicate entries for key " + element.printed());
        }
        appliedOrder.add(element);
        if (inLive.contains(element)) {
          shared.add(element);
        }
      }
    }

    ArrayNode merged() {
      var taken = new TreeSet<PathElement>();
      int l = 0;
      int a = 0;
      while (l < liveOrder.size() || a < appliedOrder.size()) {
        if (l < liveOrder.size()) {
          PathElement element = liveOrder.get(l);
          if (!appliedItems.containsKey(element)) {
            merged.add(live.get(l));
            l++;
            continue;
          }
          // Shared items are taken when the applied order comes to them.
          boolean isNext = a < appliedOrder.size() && element.equals(appliedOrder.get(a));
          if (!isNext && isLaterShared(element, a)) {
            l++;
            continue;
          }
          if (isNext || taken.contains(element)) {
            l++;
          }
        }
        if (a < appliedOrder.size()) {
          PathElement element = appliedOrder.get(a);
          taken.add(element);
          merged.add(both(element));
          if (element.equals(shared.peekFirst())) {
            shared.removeFirst();
          }
          a++;
        }
      }
      return merged;
    }

    /** A shared item that is not the next one of those that both lists have. */
    private boolean isLaterShared(PathElement element, int a) {
      return a < appliedOrder.size() && !shared.isEmpty() && !shared.getFirst().equals(element);
    }

    private JsonNode both(PathElement element) {
      return values(
          liveItems.get(element),
          appliedItems.get(element),
          type.items(),
          Types.itemAtomic(type.items()));
    }
  }
}
