package dev.evenkeel.kernel.selector;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Status;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Selects objects by the values of a few fields: all requirements must hold. Which paths a kind
 * knows is the kind's to say, not checked here. Immutable; two selectors that ask the same are
 * equal and have the same {@link #toString}, which {@link #parse} reads back.
 */
public final class FieldSelector {

  /** A longer selector is refused: nobody types that. */
  public static final int TEXT_CHARS_MAX = 65_536;

  public static final int REQUIREMENTS_MAX = 1_000;

  public static final FieldSelector EVERYTHING = new FieldSelector(List.of());

  /**
   * One condition.
   *
   * @param path as the selector has it, for example {@code spec.nodeName}
   * @param equal whether the value must be that one, or must be another
   */
  public record Requirement(String path, boolean equal, String value) {
    @Override
    public String toString() {
      return path + (equal ? "=" : "!=") + escaped(value);
    }
  }

  private final List<Requirement> requirements;
  private final String canonical;

  private FieldSelector(Collection<Requirement> requirements) {
    this.requirements =
        requirements.stream()
            .sorted(Comparator.comparing(Requirement::toString))
            .distinct()
            .toList();
    this.canonical =
        String.join(",", this.requirements.stream().map(Requirement::toString).toList());
  }

  /**
   * Reads {@code metadata.name=x,spec.nodeName!=y}. In values, {@code \,} {@code \=} and {@code \\}
   * stand for the sign itself.
   *
   * @throws ApiException a bad request, in upstream's words
   */
  public static FieldSelector parse(String text) {
    if (text.length() > TEXT_CHARS_MAX) {
      throw badRequest(
          "the field selector is too large: "
              + text.length()
              + " characters, at most "
              + TEXT_CHARS_MAX);
    }
    List<Requirement> requirements = new ArrayList<>();
    for (String term : terms(text)) {
      Requirement requirement = requirement(text, term);
      // Upstream drops what says nothing at all.
      if (!requirement.path().isEmpty() || !requirement.value().isEmpty()) {
        requirements.add(requirement);
      }
    }
    if (requirements.size() > REQUIREMENTS_MAX) {
      throw badRequest(
          "the field selector is too large: "
              + requirements.size()
              + " requirements, at most "
              + REQUIREMENTS_MAX);
    }
    return requirements.isEmpty() ? EVERYTHING : new FieldSelector(requirements);
  }

  /**
   * Whether an object is selected.
   *
   * @param valueOfPath the object's value for a path, empty where it has none
   */
  public boolean matches(Function<String, String> valueOfPath) {
    for (Requirement requirement : requirements) {
      boolean same = valueOfPath.apply(requirement.path).equals(requirement.value);
      if (same != requirement.equal) {
        return false;
      }
    }
    return true;
  }

  /** The value that the field must have, for a look-up in an index; null if there is no such. */
  public @Nullable String exactValue(String path) {
    for (Requirement requirement : requirements) {
      if (requirement.equal && requirement.path.equals(path)) {
        return requirement.value;
      }
    }
    return null;
  }

  /** Whether it selects whatever there is. */
  public boolean isEverything() {
    return requirements.isEmpty();
  }

  /** In canonical order. */
  public List<Requirement> requirements() {
    return requirements;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof FieldSelector selector && canonical.equals(selector.canonical));
  }

  @Override
  public int hashCode() {
    return canonical.hashCode();
  }

  /** The canonical form: requirements in order, each once. */
  @Override
  public String toString() {
    return canonical;
  }

  /** What stands between commas that no backslash stands before. */
  private static List<String> terms(String text) {
    List<String> terms = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        i++;
      } else if (c == ',') {
        terms.add(text.substring(start, i));
        start = i + 1;
      }
    }
    terms.add(text.substring(start));
    terms.removeIf(String::isEmpty);
    return terms;
  }

  /** Splits at the first operator: paths have no escapes. */
  private static Requirement requirement(String text, String term) {
    int equals = term.indexOf('=');
    if (equals < 0) {
      throw badRequest("invalid selector: '" + text + "'; can't understand '" + term + "'");
    }
    boolean unequal = equals > 0 && term.charAt(equals - 1) == '!';
    boolean twice = !unequal && term.startsWith("==", equals);
    String path = term.substring(0, unequal ? equals - 1 : equals);
    String value = term.substring(equals + (twice ? 2 : 1));
    return new Requirement(path, !unequal, unescaped(value));
  }

  private static String unescaped(String value) {
    var plain = new StringBuilder(value.length());
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == ',' || c == '=') {
        throw badRequest("invalid field selector: unescaped character in value: " + (int) c);
      }
      if (c == '\\') {
        i++;
        if (i == value.length() || !isSpecial(value.charAt(i))) {
          throw badRequest(
              "invalid field selector: invalid escape sequence: \\"
                  + (i == value.length() ? "" : Character.toString(value.codePointAt(i))));
        }
        c = value.charAt(i);
      }
      plain.append(c);
    }
    return plain.toString();
  }

  private static String escaped(String value) {
    var text = new StringBuilder(value.length());
    for (int i = 0; i < value.length(); i++) {
      if (isSpecial(value.charAt(i))) {
        text.append('\\');
      }
      text.append(value.charAt(i));
    }
    return text.toString();
  }

  private static boolean isSpecial(char c) {
    return c == '\\' || c == ',' || c == '=';
  }

  private static ApiException badRequest(String message) {
    return Status.badRequest(message).asException();
  }
}
