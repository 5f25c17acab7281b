package dev.evenkeel.decide.controllers.collect;

import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.object.Owner;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who belongs to whom. Holds only what has an owner or waits for its dependents: a server's other
 * objects, by far the most, cost nothing here.
 *
 * <p><b>Threading:</b> for one thread.
 */
final class Graph {

  /** An object that has owners, or is held until its dependents are dealt with. */
  record Node(
      Kind<?> kind,
      String namespace,
      String name,
      String uid,
      List<Owner> owners,
      boolean ending,
      boolean held) {

    Node {
      owners = List.copyOf(owners);
    }

    /** Whether that owner may not go before this. */
    boolean blocks(String owner) {
      return owners.stream().anyMatch(it -> it.uid().equals(owner) && it.blocksDeletion());
    }
  }

  private final Map<String, Node> nodes = new HashMap<>();
  private final Map<String, Set<String>> dependents = new HashMap<>();

  @Nullable Node node(String uid) {
    return nodes.get(uid);
  }

  /** Those that name this object as an owner. */
  List<Node> dependents(String uid) {
    return dependents.getOrDefault(uid, Set.of()).stream().map(nodes::get).toList();
  }

  boolean isOwner(String uid) {
    return dependents.containsKey(uid);
  }

  Collection<String> owners() {
    return List.copyOf(dependents.keySet());
  }

  /** Those of a kind, to be compared with a new list of it. */
  Set<String> of(Kind<?> kind) {
    Set<String> found = new HashSet<>();
    nodes.forEach(
        (uid, node) -> {
          if (node.kind().equals(kind)) {
            found.add(uid);
          }
        });
    return found;
  }

  /** Takes in a state of an object; null if it is of no interest. */
  @Nullable Node put(Cached<?> object) {
    boolean ending = !object.text("metadata", "deletionTimestamp").isEmpty();
    boolean held = ending && GarbageRules.isHeld(object.tree());
    String uid = object.uid();
    remove(uid);
    if (object.owners().isEmpty() && !held) {
      return null;
    }
    var node =
        new Node(
            object.kind(), object.namespace(), object.name(), uid, object.owners(), ending, held);
    nodes.put(uid, node);
    for (Owner owner : node.owners()) {
      dependents.computeIfAbsent(owner.uid(), _ -> new LinkedHashSet<>(2)).add(uid);
    }
    return node;
  }

  void remove(String uid) {
    Node before = nodes.remove(uid);
    if (before == null) {
      return;
    }
    for (Owner owner : before.owners()) {
      Set<String> others = dependents.get(owner.uid());
      if (others != null) {
        others.remove(uid);
        if (others.isEmpty()) {
          dependents.remove(owner.uid());
        }
      }
    }
  }

  int size() {
    return nodes.size();
  }
}
