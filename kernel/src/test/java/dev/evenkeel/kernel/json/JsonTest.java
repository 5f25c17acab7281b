package dev.evenkeel.kernel.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.DoubleNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.LongNode;
import tools.jackson.databind.node.ObjectNode;

class JsonTest {

  @Test
  void encode_writesTheRestBehindAHead() {
    byte[] head = "{\"a\":1,\"in\":{".getBytes(StandardCharsets.US_ASCII);
    ObjectNode tree =
        Json.parseObject(utf8("{\"x\":[2],\"in\":{\"v\":3,\"b\":4,\"c\":\"d\"},\"a\":5,\"y\":{}}"));
    ObjectNode inner = (ObjectNode) tree.path("in");

    byte[] whole = Json.encode(head, inner, "v", tree, Set.of("a", "in"));
    byte[] empty = Json.encode(head, inner.objectNode(), "v", tree, Set.of("a", "in", "x", "y"));

    assertThat(new String(whole, StandardCharsets.UTF_8))
        .isEqualTo("{\"a\":1,\"in\":{\"b\":4,\"c\":\"d\"},\"x\":[2],\"y\":{}}");
    assertThat(new String(empty, StandardCharsets.UTF_8)).isEqualTo("{\"a\":1,\"in\":{}}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "null",
        "true",
        "false",
        "0",
        "-1",
        "9223372036854775807",
        "-9223372036854775808",
        "1.5",
        "-0.0",
        "1.0E19",
        "4.9E-324",
        "\"\"",
        "\"a\\\"b\\\\c\\nd\\re\\tf\\bg\\fh\\u0000i\\u001fj\"",
        "\"\u007f\u0080äß€\u2028\ufffd𝄞\"",
        "{\"a\":{\"b\":[1,2.5,\"c\",null,true,[],{}]},\"\":\"d\"}",
        "{\"b\":1,\"a\":2}",
      })
  void encode_writesWhatDecodeRead(String json) {
    assertThat(encoded(Json.parse(utf8(json)))).isEqualTo(json);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1|1",
        "-0|0",
        "01e0|",
        "100000000000000000000|1.0E20",
        "1e2|100.0",
        "1E-400|0.0",
        "1e400|",
        "-1e400|",
        "NaN|",
        "Infinity|",
        "+1|",
        "0x1|",
        "1.|",
      })
  void parse_makesLongsAndDoubles(String number, String encoded) {
    if (encoded == null) {
      assertThatThrownBy(() -> Json.parse(utf8(number))).isInstanceOf(JsonException.class);
    } else {
      assertThat(Json.parse(utf8(number))).isInstanceOfAny(LongNode.class, DoubleNode.class);
      assertThat(encoded(Json.parse(utf8(number)))).isEqualTo(encoded);
    }
  }

  @Test
  void parse_refusesNumbersOfManyDigits() {
    assertThat(Json.parse(utf8("9".repeat(300)))).isInstanceOf(DoubleNode.class);
    assertRefused(utf8("9".repeat(310)), "out of range");
    assertRefused(utf8("9".repeat(401)), "");
    assertRefused(utf8("0." + "9".repeat(1_000_000)), "");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "}",
        "[",
        "]",
        "[1",
        "[1,]",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}",
        "{'a':1}",
        "{1:1}",
        "nul",
        "truex",
        "\"",
        "\"\\x\"",
        "\"\n\"",
        "// c\n1",
        "1 2",
        "{}{}",
        "{} x",
        "[1}",
        "\"\\u12\"",
        "\"\\ud8\"",
      })
  void parse_refusesWhatIsNoJson(String json) {
    assertThatThrownBy(() -> Json.parse(utf8(json)))
        .isInstanceOf(JsonException.class)
        .message()
        .isNotEmpty()
        .doesNotContain("\n");
  }

  @ParameterizedTest
  @CsvSource({
    "c0af, overlong",
    "e080af, overlong",
    "f08080af, overlong",
    "eda080, a surrogate",
    "f4908080, beyond Unicode",
    "f8888080, five bytes",
    "80, no beginning",
    "e282, no end",
    "c3, no end",
    "ff, never",
    "c328, no continuation",
    "e28228, no continuation",
  })
  void decode_refusesWhatIsNoUtf8(String hex, String why) {
    byte[] body = HexFormat.of().parseHex("22" + "6161616161" + hex + "22");
    for (Json.Format format : Json.Format.values()) {
      assertThatThrownBy(() -> Json.decode(body, format))
          .as("%s: %s", format, why)
          .isInstanceOf(JsonException.class)
          .hasMessage("the body is not UTF-8: invalid byte at position 6");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\\ud834\\udd1e|𝄞",
        "\\uD834\\uDD1E|𝄞",
        "\\ud834|\ufffd",
        "\\udd1e|\ufffd",
        "\\udd1e\\ud834|\ufffd\ufffd",
        "a\\ud834b\\ud834\\udd1ec\\udd1e|a\ufffdb𝄞c\ufffd",
        "\\\\ud834|\\ud834",
      })
  void parse_replacesHalfCharacters(String escaped, String text) {
    JsonNode tree = Json.parse(utf8("[\"" + escaped + "\"]"));
    assertThat(tree.path(0).stringValue()).isEqualTo(text);
    assertThat(Json.parse(Json.encode(tree))).isEqualTo(tree);
  }

  @Test
  void parse_refusesHalfCharactersInNames() {
    assertThat(encoded(Json.parse(utf8("{\"\\ud834\\udd1e\":1}")))).isEqualTo("{\"𝄞\":1}");
    assertRefused(utf8("{\"\\ud834\":1}"), "surrogate");
  }

  @Test
  void parse_findsEscapesWhereverTheyStand() {
    for (int before = 0; before < 20; before++) {
      String json = "\"" + "x".repeat(before) + "\\ud834\"";
      assertThat(Json.parse(utf8(json)).stringValue()).isEqualTo("x".repeat(before) + "\ufffd");
    }
  }

  @Test
  void encode_replacesHalfCharactersOfTreesMadeByHand() {
    ObjectNode tree = JsonNodeFactory.instance.objectNode().put("a\ud834", "\udd1eb");
    assertThat(encoded(tree)).isEqualTo("{\"a?\":\"?b\"}");
  }

  /** Texts of all lengths, for each with something special at each place. */
  @Test
  void encode_escapesWhereverItIsNeeded() {
    for (String special :
        new String[] {"\"", "\\", "\n", "\u0001", "\u001f", "\u007f", "ä", "€", "𝄞"}) {
      for (int length = 0; length < 80; length++) {
        for (int place = 0; place <= length; place++) {
          String text = "x".repeat(place) + special + "!".repeat(length - place) + special;
          JsonNode tree = JsonNodeFactory.instance.stringNode(text);
          assertThat(Json.parse(Json.encode(tree)).stringValue()).isEqualTo(text);
        }
      }
    }
  }

  @Test
  void encode_takesIntegersOfAnyWidth() {
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    tree.put("int", 1).put("short", (short) 2).put("float", 1.5f);
    assertThat(encoded(tree)).isEqualTo("{\"int\":1,\"short\":2,\"float\":1.5}");
  }

  @Test
  void decode_nestsAsDeepAsAllowed() {
    for (String[] brackets : new String[][] {{"[", "]"}, {"{\"a\":", "}"}}) {
      for (Json.Format format : Json.Format.values()) {
        JsonNode tree = Json.decode(nested(brackets, Json.DEPTH_MAX), format).tree();
        assertThat(Json.parse(Json.encode(tree))).isEqualTo(tree);
        assertThatThrownBy(() -> Json.decode(nested(brackets, Json.DEPTH_MAX + 1), format))
            .isInstanceOf(JsonException.class);
        assertThatThrownBy(() -> Json.decode(nested(brackets, 500_000), format))
            .isInstanceOf(JsonException.class);
      }
    }
  }

  @Test
  void parse_knowsNoOtherEncodings() {
    assertRefused("{\"a\":1}".getBytes(StandardCharsets.UTF_16LE), "");
    assertRefused("{\"a\":1}".getBytes(StandardCharsets.UTF_16BE), "");
    assertRefused("{\"a\":1}".getBytes(StandardCharsets.UTF_16), "");
    assertRefused("{\"a\":1}".getBytes(StandardCharsets.UTF_32BE), "");
  }

  @Test
  void parse_refusesTheMarkOfUtf8() {
    assertRefused(utf8("\ufeff{\"a\":1}"), "");
    assertRefused(utf8("{}\ufeff"), "");
  }

  @Test
  void decode_reportsDuplicatesByPathAndTakesTheLast() {
    Json.Decoded decoded =
        Json.decode(
            utf8("{\"a\":1,\"b\":[0,{\"c\":{\"d\":1,\"d\":2,\"e\":0,\"d\":3}}],\"a\":4}"),
            Json.Format.JSON);
    assertThat(decoded.duplicates())
        .containsExactly("duplicate field \"b[1].c.d\"", "duplicate field \"a\"");
    assertThat(encoded(decoded.tree())).isEqualTo("{\"a\":4,\"b\":[0,{\"c\":{\"d\":3,\"e\":0}}]}");
  }

  @Test
  void decode_reportsFewDuplicatesAndShortly() {
    String name = "x".repeat(1_000);
    var fields = new StringBuilder();
    for (int i = 0; i < 1_000; i++) {
      fields.append("\"").append(i).append(name).append("\":1,");
      fields.append("\"").append(i).append(name).append("\":1,");
    }
    byte[] body = utf8("{" + fields + "\"a\":1}");
    Json.Decoded decoded = Json.decode(body, Json.Format.JSON);
    assertThat(decoded.duplicates())
        .hasSize(100)
        .allSatisfy(text -> assertThat(text).hasSizeLessThan(600).endsWith("...\""));
  }

  @Test
  void mergingDuplicates_takesTheFieldsOfBothObjects() {
    byte[] body =
        utf8("{\"data\":{\"a\":\"1\",\"a\":\"2\"},\"n\":1,\"data\":{\"b\":\"1\"},\"n\":2}");
    assertThat(encoded(Json.mergingDuplicates(body)))
        .isEqualTo("{\"data\":{\"a\":\"2\",\"b\":\"1\"},\"n\":2}");
  }

  @Test
  void fieldOrder_isThatOfTheBody() {
    byte[] body =
        utf8(
            "{\"x\":1,\"spec\":{\"a\":1,\"a\":2,\"y\":{\"a\":1,\"a\":1},\"l\":[{\"b\":1,\"b\":2}]},\"z\":0}");
    assertThat(
            FieldOrder.sorted(
                body,
                List.of(
                    "duplicate field \"spec.a\"",
                    "duplicate field \"spec.l[0].b\"",
                    "unknown field \"spec.y\"",
                    "unknown field \"z\"",
                    "unknown field \"x\"")))
        .containsExactly(
            "unknown field \"x\"",
            "duplicate field \"spec.a\"",
            "unknown field \"spec.y\"",
            "duplicate field \"spec.l[0].b\"",
            "unknown field \"z\"");
  }

  @Test
  void parseObject_refusesOtherValues() {
    assertThat(Json.parseObject(utf8("{}"))).isEmpty();
    assertThatThrownBy(() -> Json.parseObject(utf8("[]")))
        .isInstanceOf(JsonException.class)
        .hasMessage("expected a JSON object");
  }

  @Test
  void decode_keepsItsMessagesShort() {
    String name = "x".repeat(100_000);
    for (String body : new String[] {"*" + name, "!" + name + " a", "@" + name, "{" + name}) {
      for (Json.Format format : Json.Format.values()) {
        assertThatThrownBy(() -> Json.decode(utf8(body), format))
            .isInstanceOf(JsonException.class)
            .message()
            .hasSizeLessThan(400);
      }
    }
  }

  private static void assertRefused(byte[] body, String message) {
    assertThatThrownBy(() -> Json.parse(body))
        .isInstanceOf(JsonException.class)
        .hasMessageContaining(message);
  }

  private static byte[] nested(String[] brackets, int depth) {
    String inner = brackets[0].equals("[") ? "" : "1";
    return utf8(brackets[0].repeat(depth) + inner + brackets[1].repeat(depth));
  }

  private static String encoded(JsonNode tree) {
    return new String(Json.encode(tree), StandardCharsets.UTF_8);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
