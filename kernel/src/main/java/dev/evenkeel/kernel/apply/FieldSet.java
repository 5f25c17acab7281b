package dev.evenkeel.kernel.apply;

import dev.evenkeel.kernel.json.JsonException;
import dev.evenkeel.kernel.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A set of paths into an object, as a tree. A path may be in the set without those above or below
 * it.
 *
 * <p>Invariants: nodes are sorted, each is in the set itself or has something below it that is;
 * nothing ever changes.
 */
public final class FieldSet {

  public static final FieldSet EMPTY = new FieldSet(List.of());

  /** The key that says of a node with others below it that it is in the set itself. */
  private static final String SELF = ".";

  /**
   * A step and what is in the set from there on.
   *
   * @param member whether the path that ends here is in the set
   * @param below the paths that go on
   */
  record Node(PathElement element, boolean member, FieldSet below) {

    /** Null if there is nothing left. */
    static @Nullable Node of(PathElement element, boolean member, FieldSet below) {
      return member || !below.isEmpty() ? new Node(element, member, below) : null;
    }
  }

  private final List<Node> nodes;

  private FieldSet(List<Node> nodes) {
    this.nodes = nodes;
  }

  private static FieldSet of(List<Node> sorted) {
    return sorted.isEmpty() ? EMPTY : new FieldSet(sorted);
  }

  /** The set of paths of field names. */
  public static FieldSet ofNames(List<List<String>> paths) {
    var builder = new Builder();
    for (List<String> path : paths) {
      builder.add(ofNames(path, 0));
    }
    return builder.build();
  }

  private static Node ofNames(List<String> path, int from) {
    var element = new PathElement.FieldName(path.get(from));
    return from == path.size() - 1
        ? new Node(element, true, EMPTY)
        : new Node(element, false, of(List.of(ofNames(path, from + 1))));
  }

  /** Collects nodes in any order; of an element that comes twice, both count. */
  static final class Builder {
    private final TreeMap<PathElement, Node> nodes = new TreeMap<>();

    void add(@Nullable Node node) {
      if (node != null) {
        nodes.merge(
            node.element(),
            node,
            (one, other) ->
                new Node(
                    one.element(),
                    one.member() || other.member(),
                    one.below().union(other.below())));
      }
    }

    void add(PathElement element, boolean member, FieldSet below) {
      add(Node.of(element, member, below));
    }

    FieldSet build() {
      return of(List.copyOf(nodes.values()));
    }
  }

  List<Node> nodes() {
    return nodes;
  }

  public boolean isEmpty() {
    return nodes.isEmpty();
  }

