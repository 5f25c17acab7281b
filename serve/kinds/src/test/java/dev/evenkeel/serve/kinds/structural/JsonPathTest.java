package dev.evenkeel.serve.kinds.structural;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.kernel.json.Json;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class JsonPathTest {

  private static final JsonNode OBJECT =
      Json.parse(
          """
          {"spec":{"replicas":3,"ports":[{"port":80},{"port":443}],"a.b":"dotted"},
           "metadata":{"labels":{"x/y.z":"1"}},
           "status":{"conditions":[{"type":"Ready","status":"True"},{"type":"Other","status":"False"}]}}
          """
              .getBytes(StandardCharsets.UTF_8));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          .spec.replicas | [3]
          {.spec.replicas} | [3]
          .spec.ports[0].port | [80]
          .spec.ports[-1].port | [443]
          .spec.ports[*].port | [80, 443]
          .spec.a\\.b | ["dotted"]
          .spec['a.b'] | ["dotted"]
          .metadata.labels['x/y\\.z'] | ["1"]
          .status.conditions[?(@.type=="Ready")].status | ["True"]
          .status.conditions[?(@.type=='Other')].status | ["False"]
          .status.conditions[?(@.type!="Ready")].status | ["False"]
          .status.nothing.here | []
          """)
  void select_findsWhatIsThere(String path, String found) {
    assertThat(JsonPath.parse(path).select(OBJECT).toString()).isEqualTo(found);
  }

  @ParameterizedTest
  @ValueSource(strings = {"spec", ".spec[", ".spec[x]", ".a[?(@.b==", ".a..b", ".spec['x"})
  void parse_saysWhatIsWrong(String path) {
    assertThatThrownBy(() -> JsonPath.parse(path))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + path.strip());
  }

  @Test
  void fields_areKnownOfPlainPathsOnly() {
    assertThat(JsonPath.parse(".spec.replicas").fields()).containsExactly("spec", "replicas");
    assertThat(JsonPath.parse(".spec.ports[0]").fields()).isNull();
  }
}
