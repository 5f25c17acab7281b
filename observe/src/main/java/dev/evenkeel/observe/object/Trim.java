package dev.evenkeel.observe.object;

import dev.evenkeel.kernel.json.JsonCursor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Fields that are dropped as objects arrive, so that what nobody reads is not held. A path goes
 * through objects, not into arrays: {@code ["metadata", "managedFields"]}.
 *
 * <p>A trimmed object must not be written back as a whole: what was dropped would be deleted.
 * Writes that say what they change, patches and apply, are safe.
 */
public final class Trim {

  private static final Set<String> NEEDED =
      Set.of("name", "namespace", "uid", "resourceVersion", "labels", "ownerReferences");

  /** Nothing is dropped. */
  public static final Trim NONE = new Trim(List.of());

  /**
   * Drops {@code metadata.managedFields}: often half of an object, and of interest to the server
   * only. What caches do unless told otherwise.
   */
  public static final Trim MANAGED_FIELDS = new Trim(List.of(List.of("metadata", "managedFields")));

  private final Set<String> paths = new TreeSet<>();
  private final Node root = new Node("");

  private Trim(Collection<List<String>> paths) {
    for (List<String> path : paths) {
      check(path);
      this.paths.add(String.join("\u0000", path));
      Node node = root;
      for (String step : path) {
        node = node.childOrNew(step);
      }
      node.dropped = true;
    }
  }

  /**
   * Drops the fields at these paths.
   *
   * @throws IllegalArgumentException for a field without which an object cannot be told
   */
  public static Trim of(Collection<List<String>> paths) {
    return paths.isEmpty() ? NONE : new Trim(paths);
  }

  private static void check(List<String> path) {
    boolean needed =
        path.isEmpty()
            || (path.size() == 1 && Set.of("apiVersion", "kind", "metadata").contains(path.get(0)))
            || (path.size() > 1 && path.get(0).equals("metadata") && NEEDED.contains(path.get(1)));
    if (needed) {
      throw new IllegalArgumentException(
          "the field '" + String.join(".", path) + "' is needed and cannot be dropped");
    }
  }

  Node root() {
    return root;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Trim trim && paths.equals(trim.paths);
  }

  @Override
  public int hashCode() {
    return paths.hashCode();
  }

  @Override
  public String toString() {
    return paths.stream().map(path -> path.replace('\u0000', '.')).toList().toString();
  }

  /** A step of the paths. */
  static final class Node {
    private final byte[] name;
    private final List<Node> children = new ArrayList<>(1);
    private boolean dropped;

    Node(String name) {
      this.name = name.getBytes(StandardCharsets.UTF_8);
    }

    boolean isDropped() {
      return dropped;
    }

    /** What is to be done with the field where the cursor stands, null if nothing. */
    @Nullable Node childAt(JsonCursor cursor) {
      for (int i = 0; i < children.size(); i++) {
        if (cursor.isNamed(children.get(i).name)) {
          return children.get(i);
        }
      }
      return null;
    }

    private Node childOrNew(String step) {
      byte[] wanted = step.getBytes(StandardCharsets.UTF_8);
      for (Node child : children) {
        if (java.util.Arrays.equals(child.name, wanted)) {
          return child;
        }
      }
      var child = new Node(step);
      children.add(child);
      return child;
    }
  }
}
