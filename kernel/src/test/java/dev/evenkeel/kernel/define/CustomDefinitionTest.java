package dev.evenkeel.kernel.define;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.quantity.Quantity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class CustomDefinitionTest {

  enum Colour {
    RED,
    BLUE
  }

  record Part(String name, @Limits(min = 1, max = 9) int count) {}

  @Rule(value = "self.size <= 10", message = "too large")
  record Spec(
      @Column @Limits(min = 0, defaultValue = "1") int size,
      @Column("Paint") @Limits(selectable = true) Colour colour,
      @Limits(pattern = "^[a-z]+$", max = 20) @Nullable String label,
      @Limits(keys = "name") List<Part> parts,
      Set<String> tags,
      Map<String, Long> weights,
      Optional<Duration> patience,
      @Nullable Quantity memory,
      @Nullable ObjectNode anything) {}

  record State(int ready, @Column(priority = 1) Instant since) {}

  @CustomKind(
      group = "example.com",
      version = "v1",
      shortNames = "wd",
      categories = "all",
      replicas = "spec.size",
      statusReplicas = "status.ready")
  @Doc("A thing with parts.")
  record Widget(Spec spec, State status) {}

  private static JsonNode at(String pointer) {
    return CustomDefinition.of(Widget.class).at(pointer);
  }

  @Test
  void namesFollowTheRecord() {
    assertThat(at("/metadata/name").asString()).isEqualTo("widgets.example.com");
    assertThat(at("/spec/names").toString())
        .isEqualTo(
            "{\"kind\":\"Widget\",\"listKind\":\"WidgetList\",\"plural\":\"widgets\","
                + "\"singular\":\"widget\",\"shortNames\":[\"wd\"],\"categories\":[\"all\"]}");
  }

  @Test
  void componentsBecomeFields() {
    JsonNode schema = at("/spec/versions/0/schema/openAPIV3Schema");
    assertThat(schema.path("description").asString()).isEqualTo("A thing with parts.");
    assertThat(schema.path("required").toString()).isEqualTo("[\"spec\"]");
    JsonNode spec = schema.path("properties").path("spec");
    assertThat(spec)
        .isEqualTo(
            Json.parse(
                """
                {"type":"object","properties":{
                  "size":{"type":"integer","format":"int32","minimum":0,"default":1},
                  "colour":{"type":"string","enum":["RED","BLUE"]},
                  "label":{"type":"string","maxLength":20,"pattern":"^[a-z]+$"},
                  "parts":{"type":"array","items":{"type":"object","properties":{
                      "name":{"type":"string"},
                      "count":{"type":"integer","format":"int32","minimum":1,"maximum":9}},
                      "required":["name","count"]},
                    "x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"]},
                  "tags":{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"set"},
                  "weights":{"type":"object","additionalProperties":{"type":"integer","format":"int64"}},
                  "patience":{"type":"string","format":"duration"},
                  "memory":{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}]},
                  "anything":{"type":"object","x-kubernetes-preserve-unknown-fields":true}},
                 "required":["colour","parts","tags","weights"],
                 "x-kubernetes-validations":[{"rule":"self.size <= 10","message":"too large"}]}
                """
                    .getBytes(java.nio.charset.StandardCharsets.UTF_8)));
  }

  @Test
  void columnsSubresourcesAndSelectableFields_comeFromAnnotations() {
    assertThat(at("/spec/versions/0/subresources").toString())
        .isEqualTo(
            "{\"status\":{},\"scale\":{\"specReplicasPath\":\".spec.size\","
                + "\"statusReplicasPath\":\".status.ready\"}}");
    assertThat(at("/spec/versions/0/selectableFields/0/jsonPath").asString())
        .isEqualTo(".spec.colour");
    assertThat(at("/spec/versions/0/additionalPrinterColumns").findValuesAsString("name"))
        .containsExactly("Size", "Paint", "Since", "Age");
    assertThat(at("/spec/versions/0/additionalPrinterColumns/2").toString())
        .isEqualTo(
            "{\"name\":\"Since\",\"type\":\"date\",\"jsonPath\":\".status.since\",\"priority\":1}");
  }

  @CustomKind(group = "example.com", version = "v1")
  record Endless(Spiral spec) {}

  record Spiral(@Nullable Spiral inner) {}

  @CustomKind(group = "example.com", version = "v1")
  record Odd(Thread spec) {}

  record Plain(String spec) {}

  @Test
  void whatCannotBeDescribed_isToldWithItsPlace() {
    assertThatThrownBy(() -> CustomDefinition.of(Endless.class))
        .hasMessage("spec.inner: Spiral contains itself, which no schema can say");
    assertThatThrownBy(() -> CustomDefinition.of(Odd.class))
        .hasMessage("spec: java.lang.Thread cannot be described");
    assertThatThrownBy(() -> CustomDefinition.of(Plain.class)).hasMessageContaining("@CustomKind");
  }
}
