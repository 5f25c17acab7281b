package dev.evenkeel.kernel.tree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Objects in the order of their keys, never changed: a change makes a new tree that shares all but
 * one path with the old. So any number of readers walk a consistent state, for as long as they
 * like, and never hold up the writer.
 *
 * <p><b>Invariants:</b> keys are unique and ascending; every node but the root holds at least one
 * object; {@code size} of a branch is the sum of its children's.
 *
 * <p><b>Threading:</b> immutable.
 */
public final class SortedTree<V extends Keyed> {

  /*
   * A B+ tree with fan-out 64. One change copies a leaf and its branches: with 100,000 objects three
   * nodes, about 600 bytes. Sizes in the branches answer "how many follow" without walking them.
   */
  private static final int FANOUT = 64;

  /** More than any tree that fits a heap has. */
  private static final int DEPTH_MAX = 16;

  private static final SortedTree<?> EMPTY = new SortedTree<>(new Leaf<>(new Keyed[0]));

  private final Node<V> root;

  private SortedTree(Node<V> root) {
    this.root = root;
  }

  /** A tree of nothing. */
  @SuppressWarnings("unchecked")
  public static <V extends Keyed> SortedTree<V> empty() {
    return (SortedTree<V>) EMPTY;
  }

  /** A tree of objects that come in the order of their keys, each key once. */
  @SuppressWarnings("unchecked")
  public static <V extends Keyed> SortedTree<V> ofSorted(List<V> objects) {
    if (objects.isEmpty()) {
      return empty();
    }
    // Three quarters full: the next few changes split nothing.
    int each = FANOUT * 3 / 4;
    List<Node<V>> level = new ArrayList<>();
    for (int i = 0; i < objects.size(); i += each) {
      level.add(
          new Leaf<>(
              (V[]) objects.subList(i, Math.min(i + each, objects.size())).toArray(new Keyed[0])));
    }
    while (level.size() > 1) {
      List<Node<V>> above = new ArrayList<>();
      for (int i = 0; i < level.size(); i += each) {
        above.add(
            new Branch<>(
                (Node<V>[])
                    level.subList(i, Math.min(i + each, level.size())).toArray(new Node<?>[0])));
      }
      level = above;
    }
    return new SortedTree<>(level.get(0));
  }

  public int size() {
    return root.size();
  }

  public @Nullable V get(String key) {
    Node<V> node = root;
    while (node instanceof Branch<V> branch) {
      node = branch.children[branch.childFor(key)];
    }
    Leaf<V> leaf = (Leaf<V>) node;
    int at = leaf.find(key);
    return at >= 0 ? leaf.objects[at] : null;
  }

  /** With the object, in place of one with the same key if there was one. */
  public SortedTree<V> with(V object) {
    Node<V>[] replaced = put(root, object);
    return new SortedTree<>(replaced.length == 1 ? replaced[0] : new Branch<>(replaced));
  }

  /** Without the object of that key. */
  public SortedTree<V> without(String key) {
    if (get(key) == null) {
      return this;
    }
    Node<V> rest = remove(root, key);
    if (rest == null) {
      return empty();
    }
    while (rest instanceof Branch<V> branch && branch.children.length == 1) {
      rest = branch.children[0];
    }
    return new SortedTree<>(rest);
  }

  /** How many keys are below the given one. */
  public int rank(String key) {
    int before = 0;
    Node<V> node = root;
    while (node instanceof Branch<V> branch) {
      int child = branch.childFor(key);
      for (int i = 0; i < child; i++) {
        before += branch.children[i].size();
      }
      node = branch.children[child];
    }
    int at = ((Leaf<V>) node).find(key);
    return before + (at >= 0 ? at : -at - 1);
  }

  /** Walks the objects from the first key that is not below the given one. */
  public Walk<V> from(String key) {
    return new Walk<>(root, key);
  }

  private static <V extends Keyed> Node<V>[] put(Node<V> node, V object) {
    return switch (node) {
      case Leaf<V> leaf -> {
        int at = leaf.find(object.key());
        if (at >= 0) {
          V[] copy = leaf.objects.clone();
          copy[at] = object;
          yield nodes(new Leaf<>(copy));
        }
        V[] grown = insert(leaf.objects, -at - 1, object);
        if (grown.length <= FANOUT) {
          yield nodes(new Leaf<>(grown));
        }
        int middle = splitPoint(grown.length, -at - 1);
        yield nodes(
            new Leaf<>(Arrays.copyOfRange(grown, 0, middle)),
            new Leaf<>(Arrays.copyOfRange(grown, middle, grown.length)));
      }
      case Branch<V> branch -> {
        int child = branch.childFor(object.key());
        Node<V>[] replaced = put(branch.children[child], object);
        if (replaced.length == 1) {
          Node<V>[] copy = branch.children.clone();
          copy[child] = replaced[0];
          yield nodes(new Branch<>(copy));
        }
        Node<V>[] grown = insert(branch.children, child + 1, replaced[1]);
        grown[child] = replaced[0];
        if (grown.length <= FANOUT) {
          yield nodes(new Branch<>(grown));
        }
        int middle = splitPoint(grown.length, child);
        yield nodes(
            new Branch<>(Arrays.copyOfRange(grown, 0, middle)),
            new Branch<>(Arrays.copyOfRange(grown, middle, grown.length)));
      }
    };
  }

  @SafeVarargs
  @SuppressWarnings("varargs")
  private static <V extends Keyed> Node<V>[] nodes(Node<V>... nodes) {
    return nodes;
  }

  /** Names often come in order: a node that grows at its end is left nearly full. */
  private static int splitPoint(int length, int insertedAt) {
    return insertedAt >= length - 2 ? length - 2 : length / 2;
  }

