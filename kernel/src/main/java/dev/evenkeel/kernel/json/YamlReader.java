package dev.evenkeel.kernel.json;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes a tree of a YAML document. Used once.
 *
 * <p>Reads the events of the YAML parser itself, because only those tell a quoted text from a plain
 * one, and where anchors are: to take an alias for a text would store nonsense.
 */
final class YamlReader {

  /**
   * What all aliases of a body may bring in together, in bytes of JSON. An alias is three bytes
   * that can stand for any number, and for other aliases.
   */
  private static final int ALIASED_BYTES_MAX = 3 * 1024 * 1024;

  private static final String MERGE_KEY = "<<";

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final Iterator<Event> events;
  private final Map<String, JsonNode> anchors = new HashMap<>();
  private final Deque<Object> path = new ArrayDeque<>();
  private final Duplicates duplicates = new Duplicates();
  private long aliasedBytes;

  private YamlReader(String text) {
    LoadSettings settings =
        LoadSettings.builder()
            // How large a body may be is the transport's to say.
            .setCodePointLimit(Integer.MAX_VALUE)
            // All in one piece: a text longer than the buffer takes the square of its length.
            .setBufferSize(text.length() + 1)
            .build();
    this.events = new Parse(settings).parseString(text).iterator();
  }

  /**
   * Decodes one document.
   *
   * @throws JsonException if it is malformed
   */
  static Json.Decoded decode(String text) {
    try {
      return new YamlReader(text).document();
    } catch (JsonException e) {
      throw new JsonException("yaml: " + e.getMessage());
    } catch (MarkedYamlEngineException e) {
      throw new JsonException(YamlErrors.told(e));
    } catch (RuntimeException e) {
      // The parser's other exceptions have no common class.
      throw new JsonException("yaml: " + Json.firstLine(e.getMessage(), e));
    }
  }

  private Json.Decoded document() {
    expect(Event.ID.StreamStart);
    Event start = events.next();
    if (start.getEventId() != Event.ID.DocumentStart) {
      // No document at all stands for null.
      return new Json.Decoded(NODES.nullNode(), List.of(), Json.Format.YAML);
    }
    JsonNode tree = value(events.next());
    expect(Event.ID.DocumentEnd);
    if (events.next().getEventId() != Event.ID.StreamEnd) {
      throw new JsonException("there is more after the end of the document");
    }
    return new Json.Decoded(tree, duplicates.found(), Json.Format.YAML);
  }

  private void expect(Event.ID kind) {
    Event event = events.next();
    if (event.getEventId() != kind) {
      throw new JsonException("unexpected " + event.getEventId());
    }
  }

  private JsonNode value(Event event) {
    JsonNode value =
        switch (event) {
          case AliasEvent alias -> copy(anchored(alias), Json.DEPTH_MAX - path.size());
          case ScalarEvent scalar -> YamlScalars.value(scalar);
          case MappingStartEvent mapping -> object(mapping);
          case SequenceStartEvent sequence -> array(sequence);
          default -> throw new JsonException("unexpected " + event.getEventId());
        };
    if (event instanceof NodeEvent node && !(event instanceof AliasEvent)) {
      node.getAnchor().map(Anchor::getValue).ifPresent(name -> anchors.put(name, value));
    }
    return value;
  }

  private ObjectNode object(MappingStartEvent start) {
    checkDepth();
    YamlScalars.checkTag(start.getTag(), "tag:yaml.org,2002:map");
    ObjectNode object = NODES.objectNode();
    List<JsonNode> merged = new ArrayList<>();
    for (Event event = events.next();
        event.getEventId() != Event.ID.MappingEnd;
        event = events.next()) {
      if (!(event instanceof ScalarEvent key)) {
        throw new JsonException("a key must be a text, not " + event.getEventId());
      }
      String name = Texts.whole(key.getValue());
      path.addLast(name);
      Event begin = events.next();
      JsonNode value = value(begin);
      if (key.isPlain() && name.equals(MERGE_KEY)) {
        merged.add(value);
      } else if (object.replace(name, value) != null) {
        duplicates.addKey(name, begin.getStartMark().map(mark -> mark.getLine() + 1).orElse(0));
      }
      path.removeLast();
    }
    merged.forEach(other -> merge(object, other));
    return object;
  }

  /** What the object says itself goes before what is merged in. */
  private static void merge(ObjectNode object, JsonNode other) {
    switch (other) {
      case ObjectNode more -> more.forEachEntry(object::putIfAbsent);
      case ArrayNode list when list.values().stream().allMatch(JsonNode::isObject) ->
          list.forEach(more -> more.forEachEntry(object::putIfAbsent));
      default -> throw new JsonException("map merge requires map or sequence of maps as the value");
    }
  }

  private ArrayNode array(SequenceStartEvent start) {
    checkDepth();
    YamlScalars.checkTag(start.getTag(), "tag:yaml.org,2002:seq");
    ArrayNode array = NODES.arrayNode();
    for (Event event = events.next();
        event.getEventId() != Event.ID.SequenceEnd;
        event = events.next()) {
      path.addLast(array.size());
      array.add(value(event));
      path.removeLast();
    }
    return array;
  }

  /** Before one more level: the path has as many steps as there are levels already. */
  private void checkDepth() {
    if (path.size() >= Json.DEPTH_MAX) {
      throw tooDeep();
    }
  }

  // ---- aliases

  private JsonNode anchored(AliasEvent alias) {
    // An anchor whose value is not at its end yet is not known either: no value contains itself.
    String name = alias.getAlias().getValue();
    @Nullable JsonNode value = anchors.get(name);
    if (value == null) {
      throw new JsonException("unknown anchor '" + name + "' referenced");
    }
    return value;
  }

  private JsonNode copy(JsonNode node, int depthMax) {
    aliasedBytes += node.isString() ? node.stringValue().length() + 3 : 3;
    if (aliasedBytes > ALIASED_BYTES_MAX) {
      throw new JsonException("document contains excessive aliasing");
    }
    if (node.isContainer() && depthMax <= 0) {
      throw tooDeep();
    }
    return switch (node) {
      case ObjectNode object -> {
        ObjectNode copy = NODES.objectNode();
        object.forEachEntry(
            (name, value) -> {
              aliasedBytes += name.length() + 4;
              copy.set(name, copy(value, depthMax - 1));
            });
        yield copy;
      }
      case ArrayNode array -> {
        ArrayNode copy = NODES.arrayNode(array.size());
        array.forEach(item -> copy.add(copy(item, depthMax - 1)));
        yield copy;
      }
      default -> node;
    };
  }

  private static JsonException tooDeep() {
    return new JsonException("the body nests deeper than " + Json.DEPTH_MAX + " levels");
  }
}
