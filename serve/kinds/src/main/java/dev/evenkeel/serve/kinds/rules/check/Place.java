package dev.evenkeel.serve.kinds.rules.check;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.schema.Problems;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A value in an object, or where it would be, together with the way to it and where its faults are
 * told. The way becomes text only when there is a fault: almost all objects have none.
 */
public final class Place {

  private final @Nullable Place parent;
  private final String step;
  private final JsonNode node;
  private final Problems problems;

  private Place(@Nullable Place parent, String step, JsonNode node, Problems problems) {
    this.parent = parent;
    this.step = step;
    this.node = node;
    this.problems = problems;
  }

  /** The whole object. */
  public static Place of(ObjectNode object, Problems problems) {
    return new Place(null, "", object, problems);
  }

  /** A value that stands somewhere else than its path says. */
  public static Place of(String path, JsonNode node, Problems problems) {
    return new Place(null, path, node, problems);
  }

  /** A field, or a field of a field. */
  public Place at(String... fields) {
    Place here = this;
    for (String field : fields) {
      here = new Place(here, field, here.node.path(field), problems);
    }
    return here;
  }

  /** The same path for another value: for faults that are told where they are not. */
  public Place holding(JsonNode other) {
    return new Place(parent, step, other, problems);
  }

  /** The same with the keys of a map in their order, which is how refusals show it. */
  public Place sorted() {
    if (!(node instanceof ObjectNode map)) {
      return this;
    }
    ObjectNode ordered = JsonNodeFactory.instance.objectNode();
    new TreeSet<>(map.propertyNames()).forEach(key -> ordered.set(key, map.get(key)));
    return holding(ordered);
  }

  /** The entry of a map. */
  public Place key(String key) {
    return new Place(this, "[" + key + "]", node.path(key), problems);
  }

  /** The item of a list. */
  public Place item(int index) {
    return new Place(this, "[" + index + "]", node.path(index), problems);
  }

  /** The items of a list; none if it is no list. */
  public List<Place> items() {
    if (!node.isArray() || node.isEmpty()) {
      return List.of();
    }
    List<Place> items = new ArrayList<>(node.size());
    for (int i = 0; i < node.size(); i++) {
      items.add(item(i));
    }
    return items;
  }

  /** The entries of a map; none if it is no map. */
  public List<Place> entries() {
    if (!node.isObject() || node.isEmpty()) {
      return List.of();
    }
    List<Place> entries = new ArrayList<>(node.size());
    for (String name : node.propertyNames()) {
      entries.add(key(name));
    }
    return entries;
  }

  /** The key of an entry that {@link #key} or {@link #entries} made. */
  public String entryKey() {
    return step.substring(1, step.length() - 1);
  }

  public JsonNode node() {
    return node;
  }

  public Problems problems() {
    return problems;
  }

  public boolean isThere() {
    return !node.isMissingNode() && !node.isNull();
  }

  /** Whether there is nothing, or nothing in it: an empty string, list or map. */
  public boolean isEmpty() {
    return !isThere()
        || (node.isContainer() && node.isEmpty())
        || (node.isString() && node.stringValue().isEmpty());
  }

  public String text() {
    return Meta.text(node);
  }

  public boolean is(String value) {
    return node.isString() && node.stringValue().equals(value);
  }

  /** The whole number; 0 if there is none. */
  public long number() {
    return node.asLong(0);
  }

  public long number(long whenAbsent) {
    return node.isNumber() ? node.asLong(whenAbsent) : whenAbsent;
  }

  public boolean flag() {
    return node.asBoolean(false);
  }

  public int size() {
    return node.size();
  }

  /** The strings of a list. */
  public List<String> strings() {
    List<String> strings = new ArrayList<>(node.size());
    for (JsonNode item : node) {
      strings.add(Meta.text(item));
    }
    return strings;
  }

  public Map<String, String> stringMap() {
    return Meta.strings(node);
  }

  // What can be wrong.

  public void required(String detail) {
    problems.required(toString(), detail);
  }

  public void required() {
    required("");
  }

  public void invalid(String detail) {
    problems.invalid(toString(), isThere() ? node : MissingNode.getInstance(), detail);
  }

  /** A fault whose message shows another value than the place holds. */
  public void invalid(String value, String detail) {
    problems.invalid(toString(), value, detail);
  }

  /** One fault for each message. */
  public void invalid(List<String> details) {
    for (String detail : details) {
      invalid(detail);
    }
  }

  public void forbidden(String detail) {
    problems.forbidden(toString(), detail);
  }

  public void duplicate() {
    problems.duplicate(toString(), node);
  }

  public void notFound() {
    problems.notFound(toString(), text());
  }

  public void notSupported(Collection<String> supported) {
    if (node.isContainer() || node.isNull()) {
      problems.notSupported(toString(), node, supported);
    } else {
      // A choice that is not there is none of those: an empty one.
      problems.notSupported(toString(), isThere() ? node.asString() : "", supported);
    }
  }

  public void tooLong(int bytesMax) {
    problems.tooLong(toString(), bytesMax);
  }

  public void tooMany(int max) {
    problems.tooMany(toString(), node.size(), max);
  }

  // Checks that many kinds need.

  public void immutable(JsonNode old) {
    if (!Same.same(node, old)) {
      invalid("field is immutable");
    }
  }

  /** If it is there, it must be one of these. */
  public void oneOf(List<String> supported) {
    if (isThere() && !supported.contains(text())) {
      notSupported(supported);
    }
  }

  public void notNegative() {
    if (number() < 0) {
      invalid("must be greater than or equal to 0");
    }
  }

  /** If it is there, it must lie between the two. */
  public void inRange(long min, long max) {
    if (isThere() && (number() < min || number() > max)) {
      invalid("must be between " + min + " and " + max + ", inclusive");
    }
  }

  public void portNumber() {
    if (number() < 1 || number() > 65535) {
      invalid("must be between 1 and 65535, inclusive");
    }
  }

  /** The path, as it stands in errors. */
  @Override
  public String toString() {
    if (parent == null) {
      return step;
    }
    String way = parent.toString();
    return way.isEmpty() || step.startsWith("[") ? way + step : way + "." + step;
  }
}
