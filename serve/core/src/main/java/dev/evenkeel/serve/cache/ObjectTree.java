package dev.evenkeel.serve.cache;

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
public final class ObjectTree {

  /*
   * A B+ tree with fan-out 64. One change copies a leaf and its branches: with 100,000 objects three
   * nodes, about 600 bytes. Sizes in the branches answer "how many follow" without walking them.
   */
  private static final int FANOUT = 64;

  public static final ObjectTree EMPTY = new ObjectTree(new Leaf(new CachedObject[0]));

  private final Node root;

  private ObjectTree(Node root) {
    this.root = root;
  }

  /** A tree of objects that come in the order of their keys. */
  static ObjectTree ofSorted(List<CachedObject> objects) {
    if (objects.isEmpty()) {
      return EMPTY;
    }
    // Three quarters full: the next few changes split nothing.
    int each = FANOUT * 3 / 4;
    List<Node> level = new ArrayList<>();
    for (int i = 0; i < objects.size(); i += each) {
      level.add(
          new Leaf(
              objects.subList(i, Math.min(i + each, objects.size())).toArray(new CachedObject[0])));
    }
    while (level.size() > 1) {
      List<Node> above = new ArrayList<>();
      for (int i = 0; i < level.size(); i += each) {
        above.add(
            new Branch(level.subList(i, Math.min(i + each, level.size())).toArray(new Node[0])));
      }
      level = above;
    }
    return new ObjectTree(level.get(0));
  }

  public int size() {
    return root.size();
  }

  public @Nullable CachedObject get(String key) {
    Node node = root;
    while (node instanceof Branch branch) {
      node = branch.children[branch.childFor(key)];
    }
    Leaf leaf = (Leaf) node;
    int at = leaf.find(key);
    return at >= 0 ? leaf.objects[at] : null;
  }

  /** With the object, in place of one with the same key if there was one. */
  ObjectTree with(CachedObject object) {
    Node[] replaced = put(root, object);
    return new ObjectTree(replaced.length == 1 ? replaced[0] : new Branch(replaced));
  }

  /** Without the object of that key. */
  ObjectTree without(String key) {
    if (get(key) == null) {
      return this;
    }
    Node rest = remove(root, key);
    if (rest == null) {
      return EMPTY;
    }
    while (rest instanceof Branch branch && branch.children.length == 1) {
      rest = branch.children[0];
    }
    return new ObjectTree(rest);
  }

  /** How many keys are below the given one. */
  public int rank(String key) {
    int before = 0;
    Node node = root;
    while (node instanceof Branch branch) {
      int child = branch.childFor(key);
      for (int i = 0; i < child; i++) {
        before += branch.children[i].size();
      }
      node = branch.children[child];
    }
    int at = ((Leaf) node).find(key);
    return before + (at >= 0 ? at : -at - 1);
  }

  /** Walks the objects from the first key that is not below the given one. */
  public Walk from(String key) {
    return new Walk(root, key);
  }

  private static Node[] put(Node node, CachedObject object) {
    return switch (node) {
      case Leaf leaf -> {
        int at = leaf.find(object.key());
        if (at >= 0) {
          CachedObject[] copy = leaf.objects.clone();
          copy[at] = object;
          yield new Node[] {new Leaf(copy)};
        }
        CachedObject[] grown = insert(leaf.objects, -at - 1, object);
        if (grown.length <= FANOUT) {
          yield new Node[] {new Leaf(grown)};
        }
        int middle = splitPoint(grown.length, -at - 1);
        yield new Node[] {
          new Leaf(Arrays.copyOfRange(grown, 0, middle)),
          new Leaf(Arrays.copyOfRange(grown, middle, grown.length))
        };
      }
      case Branch branch -> {
        int child = branch.childFor(object.key());
        Node[] replaced = put(branch.children[child], object);
        if (replaced.length == 1) {
          Node[] copy = branch.children.clone();
          copy[child] = replaced[0];
          yield new Node[] {new Branch(copy)};
        }
        Node[] grown = insert(branch.children, child + 1, replaced[1]);
        grown[child] = replaced[0];
        if (grown.length <= FANOUT) {
          yield new Node[] {new Branch(grown)};
        }
        int middle = splitPoint(grown.length, child);
        yield new Node[] {
          new Branch(Arrays.copyOfRange(grown, 0, middle)),
          new Branch(Arrays.copyOfRange(grown, middle, grown.length))
        };
      }
    };
  }