  private static <V extends Keyed> @Nullable Node<V> remove(Node<V> node, String key) {
    return switch (node) {
      case Leaf<V> leaf -> {
        int at = leaf.find(key);
        V[] rest = cut(leaf.objects, at);
        yield rest.length == 0 ? null : new Leaf<>(rest);
      }
      case Branch<V> branch -> {
        int child = branch.childFor(key);
        Node<V> rest = remove(branch.children[child], key);
        if (rest == null) {
          Node<V>[] fewer = cut(branch.children, child);
          yield fewer.length == 0 ? null : new Branch<>(fewer);
        }
        Node<V>[] copy = branch.children.clone();
        copy[child] = rest;
        yield new Branch<>(joined(copy, child));
      }
    };
  }

  /** Joins a node that has become small with a neighbour, so that deletes leave no thin tree. */
  private static <V extends Keyed> Node<V>[] joined(Node<V>[] children, int child) {
    if (children.length == 1 || children[child].width() > FANOUT / 4) {
      return children;
    }
    int left = child == 0 ? 0 : child - 1;
    Node<V> one = children[left];
    Node<V> other = children[left + 1];
    if (one.width() + other.width() > FANOUT * 3 / 4) {
      return children;
    }
    Node<V>[] fewer = cut(children, left + 1);
    if (one instanceof Leaf<V> a && other instanceof Leaf<V> b) {
      fewer[left] = new Leaf<>(concat(a.objects, b.objects));
    } else if (one instanceof Branch<V> a && other instanceof Branch<V> b) {
      fewer[left] = new Branch<>(concat(a.children, b.children));
    } else {
      throw new IllegalStateException("nodes of different heights side by side");
    }
    return fewer;
  }

  private static <T> T[] insert(T[] array, int at, T element) {
    T[] grown = Arrays.copyOf(array, array.length + 1);
    System.arraycopy(array, at, grown, at + 1, array.length - at);
    grown[at] = element;
    return grown;
  }

  private static <T> T[] cut(T[] array, int at) {
    T[] rest = Arrays.copyOf(array, array.length - 1);
    System.arraycopy(array, at + 1, rest, at, array.length - at - 1);
    return rest;
  }

  private static <T> T[] concat(T[] one, T[] other) {
    T[] both = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, both, one.length, other.length);
    return both;
  }

  private sealed interface Node<V extends Keyed> {
    int size();

    int width();

    String firstKey();
  }

  private static final class Leaf<V extends Keyed> implements Node<V> {
    private final V[] objects;

    Leaf(V[] objects) {
      this.objects = objects;
    }

    @Override
    public int size() {
      return objects.length;
    }

    @Override
    public int width() {
      return objects.length;
    }

    @Override
    public String firstKey() {
      return objects.length == 0 ? "" : objects[0].key();
    }

    /** The index of the key, or {@code -insertionPoint - 1}. */
    int find(String key) {
      int low = 0;
      int high = objects.length - 1;
      while (low <= high) {
        int middle = (low + high) >>> 1;
        int order = objects[middle].key().compareTo(key);
        if (order < 0) {
          low = middle + 1;
        } else if (order > 0) {
          high = middle - 1;
        } else {
          return middle;
        }
      }
      return -low - 1;
    }
  }

  private static final class Branch<V extends Keyed> implements Node<V> {
    private final Node<V>[] children;
    private final String[] firstKeys;
    private final int size;

    Branch(Node<V>[] children) {
      this.children = children;
      this.firstKeys = new String[children.length];
      int sum = 0;
      for (int i = 0; i < children.length; i++) {
        firstKeys[i] = children[i].firstKey();
        sum += children[i].size();
      }
      this.size = sum;
    }

    @Override
    public int size() {
      return size;
    }

    @Override
    public int width() {
      return children.length;
    }

    @Override
    public String firstKey() {
      return firstKeys[0];
    }

    /** The child that holds the key if any does. */
    int childFor(String key) {
      int low = 1;
      int high = firstKeys.length - 1;
      while (low <= high) {
        int middle = (low + high) >>> 1;
        if (firstKeys[middle].compareTo(key) <= 0) {
          low = middle + 1;
        } else {
          high = middle - 1;
        }
      }
      return low - 1;
    }
  }

  /** A walk over one tree. Owned by one reader. */
  public static final class Walk<V extends Keyed> {

    private final Branch<V>[] path;
    private final int[] position = new int[DEPTH_MAX];
    private Leaf<V> leaf;
    private int at;
    private int depth;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private Walk(Node<V> root, String from) {
      path = new Branch[DEPTH_MAX];
      Node<V> node = root;
      while (node instanceof Branch<V> branch) {
        int child = branch.childFor(from);
        path[depth] = branch;
        position[depth++] = child;
        node = branch.children[child];
      }
      leaf = (Leaf<V>) node;
      int found = leaf.find(from);
      at = found >= 0 ? found : -found - 1;
    }

    /** The next object, null at the end. */
    public @Nullable V next() {
      while (at >= leaf.objects.length) {
        if (!toNextLeaf()) {
          return null;
        }
      }
      return leaf.objects[at++];
    }

    private boolean toNextLeaf() {
      int level = depth - 1;
      while (level >= 0 && position[level] + 1 >= path[level].children.length) {
        level--;
      }
      if (level < 0) {
        return false;
      }
      position[level]++;
      Node<V> node = path[level].children[position[level]];
      depth = level + 1;
      while (node instanceof Branch<V> branch) {
        path[depth] = branch;
        position[depth++] = 0;
        node = branch.children[0];
      }
      leaf = (Leaf<V>) node;
      at = 0;
      return true;
    }
  }
}
