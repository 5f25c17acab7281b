package dev.evenkeel.decide.schedule.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One condition on a label or on the name of a node.
 *
 * @param values one whole number for the comparisons
 */
public record NodeRequirement(String key, Operator operator, List<String> values) {

  /** What is asked of the value. */
  public enum Operator {
    IN,
    /** True also where there is no value. */
    NOT_IN,
    EXISTS,
    DOES_NOT_EXIST,
    GREATER_THAN,
    LESS_THAN,
    /** One that nothing satisfies: it was written in a word that is none. */
    NEVER;

    static Operator of(String word) {
      return switch (word) {
        case "In" -> IN;
        case "NotIn" -> NOT_IN;
        case "Exists" -> EXISTS;
        case "DoesNotExist" -> DOES_NOT_EXIST;
        case "Gt" -> GREATER_THAN;
        case "Lt" -> LESS_THAN;
        default -> NEVER;
      };
    }
  }

  public NodeRequirement {
    values = List.copyOf(values);
  }

  public boolean matches(@Nullable String value) {
    return switch (operator) {
      case IN -> value != null && values.contains(value);
      case NOT_IN -> value == null || !values.contains(value);
      case EXISTS -> value != null;
      case DOES_NOT_EXIST -> value == null;
      case GREATER_THAN -> value != null && compares(value, 1);
      case LESS_THAN -> value != null && compares(value, -1);
      case NEVER -> false;
    };
  }

  private boolean compares(String value, int sign) {
    if (values.size() != 1) {
      return false;
    }
    try {
      return Long.compare(Long.parseLong(value), Long.parseLong(values.getFirst())) == sign;
    } catch (NumberFormatException e) {
      return false;
    }
  }
}
