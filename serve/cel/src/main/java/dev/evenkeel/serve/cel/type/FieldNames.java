package dev.evenkeel.serve.cel.type;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How fields whose names are no identifiers are called in expressions. */
public final class FieldNames {

  private static final Set<String> RESERVED =
      Set.of(
          "true",
          "false",
          "null",
          "in",
          "as",
          "break",
          "const",
          "continue",
          "else",
          "for",
          "function",
          "if",
          "import",
          "let",
          "loop",
          "package",
          "namespace",
          "return",
          "var",
          "void",
          "while");

  private FieldNames() {}

  /** Whether expressions can use the name as it is: for a variable, say. */
  public static boolean isIdentifier(String name) {
    if (name.isEmpty() || isDigit(name.charAt(0)) || RESERVED.contains(name)) {
      return false;
    }
    return name.chars().allMatch(c -> c == '_' || isDigit((char) c) || isLetter((char) c));
  }

  /** The name in expressions, or null if expressions cannot speak of such a field. */
  public static @Nullable String escaped(String name) {
    if (name.isEmpty() || isDigit(name.charAt(0))) {
      return null;
    }
    if (RESERVED.contains(name)) {
      return "__" + name + "__";
    }
    var escaped = new StringBuilder();
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '_' && i + 1 < name.length() && name.charAt(i + 1) == '_') {
        escaped.append("__underscores__");
        i++;
      } else if (c == '.') {
        escaped.append("__dot__");
      } else if (c == '-') {
        escaped.append("__dash__");
      } else if (c == '/') {
        escaped.append("__slash__");
      } else if (c == '_' || isDigit(c) || isLetter(c)) {
        escaped.append(c);
      } else {
        return null;
      }
    }
    return escaped.toString();
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }
}
