package dev.evenkeel.kernel.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.MissingNode;

class LabelSelectorTest {

  private static final Map<String, String> LABELS =
      Map.of("app", "web", "tier", "front", "example.com/weight", "7", "empty", "");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "app=web",
        "app==web",
        " app = web , tier=front",
        "app!=db",
        "missing!=db",
        "app in (db,web)",
        "app in ( web )",
        "app notin (db,cache)",
        "missing notin (db)",
        "app",
        "!missing",
        "! missing",
        "empty=",
        "empty= ,app=web",
        "empty in ()",
        "empty in (,x)",
        "empty in (x,)",
        "empty in (x,,y)",
        "app notin ()",
        "example.com/weight=7",
        "example.com/weight>6",
        "example.com/weight<8",
      })
  void matches_whatHasTheLabels(String selector) {
    assertThat(LabelSelector.parse(selector).matches(LABELS)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "app=db",
        "app!=web",
        "app in (db,cache)",
        "missing in (db)",
        "missing in ()",
        "app notin (db,web)",
        "missing",
        "!app",
        "app=web,tier=back",
        "missing=",
        "example.com/weight>7",
        "example.com/weight<7",
        "app>1",
        "missing<1",
      })
  void matches_notWhatLacksThem(String selector) {
    assertThat(LabelSelector.parse(selector).matches(LABELS)).isFalse();
  }

  @Test
  void parse_takesInAndNotinForNamesWhereNoOperatorStands() {
    assertThat(LabelSelector.parse("in=notin").matches(Map.of("in", "notin"))).isTrue();
    assertThat(LabelSelector.parse("notin in (in)").matches(Map.of("notin", "in"))).isTrue();
    assertThat(LabelSelector.parse("!in,notin")).hasToString("!in,notin");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "b=1,a=2|a=2,b=1",
        "a==b|a=b",
        "a in (b)|a=b",
        "a notin (b)|a!=b",
        "a in (z,y,z,x)|a in (x,y,z)",
        "a in ()|a=",
        "a in (b,)|a in (,b)",
        "a=b,a=b|a=b",
        "a=c,a=b|a=b,a=c",
        "a , ! b|a,!b",
        "a>1,a<3|a<3,a>1",
      })
  void toString_isTheSameForEqualSelectors(String selector, String canonical) {
    LabelSelector parsed = LabelSelector.parse(selector);
    assertThat(parsed).hasToString(canonical);
    assertThat(LabelSelector.parse(canonical)).isEqualTo(parsed).hasSameHashCodeAs(parsed);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "a b|unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
        "=a|found '=', expected: !, identifier, or 'end of string'",
        "a=b,|found '', expected: identifier after ','",
        "a=b,=|found '=', expected: identifier after ','",
        "a==b==c|found '==', expected: ',' or 'end of string'",
        "!a=b|found '=', expected: ',' or 'end of string'",
        "!|unable to parse requirement: found '', expected: identifier",
        "a=(|unable to parse requirement: found '(', expected: identifier",
        "a in b|unable to parse requirement: found 'b' expected: '('",
        "a in (b c)|unable to parse requirement: found 'c', expected: ',' or ')'",
        "a in (=)|unable to parse requirement: found '=', expected: ',', ')' or identifier",
        "a in (b|unable to parse requirement: found '', expected: ',' or ')'",
      })
  void parse_refusesWhatItCannotRead(String selector, String message) {
    assertThatThrownBy(() -> LabelSelector.parse(selector))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.status().code()).isEqualTo(400);
              assertThat(e.status().reason()).isEqualTo("BadRequest");
              assertThat(e.status().message()).isEqualTo(message);
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "-a|unable to parse requirement: <nil>: Invalid value: \"-a\": name part must consist of",
        "/a|unable to parse requirement: <nil>: Invalid value: \"/a\": prefix part must be non-em",
        "A/a|unable to parse requirement: <nil>: Invalid value: \"A/a\": prefix part a lowercase ",
        "a/b/c|unable to parse requirement: <nil>: Invalid value: \"a/b/c\": a qualified name must",
        "a/|unable to parse requirement: <nil>: Invalid value: \"a/\": name part must be non-empt",
        "a=b@|unable to parse requirement: values[0][a]: Invalid value: \"b@\": a valid label must",
        "x<a|unable to parse requirement: values[0]: Invalid value: \"a\": for 'Gt', 'Lt' operato",
      })
  void parse_refusesInvalidKeysAndValues(String selector, String beginning) {
    assertThatThrownBy(() -> LabelSelector.parse(selector))
        .isInstanceOf(ApiException.class)
        .hasMessageStartingWith(beginning);
  }

  @Test
  void parse_refusesLongNames() {
    String name = "x".repeat(LabelSyntax.NAME_CHARS_MAX);
    String prefix = "a." + "b".repeat(LabelSyntax.PREFIX_CHARS_MAX - 2);
    assertThat(LabelSelector.parse(prefix + "/" + name + "=" + name).requirements()).hasSize(1);
    assertRefused(name + "x", "name part must be no more than 63 characters");
    assertRefused("a=" + name + "x", "must be no more than 63 characters");
    assertRefused(prefix + "b/" + name, "prefix part must be no more than 253 characters");
  }

  @Test
  void parse_refusesAbsurdSelectors() {
    assertRefused(
        "a".repeat(LabelSelector.TEXT_CHARS_MAX + 1),
        "the label selector is too large: 65537 characters, at most 65536");
    assertRefused(
        numbered(LabelSelector.REQUIREMENTS_MAX + 1),
        "the label selector is too large: 1001 requirements, at most 1000");
    assertThat(LabelSelector.parse(numbered(LabelSelector.REQUIREMENTS_MAX)).requirements())
        .hasSize(LabelSelector.REQUIREMENTS_MAX);
    assertRefused(
        "a in (" + numbered(LabelSelector.VALUES_MAX + 1) + ")",
        "the label selector is too large: 10001 values, at most 10000");
  }

  @Test
  void isEverything_onlyWithoutRequirements() {
    assertThat(LabelSelector.parse("").isEverything()).isTrue();
    assertThat(LabelSelector.parse("a").isEverything()).isFalse();
    assertThat(LabelSelector.EVERYTHING.matches(Map.of())).isTrue();
    assertThat(LabelSelector.NOTHING.isEverything()).isFalse();
    assertThat(LabelSelector.NOTHING.matches(Map.of())).isFalse();
    assertThat(LabelSelector.NOTHING.matches(Map.of("none", "x"))).isFalse();
  }

  @Test
  void fromJson_readsLabelsAndExpressions() {
    LabelSelector selector =
        fromJson(
            """
            {"matchLabels": {"b": "1", "a": "2"},
             "matchExpressions": [
               {"key": "c", "operator": "In", "values": ["y", "x"]},
               {"key": "d", "operator": "NotIn", "values": ["z"]},
               {"key": "e", "operator": "Exists"},
               {"key": "f", "operator": "DoesNotExist", "values": []}]}
            """);
    assertThat(selector).hasToString("a=2,b=1,c in (x,y),d!=z,e,!f");
    assertThat(selector).isEqualTo(LabelSelector.parse(selector.toString()));
  }

  @Test
  void fromJson_selectsEverythingIfEmptyAndNothingIfMissing() {
    assertThat(fromJson("{}").isEverything()).isTrue();
    assertThat(fromJson("{\"matchLabels\": null, \"matchExpressions\": []}").isEverything())
        .isTrue();
    assertThat(fromJson("null")).isEqualTo(LabelSelector.NOTHING);
    assertThat(LabelSelector.fromJson(MissingNode.getInstance())).isEqualTo(LabelSelector.NOTHING);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "[]|a label selector must be an object",
        "{\"matchLabels\": 1}|matchLabels: must be a map of strings",
        "{\"matchLabels\": {\"a\": 1}}|matchLabels: must be a string",
        "{\"matchLabels\": {\"a b\": \"c\"}}|key: Invalid value: \"a b\": name part must consist",
        "{\"matchLabels\": {\"a\": \"b c\"}}|values[0][a]: Invalid value: \"b c\": a valid label",
        "{\"matchLabels\": {\"-\": \"-\"}}|[key: Invalid value: \"-\": name part must consist",
        "{\"matchExpressions\": {}}|matchExpressions: must be a list",
        "{\"matchExpressions\": [1]}|\"\" is not a valid label selector operator",
        "{\"matchExpressions\": [{\"key\": \"a\", \"operator\": \"Gt\"}]}|\"Gt\" is not a valid l",
        "{\"matchExpressions\": [{\"key\": \"a\", \"operator\": \"In\"}]}|values: Invalid value:"
            + " []: for 'in', 'notin' operators, values set can't be empty",
        "{\"matchExpressions\": [{\"key\": \"a\", \"operator\": \"In\", \"values\":"
            + " \"b\"}]}|values: must be a list of strings",
        "{\"matchExpressions\": [{\"key\": \"a\", \"operator\": \"Exists\", \"values\":"
            + " [\"b\"]}]}|values: Invalid value: [\"b\"]: values set must be empty for exists and"
            + " does not exist",
      })
  void fromJson_refusesWhatIsNoSelector(String json, String beginning) {
    assertThatThrownBy(() -> fromJson(json))
        .isInstanceOf(ApiException.class)
        .hasMessageStartingWith(beginning);
  }

  @Test
  void ofLabels_selectsWhatHasThemAll() {
    assertThat(LabelSelector.ofLabels(Map.of())).isEqualTo(LabelSelector.EVERYTHING);
    assertThat(LabelSelector.ofLabels(Map.of("b", "1", "a", ""))).hasToString("a=,b=1");
    assertThatThrownBy(() -> LabelSelector.ofLabels(Map.of("", "1")))
        .isInstanceOf(ApiException.class);
  }

  private static LabelSelector fromJson(String json) {
    return LabelSelector.fromJson(Json.parse(json.getBytes(StandardCharsets.UTF_8)));
  }

  private static void assertRefused(String selector, String message) {
    assertThatThrownBy(() -> LabelSelector.parse(selector))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining(message);
  }

  private static String numbered(int count) {
    return IntStream.range(0, count).mapToObj(Integer::toString).collect(Collectors.joining(","));
  }
}
