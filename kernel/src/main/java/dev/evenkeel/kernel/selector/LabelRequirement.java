package dev.evenkeel.kernel.selector;

import dev.evenkeel.kernel.schema.FieldError;
import dev.evenkeel.kernel.schema.Problems;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * One condition of a {@link LabelSelector}. Equality is {@link Operator#IN} with one value: so
 * {@code a=b}, {@code a==b} and {@code a in (b)} are the same.
 *
 * @param values sorted, each once; none for {@link Operator#EXISTS} and its opposite, one whole
 *     number for the comparisons
 */
public record LabelRequirement(String key, Operator operator, List<String> values) {

  /** What is asked of the label. Only {@code EXISTS} to {@code NOT_IN} have an object form. */
  public enum Operator {
    EXISTS,
    DOES_NOT_EXIST,
    IN,
    /** True also where the label is missing. */
    NOT_IN,
    GREATER_THAN,
    LESS_THAN
  }

  public LabelRequirement {
    values = List.copyOf(values);
  }

  /**
   * Checks and orders.
   *
   * @throws InvalidSelector with upstream's words for what is wrong
   */
  static LabelRequirement of(String key, Operator operator, Collection<String> values) {
    var problems = new Problems();
    invalidUnlessEmpty(problems, "key", key, LabelSyntax.keyErrors(key));
    checkValueCount(problems, operator, values);
    int index = 0;
    for (String value : values) {
      String path = "values[" + index++ + "][" + key + "]";
      invalidUnlessEmpty(problems, path, value, LabelSyntax.valueErrors(value));
    }
    if (!problems.isEmpty()) {
      throw new InvalidSelector(joined(problems.errors()));
    }
    return new LabelRequirement(key, operator, List.copyOf(new TreeSet<>(values)));
  }

  boolean matches(Map<String, String> labels) {
    @Nullable String value = labels.get(key);
    return switch (operator) {
      case EXISTS -> value != null;
      case DOES_NOT_EXIST -> value == null;
      case IN -> value != null && hasValue(value);
      case NOT_IN -> value == null || !hasValue(value);
      case GREATER_THAN -> value != null && isNumber(value) && compare(value) > 0;
      case LESS_THAN -> value != null && isNumber(value) && compare(value) < 0;
    };
  }

  private boolean hasValue(String value) {
    return values.size() == 1
        ? values.getFirst().equals(value)
        : Collections.binarySearch(values, value) >= 0;
  }

  private int compare(String value) {
    return Long.compare(Long.parseLong(value), Long.parseLong(values.getFirst()));
  }

  /** The API's string form. */
  @Override
  public String toString() {
    boolean single = values.size() == 1;
    String list = String.join(",", values);
    return switch (operator) {
      case EXISTS -> key;
      case DOES_NOT_EXIST -> "!" + key;
      case IN -> single ? key + "=" + list : key + " in (" + list + ")";
      case NOT_IN -> single ? key + "!=" + list : key + " notin (" + list + ")";
      case GREATER_THAN -> key + ">" + list;
      case LESS_THAN -> key + "<" + list;
    };
  }

  private static void checkValueCount(
      Problems problems, Operator operator, Collection<String> values) {
    switch (operator) {
      case EXISTS, DOES_NOT_EXIST -> {
        if (!values.isEmpty()) {
          problems.invalid(
              "values", json(values), "values set must be empty for exists and does not exist");
        }
      }
      case IN, NOT_IN -> {
        if (values.isEmpty()) {
          problems.invalid(
              "values", json(values), "for 'in', 'notin' operators, values set can't be empty");
        }
      }
      case GREATER_THAN, LESS_THAN -> {
        // The string form, the only one that has them, always gives one value.
        for (String value : values) {
          if (!isNumber(value)) {
            problems.invalid(
                "values[0]", value, "for 'Gt', 'Lt' operators, the value must be an integer");
          }
        }
      }
    }
  }

  private static boolean isNumber(String value) {
    try {
      var _ = Long.parseLong(value);
      return true;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static void invalidUnlessEmpty(
      Problems problems, String path, String value, List<String> errors) {
    if (!errors.isEmpty()) {
      problems.invalid(path, value, String.join("; ", errors));
    }
  }

  private static ArrayNode json(Collection<String> values) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    values.forEach(array::add);
    return array;
  }

  private static String joined(List<FieldError> errors) {
    return errors.size() == 1
        ? errors.getFirst().toString()
        : errors.stream().map(FieldError::toString).collect(Collectors.joining(", ", "[", "]"));
  }
}
