package dev.evenkeel.kernel.quantity;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Amounts of named resources, in the order of their names. Never changed. */
public record Amounts(SortedMap<String, Quantity> byName) {

  public static final Amounts NONE = new Amounts(new TreeMap<>());

  public static final Quantity ONE = Quantity.of(1);

  public Amounts {
    byName = Collections.unmodifiableSortedMap(byName);
  }

  /** The entries of a resource list such as {@code requests}; what is no quantity is left out. */
  public static Amounts of(JsonNode list) {
    if (list.isEmpty()) {
      return NONE;
    }
    SortedMap<String, Quantity> amounts = new TreeMap<>();
    list.forEachEntry(
        (name, value) -> {
          Quantity quantity = Quantity.tryRead(value);
          if (quantity != null) {
            amounts.put(name, quantity);
          }
        });
    return new Amounts(amounts);
  }

  public @Nullable Quantity get(String name) {
    return byName.get(name);
  }

  public Quantity orZero(String name) {
    return byName.getOrDefault(name, Quantity.ZERO);
  }

  public Set<String> names() {
    return byName.keySet();
  }

  public boolean isEmpty() {
    return byName.isEmpty();
  }

  public Amounts plus(Amounts other) {
    return merged(other, Quantity::plus);
  }

  /** The greater of both, by name. */
  public Amounts max(Amounts other) {
    return merged(other, Quantity::max);
  }

  private Amounts merged(Amounts other, java.util.function.BinaryOperator<Quantity> merge) {
    if (other.isEmpty()) {
      return this;
    }
    if (isEmpty()) {
      return other;
    }
    SortedMap<String, Quantity> merged = new TreeMap<>(byName);
    other.byName.forEach((name, amount) -> merged.merge(name, amount, merge));
    return new Amounts(merged);
  }

  /** With what is only in the other one below zero. */
  public Amounts minus(Amounts other) {
    SortedMap<String, Quantity> rest = new TreeMap<>(byName);
    other.byName.forEach((name, amount) -> rest.put(name, orZero(name).minus(amount)));
    return new Amounts(rest);
  }

  /** Those whose name passes. */
  public Amounts only(Predicate<String> names) {
    SortedMap<String, Quantity> some = new TreeMap<>();
    byName.forEach(
        (name, amount) -> {
          if (names.test(name)) {
            some.put(name, amount);
          }
        });
    return new Amounts(some);
  }

  public Amounts withoutZeros() {
    return only(name -> !orZero(name).isZero());
  }

  public Amounts positive() {
    return only(name -> orZero(name).signum() > 0);
  }

  /** With these in place of its own, by name. */
  public Amounts replacedBy(Amounts other) {
    SortedMap<String, Quantity> replaced = new TreeMap<>(byName);
    replaced.putAll(other.byName);
    return new Amounts(replaced);
  }

  /** As a resource list. */
  public ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    byName.forEach((name, amount) -> json.put(name, amount.toString()));
    return json;
  }

  /** {@code cpu=1,memory=2Gi}, as messages have it. */
  @Override
  public String toString() {
    return byName.entrySet().stream()
        .map((Map.Entry<String, Quantity> e) -> e.getKey() + "=" + e.getValue())
        .collect(Collectors.joining(","));
  }
}
