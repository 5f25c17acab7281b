package dev.evenkeel.serve.kinds.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.schema.Field;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.kernel.schema.Shape;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Objects in which every field is set survive, field by field. */
class RoundTripTest {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  static List<String> kinds() {
    return Catalog.builtIn().stream()
        .map(d -> d.gvk().apiVersion() + " " + d.gvk().kind())
        .toList();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void shape_losesNothing(String kind) {
    ResourceDefinition definition =
        Catalog.builtIn().stream()
            .filter(d -> (d.gvk().apiVersion() + " " + d.gvk().kind()).equals(kind))
            .findFirst()
            .orElseThrow();
    ObjectNode full = (ObjectNode) sample(definition.schema(), List.of());
    ObjectNode shaped = full.deepCopy();
    Shape.Report report = Shape.apply(shaped, definition.schema());
    assertThat(report.unknownFields()).isEmpty();
    assertThat(report.typeErrors()).isEmpty();
    assertThat(shaped).isEqualTo(full);
    assertThat(full.size()).isEqualTo(definition.schema().fields().size());
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void conversion_losesNothing(String kind) {
    ResourceDefinition definition =
        Catalog.builtIn().stream()
            .filter(d -> (d.gvk().apiVersion() + " " + d.gvk().kind()).equals(kind))
            .findFirst()
            .orElseThrow();
    if (definition.servesStoredVersion()) {
      return;
    }
    ObjectNode stored =
        (ObjectNode)
            sample(Objects.requireNonNull(Catalog.type(definition.storage().version())), List.of());
    stored.put("apiVersion", definition.storage().version().apiVersion());
    if (stored.path("spec").path("metrics").isArray()) {
      // The sources are alternatives, and the old version knows only one of them.
      ((ObjectNode) stored.path("spec")).remove("metrics");
      ((ObjectNode) stored.path("status")).remove("currentMetrics");
      ((ObjectNode) stored.path("spec"))
          .putArray("metrics")
          .add(AutoscalerMetric.processorTarget(7));
    }
    var conversion = definition.storage().conversion();
    ObjectNode served = conversion.toServed(stored.deepCopy());
    assertThat(Shape.apply(served.deepCopy(), definition.schema()).unknownFields()).isEmpty();
    assertThat(conversion.toStored(served)).isEqualTo(stored);
  }

  private static JsonNode sample(Schema schema, List<String> above) {
    return switch (schema) {
      case Schema.Struct struct -> struct(struct, above);
      case Schema.MapOf map -> NODES.objectNode().set("key", sample(map.values(), above));
      case Schema.ListOf list -> NODES.arrayNode().add(sample(list.items(), above));
      case Schema.Scalar scalar ->
          switch (scalar) {
            case STRING, INT_OR_STRING -> NODES.stringNode("text");
            case INT32, INT64 -> NODES.numberNode(7L);
            case DOUBLE -> NODES.numberNode(1.5);
            case BOOLEAN -> NODES.booleanNode(true);
            case QUANTITY -> NODES.stringNode("500m");
            case TIME -> NODES.stringNode("2024-05-31T10:00:00Z");
            case MICRO_TIME -> NODES.stringNode("2024-05-31T10:00:00.123456Z");
            case BYTES -> NODES.stringNode("YQ==");
            case ANY -> NODES.objectNode().put("anything", true);
          };
    };
  }

  /**
   * @param above the types that this is inside of: one that contains itself must end somewhere
   */
  private static ObjectNode struct(Schema.Struct struct, List<String> above) {
    ObjectNode object = NODES.objectNode();
    if (struct.keepsUnknown()) {
      return object.put("whatever", 1L);
    }
    boolean again = Collections.frequency(above, struct.name()) > 0;
    List<String> here = new ArrayList<>(above);
    here.add(struct.name());
    for (Field field : struct.fields().values()) {
      if (!again || field.schema() instanceof Schema.Scalar) {
        object.set(field.name(), sample(field.schema(), here));
      }
    }
    return object;
  }
}
