package dev.evenkeel.kernel.patch;

import dev.evenkeel.kernel.json.Json;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Trees as tests like to write them. JSON is YAML too. */
final class Yaml {

  private Yaml() {}

  static JsonNode tree(String yaml) {
    return Json.decode(yaml.getBytes(StandardCharsets.UTF_8), Json.Format.YAML).tree();
  }

  static ObjectNode object(String yaml) {
    return (ObjectNode) tree(yaml);
  }
}
