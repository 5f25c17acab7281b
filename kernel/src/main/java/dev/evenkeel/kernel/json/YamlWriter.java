package dev.evenkeel.kernel.json;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.util.ByteArrayBuilder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;
import tools.jackson.dataformat.yaml.util.StringQuotingChecker;

/** Writes trees as YAML. Loaded when the first client asks for it: most never do. */
final class YamlWriter {

  /** A value stays on its line, however long it is: tools that read YAML line by line exist. */
  private static final YAMLFactory FACTORY =
      YAMLFactory.builder()
          .disable(YAMLWriteFeature.WRITE_DOC_START_MARKER)
          .disable(YAMLWriteFeature.SPLIT_LINES)
          .enable(YAMLWriteFeature.MINIMIZE_QUOTES)
          .enable(YAMLWriteFeature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
          .stringQuotingChecker(new PlainText())
          .build();

  /**
   * Leaves the quotes away, as kubectl does, around what every reader of YAML takes for the same
   * text: it begins as no number, time or mark begins, and is none of YAML's words.
   */
  private static final class PlainText extends StringQuotingChecker {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z/]([ :]?[A-Za-z0-9_./@=+-])*");

    private static final Set<String> WORDS =
        Set.of("true", "false", "yes", "no", "on", "off", "y", "n", "null");

    @Override
    public boolean needToQuoteName(String name) {
      return needToQuoteValue(name);
    }

    @Override
    public boolean needToQuoteValue(String value) {
      return !PLAIN.matcher(value).matches() || WORDS.contains(value.toLowerCase(Locale.ROOT));
    }
  }

  private YamlWriter() {}

  static byte[] encode(JsonNode tree) {
    var bytes = new ByteArrayBuilder(1024);
    try (JsonGenerator generator = FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
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
        array.forEach(element -> write(element, out));
        out.writeEndArray();
      }
      default -> {
        switch (node.getNodeType()) {
          case STRING -> out.writeString(node.stringValue());
          case BOOLEAN -> out.writeBoolean(node.booleanValue());
          case NUMBER -> {
            if (node.isIntegralNumber()) {
              out.writeNumber(node.longValue());
            } else {
              out.writeNumber(node.doubleValue());
            }
          }
          default -> out.writeNull();
        }
      }
    }
  }
}
