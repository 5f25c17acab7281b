package dev.evenkeel.kernel.json;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Decodes and encodes trees. Whole numbers are always {@code LongNode}, others {@code DoubleNode}:
 * so equal numbers make equal trees, as they do for Kubernetes' own clients. Texts are whole
 * characters: what was decoded can be encoded, and decodes to the same tree again.
 */
public final class Json {

  /** How deep a body may nest. Kubernetes' own kinds need about 20. */
  public static final int DEPTH_MAX = 200;

  private static final int NUMBER_LENGTH_MAX = 400;

  private static final StreamReadConstraints CONSTRAINTS =
      StreamReadConstraints.builder()
          .maxNestingDepth(DEPTH_MAX)
          .maxNumberLength(NUMBER_LENGTH_MAX)
          .maxStringLength(Integer.MAX_VALUE)
          .maxNameLength(1 << 20)
          .build();

  /** JSON is UTF-8; to guess at other encodings would give one body two meanings. */
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(CONSTRAINTS)
          .disable(TokenStreamFactory.Feature.CHARSET_DETECTION)
          .build();

  /** How a body is written. */
  public enum Format {
    JSON,
    YAML
  }

  /**
   * A decoded body.
   *
   * @param duplicates what is said of each field that is given twice, of which the last was taken
   */
  public record Decoded(JsonNode tree, List<String> duplicates, Format format) {

    /** For a tree that gives nothing twice. */
    public static Decoded of(JsonNode tree) {
      return new Decoded(tree, List.of(), Format.JSON);
    }

    /** What a strict reader refuses: of YAML it says all at once. */
    public List<String> strictErrors() {
      return format == Format.JSON || duplicates.isEmpty()
          ? duplicates
          : List.of("yaml: unmarshal errors:\n  " + String.join("\n  ", duplicates));
    }
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
    boolean surrogates = checked(bytes, format);
    return switch (format) {
      case JSON -> decodeJson(bytes, surrogates, false);
      case YAML -> YamlReader.decode(new String(bytes, StandardCharsets.UTF_8));
    };
  }

  /** What is no JSON to begin with is told as that, whatever its bytes are. */
  private static boolean checked(byte[] bytes, Format format) {
    try {
      return Texts.checked(bytes);
    } catch (JsonException e) {
      throw format == Format.JSON ? malformed(bytes, String.valueOf(e.getMessage())) : e;
    }
  }

  /**
   * Decodes JSON as Go does into a struct: of an object that is given twice, the fields of both are
   * taken. For bodies of which {@link #decode} found that they give something twice.
   */
  public static JsonNode mergingDuplicates(byte[] bytes) {
    return decodeJson(bytes, Texts.checked(bytes), true).tree();
  }

  static JsonParser parser(byte[] bytes) {
    return JSON.createParser(ObjectReadContext.empty(), bytes);
  }

  private static Decoded decodeJson(byte[] bytes, boolean surrogates, boolean merging) {
    try (JsonParser parser = parser(bytes)) {
      if (parser.nextToken() == null) {
        throw malformed(bytes, "the body is empty");
      }
      var reader = new TreeReader(parser, surrogates, merging);
      JsonNode tree = reader.value();
      if (parser.nextToken() != null) {
        throw malformed(bytes, "there is more after the end of the value");
      }
      return new Decoded(tree, reader.duplicates(), Format.JSON);
    } catch (JacksonException e) {
      throw malformed(bytes, firstLine(e.getOriginalMessage(), e));
    } catch (NumberFormatException e) {
      throw malformed(bytes, firstLine(e.getMessage(), e));
    }
  }

  /**
   * @param why for what is JSON, but more than we read
   */
  private static JsonException malformed(byte[] bytes, String why) {
    String error = JsonSyntax.error(bytes);
    return new JsonException(error == null ? why : error);
  }

  /**
   * Encodes without spaces, in the tree's order of fields. Numbers are those that {@link #decode}
   * makes.
   */
  public static byte[] encode(JsonNode tree) {
    return new Encoder().encoded(tree);
  }

  /**
   * Encodes an object that begins with what is encoded already, without a tree of it in that order.
   *
   * @param head the beginning, with at least one field, up to where an object within it opens
   * @param inner the fields of that object, all but one
   * @param outer the fields behind it, all but those named
   */
  public static byte[] encode(
      byte[] head, ObjectNode inner, String withoutInner, ObjectNode outer, Set<String> without) {
    return new Encoder().encoded(head, inner, withoutInner, outer, without);
  }

  /**
   * A node that is encoded as the JSON it is given, unseen. For trees on their way out: to all but
   * {@link #encode(JsonNode)} it is a leaf without a value.
   */
  public static JsonNode encoded(String json) {
    return JsonNodeFactory.instance.pojoNode(new EncodedJson(json));
  }

  /** Encodes in the given format. */
  public static byte[] encode(JsonNode tree, Format format) {
    return switch (format) {
      case JSON -> encode(tree);
      case YAML -> YamlWriter.encode(tree);
    };
  }

  static String firstLine(@Nullable String message, Exception e) {
    if (message == null || message.isEmpty()) {
      return e.getClass().getSimpleName();
    }
    int end = message.indexOf('\n');
    return end < 0 ? message : message.substring(0, end);
  }
}
