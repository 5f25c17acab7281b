package dev.evenkeel.observe.cache;

import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.observe.object.Cached;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An index over one state of a cache: a tree of trees, never changed. An object costs a place in a
 * node for each of its keys, and nothing else.
 *
 * <p><b>Threading:</b> immutable.
 */
final class IndexTree<T> {

  private final Index<T> index;
  private final SortedTree<Bucket<T>> buckets;

  private IndexTree(Index<T> index, SortedTree<Bucket<T>> buckets) {
    this.index = index;
    this.buckets = buckets;
  }

  static <T> IndexTree<T> of(Index<T> index, SortedTree<Cached<T>> objects) {
    Map<String, List<Cached<T>>> sorted = new TreeMap<>();
    SortedTree.Walk<Cached<T>> walk = objects.from("");
    Cached<T> object;
    while ((object = walk.next()) != null) {
      for (String key : index.keys(object)) {
        List<Cached<T>> under = sorted.computeIfAbsent(key, _ -> new ArrayList<>());
        if (under.isEmpty() || under.getLast() != object) {
          under.add(object);
        }
      }
    }
    List<Bucket<T>> buckets = new ArrayList<>(sorted.size());
    sorted.forEach((key, under) -> buckets.add(new Bucket<>(key, SortedTree.ofSorted(under))));
    return new IndexTree<>(index, SortedTree.ofSorted(buckets));
  }

  SortedTree<Cached<T>> under(String key) {
    Bucket<T> bucket = buckets.get(key);
    return bucket == null ? SortedTree.empty() : bucket.objects();
  }

  /** With one object changed: null before if it is new, null after if it is gone. */
  IndexTree<T> changed(@Nullable Cached<T> before, @Nullable Cached<T> after) {
    Collection<String> keysAfter = after == null ? List.of() : index.keys(after);
    SortedTree<Bucket<T>> changed = buckets;
    if (before != null) {
      for (String key : index.keys(before)) {
        if (!keysAfter.contains(key)) {
          SortedTree<Cached<T>> rest = objects(changed, key).without(before.key());
          changed = rest.size() == 0 ? changed.without(key) : changed.with(new Bucket<>(key, rest));
        }
      }
    }
    if (after != null) {
      for (String key : keysAfter) {
        changed = changed.with(new Bucket<>(key, objects(changed, key).with(after)));
      }
    }
    return changed == buckets ? this : new IndexTree<>(index, changed);
  }

  private static <T> SortedTree<Cached<T>> objects(SortedTree<Bucket<T>> buckets, String key) {
    Bucket<T> bucket = buckets.get(key);
    return bucket == null ? SortedTree.empty() : bucket.objects();
  }
}
