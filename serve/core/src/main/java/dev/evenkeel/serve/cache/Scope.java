package dev.evenkeel.serve.cache;

import dev.evenkeel.kernel.tree.SortedTree;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which objects of a kind a read or a watch is about. Watches of equal scopes share one feed: their
 * selectors are evaluated once.
 */
public final class Scope {

  /** How an event finds the feeds that it may concern. */
  sealed interface Index {
    /** Every event may. */
    record All() implements Index {}

    record Namespace(String namespace) implements Index {}

    /** One object: {@code namespace/name}. */
    record Key(String key) implements Index {}

    /** A name in any namespace. */
    record Name(String name) implements Index {}

    record Field(int field, String value) implements Index {}
  }

  private final String namespace;
  private final String selectors;
  private final @Nullable Predicate<CachedObject> filter;
  private final Index index;

  private Scope(
      String namespace, String selectors, @Nullable Predicate<CachedObject> filter, Index index) {
    this.namespace = namespace;
    this.selectors = selectors;
    this.filter = filter;
    this.index = index;
  }

  /** All objects, or those of a namespace if it is not empty. */
  public static Scope of(String namespace) {
    return new Scope(
        namespace,
        "",
        null,
        namespace.isEmpty() ? new Index.All() : new Index.Namespace(namespace));
  }

  /**
   * Objects that also pass a filter.
   *
   * @param text tells filters apart: equal texts mean equal filters
   */
  public Scope where(String text, Predicate<CachedObject> passes) {
    return new Scope(namespace, text, passes, index);
  }

  /** Promises that the filter passes nothing but objects of this name. */
  public Scope named(String name) {
    return new Scope(
        namespace,
        selectors,
        filter,
        namespace.isEmpty() ? new Index.Name(name) : new Index.Key(namespace + "/" + name));
  }

  /** Promises that the filter passes nothing but objects with this value of an indexed field. */
  public Scope withField(int field, String value) {
    return new Scope(namespace, selectors, filter, new Index.Field(field, value));
  }

  public boolean isFiltered() {
    return filter != null;
  }

  /** Whether it is about one object: there is nothing behind it. */
  public boolean isOne() {
    return index instanceof Index.Key;
  }

  Index index() {
    return index;
  }

  /** The first key that a walk needs to see. */
  public String firstKey() {
    return namespace.isEmpty() ? "" : namespace + "/";
  }

  /** Whether a walk that met this object is past the last one of the scope. */
  public boolean isPast(CachedObject object) {
    return !namespace.isEmpty() && !inNamespace(object);
  }

  /** How many objects of the namespace, or of all, come from the key on. */
  public int countIn(SortedTree<CachedObject> tree, String fromKey) {
    // '0' follows '/': the first key beyond the namespace.
    int end = namespace.isEmpty() ? tree.size() : tree.rank(namespace + "0");
    return end - tree.rank(fromKey);
  }

  public boolean matches(CachedObject object) {
    return (namespace.isEmpty() || inNamespace(object)) && (filter == null || filter.test(object));
  }

  private boolean inNamespace(CachedObject object) {
    String key = object.key();
    return key.length() > namespace.length()
        && key.charAt(namespace.length()) == '/'
        && key.startsWith(namespace);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Scope scope
        && scope.namespace.equals(namespace)
        && scope.selectors.equals(selectors);
  }

  @Override
  public int hashCode() {
    return namespace.hashCode() * 31 + selectors.hashCode();
  }

  @Override
  public String toString() {
    return (namespace.isEmpty() ? "all namespaces" : "namespace " + namespace)
        + (selectors.isEmpty() ? "" : ", " + selectors);
  }
}
