package dev.evenkeel.serve.kinds.structural;

import com.google.re2j.Pattern;
import dev.evenkeel.kernel.schema.Schema;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One place of a structural schema, compiled. In the parts of {@code allOf}, {@code anyOf}, {@code
 * oneOf} and {@code not} only the limits mean anything.
 *
 * @param type empty where anything may stand
 * @param properties empty if it has none
 * @param additional what the values of a map are; null if it is none
 * @param closed whether no other fields than its own may be there
 * @param openEnded whether fields without a schema are kept
 * @param defaultsInside whether anything in it has a default, itself included
 * @param rules what {@code x-kubernetes-validations} says, as it is written
 */
record Node(
    String type,
    boolean nullable,
    boolean intOrString,
    boolean openEnded,
    boolean embedded,
    Map<String, Node> properties,
    @Nullable Node additional,
    boolean closed,
    @Nullable Node items,
    Schema.ListType listType,
    List<String> listKeys,
    boolean atomic,
    @Nullable JsonNode defaultValue,
    boolean defaultsInside,
    Limits limits,
    List<ObjectNode> rules) {

  /**
   * What values must keep to.
   *
   * @param required fields that must be there
   * @param choices empty if all values are fine
   */
  record Limits(
      List<String> required,
      List<JsonNode> choices,
      @Nullable Pattern pattern,
      String patternText,
      String format,
      @Nullable BigDecimal minimum,
      boolean aboveMinimum,
      @Nullable BigDecimal maximum,
      boolean belowMaximum,
      @Nullable BigDecimal multipleOf,
      Range length,
      Range items,
      Range fields,
      List<Node> allOf,
      List<Node> anyOf,
      List<Node> oneOf,
      @Nullable Node not) {}

  /**
   * From how many to how many; the smallest and the largest number there is where there is no such
   * limit.
   */
  record Range(long min, long max) {
    static final Range ALL = new Range(Long.MIN_VALUE, Long.MAX_VALUE);

    boolean isBelow(long value) {
      return value < min;
    }

    boolean isAbove(long value) {
      return value > max;
    }

    /** How many there can be; negative if nobody says. */
    long most() {
      return max == Long.MAX_VALUE ? -1 : Math.max(max, 0);
    }
  }

  /** What is expected at a field, null if it is unknown. */
  @Nullable Node at(String field) {
    Node known = properties.get(field);
    return known != null ? known : additional;
  }

  boolean isMap() {
    return additional != null;
  }
}
