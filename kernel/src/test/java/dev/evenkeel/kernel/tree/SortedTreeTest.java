package dev.evenkeel.kernel.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SortedTreeTest {

  private record Item(String key, long revision) implements Keyed {}

  private static Item object(String key, long revision) {
    return new Item(key, revision);
  }

  private static List<Item> walk(SortedTree<Item> tree, String from) {
    List<Item> seen = new ArrayList<>();
    SortedTree.Walk<Item> walk = tree.from(from);
    Item object;
    while ((object = walk.next()) != null) {
      seen.add(object);
    }
    return seen;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void changes_makeWhatASortedMapWouldHold(long seed) {
    var random = new Random(seed);
    int names = 1 + random.nextInt(3_000);
    var model = new TreeMap<String, Item>();
    SortedTree<Item> tree = SortedTree.empty();
    for (int i = 0; i < 20_000; i++) {
      String key = "ns/" + random.nextInt(names);
      // First mostly growing, then mostly shrinking: splits and joins both happen.
      if (random.nextInt(10) < (i < 10_000 ? 8 : 2)) {
        Item object = object(key, i);
        tree = tree.with(object);
        model.put(key, object);
      } else {
        tree = tree.without(key);
        model.remove(key);
      }
      assertThat(tree.size()).isEqualTo(model.size());
      if (i % 1_000 == 0) {
        assertThat(walk(tree, "")).containsExactlyElementsOf(model.values());
        assertThat(walk(tree, key)).containsExactlyElementsOf(model.tailMap(key).values());
        assertThat(tree.rank(key)).isEqualTo(model.headMap(key).size());
        assertThat(tree.get(key)).isSameAs(model.get(key));
      }
    }
  }

  @Test
  void anOlderTree_staysAsItWas() {
    SortedTree<Item> before = SortedTree.empty();
    for (int i = 0; i < 1_000; i++) {
      before = before.with(object("%04d".formatted(i), i));
    }
    List<Item> then = walk(before, "");
    SortedTree<Item> after = before;
    for (int i = 0; i < 1_000; i += 3) {
      after = after.without("%04d".formatted(i)).with(object("%04d-x".formatted(i), 7));
    }
    assertThat(walk(before, "")).isEqualTo(then);
    assertThat(walk(after, "")).isNotEqualTo(then);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 47, 48, 49, 64, 65, 2_304, 2_305, 10_000})
  void ofSorted_holdsThemAllInOrder(int count) {
    List<Item> objects = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      objects.add(object("%06d".formatted(i), i));
    }
    SortedTree<Item> tree = SortedTree.ofSorted(objects);
    assertThat(tree.size()).isEqualTo(count);
    assertThat(walk(tree, "")).isEqualTo(objects);
    assertThat(tree.get("%06d".formatted(count))).isNull();
  }
}
