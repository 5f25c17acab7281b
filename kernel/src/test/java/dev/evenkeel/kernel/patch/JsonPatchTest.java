package dev.evenkeel.kernel.patch;

import static dev.evenkeel.kernel.patch.Yaml.object;
import static dev.evenkeel.kernel.patch.Yaml.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Status;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JsonPatchTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{a: 1}|{op: add, path: /b, value: 2}|{a: 1, b: 2}",
        "{a: 1}|{op: add, path: /a, value: 2}|{a: 2}",
        "{a: [1, 3]}|{op: add, path: /a/1, value: 2}|{a: [1, 2, 3]}",
        "{a: [1]}|{op: add, path: /a/1, value: 2}|{a: [1, 2]}",
        "{a: [1]}|{op: add, path: /a/-, value: {b: c}}|{a: [1, {b: c}]}",
        "{a: [1, 2]}|{op: add, path: /a/-1, value: 3}|{a: [1, 2, 3]}",
        "{a: {b: {}}}|{op: add, path: /a/b/c, value: null}|{a: {b: {c: null}}}",
        "{a: 1}|{op: add, path: /b}|{a: 1, b: null}",
        "{a: 1}|{op: add, path: /, value: 2}|{a: 1, '': 2}",
        "{}|{op: add, path: /a~1b~0c~01, value: 1}|{'a/b~c~1': 1}",
        "{a: 1, b: 2}|{op: remove, path: /a}|{b: 2}",
        "{a: [1, 2, 3]}|{op: remove, path: /a/1}|{a: [1, 3]}",
        "{a: [1, 2, 3]}|{op: remove, path: /a/-1}|{a: [1, 2]}",
        "{a: null}|{op: remove, path: /a}|{}",
        "{a: 1}|{op: replace, path: /a, value: 2}|{a: 2}",
        "{a: 1}|{op: replace, path: /b, value: 2}|{a: 1, b: 2}",
        "{a: [1, 2]}|{op: replace, path: /a/0, value: 3}|{a: [3, 2]}",
        "{a: 1}|{op: replace, path: '', value: {b: 2}}|{b: 2}",
        "{a: {b: 1}, c: {}}|{op: move, from: /a/b, path: /c/d}|{a: {}, c: {d: 1}}",
        "{a: [1, 2, 3]}|{op: move, from: /a/0, path: /a/2}|{a: [2, 3, 1]}",
        "{a: 1}|{op: move, from: /a, path: /a}|{a: 1}",
        "{a: {b: 1}}|{op: copy, from: /a, path: /c}|{a: {b: 1}, c: {b: 1}}",
        "{a: [1, 2]}|{op: copy, from: /a/0, path: /a/-}|{a: [1, 2, 1]}",
        "{a: {b: [1, x, null]}}|{op: test, path: /a, value: {b: [1, x, null]}}|{a: {b: [1, x,"
            + " null]}}",
        "{a: 1, b: 2}|{op: test, path: '', value: {b: 2, a: 1}}|{a: 1, b: 2}",
        "{a: 1}|{op: test, path: /b, value: null}|{a: 1}",
        "{a: 1}|{op: test, path: /b}|{a: 1}",
        "{a: null}|{op: test, path: /a, value: null}|{a: null}",
      })
  void apply_carriesOutEachOperation(String object, String operation, String result) {
    ObjectNode before = object(object);
    JsonNode patch = tree("[" + operation + "]");
    assertThat(JsonPatch.apply(patch, before)).isEqualTo(object(result));
    assertThat(before).isEqualTo(object(object));
    assertThat(patch).isEqualTo(tree("[" + operation + "]"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{a: 1}|{op: test, path: /a, value: 2}|testing value /a failed: test failed",
        "{a: 1}|{op: test, path: /a, value: '1'}|testing value /a failed: test failed",
        "{a: 1}|{op: test, path: /a, value: 1.0}|testing value /a failed: test failed",
        "{a: {b: 1}}|{op: test, path: /a, value: {b: 1, c: 2}}|testing value /a failed: test"
            + " failed",
        "{a: [1]}|{op: test, path: /a, value: [1, 2]}|testing value /a failed: test failed",
        "{a: [1]}|{op: test, path: /a}|testing value /a failed: test failed",
        "{a: 1}|{op: test, path: '', value: {}}|testing value  failed: test failed",
        "{a: 1}|{op: test, path: /b/c, value: 1}|doc is missing path: \"/b/c\"",
        "{a: 1}|{op: add, path: /b/c, value: 1}|doc is missing path: \"/b/c\"",
        "{a: 1}|{op: add, path: /a/b, value: 1}|doc is missing path: \"/a/b\"",
        "{a: 1}|{op: add, path: '', value: {}}|doc is missing path: \"\"",
        "{a: 1}|{op: add, path: a, value: {}}|doc is missing path: \"a\"",
        "{a: 1}|{op: add, value: {}}|doc is missing path: \"\"",
        "{a: [1]}|{op: add, path: /a/2, value: 1}|Unable to access invalid index: 2",
        "{a: [1]}|{op: add, path: /a/-3, value: 1}|Unable to access invalid index: -3",
        "{a: [1]}|{op: add, path: /a/x, value: 1}|value was not a proper array index: 'x'",
        "{a: [1]}|{op: add, path: /a/99999999999, value: 1}|value was not a proper array index",
        "{a: [1]}|{op: add, path: /a/-/b, value: 1}|value was not a proper array index: '-'",
        "{a: 1}|{op: remove, path: /b}|error in remove for path: '/b': Unable to remove nonexistent"
            + " key: b: missing value",
        "{a: 1}|{op: remove, path: ''}|doc is missing path: \"\"",
        "{a: [1]}|{op: remove, path: /a/1}|Unable to access invalid index: 1",
        "{a: [1]}|{op: remove, path: /a/-}|value was not a proper array index: '-'",
        "{a: [1]}|{op: replace, path: /a/1, value: 2}|Unable to access invalid index: 1",
        "{a: 1}|{op: replace, path: /b/c, value: 2}|doc is missing path: \"/b/c\"",
        "{a: 1}|{op: replace, path: '', value: [1]}|replace operation value must be object",
        "{a: {b: 1}}|{op: move, from: /a, path: /a/c}|doc is missing path: \"/a/c\"",
        "{a: 1}|{op: move, from: /b, path: /c}|error in move for path: 'b': Unable to remove"
            + " nonexistent key: b: missing value",
        "{a: 1}|{op: move, path: /c}|doc is missing path: \"\"",
        "{a: 1}|{op: copy, from: /b, path: /c}|doc is missing path: \"/b\"",
        "{a: 1}|{op: copy, from: '', path: /c}|doc is missing path: \"\"",
        "{a: 1}|{op: jump, path: /c}|Unexpected kind: jump",
        "{a: 1}|{path: /c}|Unexpected kind: unknown",
      })
  void apply_refusesWhatDoesNotApply(String object, String operation, String why) {
    ObjectNode before = object(object);
    ApiException refusal =
        failure(tree("[{op: add, path: /z, value: 1}, " + operation + "]"), before);
    Status status = refusal.status();
    assertThat(status.code()).isEqualTo(422);
    assertThat(status.reason()).isEqualTo("Invalid");
    assertThat(status.message())
        .isEqualTo("the server rejected our request due to an error in our request");
    assertThat(Objects.requireNonNull(status.details()).causes()).isEmpty();
    assertThat(refusal).hasMessageStartingWith("patch[1]: " + why);
    assertThat(before).as("all or nothing").isEqualTo(object(object));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "null",
        "a",
        "[1]",
        "[null]",
        "[{op: 1}]",
        "[{op: add, path: 1}]",
        "[{op: add, path: []}]",
        "[{op: move, from: {}, path: /a}]"
      })
  void apply_refusesWhatIsNoPatch(String patch) {
    Status status = refusal(tree(patch), object("{}"));
    assertThat(status.code()).isEqualTo(400);
    assertThat(status.message()).startsWith("error decoding patch: ");
  }

  @Test
  void apply_seesWhatEarlierOperationsDid() {
    JsonNode patch =
        tree(
            """
            - {op: add, path: /a, value: {b: []}}
            - {op: add, path: /a/b/-, value: {c: 1}}
            - {op: copy, from: /a/b/0, path: /d}
            - {op: add, path: /d/e, value: 2}
            - {op: test, path: /a/b/0, value: {c: 1}}
            - {op: move, from: /a/b, path: /f}
            - {op: add, path: /f/0/g, value: 3}
            """);
    JsonNode before = patch.deepCopy();
    assertThat(JsonPatch.apply(patch, object("{}")))
        .isEqualTo(object("{a: {}, d: {c: 1, e: 2}, f: [{c: 1, g: 3}]}"));
    assertThat(patch).isEqualTo(before);
  }

  @Test
  void apply_sharesWhatStaysTheSame() {
    ObjectNode object = object("{a: {b: {}}, c: [{d: 1}, {e: 2}]}");
    ObjectNode result = JsonPatch.apply(tree("[{op: add, path: /c/0/f, value: 1}]"), object);
    assertThat(result.get("a")).isSameAs(object.get("a"));
    assertThat(result.at("/c/1")).isSameAs(object.at("/c/1"));
    assertThat(result.at("/c/0")).isNotSameAs(object.at("/c/0"));
  }

  @Test
  void apply_refusesTooManyOperations() {
    ArrayNode patch = JsonNodeFactory.instance.arrayNode();
    JsonNode operation = tree("{op: test, path: /a, value: 1}");
    for (int i = 0; i < JsonPatch.OPERATIONS_MAX; i++) {
      patch.add(operation);
    }
    ObjectNode object = object("{a: 1}");
    assertThat(JsonPatch.apply(patch, object)).isEqualTo(object);
    Status status = refusal(patch.add(operation), object);
    assertThat(status.code()).isEqualTo(413);
    assertThat(status.message())
        .isEqualTo(
            "Request entity too large: The allowed maximum operations in a JSON patch is 10000, got"
                + " 10001");
  }

  /** Doubles the object with every line: sixty of them would fill any memory. */
  @Test
  void apply_refusesCopiesThatGrowWithoutEnd() {
    ArrayNode patch = JsonNodeFactory.instance.arrayNode();
    for (int i = 0; i < 60; i++) {
      patch.add(tree("{op: copy, from: /a, path: /a/-}"));
    }
    ApiException refusal = failure(patch, object("{a: [some text to copy]}"));
    assertThat(refusal.status().code()).isEqualTo(422);
    assertThat(refusal)
        .hasMessageContaining("the accumulated size increase of copy exceeds the limit 3145728");
  }

  @Test
  void apply_refusesResultsThatNestTooDeep() {
    ArrayNode copies = JsonNodeFactory.instance.arrayNode();
    for (int i = 0; i < 12; i++) {
      copies.add(tree("{op: copy, from: /a, path: /a/" + "a/".repeat((1 << i) - 1) + "a}"));
    }
    assertThat(refusal(copies, object("{a: {}}")).code()).isEqualTo(422);

    ArrayNode moves = JsonNodeFactory.instance.arrayNode();
    for (int i = 0; i < 250; i++) {
      moves.add(tree("{op: replace, path: /b, value: {}}"));
      moves.add(tree("{op: move, from: /a, path: /b/a}"));
      moves.add(tree("{op: move, from: /b, path: /a}"));
    }
    assertThat(refusal(moves, object("{a: {}}")).code()).isEqualTo(422);
  }

  /** Each operation moves a million items by one place. */
  @Test
  void apply_givesUpOnEndlessShifting() {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    ArrayNode list = object.putArray("a");
    for (int i = 0; i < 1_000_000; i++) {
      list.add(0L);
    }
    ArrayNode patch = JsonNodeFactory.instance.arrayNode();
    JsonNode operation = tree("{op: add, path: /a/0, value: 1}");
    for (int i = 0; i < JsonPatch.OPERATIONS_MAX; i++) {
      patch.add(operation);
    }
    assertThat(refusal(patch, object).code()).isEqualTo(413);
  }

  @Test
  void apply_keepsErrorsShort() {
    String path = "/a".repeat(100_000);
    Status status = refusal(tree("[{op: remove, path: " + path + "}]"), object("{a: 1}"));
    assertThat(status.toJson().toString()).hasSizeLessThan(2_000);
  }

  private static Status refusal(JsonNode patch, ObjectNode object) {
    return failure(patch, object).status();
  }

  private static ApiException failure(JsonNode patch, ObjectNode object) {
    try {
      ObjectNode result = JsonPatch.apply(patch, object);
      throw new AssertionError("was applied: " + result.size());
    } catch (ApiException e) {
      return e;
    }
  }
}
