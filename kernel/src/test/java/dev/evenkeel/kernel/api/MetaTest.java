package dev.evenkeel.kernel.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class MetaTest {

  @Test
  void reads_whatIsThere() {
    ObjectNode object =
        object(
            """
            {"metadata": {"name": "n", "namespace": "s", "uid": "u", "resourceVersion": "7",
              "labels": {"a": "1", "b": "2"}}}
            """);
    assertThat(Meta.name(object)).isEqualTo("n");
    assertThat(Meta.namespace(object)).isEqualTo("s");
    assertThat(Meta.uid(object)).isEqualTo("u");
    assertThat(Meta.resourceVersion(object)).isEqualTo("7");
    assertThat(Meta.labels(object)).isEqualTo(Map.of("a", "1", "b", "2"));
  }

  @Test
  void reads_nothingWhereNothingIs() {
    for (String json : new String[] {"{}", "{\"metadata\": 1}", "{\"metadata\": {\"name\": {}}}"}) {
      ObjectNode object = object(json);
      assertThat(Meta.name(object)).isEmpty();
      assertThat(Meta.labels(object)).isEmpty();
    }
  }

  @Test
  void of_makesMetadataWhereItIsMissing() {
    ObjectNode empty = object("{}");
    Meta.of(empty).put("name", "n");
    assertThat(Meta.name(empty)).isEqualTo("n");

    ObjectNode wrong = object("{\"metadata\": []}");
    assertThat(Meta.of(wrong)).isEmpty();

    ObjectNode right = object("{\"metadata\": {\"name\": \"n\"}}");
    assertThat(Meta.of(right)).isSameAs(right.get("metadata"));
  }

  @Test
  void strings_takesWhatIsNoStringForEmpty() {
    assertThat(Meta.strings(object("{\"a\": \"1\", \"b\": 2, \"c\": null}")))
        .containsExactly(Map.entry("a", "1"), Map.entry("b", ""), Map.entry("c", ""));
  }

  @Test
  void at_followsAPathAsFarAsItLeads() {
    ObjectNode object = object("{\"a\": {\"b\": {\"c\": 1}}}");
    assertThat(Meta.at(object, "a", "b", "c").longValue()).isEqualTo(1);
    assertThat(Meta.at(object, "a", "x", "c").isMissingNode()).isTrue();
    assertThat(Meta.at(object)).isSameAs(object);
  }

  private static ObjectNode object(String json) {
    return Json.parseObject(json.getBytes(StandardCharsets.UTF_8));
  }
}
