package dev.evenkeel.serve.kinds.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.json.JsonException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What is made of JSON, where it is not plain. */
class WireEncodeTest {

  private static final Gvk CONFIG_MAP = Gvk.of("v1", "ConfigMap");
  private static final Gvk SERVICE = Gvk.of("v1", "Service");

  private static JsonNode again(Gvk gvk, String json) {
    WireKind kind = Objects.requireNonNull(WireCodec.kind(gvk));
    return WireCodec.decode(kind.encode(json.getBytes(StandardCharsets.UTF_8)), gvk);
  }

  @Test
  void encode_replacesEscapes() {
    JsonNode map =
        again(CONFIG_MAP, "{\"data\":{\"a\\u0062\":\"\\ud834\\udd1e \\ud834 \\u00e4\\n\\/\\\\\"}}");
    assertThat(map.path("data").path("ab").stringValue()).isEqualTo("𝄞 \uFFFD ä\n/\\");
  }

  @Test
  void encode_takesSpacesAndLeavesOutWhatHasNoPlace() {
    JsonNode map =
        again(
            CONFIG_MAP,
            "{ \"unknown\" : [ {\"x\":[1,\"]\"]} , null ] , \"immutable\":null,\n"
                + "\"metadata\" : { \"creationTimestamp\": null, \"name\" : \"n\" } }");
    assertThat(map.path("metadata"))
        .isEqualTo(Json.parse("{\"name\":\"n\"}".getBytes(StandardCharsets.UTF_8)));
    assertThat(map.size()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{",
        "{\"metadata\":1}",
        "{\"metadata\":{\"name\":1}}",
        "{\"metadata\":{\"name\":\"x}}",
        "{\"metadata\":{\"name\":\"\\",
        "{\"metadata\":{\"name\":\"\\u12",
        "{\"metadata\":{\"generation\":1.5}}",
        "{\"metadata\":{\"generation\":99999999999999999999}}",
        "{\"metadata\":{\"creationTimestamp\":\"soon\"}}",
        "{\"spec\":{\"ports\":{}}}",
        "{\"spec\":{\"ports\":[{\"port\":\"80\"}]}}",
      })
  void encode_refusesWhatIsNoObjectOfTheKind(String json) {
    assertThatThrownBy(() -> again(SERVICE, json)).isInstanceOf(JsonException.class);
  }
}
