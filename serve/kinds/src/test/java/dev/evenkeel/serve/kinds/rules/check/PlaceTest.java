package dev.evenkeel.serve.kinds.rules.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.schema.FieldError;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.cases.Case;
import org.junit.jupiter.api.Test;

class PlaceTest {

  private final Problems problems = new Problems();

  private final Place whole =
      Place.of(Case.object("{spec: {list: [{a: x}], map: {k.v: '1'}, none: null}}"), problems);

  @Test
  void toString_isThePathThatErrorsShow() {
    Place spec = whole.at("spec");
    assertThat(spec.at("list").items().getFirst().at("a")).hasToString("spec.list[0].a");
    assertThat(spec.at("map").entries().getFirst()).hasToString("spec.map[k.v]");
    assertThat(spec.at("gone", "further")).hasToString("spec.gone.further");
  }

  @Test
  void isThere_isNotForNull() {
    assertThat(whole.at("spec", "none").isThere()).isFalse();
    assertThat(whole.at("spec", "gone", "further").isThere()).isFalse();
    assertThat(whole.at("spec", "list").isThere()).isTrue();
  }

  @Test
  void required_keepsTheOneWithAReason() {
    Place gone = whole.at("spec", "gone");
    gone.required();
    gone.required("because");
    gone.required();
    assertThat(problems.errors())
        .extracting(FieldError::toString)
        .containsExactly("spec.gone: Required value: because");
  }

  @Test
  void invalid_isToldOnce() {
    whole.at("spec", "map").invalid("odd");
    whole.at("spec", "map").invalid("odd");
    assertThat(problems.errors()).hasSize(1);
  }

  @Test
  void immutable_takesEmptyForAbsent() {
    whole.at("spec", "gone").immutable(Case.object("{x: {}}").path("x"));
    assertThat(problems.isEmpty()).isTrue();
    whole.at("spec", "map").immutable(Case.object("{k.v: '2'}"));
    assertThat(problems.errors())
        .extracting(FieldError::toString)
        .containsExactly("spec.map: Invalid value: {\"k.v\":\"1\"}: field is immutable");
  }
}