  private @Nullable Node node(PathElement element) {
    int low = 0;
    int high = nodes.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = nodes.get(middle).element().compareTo(element);
      if (order == 0) {
        return nodes.get(middle);
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return null;
  }

  /** Whether the path of this one step is in the set. */
  boolean has(PathElement element) {
    Node node = node(element);
    return node != null && node.member();
  }

  /** What goes on below a step. */
  FieldSet below(PathElement element) {
    Node node = node(element);
    return node == null ? EMPTY : node.below();
  }

  public boolean has(List<PathElement> path) {
    FieldSet here = this;
    for (PathElement element : path.subList(0, path.size() - 1)) {
      here = here.below(element);
    }
    return here.has(path.getLast());
  }

  // ---- algebra

  /** What is in either. */
  public FieldSet union(FieldSet other) {
    if (isEmpty()) {
      return other;
    }
    return other.isEmpty()
        ? this
        : join(
            other,
            true,
            true,
            (one, two) ->
                new Node(
                    one.element(), one.member() || two.member(), one.below().union(two.below())));
  }

  /** What is in both. */
  public FieldSet intersection(FieldSet other) {
    return join(
        other,
        false,
        false,
        (one, two) ->
            Node.of(
                one.element(),
                one.member() && two.member(),
                one.below().intersection(two.below())));
  }

  /** What is in this and not in the other; what is below a path of the other stays. */
  public FieldSet difference(FieldSet other) {
    return other.isEmpty()
        ? this
        : join(
            other,
            true,
            false,
            (one, two) ->
                Node.of(
                    one.element(),
                    one.member() && !two.member(),
                    one.below().difference(two.below())));
  }

  /** What is in this, without the paths of the other and all below them. */
  public FieldSet recursiveDifference(FieldSet other) {
    return other.isEmpty()
        ? this
        : join(
            other,
            true,
            false,
            (one, two) ->
                two.member()
                    ? null
                    : Node.of(
                        one.element(), one.member(), one.below().recursiveDifference(two.below())));
  }

  private interface Meeting {
    @Nullable Node of(Node one, Node other);
  }

  /** Walks two sorted lists at once. */
  private FieldSet join(FieldSet other, boolean keepsOwn, boolean keepsOthers, Meeting meeting) {
    List<Node> joined = new ArrayList<>(nodes.size());
    int i = 0;
    int j = 0;
    while (i < nodes.size() || j < other.nodes.size()) {
      int order =
          i == nodes.size()
              ? 1
              : j == other.nodes.size()
                  ? -1
                  : nodes.get(i).element().compareTo(other.nodes.get(j).element());
      Node node;
      if (order < 0) {
        node = keepsOwn ? nodes.get(i) : null;
        i++;
      } else if (order > 0) {
        node = keepsOthers ? other.nodes.get(j) : null;
        j++;
      } else {
        node = meeting.of(nodes.get(i), other.nodes.get(j));
        i++;
        j++;
      }
      if (node != null) {
        joined.add(node);
      }
    }
    return of(joined);
  }

  /** The paths that nothing in the set goes on from. */
  public FieldSet leaves() {
    List<Node> leaves = new ArrayList<>(nodes.size());
    for (Node node : nodes) {
      leaves.add(
          node.below().isEmpty() ? node : new Node(node.element(), false, node.below().leaves()));
    }
    return of(leaves);
  }

  /**
   * The set with every declared field that has something below it: who owns a part of such a field
   * is taken to own the field.
   */
  FieldSet withNamedFields(@Nullable Schema schema) {
    List<Node> named = new ArrayList<>(nodes.size());
    for (Node node : nodes) {
      boolean declared =
          node.element() instanceof PathElement.FieldName(String name)
              && schema instanceof Schema.Struct struct
              && struct.field(name) != null;
      named.add(
          new Node(
              node.element(),
              node.member() || declared,
              node.below().withNamedFields(Types.below(schema, node.element()))));
    }
    return of(named);
  }

  // ---- paths

  /** A path, from the object down. */
  public record Path(List<PathElement> elements) {
    public Path {
      elements = List.copyOf(elements);
    }

    /** {@code .spec.containers[name="app"].image}. */
    @Override
    public String toString() {
      var text = new StringBuilder();
      elements.forEach(element -> text.append(element.printed()));
      return text.toString();
    }
  }

  /** All paths, at every level those that end there before those that go on. */
  public List<Path> paths() {
    List<Path> paths = new ArrayList<>();
    collect(new ArrayList<>(), paths);
    return paths;
  }

  private void collect(List<PathElement> prefix, List<Path> paths) {
    for (Node node : nodes) {
      if (node.member()) {
        prefix.add(node.element());
        paths.add(new Path(prefix));
        prefix.removeLast();
      }
    }
    for (Node node : nodes) {
      if (!node.below().isEmpty()) {
        prefix.add(node.element());
        node.below().collect(prefix, paths);
        prefix.removeLast();
      }
    }
  }

  // ---- fieldsV1

  /**
   * Reads {@code fieldsV1}.
   *
   * @throws JsonException if it is malformed
   */
  public static FieldSet fromJson(JsonNode json) {
    if (json.isNull()) {
      return EMPTY;
    }
    if (!(json instanceof ObjectNode object)) {
      throw new JsonException("expected an object in managed fields");
    }
    List<Node> nodes = new ArrayList<>(object.size());
    boolean sorted = true;
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      PathElement element = entry.getKey().equals(SELF) ? null : PathElement.parse(entry.getKey());
      if (element != null) {
        FieldSet below = fromJson(entry.getValue());
        nodes.add(new Node(element, below.isEmpty() || entry.getValue().has(SELF), below));
        int size = nodes.size();
        sorted &= size < 2 || nodes.get(size - 2).element().compareTo(element) < 0;
      }
    }
    if (sorted) {
      return of(nodes);
    }
    var builder = new Builder();
    nodes.forEach(builder::add);
    return builder.build();
  }

  /** As {@code fieldsV1}. */
  public ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    for (Node node : nodes) {
      ObjectNode below = node.below().toJson();
      if (node.member() && !below.isEmpty()) {
        ObjectNode withSelf = JsonNodeFactory.instance.objectNode();
        withSelf.set(SELF, JsonNodeFactory.instance.objectNode());
        withSelf.setAll(below);
        below = withSelf;
      }
      json.set(node.element().text(), below);
    }
    return json;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    if (!(other instanceof FieldSet set) || nodes.size() != set.nodes.size()) {
      return false;
    }
    for (int i = 0; i < nodes.size(); i++) {
      Node one = nodes.get(i);
      Node two = set.nodes.get(i);
      if (one.member() != two.member()
          || one.element().compareTo(two.element()) != 0
          || !one.below().equals(two.below())) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int hashCode() {
    // Numbers that are equal may print differently, so only the shape counts.
    int hash = nodes.size();
    for (Node node : nodes) {
      hash = 31 * hash + (node.member() ? 1 : 2) + node.below().hashCode();
    }
    return hash;
  }

  /** One path a line. */
  @Override
  public String toString() {
    return String.join("\n", paths().stream().map(Path::toString).toList());
  }
}
