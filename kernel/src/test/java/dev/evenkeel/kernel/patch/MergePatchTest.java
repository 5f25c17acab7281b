package dev.evenkeel.kernel.patch;

import static dev.evenkeel.kernel.patch.Yaml.object;
import static dev.evenkeel.kernel.patch.Yaml.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.kernel.api.ApiException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class MergePatchTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // The RFC's own examples, as far as they are about objects.
        "{a: b}|{a: c}|{a: c}",
        "{a: b}|{b: c}|{a: b, b: c}",
        "{a: b}|{a: null}|{}",
        "{a: b, b: c}|{a: null}|{b: c}",
        "{a: [b]}|{a: c}|{a: c}",
        "{a: c}|{a: [b]}|{a: [b]}",
        "{a: {b: c}}|{a: {b: d, c: null}}|{a: {b: d}}",
        "{a: [{b: c}]}|{a: [1]}|{a: [1]}",
        "{e: null}|{a: 1}|{e: null, a: 1}",
        "{}|{a: {bb: {ccc: null}}}|{a: {bb: {}}}",
        // And some more.
        "{a: 1}|{a: {b: null, c: 2}}|{a: {c: 2}}",
        "{a: {b: 1}}|{a: {}}|{a: {b: 1}}",
        "{a: {b: 1}}|{a: [null, {c: null, d: 1}]}|{a: [null, {d: 1}]}",
        "{a: {b: {c: 1, d: 2}}}|{a: {b: {c: null}}}|{a: {b: {d: 2}}}",
        "{a: 1}|{}|{a: 1}",
      })
  void apply_mergesObjectsAndReplacesTheRest(String object, String patch, String result) {
    ObjectNode before = object(object);
    ObjectNode changes = object(patch);
    ObjectNode once = MergePatch.apply(changes, before);
    assertThat(once).isEqualTo(object(result));
    assertThat(MergePatch.apply(changes, once)).isEqualTo(once);
    assertThat(before).isEqualTo(object(object));
    assertThat(changes).isEqualTo(object(patch));
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "null", "a", "1"})
  void apply_refusesWhatIsNoObject(String patch) {
    assertThatThrownBy(() -> MergePatch.apply(tree(patch), object("{}")))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.status().code()).isEqualTo(400));
  }

  @Test
  void apply_sharesWhatStaysTheSame() {
    ObjectNode object = object("{a: {b: c}, d: {e: {f: g}, h: {}}}");
    ObjectNode result = MergePatch.apply(object("{d: {e: {f: x}}}"), object);
    assertThat(result.get("a")).isSameAs(object.get("a"));
    assertThat(result.at("/d/h")).isSameAs(object.at("/d/h"));
    assertThat(object.at("/d/e/f").stringValue()).isEqualTo("g");
  }

  @Test
  void setting_saysOnlyWhatDiffers() {
    ObjectNode object = object("{a: 1, b: {c: x, d: y}, e: [1, 2], f: gone}");
    assertThat(MergePatch.setting(object, object("{a: 1, b: {c: x}, e: [1, 2]}"))).isEmpty();
    assertThat(MergePatch.setting(object, object("{a: 2, b: {c: z}, e: [1], f: null, g: null}")))
        .isEqualTo(object("{a: 2, b: {c: z}, e: [1], f: null}"));
  }

  @Test
  void setting_takesNumbersForWhatTheyAreWorth() {
    ObjectNode wanted = object("{}").put("a", 1L);
    wanted.putArray("e").add(2L);
    assertThat(MergePatch.setting(object("{a: 1, e: [2]}"), wanted)).isEmpty();
  }
}
