package dev.evenkeel.kernel.selector;

import dev.evenkeel.kernel.schema.Problems;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads the string form of a label selector. Used once.
 *
 * <p>The words {@code in} and {@code notin} are operators only where an operator may stand: a label
 * may be called that.
 */
final class LabelSelectorParser {

  private static final String OPERATORS = "in, notin, =, ==, !=, gt, lt";

  private enum Kind {
    WORD,
    SYMBOL,
    END
  }

  private record Token(Kind kind, String text) {
    boolean is(String symbol) {
      return kind == Kind.SYMBOL && text.equals(symbol);
    }

    boolean isEnd() {
      return kind == Kind.END;
    }

    boolean isWord() {
      return kind == Kind.WORD;
    }
  }

  private static final Token END = new Token(Kind.END, "");

  private final String text;
  private int position;
  private Token current;

  LabelSelectorParser(String text) {
    this.text = text;
    this.current = scan();
  }

  /**
   * All requirements, in the order of the text.
   *
   * @throws InvalidSelector if it cannot be read
   */
  List<LabelRequirement> requirements() {
    List<LabelRequirement> requirements = new ArrayList<>();
    if (current.isEnd()) {
      return requirements;
    }
    if (!startsRequirement()) {
      throw expected("!, identifier, or 'end of string'");
    }
    while (true) {
      try {
        requirements.add(requirement());
      } catch (InvalidSelector e) {
        throw new InvalidSelector("unable to parse requirement: " + e.getMessage());
      }
      if (current.isEnd()) {
        return requirements;
      }
      if (!current.is(",")) {
        throw expected("',' or 'end of string'");
      }
      advance();
      if (!startsRequirement()) {
        throw expected("identifier after ','");
      }
    }
  }

  private boolean startsRequirement() {
    return current.isWord() || current.is("!");
  }

  private LabelRequirement requirement() {
    boolean negated = current.is("!");
    if (negated) {
      advance();
    }
    if (!current.isWord()) {
      throw expected("identifier");
    }
    String key = checkedKey(advance().text());
    if (negated) {
      return LabelRequirement.of(key, LabelRequirement.Operator.DOES_NOT_EXIST, List.of());
    }
    if (current.isEnd() || current.is(",")) {
      return LabelRequirement.of(key, LabelRequirement.Operator.EXISTS, List.of());
    }
    Token operator = advance();
    return switch (operator.text()) {
      case "in" -> LabelRequirement.of(key, LabelRequirement.Operator.IN, valueSet());
      case "notin" -> LabelRequirement.of(key, LabelRequirement.Operator.NOT_IN, valueSet());
      case "=", "==" -> LabelRequirement.of(key, LabelRequirement.Operator.IN, value());
      case "!=" -> LabelRequirement.of(key, LabelRequirement.Operator.NOT_IN, value());
      case ">" -> LabelRequirement.of(key, LabelRequirement.Operator.GREATER_THAN, value());
      case "<" -> LabelRequirement.of(key, LabelRequirement.Operator.LESS_THAN, value());
      default -> throw expected(operator, OPERATORS);
    };
  }

  private static String checkedKey(String key) {
    List<String> errors = LabelSyntax.keyErrors(key);
    if (!errors.isEmpty()) {
      var problems = new Problems();
      // Upstream has no path for it here, and says so.
      problems.invalid("<nil>", key, String.join("; ", errors));
      throw new InvalidSelector(problems.errors().getFirst().toString());
    }
    return key;
  }

  /** The one value behind {@code =}: nothing there means empty. */
  private List<String> value() {
    if (current.isEnd() || current.is(",")) {
      return List.of("");
    }
    if (!current.isWord()) {
      throw expected("identifier");
    }
    return List.of(advance().text());
  }

  /** {@code (a,b)}, where nothing between two signs means empty. */
  private Set<String> valueSet() {
    if (!current.is("(")) {
      throw new InvalidSelector("found '" + current.text() + "' expected: '('");
    }
    advance();
    Set<String> values = new LinkedHashSet<>();
    while (true) {
      String value = current.isWord() ? advance().text() : "";
      values.add(value);
      if (current.is(")")) {
        advance();
        return values;
      }
      if (!current.is(",")) {
        throw expected(value.isEmpty() ? "',', ')' or identifier" : "',' or ')'");
      }
      advance();
    }
  }

  private InvalidSelector expected(String what) {
    return expected(current, what);
  }

  private static InvalidSelector expected(Token found, String what) {
    return new InvalidSelector("found '" + found.text() + "', expected: " + what);
  }

  /** Goes on, and gives what was current. */
  private Token advance() {
    Token passed = current;
    current = scan();
    return passed;
  }

  private Token scan() {
    while (position < text.length() && isSpace(text.charAt(position))) {
      position++;
    }
    if (position == text.length()) {
      return END;
    }
    int start = position;
    if (isSymbol(text.charAt(start))) {
      boolean pair = text.startsWith("==", start) || text.startsWith("!=", start);
      position += pair ? 2 : 1;
      return new Token(Kind.SYMBOL, text.substring(start, position));
    }
    while (position < text.length()
        && !isSymbol(text.charAt(position))
        && !isSpace(text.charAt(position))) {
      position++;
    }
    return new Token(Kind.WORD, text.substring(start, position));
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
  }

  private static boolean isSymbol(char c) {
    return switch (c) {
      case '=', '!', '(', ')', ',', '>', '<' -> true;
      default -> false;
    };
  }
}
