package dev.evenkeel.kernel.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

class ProblemsTest {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  @Test
  void errors_areInUpstreamsWords() {
    var problems = new Problems();
    problems.required("a", "");
    problems.required("a2", "must be there");
    problems.invalid("b", NODES.numberNode(-1L), "must be positive");
    problems.invalid("b", NODES.objectNode().put("x", "y"), "");
    problems.invalid("b", "text", "no");
    problems.notSupported("c", "x", List.of("y", "z"));
    problems.forbidden("d", "may not change");
    problems.duplicate("e", NODES.stringNode("x"));
    problems.notFound("f", "x");
    problems.tooLong("g", 10);
    problems.tooMany("h", 3, 2);
    problems.wrongType("i", NODES.booleanNode(true), "must be a string");
    assertThat(problems.errors().stream().map(FieldError::toString))
        .containsExactly(
            "a: Required value",
            "a2: Required value: must be there",
            "b: Invalid value: -1: must be positive",
            "b: Invalid value: {\"x\":\"y\"}",
            "b: Invalid value: \"text\": no",
            "c: Unsupported value: \"x\": supported values: \"y\", \"z\"",
            "d: Forbidden: may not change",
            "e: Duplicate value: \"x\"",
            "f: Not found: \"x\"",
            "g: Too long: may not be more than 10 bytes",
            "h: Too many: 3: must have at most 2 items",
            "i: Invalid value: true: must be a string");
    assertThat(problems.errors().stream().map(error -> error.reason().word()).distinct())
        .containsExactly(
            "FieldValueRequired",
            "FieldValueInvalid",
            "FieldValueNotSupported",
            "FieldValueForbidden",
            "FieldValueDuplicate",
            "FieldValueNotFound",
            "FieldValueTooLong",
            "FieldValueTooMany",
            "FieldValueTypeInvalid");
  }

  @Test
  void errors_areFewAndShort() {
    var problems = new Problems();
    assertThat(problems.isEmpty()).isTrue();
    for (int i = 0; i < 1_000; i++) {
      problems.invalid("a[" + i + "]", "x".repeat(10_000), "");
    }
    assertThat(problems.isEmpty()).isFalse();
    // A few are shown whole: clients that sent a long name see it again.
    assertThat(problems.errors()).hasSize(100);
    assertThat(problems.errors().subList(0, 3))
        .allSatisfy(error -> assertThat(error.message()).endsWith("xxx\"").hasSizeGreaterThan(9_999));
    assertThat(problems.errors().subList(3, 100))
        .allSatisfy(error -> assertThat(error.message()).hasSizeLessThan(300).endsWith("...\""));
  }

  @Test
  void errors_stayAsTheyWereHandedOut() {
    var problems = new Problems();
    problems.required("a", "");
    List<FieldError> before = problems.errors();
    problems.required("b", "");
    assertThat(before).hasSize(1);
  }
}
