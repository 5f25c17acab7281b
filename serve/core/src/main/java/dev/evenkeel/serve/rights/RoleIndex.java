package dev.evenkeel.serve.rights;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.cache.KindCache;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * All roles, and all bindings by whom they are for: what is held by somebody is found without
 * looking at what others hold.
 *
 * <p><b>Invariants:</b> what it knows is what the four trees say that it saw last. The epoch grows
 * with every change, after it.
 *
 * <p><b>Threading:</b> any; a lock guards all but the epoch and the trees it saw.
 */
final class RoleIndex {

  /*
   * Nobody tells it of changes: whoever asks has it look whether the caches show other trees than
   * it saw, which is four comparisons. So an answer rests on all that the caches show, also for
   * those who just waited for a cache to reach a revision. A change costs one walk over both trees,
   * in which all that is the same object is passed over, and one object is read from its JSON.
   */

  private static final Comparator<Grant> ORDER =
      Comparator.comparing(Grant::namespace).thenComparing(Grant::name);

  private final List<Source> sources;
  private final Map<String, List<Rule>> rules = new HashMap<>();
  private final Map<String, Grant> grants = new HashMap<>();
  private final Map<String, TreeSet<Grant>> bySubject = new HashMap<>();
  private volatile long epoch = 1;

  /** One kind: what was seen of it, and what is done about an object that came or went. */
  private static final class Source {
    private final KindCache cache;
    private final BiConsumer<CachedObject, ObjectNode> put;
    private final Consumer<CachedObject> remove;
    private volatile SortedTree<CachedObject> seen = SortedTree.empty();

    Source(
        KindCache cache, BiConsumer<CachedObject, ObjectNode> put, Consumer<CachedObject> remove) {
      this.cache = cache;
      this.put = put;
      this.remove = remove;
    }
  }

  RoleIndex(
      KindCache roles, KindCache clusterRoles, KindCache bindings, KindCache clusterBindings) {
    this.sources =
        List.of(
            new Source(roles, this::putRole, this::removeRole),
            new Source(clusterRoles, this::putRole, this::removeRole),
            new Source(bindings, this::putGrant, this::removeGrant),
            new Source(clusterBindings, this::putGrant, this::removeGrant));
  }

  List<KindCache> caches() {
    return sources.stream().map(source -> source.cache).toList();
  }

  /** Sees what is new. What it answers from then on is no older than what the caches show now. */
  long look() {
    for (Source source : sources) {
      if (source.cache.newest().tree() != source.seen) {
        return lookAgain();
      }
    }
    return epoch;
  }

  private synchronized long lookAgain() {
    List<SortedTree<CachedObject>> now = new ArrayList<>(sources.size());
    boolean changed = false;
    for (Source source : sources) {
      SortedTree<CachedObject> tree = source.cache.newest().tree();
      now.add(tree);
      changed |= tree != source.seen && follow(source, tree);
    }
    if (changed) {
      epoch++;
    }
    // Last: whoever finds these trees seen, without the lock, must find the epoch that goes with
    // them.
    for (int i = 0; i < now.size(); i++) {
      sources.get(i).seen = now.get(i);
    }
    return epoch;
  }

  private static boolean follow(Source source, SortedTree<CachedObject> now) {
    boolean changed = false;
    SortedTree.Walk<CachedObject> before = source.seen.from("");
    SortedTree.Walk<CachedObject> after = now.from("");
    CachedObject old = before.next();
    CachedObject next = after.next();
    while (old != null || next != null) {
      int order = old == next ? 0 : order(old, next);
      if (old != null && old != next && order <= 0) {
        source.remove.accept(old);
        changed = true;
      }
      if (next != null && old != next && order >= 0) {
        source.put.accept(next, Json.parseObject(next.json()));
        changed = true;
      }
      CachedObject here = old;
      old = order <= 0 ? before.next() : here;
      next = order >= 0 ? after.next() : next;
    }
    return changed;
  }

  private static int order(@Nullable CachedObject old, @Nullable CachedObject next) {
    if (old == null || next == null) {
      return old == null ? 1 : -1;
    }
    return old.key().compareTo(next.key());
  }

  private void putRole(CachedObject object, ObjectNode role) {
    rules.put(Grant.roleKey(object.namespace(), object.name()), Rule.of(role.path("rules")));
  }

  private void removeRole(CachedObject object) {
    rules.remove(Grant.roleKey(object.namespace(), object.name()));
  }

  private void putGrant(CachedObject object, ObjectNode binding) {
    Grant grant = Grant.of(binding, object.namespace(), object.name());
    grants.put(object.key(), grant);
    for (Grant.Subject subject : grant.subjects()) {
      bySubject.computeIfAbsent(subject.key(), _ -> new TreeSet<>(ORDER)).add(grant);
    }
  }

  private void removeGrant(CachedObject object) {
    Grant grant = grants.remove(object.key());
    if (grant == null) {
      return;
    }
    for (Grant.Subject subject : grant.subjects()) {
      TreeSet<Grant> held = bySubject.get(subject.key());
      if (held != null) {
        held.remove(grant);
        if (held.isEmpty()) {
          bySubject.remove(subject.key());
        }
      }
    }
  }

  /** The rules of a role; null if there is none. */
  synchronized @Nullable List<Rule> rules(String roleKey) {
    return rules.get(roleKey);
  }

  /** What somebody holds as the one or as a member of a group, those of the cluster first. */
  synchronized Holdings holdings(String user, List<String> groups) {
    var holdings = new Holdings(epoch);
    var all = new TreeSet<>(ORDER);
    all.addAll(bySubject.getOrDefault(Grant.USER + user, new TreeSet<>(ORDER)));
    for (String group : groups) {
      all.addAll(bySubject.getOrDefault(Grant.GROUP + group, new TreeSet<>(ORDER)));
    }
    for (Grant grant : all) {
      holdings.add(grant, subject(grant, user, groups), rules.get(grant.roleKey()));
    }
    return holdings;
  }

  private static Grant.Subject subject(Grant grant, String user, List<String> groups) {
    for (Grant.Subject subject : grant.subjects()) {
      String name = subject.key().substring(Grant.USER.length());
      if (subject.key().startsWith(Grant.USER) ? name.equals(user) : groups.contains(name)) {
        return subject;
      }
    }
    throw new IllegalStateException("a grant to nobody who holds it");
  }
}
