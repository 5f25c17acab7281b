package dev.evenkeel.kernel.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Broken bodies are told of in the words that Kubernetes' own server has for them. */
final class JsonSyntaxTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ``                | unexpected end of JSON input
          {                 | unexpected end of JSON input
          {"a":[1,          | unexpected end of JSON input
          {} x              | invalid character 'x' after top-level value
          x                 | invalid character 'x' looking for beginning of value
          nonsense          | invalid character 'o' in literal null (expecting 'u')
          trux              | invalid character 'x' in literal true (expecting 'e')
          {"a":1,}          | invalid character '}' looking for beginning of object key string
          {a:1}             | invalid character 'a' looking for beginning of object key string
          {"a" 1}           | invalid character '1' after object key
          {"a":1 "b":2}     | invalid character '"' after object key:value pair
          [1 2]             | invalid character '2' after array element
          [1,]              | invalid character ']' looking for beginning of value
          {"a":'b'}         | invalid character '\\'' looking for beginning of value
          {"a":"\\x"}       | invalid character 'x' in string escape code
          {"a":"\\u12g4"}   | invalid character 'g' in \\u hexadecimal character escape
          -x                | invalid character 'x' in numeric literal
          1.x               | invalid character 'x' after decimal point in numeric literal
          1ex               | invalid character 'x' in exponent of numeric literal
          01                | invalid character '1' after top-level value
          """)
  void error_isGos(String body, String message) {
    assertThatThrownBy(
            () -> Json.parse((body == null ? "" : body).getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(JsonException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a: [\\n         | yaml: line 1: did not find expected node content
          a: b: c\\n      | yaml: mapping values are not allowed in this context
          a: 1\\n b: 2\\n  | yaml: line 2: mapping values are not allowed in this context
          a: *b\\n        | yaml: unknown anchor 'b' referenced
          """)
  void error_ofYaml(String body, String message) {
    byte[] bytes = body.strip().replace("\\n", "\n").getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> Json.decode(bytes, Json.Format.YAML))
        .isInstanceOf(JsonException.class)
        .hasMessage(message);
  }

  @Test
  void quoted_escapesWhatDoesNotPrint() {
    assertThat(GoText.quoted("a\"b\\\n\u0001é\u200b😀")).isEqualTo("\"a\\\"b\\\\\\n\\x01é\\u200b😀\"");
  }
}
