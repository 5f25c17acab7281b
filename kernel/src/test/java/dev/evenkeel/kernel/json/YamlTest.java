package dev.evenkeel.kernel.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

class YamlTest {

  @Test
  void decode_readsManifests() {
    assertThat(
            json(
                """
                # A comment.
                apiVersion: v1
                kind: ConfigMap
                metadata:
                  name: example   # and another
                  labels: {a: "1", 'b': two}
                data:
                  text: |
                    line one
                    line two
                  folded: >-
                    one
                    line
                list:
                - 1
                - -2.5
                - true
                - ~
                - null
                - "quoted \\u00e4"
                """))
        .isEqualTo(
            "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"example\","
                + "\"labels\":{\"a\":\"1\",\"b\":\"two\"}},\"data\":{\"text\":\"line one\\nline"
                + " two\\n\",\"folded\":\"one line\"},\"list\":[1,-2.5,true,null,null,\"quoted"
                + " ä\"]}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "yes|true",
        "On|true",
        "n|false",
        "OFF|false",
        "'yes'|\"yes\"",
        "Yes sir|\"Yes sir\"",
        "Null|null",
        "'~'|\"~\"",
        "1_000|1000",
        "0x1F|31",
        "-0x1F|-31",
        "0b101|5",
        "010|8",
        "0o10|8",
        "-010|-8",
        "08|8",
        "09.5|9.5",
        "0|0",
        "-0|0",
        "+12|12",
        "1e3|1000.0",
        ".5|0.5",
        "5.|5.0",
        "--|\"--\"",
        "0x|\"0x\"",
        "0xg|\"0xg\"",
        "1.2.3|\"1.2.3\"",
        "1h|\"1h\"",
        "2001-01-01|\"2001-01-01\"",
        "9223372036854775807|9223372036854775807",
        "9223372036854775808|9.223372036854776E18",
        "0xffffffffffffffffff|\"0xffffffffffffffffff\"",
        "!!str 1|\"1\"",
        "! 1|\"1\"",
        "!!int '1'|1",
        "!!null ''|null",
        "!!float 1.5|1.5",
        "!!bool yes|true",
      })
  void decode_readsScalarsAsKubernetesDoes(String yaml, String json) {
    assertThat(json("- " + yaml)).isEqualTo("[" + json + "]");
  }

  @Test
  void decode_readsKeysAsTexts() {
    assertThat(json("{yes: 1, 2: b, 1.10: c, 'd': 4, e: }"))
        .isEqualTo("{\"yes\":1,\"2\":\"b\",\"1.10\":\"c\",\"d\":4,\"e\":null}");
  }

  @Test
  void decode_readsJsonToo() {
    String json = "{\"a\":[1,{\"b\":\"c\\nd\"}],\"e\":null}";
    assertThat(json(json)).isEqualTo(json);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a: &x 1, b: *x|{\"a\":1,\"b\":1}",
        "a: &x {c: 1}, b: [*x, *x]|{\"a\":{\"c\":1},\"b\":[{\"c\":1},{\"c\":1}]}",
        "a: &x 1, b: &x 2, c: *x|{\"a\":1,\"b\":2,\"c\":2}",
        "a: &x {c: 1, d: 2}, b: {<<: *x, c: 3}|{\"a\":{\"c\":1,\"d\":2},\"b\":{\"c\":3,\"d\":2}}",
        "a: &x {c: 1}, y: &y {c: 2, d: 3}, b: {<<: [*x,"
            + " *y]}|{\"a\":{\"c\":1},\"y\":{\"c\":2,\"d\":3},\"b\":{\"c\":1,\"d\":3}}",
        "'<<': 1|{\"<<\":1}",
        "a: &x yes, b: *x, c: '*x'|{\"a\":true,\"b\":true,\"c\":\"*x\"}",
      })
  void decode_resolvesAliases(String yaml, String json) {
    assertThat(json("{" + yaml + "}")).isEqualTo(json);
  }

