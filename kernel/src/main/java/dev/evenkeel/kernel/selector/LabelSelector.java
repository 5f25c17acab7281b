package dev.evenkeel.kernel.selector;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Status;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Selects objects by their labels: all requirements must hold. Immutable; two selectors that ask
 * the same are equal and have the same {@link #toString}, which {@link #parse} reads back.
 */
public final class LabelSelector {

  /** A longer string form is refused: nobody types that. */
  public static final int TEXT_CHARS_MAX = 65_536;

  public static final int REQUIREMENTS_MAX = 1_000;

  /** In all requirements together. */
  public static final int VALUES_MAX = 10_000;

  private static final Comparator<LabelRequirement> ORDER =
      Comparator.comparing(LabelRequirement::key).thenComparing(LabelRequirement::toString);

  public static final LabelSelector EVERYTHING = new LabelSelector(List.of());

  /**
   * What a missing selector means in objects. The string form has no word for it; a contradiction
   * says the same and needs no exception anywhere.
   */
  public static final LabelSelector NOTHING = parse("none,!none");

  private final List<LabelRequirement> requirements;
  private final String canonical;

  private LabelSelector(Collection<LabelRequirement> requirements) {
    this.requirements = requirements.stream().sorted(ORDER).distinct().toList();
    this.canonical =
        String.join(",", this.requirements.stream().map(LabelRequirement::toString).toList());
  }

  /**
   * Reads the string form: {@code a=b,a==b,a!=b,a in (x,y),a notin (x),a,!a,a>1,a<2}.
   *
   * @throws ApiException a bad request, in upstream's words
   */
  public static LabelSelector parse(String text) {
    if (text.length() > TEXT_CHARS_MAX) {
      throw tooLarge("characters", text.length(), TEXT_CHARS_MAX);
    }
    try {
      return of(new LabelSelectorParser(text).requirements());
    } catch (InvalidSelector e) {
      throw badRequest(e);
    }
  }

  /**
   * Reads the object form: {@code matchLabels} and {@code matchExpressions}. Without either it
   * selects everything; if it is missing itself, {@link #NOTHING}.
   *
   * @throws ApiException a bad request, in upstream's words
   */
  public static LabelSelector fromJson(JsonNode selector) {
    if (selector.isMissingNode() || selector.isNull()) {
      return NOTHING;
    }
    try {
      if (!selector.isObject()) {
        throw new InvalidSelector("a label selector must be an object");
      }
      List<LabelRequirement> requirements = new ArrayList<>();
      addLabels(selector.path("matchLabels"), requirements);
      addExpressions(selector.path("matchExpressions"), requirements);
      return of(requirements);
    } catch (InvalidSelector e) {
      throw badRequest(e);
    }
  }

  /**
   * What carries all these labels; everything, if there are none.
   *
   * @throws ApiException a bad request, in upstream's words
   */
  public static LabelSelector ofLabels(Map<String, String> labels) {
    try {
      return of(labels.entrySet().stream().map(e -> equal(e.getKey(), e.getValue())).toList());
    } catch (InvalidSelector e) {
      throw badRequest(e);
    }
  }

  private static LabelSelector of(Collection<LabelRequirement> requirements) {
    if (requirements.size() > REQUIREMENTS_MAX) {
      throw tooLarge("requirements", requirements.size(), REQUIREMENTS_MAX);
    }
    int values = requirements.stream().mapToInt(r -> r.values().size()).sum();
    if (values > VALUES_MAX) {
      throw tooLarge("values", values, VALUES_MAX);
    }
    return requirements.isEmpty() ? EVERYTHING : new LabelSelector(requirements);
  }

  public boolean matches(Map<String, String> labels) {
    for (LabelRequirement requirement : requirements) {
      if (!requirement.matches(labels)) {
        return false;
      }
    }
    return true;
  }

  /** Whether it selects whatever there is. */
  public boolean isEverything() {
    return requirements.isEmpty();
  }

  /** In canonical order. */
  public List<LabelRequirement> requirements() {
    return requirements;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof LabelSelector selector && canonical.equals(selector.canonical));
  }

  @Override
  public int hashCode() {
    return canonical.hashCode();
  }

  /** The canonical string form: requirements and values in order and once, {@code =} for one. */
  @Override
  public String toString() {
    return canonical;
  }

  private static void addLabels(JsonNode labels, List<LabelRequirement> requirements) {
    if (labels.isMissingNode() || labels.isNull()) {
      return;
    }
    if (!labels.isObject()) {
      throw new InvalidSelector("matchLabels: must be a map of strings");
    }
    labels.forEachEntry((key, value) -> requirements.add(equal(key, string(value, "matchLabels"))));
  }

  private static void addExpressions(JsonNode expressions, List<LabelRequirement> requirements) {
    if (expressions.isMissingNode() || expressions.isNull()) {
      return;
    }
    if (!expressions.isArray()) {
      throw new InvalidSelector("matchExpressions: must be a list");
    }
    for (JsonNode expression : expressions) {
      String key = string(expression.path("key"), "key");
      LabelRequirement.Operator operator = operator(expression.path("operator"));
      requirements.add(LabelRequirement.of(key, operator, values(expression.path("values"))));
    }
  }

  private static LabelRequirement.Operator operator(JsonNode node) {
    String word = string(node, "operator");
    return switch (word) {
      case "In" -> LabelRequirement.Operator.IN;
      case "NotIn" -> LabelRequirement.Operator.NOT_IN;
      case "Exists" -> LabelRequirement.Operator.EXISTS;
      case "DoesNotExist" -> LabelRequirement.Operator.DOES_NOT_EXIST;
      default ->
          throw new InvalidSelector("\"" + word + "\" is not a valid label selector operator");
    };
  }

  private static List<String> values(JsonNode node) {
    if (node.isMissingNode() || node.isNull()) {
      return List.of();
    }
    if (!node.isArray()) {
      throw new InvalidSelector("values: must be a list of strings");
    }
    List<String> values = new ArrayList<>(node.size());
    node.forEach(value -> values.add(string(value, "values")));
    return values;
  }

  private static String string(JsonNode node, String field) {
    if (node.isMissingNode() || node.isNull()) {
      return "";
    }
    if (!node.isString()) {
      throw new InvalidSelector(field + ": must be a string");
    }
    return node.stringValue();
  }

  private static LabelRequirement equal(String key, String value) {
    return LabelRequirement.of(key, LabelRequirement.Operator.IN, List.of(value));
  }

  private static ApiException badRequest(InvalidSelector e) {
    return Status.badRequest(String.valueOf(e.getMessage())).asException();
  }

  private static ApiException tooLarge(String what, int actual, int max) {
    return Status.badRequest(
            "the label selector is too large: %d %s, at most %d".formatted(actual, what, max))
        .asException();
  }
}
