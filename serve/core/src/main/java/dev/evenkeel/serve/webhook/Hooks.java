package dev.evenkeel.serve.webhook;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.serve.cache.CachedObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The webhooks of one kind of configuration as of a state of its cache, in the order of the
 * configurations' names.
 *
 * <p><b>Threading:</b> immutable.
 */
final class Hooks {

  static final Hooks NONE = new Hooks(SortedTree.empty(), Map.of(), List.of());

  private record Known(long revision, int firstIndex, List<Hook> hooks) {}

  private final SortedTree<CachedObject> tree;
  private final Map<String, Known> known;
  private final List<Hook> all;

  private Hooks(SortedTree<CachedObject> tree, Map<String, Known> known, List<Hook> all) {
    this.tree = tree;
    this.known = known;
    this.all = all;
  }

  List<Hook> all() {
    return all;
  }

  boolean isOf(SortedTree<CachedObject> other) {
    return tree == other;
  }

  /** The same as of another state; configurations that did not change are not read again. */
  Hooks next(SortedTree<CachedObject> now, boolean changing) {
    Map<String, Known> read = new HashMap<>();
    List<Hook> hooks = new ArrayList<>();
    int index = 0;
    SortedTree.Walk<CachedObject> walk = now.from("");
    CachedObject object;
    while ((object = walk.next()) != null) {
      Known before = known.get(object.name());
      Known its =
          before != null && before.revision == object.revision() && before.firstIndex == index
              ? before
              : new Known(object.revision(), index, read(object, changing, index));
      read.put(object.name(), its);
      hooks.addAll(its.hooks);
      index += Json.parseObject(object.json()).path("webhooks").size();
    }
    return new Hooks(now, Map.copyOf(read), List.copyOf(hooks));
  }

  private static List<Hook> read(CachedObject object, boolean changing, int firstIndex) {
    List<Hook> hooks = new ArrayList<>();
    JsonNode written = Json.parseObject(object.json()).path("webhooks");
    for (int i = 0; i < written.size(); i++) {
      // Without rules it is about nothing.
      if (written.path(i) instanceof ObjectNode hook && !hook.path("rules").isEmpty()) {
        hooks.add(Hook.read(object.name(), firstIndex + i, changing, hook));
      }
    }
    return List.copyOf(hooks);
  }
}