  @Test
  void decode_copiesWhatAnAliasStandsFor() {
    JsonNode tree = decode("{a: &x {c: 1}, b: *x}");
    assertThat(tree.get("a")).isEqualTo(tree.get("b")).isNotSameAs(tree.get("b"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a: *x",
        "a: &x [*x]",
        "a: &x {b: *x}",
        "*x : 1",
        "[1, 2",
        "{a: b",
        "a: b: c",
        "a:\n\t- b",
        "\"a",
        "'a",
        "- a\nb: c",
        "a: .inf",
        "a: -.Inf",
        "a: .nan",
        "a: .NaN",
        "a: !!binary aGVsbG8=",
        "? [a]\n: b",
        "? {a: b}\n: c",
        "---\na: 1\n---\nb: 2\n",
        "--- 1\n--- 2",
        "a: 1\n...\nb: 2",
        "",
        "# only a comment",
        "---",
        "%YAML 9.9\n---\na: 1",
        "\u0000",
        "a: \u0007",
        "a: \"\\xg\"",
        "@a",
        "`a`",
        "a: 1e999",
      })
  void decode_refusesOrReadsButNeverFails(String yaml) {
    try {
      JsonNode tree = decode(yaml);
      assertThat(Json.parse(Json.encode(tree))).isEqualTo(tree);
    } catch (JsonException e) {
      assertThat(e.getMessage()).isNotEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a: *x",
        "a: &x [*x]",
        "a: .inf",
        "a: .nan",
        "---\na: 1\n---\nb: 2\n",
        "a: b: c",
      })
  void decode_refusesWhatHasNoMeaning(String yaml) {
    assertThatThrownBy(() -> decode(yaml)).isInstanceOf(JsonException.class);
  }

  @Test
  void decode_takesNothingForNull() {
    assertThat(decode("").isNull()).isTrue();
    assertThat(decode("# a remark\n").isNull()).isTrue();
  }

  @Test
  void decode_replacesHalfCharacters() {
    assertThat(decode("\"\\ud834\\udd1e\"").stringValue()).isEqualTo("𝄞");
    assertThat(decode("\"a\\ud834\"").stringValue()).isEqualTo("a\ufffd");
    assertThat(decode("\"a\\U0000d834\"").stringValue()).isEqualTo("a\ufffd");
  }

  @Test
  void decode_skipsTheMarkOfUtf8() {
    assertThat(json("\ufeffa: 1")).isEqualTo("{\"a\":1}");
  }

  /** Each line ten times the one before: nine lines are a billion. */
  @Test
  void decode_refusesAliasesThatGrowWithoutEnd() {
    var yaml = new StringBuilder("a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n");
    for (int i = 1; i < 9; i++) {
      String alias = "*a" + (i - 1);
      yaml.append("a%d: &a%d [%s]\n".formatted(i, i, (alias + ", ").repeat(9) + alias));
    }
    assertThatThrownBy(() -> decode(yaml.toString()))
        .isInstanceOf(JsonException.class)
        .hasMessage("yaml: document contains excessive aliasing");

    String text = "a: &a " + "x".repeat(100_000) + "\nb: [" + "*a ,".repeat(100_000) + "]";
    assertThatThrownBy(() -> decode(text))
        .isInstanceOf(JsonException.class)
        .hasMessage("yaml: document contains excessive aliasing");
  }

  @Test
  void decode_refusesAliasesThatNestTooDeep() {
    var yaml = new StringBuilder("a0: &a0 [1]\n");
    for (int i = 1; i < 300; i++) {
      yaml.append("a%d: &a%d [*a%d]\n".formatted(i, i, i - 1));
    }
    assertThatThrownBy(() -> decode(yaml.toString()))
        .isInstanceOf(JsonException.class)
        .hasMessageContaining("nests deeper than 200");
  }

  @Test
  void decode_saysWhere() {
    assertThatThrownBy(() -> decode("a: 1\nb: [\nc: {"))
        .isInstanceOf(JsonException.class)
        .message()
        .startsWith("yaml: line 2: ")
        .doesNotContain("\n");
  }

  @Test
  void decode_reportsDuplicates() {
    Json.Decoded decoded =
        Json.decode(
            "a: 1\nb:\n- c: 1\n  c: 2\na: 3\n".getBytes(StandardCharsets.UTF_8), Json.Format.YAML);
    assertThat(decoded.duplicates())
        .containsExactly(
            "line 4: key \"c\" already set in map", "line 5: key \"a\" already set in map");
    assertThat(decoded.strictErrors())
        .containsExactly(
            "yaml: unmarshal errors:\n  line 4: key \"c\" already set in map\n"
                + "  line 5: key \"a\" already set in map");
  }

  /** As kubectl writes them: people read it, and compare it line by line. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "v1",
        "evenkeel-token",
        "https://127.0.0.1:6443",
        "/var/lib/x",
        "a b",
        "app.dev/name",
        "LS0tLS=="
      })
  void encode_leavesQuotesAway(String plain) {
    assertThat(yaml(plain)).isEqualTo("a: " + plain + "\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "true",
        "False",
        "yes",
        "Off",
        "y",
        "null",
        "~",
        "1",
        "1.5",
        "1e3",
        "0x10",
        "0o7",
        "1_000",
        "1:30",
        "2001-01-01",
        ".inf",
        ".NaN",
        "-1",
        "- a",
        "a: b",
        "a:",
        "a #b",
        "#a",
        "&a",
        "*a",
        "!a",
        "%a",
        "@a",
        "`a",
        "'a",
        "\"a",
        "{a}",
        "[a]",
        "a\tb",
        " a",
        "a ",
        "?",
        "<<",
        "=",
        "|",
        ">",
        "a\nb",
        "a\n",
        "\n",
        "\u0000",
        "\u2028",
        "ü",
        "a\r\nb",
        "  a\n b\n"
      })
  void encode_keepsEveryTextWhatItIs(String text) {
    assertThat(decode(yaml(text)).path("a").stringValue()).isEqualTo(text);
    assertThat(yaml(text).replace("|", "")).isNotEqualTo("a: " + text + "\n");
  }

  private static String yaml(String value) {
    ObjectNode tree = JsonNodeFactory.instance.objectNode().put("a", value);
    return new String(Json.encode(tree, Json.Format.YAML), StandardCharsets.UTF_8);
  }

  private static String json(String yaml) {
    return new String(Json.encode(decode(yaml)), StandardCharsets.UTF_8);
  }

  private static JsonNode decode(String yaml) {
    return Json.decode(yaml.getBytes(StandardCharsets.UTF_8), Json.Format.YAML).tree();
  }
}
