package dev.evenkeel.observe.cache;

import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.observe.object.Cached;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One state of a cache: everything in it is of one version of the server. It never changes, and may
 * be held for as long as it is of use.
 *
 * <p><b>Threading:</b> immutable.
 */
public final class Snapshot<T> {

  private final boolean synced;
  private final long version;
  private final long bytesHeld;
  private final SortedTree<Cached<T>> objects;
  private final Map<Index<T>, IndexTree<T>> indexes;

  private Snapshot(
      boolean synced,
      long version,
      long bytesHeld,
      SortedTree<Cached<T>> objects,
      Map<Index<T>, IndexTree<T>> indexes) {
    this.synced = synced;
    this.version = version;
    this.bytesHeld = bytesHeld;
    this.objects = objects;
    this.indexes = indexes;
  }

  static <T> Snapshot<T> empty() {
    return new Snapshot<>(false, 0, 0, SortedTree.empty(), Map.of());
  }

  /** Whether it is a state of the server; false before the first was read. */
  public boolean isSynced() {
    return synced;
  }

  /** The server's version that it is the state of. */
  public long version() {
    return version;
  }

  public int size() {
    return objects.size();
  }

  /** What the objects hold in memory, about. */
  public long bytesHeld() {
    return bytesHeld;
  }

  /**
   * One object, null if it is not there.
   *
   * @param namespace empty for a kind without namespaces
   */
  public @Nullable Cached<T> find(String namespace, String name) {
    return objects.get(Cached.key(namespace, name));
  }

  /** All objects, in the order of their keys. */
  public Iterable<Cached<T>> all() {
    return () -> new Walk<>(objects.from(""), _ -> true);
  }

  /** The objects of a namespace. */
  public Iterable<Cached<T>> namespace(String namespace) {
    String prefix = namespace + "/";
    return () -> new Walk<>(objects.from(prefix), object -> object.key().startsWith(prefix));
  }

  /**
   * The objects under a key of an index. One that the informer was not given is searched for in all
   * objects: right, but slow.
   */
  public Iterable<Cached<T>> by(Index<T> index, String key) {
    IndexTree<T> tree = indexes.get(index);
    SortedTree<Cached<T>> found =
        tree == null ? IndexTree.of(index, objects).under(key) : tree.under(key);
    return () -> new Walk<>(found.from(""), _ -> true);
  }

  /** The names of the indexes that are kept. */
  public List<String> indexNames() {
    return indexes.keySet().stream().map(Index::name).sorted().toList();
  }

  SortedTree<Cached<T>> tree() {
    return objects;
  }

  Snapshot<T> with(Index<T> index) {
    Map<Index<T>, IndexTree<T>> more = new LinkedHashMap<>(indexes);
    more.put(index, IndexTree.of(index, objects));
    return new Snapshot<>(synced, version, bytesHeld, objects, more);
  }

  boolean has(Index<T> index) {
    return indexes.containsKey(index);
  }

  Snapshot<T> at(long newVersion) {
    return new Snapshot<>(synced, newVersion, bytesHeld, objects, indexes);
  }

  Snapshot<T> replacedBy(SortedTree<Cached<T>> newObjects, long newVersion) {
    long bytes = 0;
    SortedTree.Walk<Cached<T>> walk = newObjects.from("");
    Cached<T> object;
    while ((object = walk.next()) != null) {
      bytes += object.memoryBytes();
    }
    Map<Index<T>, IndexTree<T>> rebuilt = new LinkedHashMap<>();
    indexes.keySet().forEach(index -> rebuilt.put(index, IndexTree.of(index, newObjects)));
    return new Snapshot<>(true, newVersion, bytes, newObjects, rebuilt);
  }

  /** With one object changed: null before if it is new, null after if it is gone. */
  Snapshot<T> changed(@Nullable Cached<T> before, @Nullable Cached<T> after, long newVersion) {
    SortedTree<Cached<T>> changed = objects;
    long bytes = bytesHeld;
    if (before != null) {
      bytes -= before.memoryBytes();
    }
    if (after != null) {
      bytes += after.memoryBytes();
      changed = changed.with(after);
    } else if (before != null) {
      changed = changed.without(before.key());
    }
    Map<Index<T>, IndexTree<T>> kept = indexes;
    if (!indexes.isEmpty()) {
      Map<Index<T>, IndexTree<T>> updated = new LinkedHashMap<>();
      indexes.forEach((index, tree) -> updated.put(index, tree.changed(before, after)));
      kept = updated;
    }
    return new Snapshot<>(true, newVersion, bytes, changed, kept);
  }

  @Override
  public String toString() {
    return objects.size() + " objects at version " + version;
  }

  /** Goes through a tree until the objects are of interest no more. */
  private static final class Walk<T> implements Iterator<Cached<T>> {
    private final SortedTree.Walk<Cached<T>> walk;
    private final Predicate<Cached<T>> within;
    private @Nullable Cached<T> next;

    Walk(SortedTree.Walk<Cached<T>> walk, Predicate<Cached<T>> within) {
      this.walk = walk;
      this.within = within;
      advance();
    }

    private void advance() {
      Cached<T> found = walk.next();
      next = found != null && within.test(found) ? found : null;
    }

    @Override
    public boolean hasNext() {
      return next != null;
    }

    @Override
    public Cached<T> next() {
      Cached<T> found = next;
      if (found == null) {
        throw new NoSuchElementException();
      }
      advance();
      return found;
    }
  }
}
