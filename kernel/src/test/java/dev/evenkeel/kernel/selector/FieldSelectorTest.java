package dev.evenkeel.kernel.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.kernel.api.ApiException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FieldSelectorTest {

  private static final Map<String, String> FIELDS =
      Map.of("metadata.name", "web", "spec.nodeName", "n1", "odd", "a,b=c\\d");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",",
        "metadata.name=web",
        "metadata.name==web",
        "metadata.name=web,spec.nodeName!=n2",
        ",metadata.name=web,,",
        "status.phase!=Running",
        "status.phase=",
        "odd=a\\,b\\=c\\\\d",
        "=",
        "!=",
      })
  void matches_whatHasTheValues(String selector) {
    assertThat(matches(selector)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "metadata.name=db",
        "metadata.name!=web",
        "metadata.name=web,spec.nodeName=n2",
        "status.phase=Running",
        "status.phase!=",
        "=web",
      })
  void matches_notWhatHasOthers(String selector) {
    assertThat(matches(selector)).isFalse();
  }

  @Test
  void parse_keepsPathOperatorAndValue() {
    assertThat(FieldSelector.parse("b!=x y,a==1").requirements())
        .containsExactly(
            new FieldSelector.Requirement("a", true, "1"),
            new FieldSelector.Requirement("b", false, "x y"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "b=1,a=2|a=2,b=1",
        "a==1|a=1",
        "a=1,a=1|a=1",
        "a=x\\,y\\=z\\\\|a=x\\,y\\=z\\\\",
        "a\\=1|a\\=1",
        "a\\,b!=1|a\\,b!=1",
        "a!b=1|a!b=1",
      })
  void toString_isTheSameForEqualSelectors(String selector, String canonical) {
    FieldSelector parsed = FieldSelector.parse(selector);
    assertThat(parsed).hasToString(canonical);
    assertThat(FieldSelector.parse(canonical)).isEqualTo(parsed).hasSameHashCodeAs(parsed);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "a|invalid selector: 'a'; can't understand 'a'",
        "a=1,b|invalid selector: 'a=1,b'; can't understand 'b'",
        "a=b=c|invalid field selector: unescaped character in value: 61",
        "a===b|invalid field selector: unescaped character in value: 61",
        "a=\\x|invalid field selector: invalid escape sequence: \\x",
        "a=b\\|invalid field selector: invalid escape sequence: \\",
      })
  void parse_refusesWhatItCannotRead(String selector, String message) {
    assertThatThrownBy(() -> FieldSelector.parse(selector))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.status().code()).isEqualTo(400))
        .hasMessage(message);
  }

  @Test
  void parse_refusesAbsurdSelectors() {
    assertThatThrownBy(() -> FieldSelector.parse("a".repeat(FieldSelector.TEXT_CHARS_MAX + 1)))
        .isInstanceOf(ApiException.class)
        .hasMessage("the field selector is too large: 65537 characters, at most 65536");
    assertThatThrownBy(() -> FieldSelector.parse("a=b,".repeat(FieldSelector.REQUIREMENTS_MAX + 1)))
        .isInstanceOf(ApiException.class)
        .hasMessage("the field selector is too large: 1001 requirements, at most 1000");
  }

  @Test
  void exactValue_isTheOneAnIndexCanLookUp() {
    FieldSelector selector = FieldSelector.parse("spec.nodeName=n1,metadata.name!=x");
    assertThat(selector.exactValue("spec.nodeName")).isEqualTo("n1");
    assertThat(selector.exactValue("metadata.name")).isNull();
    assertThat(selector.exactValue("status.phase")).isNull();
  }

  @Test
  void isEverything_onlyWithoutRequirements() {
    assertThat(FieldSelector.parse("").isEverything()).isTrue();
    assertThat(FieldSelector.parse("a=").isEverything()).isFalse();
  }

  private static boolean matches(String selector) {
    return FieldSelector.parse(selector).matches(path -> FIELDS.getOrDefault(path, ""));
  }
}