  /** Names often come in order: a node that grows at its end is left nearly full. */
  private static int splitPoint(int length, int insertedAt) {
    return insertedAt >= length - 2 ? length - 2 : length / 2;
  }

  private static @Nullable Node remove(Node node, String key) {
    return switch (node) {
      case Leaf leaf -> {
        int at = leaf.find(key);
        CachedObject[] rest = cut(leaf.objects, at);
        yield rest.length == 0 ? null : new Leaf(rest);
      }
      case Branch branch -> {
        int child = branch.childFor(key);
        Node rest = remove(branch.children[child], key);
        if (rest == null) {
          Node[] fewer = cut(branch.children, child);
          yield fewer.length == 0 ? null : new Branch(fewer);
        }
        Node[] copy = branch.children.clone();
        copy[child] = rest;
        yield new Branch(joined(copy, child));
      }
    };
  }

  /** Joins a node that has become small with a neighbour, so that deletes leave no thin tree. */
  private static Node[] joined(Node[] children, int child) {
    if (children.length == 1 || children[child].width() > FANOUT / 4) {
      return children;
    }
    int left = child == 0 ? 0 : child - 1;
    Node one = children[left];
    Node other = children[left + 1];
    if (one.width() + other.width() > FANOUT * 3 / 4) {
      return children;
    }
    Node[] fewer = cut(children, left + 1);
    if (one instanceof Leaf a && other instanceof Leaf b) {
      fewer[left] = new Leaf(concat(a.objects, b.objects));
    } else if (one instanceof Branch a && other instanceof Branch b) {
      fewer[left] = new Branch(concat(a.children, b.children));
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

  private sealed interface Node {
    int size();

    int width();

    String firstKey();
  }

  private static final class Leaf implements Node {
    private final CachedObject[] objects;

    Leaf(CachedObject[] objects) {
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

  private static final class Branch implements Node {
    private final Node[] children;
    private final String[] firstKeys;
    private final int size;

    Branch(Node[] children) {
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
  public static final class Walk {

    private final Node[] path = new Node[16];
    private final int[] position = new int[16];
    private int depth;

    private Walk(Node root, String from) {
      Node node = root;
      while (node instanceof Branch branch) {
        int child = branch.childFor(from);
        path[depth] = branch;
        position[depth++] = child;
        node = branch.children[child];
      }
      int at = ((Leaf) node).find(from);
      path[depth] = node;
      position[depth] = at >= 0 ? at : -at - 1;
    }

    /** The next object, null at the end. */
    public @Nullable CachedObject next() {
      Leaf leaf = (Leaf) path[depth];
      while (position[depth] >= leaf.objects.length) {
        if (!toNextLeaf()) {
          return null;
        }
        leaf = (Leaf) path[depth];
      }
      return leaf.objects[position[depth]++];
    }

    private boolean toNextLeaf() {
      int level = depth - 1;
      while (level >= 0 && position[level] + 1 >= ((Branch) path[level]).children.length) {
        level--;
      }
      if (level < 0) {
        return false;
      }
      position[level]++;
      Node node = ((Branch) path[level]).children[position[level]];
      int at = level + 1;
      while (node instanceof Branch branch) {
        path[at] = branch;
        position[at++] = 0;
        node = branch.children[0];
      }
      path[at] = node;
      position[at] = 0;
      depth = at;
      return true;
    }
  }
}
