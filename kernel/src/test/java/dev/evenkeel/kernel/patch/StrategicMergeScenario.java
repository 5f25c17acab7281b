package dev.evenkeel.kernel.patch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.schema.Schema;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Works through {@code strategic-merge.yaml}. */
class StrategicMergeScenario {

  private static final Map<String, Schema.Struct> KINDS =
      Map.of(
          "Deployment", Schemas.deployment(),
          "Service", Schemas.service(),
          "PodDisruptionBudget", Schemas.disruptionBudget());

  @ParameterizedTest(name = "{0}")
  @MethodSource("scenarios")
  void apply_doesAsTheScenarioSays(String name, JsonNode scenario) {
    ObjectNode object = (ObjectNode) scenario.get("object");
    ObjectNode patch = (ObjectNode) scenario.get("patch");
    ObjectNode objectBefore = object.deepCopy();
    ObjectNode patchBefore = patch.deepCopy();
    Schema.Struct schema =
        Objects.requireNonNull(KINDS.get(scenario.get("kind").stringValue()), name);

    ObjectNode result = StrategicMergePatch.apply(patch, object, schema);

    assertThat(result).isEqualTo(scenario.get("result"));
    assertThat(object).as("the object is as before").isEqualTo(objectBefore);
    assertThat(patch).as("the patch is as before").isEqualTo(patchBefore);
  }

  static Stream<Arguments> scenarios() {
    try (InputStream file =
        Objects.requireNonNull(
            StrategicMergeScenario.class.getResourceAsStream("strategic-merge.yaml"))) {
      JsonNode list = Json.decode(file.readAllBytes(), Json.Format.YAML).tree();
      return list.values().stream()
          .map(scenario -> Arguments.of(scenario.get("name").stringValue(), scenario));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
