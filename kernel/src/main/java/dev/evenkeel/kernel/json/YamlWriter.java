package dev.evenkeel.kernel.json;

import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.util.ByteArrayBuilder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;

/** Writes trees as YAML. Loaded when the first client asks for it: most never do. */
final class YamlWriter {

  /** A value stays on its line, however long it is: tools that read YAML line by line exist. */
  private static final YAMLFactory FACTORY =
      YAMLFactory.builder()
          .disable(YAMLWriteFeature.WRITE_DOC_START_MARKER)
          .disable(YAMLWriteFeature.SPLIT_LINES)
          .build();

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
