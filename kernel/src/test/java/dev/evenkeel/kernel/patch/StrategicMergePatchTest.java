package dev.evenkeel.kernel.patch;

import static dev.evenkeel.kernel.patch.Yaml.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.schema.MergeStrategy;
import dev.evenkeel.kernel.schema.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The corners; what patches do to real kinds is in {@link StrategicMergeScenario}. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StrategicMergePatchTest {

  /** An item that can contain all sorts of itself. */
  private static final Schema.Struct ITEM = item();

  private static Schema.Struct item() {
    Schema.Struct item = Schemas.struct("Item");
    Schemas.plain(item, "name", Schema.Scalar.STRING);
    Schemas.plain(item, "value", Schema.Scalar.STRING);
    Schemas.plain(item, "child", item);
    Schemas.plain(item, "map", new Schema.MapOf(item));
    Schemas.plain(item, "list", Schemas.list(item));
    Schemas.merged(item, "items", item, "name");
    Schemas.merged(item, "words", Schema.Scalar.STRING, null);
    Schemas.merged(item, "keyless", item, null);
    Schemas.add(item, "any", Schema.Scalar.ANY, MergeStrategy.REPLACE);
    return item;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        // object | patch | message
        "{}|{$patch: merge}|unknown patch type: merge in map",
        "{}|{$patch: 1}|unknown patch type: 1 in map",
        "{child: {}}|{child: {$patch: other}}|unknown patch type: other in map",
        "{items: [{name: a}]}|{items: [{name: a, $patch: merge}]}|merging lists cannot yet be",
        "{items: [{name: a}]}|{items: [{name: a, $patch: ''}]}|unknown patch type:  in map",
        "{items: [{name: a}]}|{items: [{$patch: delete}]}|does not contain declared merge key:"
            + " name",
        "{items: [{name: a}]}|{items: [{value: a}]}|map: {\"value\":\"a\"} does not contain"
            + " declared",
        "{items: [{value: a}]}|{items: [{name: a}]}|does not contain declared merge key: name",
        "{items: [{name: {}}]}|{items: [{name: a}]}|expected a scalar, but received {}",
        "{items: [{name: a}]}|{items: [a]}|list element types are not identical",
        "{words: [a]}|{words: [1]}|list element types are not identical",
        "{words: [a]}|{words: [null]}|list element types are not identical",
        "{words: [1]}|{words: [1.5]}|list element types are not identical",
        "{keyless: [{name: a}]}|{keyless: [{name: a}]}|cannot merge lists without merge key for",
        "{child: {}}|{child: {$retainKeys: a}}|invalid patch format of retainKeys",
        "{child: {}}|{child: {$retainKeys: [1]}}|invalid patch format of retainKeys",
        "{child: {}}|{child: {$retainKeys: [name], value: a}}|invalid patch format of retainKeys",
        "{}|{$setElementOrder: [a]}|invalid patch format of setElementOrder list",
        "{}|{$setElementOrderX/items: [a]}|invalid patch format of setElementOrder list",
        "{}|{$setElementOrder/items: a}|expected a list, but received \"a\"",
        "{items: a}|{$setElementOrder/items: [{name: a}]}|expected a list, but received \"a\"",
        "{items: []}|{items: null, $setElementOrder/items: [{name: a}]}|expected a list, but",
        "{items: [{name: a}]}|{items: [{name: b}], $setElementOrder/items: [{name: a}]}|The order"
            + " in patch list",
        "{words: [a]}|{words: [c, b], $setElementOrder/words: [b, c]}|The order in patch list",
        "{words: [a]}|{$setElementOrder/words: [{}]}|expected a scalar, but received {}",
        "{items: [{name: a}]}|{$setElementOrder/items: [a]}|does not contain declared merge key",
        "{}|{$deleteFromPrimitiveList: [a]}|invalid patch format of primitive list",
        "{}|{$deleteFromPrimitiveListX/words: [a]}|invalid patch format of primitive list",
        "{items: [{name: a}]}|{$deleteFromPrimitiveList/items: [{name: a}]}|invalid patch format of"
            + " prim",
      })
  void apply_refusesMalformedPatches(String object, String patch, String message) {
    assertThatThrownBy(() -> StrategicMergePatch.apply(object(patch), object(object), ITEM))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.status().code()).isEqualTo(400))
        .hasMessageContaining(message);
  }

  @Test
  void apply_refusesToMergeListsOfLists() {
    assertThatThrownBy(
            () -> StrategicMergePatch.apply(object("{words: [[a]]}"), object("{words: [b]}"), ITEM))
        .isInstanceOf(ApiException.class);
    assertThatThrownBy(
            () -> StrategicMergePatch.apply(object("{words: [a]}"), object("{words: [[b]]}"), ITEM))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.status().code()).isEqualTo(422);
              assertThat(e.status().reason()).isEqualTo("Invalid");
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        // object | patch | result
        "{child: {name: a, child: {value: b}}}|{child: {child: {name: c}}}|{child: {name: a, child:"
            + " {value: b, name: c}}}",
        "{map: {a: {name: x}, b: {name: y}}}|{map: {a: {value: v}, b: null}}|{map: {a: {name: x,"
            + " value: v}}}",
        "{items: [{name: a, items: [{name: b}]}]}|{items: [{name: a, items: [{name: c}, {name: b,"
            + " $patch: delete}]}]}|{items: [{name: a, items: [{name: c}]}]}",
        "{list: [{name: a}]}|{list: [{name: b, value: null}]}|{list: [{name: b, value: null}]}",
        "{items: [{name: a}, {name: a}]}|{items: [{name: a, value: x}]}|{items: [{name: a, value:"
            + " x}, {name: a}]}",
        "{items: [{name: a}]}|{items: [{name: b}, {name: b, value: x}]}|{items: [{name: b, value:"
            + " x}, {name: a}]}",
        "{items: [{name: 1}, {name: '1'}]}|{items: [{name: '1', value: x}]}|{items: [{name: 1},"
            + " {name: '1', value: x}]}",
        "{items: [{name: true}]}|{items: [{name: true, value: x}]}|{items: [{name: true, value:"
            + " x}]}",
        "{items: [{name: a}, {name: b}]}|{items: [{name: a, $patch: delete}, {name: a, value:"
            + " x}]}|{items: [{name: a, value: x}, {name: b}]}",
        "{words: [a, b, a]}|{words: [c]}|{words: [c, a, b]}",
        "{words: [c, b, a]}|{words: [a, b]}|{words: [c, a, b]}",
        "{words: [a]}|{words: []}|{words: [a]}",
        "{words: []}|{words: []}|{words: []}",
        "{words: [b, a]}|{$setElementOrder/words: [a, b]}|{words: [a, b]}",
        "{words: [b, x, a]}|{words: [a], $setElementOrder/words: [a, b]}|{words: [x, a, b]}",
        "{}|{words: [a, b], $setElementOrder/words: [a, b]}|{words: [a, b]}",
        "{words: null}|{words: [a], $setElementOrder/words: [a]}|{words: [a]}",
        "{words: []}|{words: [], $setElementOrder/words: [a]}|{words: []}",
        "{}|{$setElementOrder/words: [a]}|{}",
        "{words: [a]}|{$deleteFromPrimitiveList/words: null}|{}",
        "{words: [a]}|{$deleteFromPrimitiveList/words: a}|{words: [a]}",
        "{any: {a: {b: c}}}|{any: {a: {$patch: delete}}}|{any: {a: {b: c, $patch: delete}}}",
        "{any: [1]}|{any: [2], $setElementOrder/any: [1]}|{any: [2]}",
        "{other: {a: b}}|{other: {c: null, d: [{e: null}]}}|{other: {a: b, d: [{}]}}",
        "{name: a}|{$patch: replace, value: b, child: {name: null}}|{value: b, child: {name:"
            + " null}}",
        "{name: a}|{$patch: delete}|{}",
        "{name: a}|{child: {$patch: replace, name: b}}|{name: a}",
        "{name: null}|{name: b}|{name: b}",
      })
  void apply_mergesBySchema(String object, String patch, String result) {
    ObjectNode before = object(object);
    ObjectNode changes = object(patch);
    assertThat(StrategicMergePatch.apply(changes, before, ITEM)).isEqualTo(object(result));
    assertThat(before).isEqualTo(object(object));
    assertThat(changes).isEqualTo(object(patch));
  }

  @Test
  void apply_sharesWhatStaysTheSame() {
    ObjectNode object = object("{child: {name: a}, items: [{name: b, child: {}}, {name: c}]}");
    ObjectNode result =
        StrategicMergePatch.apply(object("{items: [{name: c, value: x}]}"), object, ITEM);
    assertThat(result.get("child")).isSameAs(object.get("child"));
    assertThat(result.at("/items/0")).isSameAs(object.at("/items/0"));
    assertThat(result.at("/items/1")).isNotSameAs(object.at("/items/1"));
  }

  /** A list of many items, each patched again and again: the product of both would take minutes. */
  @Test
  void apply_givesUpOnPatchesThatRepeatThemselves() {
    ObjectNode wide = JsonNodeFactory.instance.objectNode().put("name", "a");
    ArrayNode words = wide.putArray("words");
    ObjectNode any = wide.putObject("any");
    for (int i = 0; i < 50_000; i++) {
      words.add("w" + i);
      any.put("w" + i, "x");
    }
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.putArray("items").add(wide);
    assertThatThrownBy(
            () -> StrategicMergePatch.apply(again("{name: a, words: [x]}"), object, ITEM))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.status().code()).isEqualTo(413));
    // What is copied once, however often it is patched, is cheap: no reason to refuse.
    ObjectNode result = StrategicMergePatch.apply(again("{name: a, any: {b: c}}"), object, ITEM);
    assertThat(result.at("/items/0/any/b").stringValue()).isEqualTo("c");
  }

  /** A patch that names the same item many times. */
  private static ObjectNode again(String item) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ArrayNode items = patch.putArray("items");
    ObjectNode one = object(item);
    for (int i = 0; i < 20_000; i++) {
      items.add(one);
    }
    return patch;
  }

  @Test
  void apply_takesLargeListsInItsStride() {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ArrayNode items = object.putArray("items");
    ArrayNode changes = patch.putArray("items");
    ArrayNode order = patch.putArray("$setElementOrder/items");
    for (int i = 0; i < 20_000; i++) {
      items.addObject().put("name", "i" + i);
      changes.addObject().put("name", "i" + (i * 2)).put("value", "x");
      order.addObject().put("name", "i" + (i * 2));
    }
    assertThat(StrategicMergePatch.apply(patch, object, ITEM).get("items").size())
        .isEqualTo(30_000);
  }
}
