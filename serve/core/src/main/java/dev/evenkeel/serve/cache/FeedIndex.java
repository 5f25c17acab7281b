package dev.evenkeel.serve.cache;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the feeds that a change may concern without asking all of them: 5,000 watchers, each of
 * their own node's pods, cost a change one look-up and one wake-up.
 *
 * <p><b>Threading:</b> owned by the cache's loop.
 */
final class FeedIndex {

  private final Map<Scope, Feed> feeds = new HashMap<>();
  private final List<Feed> all = new ArrayList<>();
  private final Map<String, List<Feed>> byNamespace = new HashMap<>();
  private final Map<String, List<Feed>> byKey = new HashMap<>();
  private final Map<String, List<Feed>> byName = new HashMap<>();
  private final List<Map<String, List<Feed>>> byField = new ArrayList<>();

  FeedIndex(int indexedFields) {
    for (int i = 0; i < indexedFields; i++) {
      byField.add(new HashMap<>());
    }
  }

  Feed of(Scope scope) {
    Feed known = feeds.get(scope);
    if (known != null) {
      return known;
    }
    var feed = new Feed(scope);
    feeds.put(scope, feed);
    switch (scope.index()) {
      case Scope.Index.All _ -> all.add(feed);
      case Scope.Index.Namespace i -> add(byNamespace, i.namespace(), feed);
      case Scope.Index.Key i -> add(byKey, i.key(), feed);
      case Scope.Index.Name i -> add(byName, i.name(), feed);
      case Scope.Index.Field i -> add(byField.get(i.field()), i.value(), feed);
    }
    return feed;
  }

  void dropIfUnused(Feed feed) {
    if (feed.watchers() > 0 || !feeds.remove(feed.scope(), feed)) {
      return;
    }
    switch (feed.scope().index()) {
      case Scope.Index.All _ -> all.remove(feed);
      case Scope.Index.Namespace i -> remove(byNamespace, i.namespace(), feed);
      case Scope.Index.Key i -> remove(byKey, i.key(), feed);
      case Scope.Index.Name i -> remove(byName, i.name(), feed);
      case Scope.Index.Field i -> remove(byField.get(i.field()), i.value(), feed);
    }
  }

  void forEachConcerned(CacheChange change, Consumer<Feed> action) {
    if (feeds.isEmpty()) {
      return;
    }
    all.forEach(action);
    CachedObject any = change.any();
    if (!byNamespace.isEmpty()) {
      each(byNamespace.get(any.namespace()), action);
    }
    if (!byKey.isEmpty()) {
      each(byKey.get(any.key()), action);
    }
    if (!byName.isEmpty()) {
      each(byName.get(any.name()), action);
    }
    for (int i = 0; i < byField.size(); i++) {
      if (!byField.get(i).isEmpty()) {
        eachOfField(i, change, action);
      }
    }
  }

  private void eachOfField(int field, CacheChange change, Consumer<Feed> action) {
    CachedObject before = change.previous();
    CachedObject after = change.current();
    String was = before == null ? null : before.field(field);
    String is = after == null ? null : after.field(field);
    if (was != null) {
      each(byField.get(field).get(was), action);
    }
    if (is != null && !is.equals(was)) {
      each(byField.get(field).get(is), action);
    }
  }

  void evictThrough(long revision) {
    feeds.values().forEach(feed -> feed.evictThrough(revision));
  }

  private static void each(@Nullable List<Feed> some, Consumer<Feed> action) {
    if (some != null) {
      some.forEach(action);
    }
  }

  private static void add(Map<String, List<Feed>> map, String value, Feed feed) {
    map.computeIfAbsent(value, _ -> new ArrayList<>(1)).add(feed);
  }

  private static void remove(Map<String, List<Feed>> map, String value, Feed feed) {
    List<Feed> some = map.get(value);
    if (some != null && some.remove(feed) && some.isEmpty()) {
      map.remove(value);
    }
  }
}
