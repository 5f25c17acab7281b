package dev.evenkeel.kernel.json;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.ByteArrayBuilder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLFactory;

/**
 * Decodes and encodes trees. Whole numbers are always {@code LongNode}, others {@code DoubleNode}:
 * so equal numbers make equal trees, as they do for Kubernetes' own clients.
 */
public final class Json {

  /** How deep a body may nest. Kubernetes' own kinds need about 20. */
  public static final int DEPTH_MAX = 200;

  /** How many duplicate fields are reported by name; the rest are dropped silently. */
  private static final int DUPLICATES_MAX = 100;

  private static final int NUMBER_LENGTH_MAX = 400;

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private static final StreamReadConstraints CONSTRAINTS =
      StreamReadConstraints.builder()
          .maxNestingDepth(DEPTH_MAX)
          .maxNumberLength(NUMBER_LENGTH_MAX)
          .maxStringLength(Integer.MAX_VALUE)
          .maxNameLength(1 << 20)
          .build();

  private static final JsonFactory JSON =
      JsonFactory.builder().streamReadConstraints(CONSTRAINTS).build();

  /** How a body is written. */
  public enum Format {
    JSON,
    YAML
  }

  /**
   * A decoded body.
   *
   * @param duplicateFields paths of fields given twice, of which the last was taken
   */
  public record Decoded(JsonNode tree, List<String> duplicateFields) {}

  /** Loaded on the first YAML body: most servers never see one. */
  private static final class Yaml {
    static final YAMLFactory FACTORY =
        YAMLFactory.builder().streamReadConstraints(CONSTRAINTS).build();
  }

  private Json() {}

  /**
   * Decodes JSON that must be one whole value.
   *
   * @throws JsonException if it is malformed
   */
  public static JsonNode parse(byte[] bytes) {
    return decode(bytes, Format.JSON).tree();
  }

  /** {@link #parse} of what must be an object. */
  public static ObjectNode parseObject(byte[] bytes) {
    if (parse(bytes) instanceof ObjectNode object) {
      return object;
    }
    throw new JsonException("expected a JSON object");
  }

  /**
   * Decodes a body that must be one whole value.
   *
   * @throws JsonException if it is malformed
   */
  public static Decoded decode(byte[] bytes, Format format) {
    TokenStreamFactory factory = format == Format.JSON ? JSON : Yaml.FACTORY;
    try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), bytes)) {
      var reader = new Reader(parser);
      if (parser.nextToken() == null) {
        throw new JsonException("the body is empty");
      }
      JsonNode tree = reader.value(null);
      if (parser.nextToken() != null) {
        throw new JsonException("there is more after the end of the value");
      }
      return new Decoded(tree, reader.duplicates);
    } catch (JacksonException | NumberFormatException e) {
      throw new JsonException(firstLine(e));
    } catch (RuntimeException e) {
      // The YAML reader's own exceptions are not Jackson's.
      if (format == Format.YAML && !(e instanceof JsonException)) {
        throw new JsonException(firstLine(e));
      }
      throw e;
    }
  }

  /** Encodes without spaces, in the tree's order of fields. */
  public static byte[] encode(JsonNode tree) {
    return encode(tree, Format.JSON);
  }

  public static byte[] encode(JsonNode tree, Format format) {
    TokenStreamFactory factory = format == Format.JSON ? JSON : Yaml.FACTORY;
    var bytes = new ByteArrayBuilder(1024);
    try (JsonGenerator generator = factory.createGenerator(ObjectWriteContext.empty(), bytes)) {
      write(tree, generator);
    }
    return bytes.toByteArray();
  }

  private static void write(JsonNode node, JsonGenerator out) {
    switch (node) {
      case ObjectNode object -> {
        out.writeStartObject();
        object.forEachEntry(
            (name, value) -> {
              out.writeName(name);
              write(value, out);
            });
        out.writeEndObject();
      }
      case ArrayNode array -> {
        out.writeStartArray();
        for (JsonNode element : array) {
          write(element, out);
        }
        out.writeEndArray();
      }
      default -> {
        switch (node.getNodeType()) {
          case STRING -> out.writeString(node.stringValue());
          case BOOLEAN -> out.writeBoolean(node.booleanValue());
          case NUMBER -> {
            if (node.isIntegralNumber()) {
              out.writeNumber(node.bigIntegerValue().longValueExact());
            } else {
              out.writeNumber(node.doubleValue());
            }
          }
          default -> out.writeNull();
        }
      }
    }
  }

  private static String firstLine(Exception e) {
    String message =
        e instanceof JacksonException jackson ? jackson.getOriginalMessage() : e.getMessage();
    if (message == null) {
      return e.getClass().getSimpleName();
    }
    int end = message.indexOf('\n');
    return end < 0 ? message : message.substring(0, end);
  }

  /** The path from the root, kept as links so that only a duplicate pays for its text. */
  private record Path(@Nullable Path parent, String step) {
    @Override
    public String toString() {
      if (parent == null) {
        return step;
      }
      return step.startsWith("[") ? parent + step : parent + "." + step;
    }
  }

  private static final class Reader {

    private final JsonParser parser;
    private final List<String> duplicates = new ArrayList<>();

    Reader(JsonParser parser) {
      this.parser = parser;
    }

    JsonNode value(@Nullable Path path) {
      return switch (parser.currentToken()) {
        case START_OBJECT -> object(path);
        case START_ARRAY -> array(path);
        case VALUE_STRING -> NODES.stringNode(parser.getString());
        case VALUE_NUMBER_INT -> whole();
        case VALUE_NUMBER_FLOAT -> NODES.numberNode(finite(parser.getDoubleValue()));
        case VALUE_TRUE -> NODES.booleanNode(true);
        case VALUE_FALSE -> NODES.booleanNode(false);
        case VALUE_NULL -> NODES.nullNode();
        case null, default -> throw new JsonException("unexpected " + parser.currentToken());
      };
    }

    private JsonNode whole() {
      return switch (parser.getNumberType()) {
        case INT, LONG -> NODES.numberNode(parser.getLongValue());
        default -> NODES.numberNode(finite(parser.getDoubleValue()));
      };
    }

    private static double finite(double number) {
      if (Double.isInfinite(number) || Double.isNaN(number)) {
        throw new JsonException("a number is out of range");
      }
      return number;
    }

    private ObjectNode object(@Nullable Path path) {
      ObjectNode object = NODES.objectNode();
      String name;
      while ((name = parser.nextName()) != null) {
        parser.nextToken();
        var child = new Path(path, name);
        JsonNode previous = object.replace(name, value(child));
        if (previous != null && duplicates.size() < DUPLICATES_MAX) {
          duplicates.add(child.toString());
        }
      }
      if (parser.currentToken() != JsonToken.END_OBJECT) {
        throw new JsonException("unexpected " + parser.currentToken());
      }
      return object;
    }

    private ArrayNode array(@Nullable Path path) {
      ArrayNode array = NODES.arrayNode();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        array.add(value(new Path(path, "[" + array.size() + "]")));
      }
      return array;
    }
  }
}
