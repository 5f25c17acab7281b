package dev.evenkeel.kernel.schema;

import java.util.ArrayList;
import java.util.List;

/**
 * Forms that strings of the API take. The messages are the ones that users of Kubernetes know.
 *
 * <p>Checked by hand, character by character: the strings come from anybody, and no regular
 * expression then needs a proof that it does not run away.
 */
public enum TextFormat {
  /** Lower case, digits and {@code -}, at most 63. */
  DNS_LABEL,
  /** DNS labels joined by dots, at most 253. */
  DNS_SUBDOMAIN,
  /** A DNS label that begins with a letter. */
  DNS_1035_LABEL,
  /** The key of a label: a name, with a DNS subdomain and a slash before it if it is not ours. */
  QUALIFIED_NAME,
  /** What a label may be set to. */
  LABEL_VALUE,
  /** The name of a port: lower case, digits and {@code -}, at least one letter, at most 15. */
  PORT_NAME,
  /** A name of an environment variable. */
  ENVIRONMENT_NAME,
  /** A key in the data of a config map or secret. */
  DATA_KEY,
  /** The name of a header of HTTP. */
  HEADER_NAME,
  /** Whatever fits into one segment of a path. */
  PATH_SEGMENT;

  private static final int LABEL_MAX = 63;
  private static final int SUBDOMAIN_MAX = 253;
  private static final int PORT_NAME_MAX = 15;

  private static final String LABEL_PATTERN = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
  private static final String NAME_PATTERN = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
  private static final String NAME_WORDS =
      "alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric"
          + " character";

  /** What is wrong with the text; empty if nothing is. */
  public List<String> problems(String text) {
    return switch (this) {
      case DNS_LABEL -> dnsLabel(text);
      case DNS_SUBDOMAIN -> dnsSubdomain(text);
      case DNS_1035_LABEL -> dns1035Label(text);
      case QUALIFIED_NAME -> qualifiedName(text);
      case LABEL_VALUE -> labelValue(text);
      case PORT_NAME -> portName(text);
      case ENVIRONMENT_NAME -> environmentName(text);
      case DATA_KEY -> dataKey(text);
      case HEADER_NAME -> headerName(text);
      case PATH_SEGMENT -> pathSegment(text);
    };
  }

  private static List<String> dnsLabel(String text) {
    if (text.length() <= LABEL_MAX && isLabel(text, 0, text.length())) {
      return List.of();
    }
    List<String> problems = tooLong(text, LABEL_MAX);
    if (!isLabel(text, 0, text.length())) {
      problems.add(
          isSubdomain(text)
              ? "must not contain dots"
              : pattern(
                  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or"
                      + " '-', and must start and end with an alphanumeric character",
                  LABEL_PATTERN,
                  "my-name",
                  "123-abc"));
    }
    return problems;
  }

  private static List<String> dnsSubdomain(String text) {
    boolean matches = isSubdomain(text);
    if (matches && text.length() <= SUBDOMAIN_MAX) {
      return List.of();
    }
    List<String> problems = tooLong(text, SUBDOMAIN_MAX);
    if (!matches) {
      problems.add(
          pattern(
              "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters,"
                  + " '-' or '.', and must start and end with an alphanumeric character",
              LABEL_PATTERN + "(\\." + LABEL_PATTERN + ")*",
              "example.com"));
    }
    return problems;
  }

  private static List<String> dns1035Label(String text) {
    boolean matches = isLabel(text, 0, text.length()) && isLowerLetter(text.charAt(0));
    if (matches && text.length() <= LABEL_MAX) {
      return List.of();
    }
    List<String> problems = tooLong(text, LABEL_MAX);
    if (!matches) {
      problems.add(
          pattern(
              "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start"
                  + " with an alphabetic character, and end with an alphanumeric character",
              "[a-z]([-a-z0-9]*[a-z0-9])?",
              "my-name",
              "abc-123"));
    }
    return problems;
  }

  private static List<String> qualifiedName(String text) {
    int slash = text.indexOf('/');
    if (slash != text.lastIndexOf('/')) {
      return List.of(
          "a qualified name "
              + pattern(
                  "must consist of " + NAME_WORDS, NAME_PATTERN, "MyName", "my.name", "123-abc")
              + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
    }
    String name = text.substring(slash + 1);
    boolean prefixed = slash >= 0;
    if (isName(name)
        && name.length() <= LABEL_MAX
        && (!prefixed || (slash <= SUBDOMAIN_MAX && isSubdomain(text.substring(0, slash))))) {
      return List.of();
    }
    List<String> problems = new ArrayList<>();
    if (slash == 0) {
      problems.add("prefix part must be non-empty");
    } else if (prefixed) {
      dnsSubdomain(text.substring(0, slash)).forEach(p -> problems.add("prefix part " + p));
    }
    if (name.isEmpty()) {
      problems.add("name part must be non-empty");
    } else if (name.length() > LABEL_MAX) {
      problems.add("name part must be no more than " + LABEL_MAX + " characters");
    }
    if (!isName(name)) {
      problems.add(
          "name part "
              + pattern(
                  "must consist of " + NAME_WORDS, NAME_PATTERN, "MyName", "my.name", "123-abc"));
    }
    return problems;
  }

  private static List<String> labelValue(String text) {
    boolean matches = text.isEmpty() || isName(text);
    if (matches && text.length() <= LABEL_MAX) {
      return List.of();
    }
    List<String> problems = tooLong(text, LABEL_MAX);
    if (!matches) {
      problems.add(
          pattern(
              "a valid label must be an empty string or consist of " + NAME_WORDS,
              "(" + NAME_PATTERN + ")?",
              "MyValue",
              "my_value",
              "12345"));
    }
    return problems;
  }

  private static List<String> portName(String text) {
    List<String> problems = tooLong(text, PORT_NAME_MAX);
    if (text.isEmpty() || !text.chars().allMatch(c -> c == '-' || isLowerAlphanumeric(c))) {
      problems.add("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
    }
    if (text.chars().noneMatch(TextFormat::isLowerLetter)) {
      problems.add("must contain at least one letter (a-z)");
    }
    if (text.contains("--")) {
      problems.add("must not contain consecutive hyphens");
    }
    if (text.startsWith("-") || text.endsWith("-")) {
      problems.add("must not begin or end with a hyphen");
    }
    return problems;
  }

  private static List<String> environmentName(String text) {
    if (text.isEmpty()) {
      return List.of("environment variable name must be non-empty");
    }
    return text.chars().allMatch(c -> c >= ' ' && c <= '~' && c != '=')
        ? List.of()
        : List.of(
            "a valid environment variable name must consist only of printable ASCII characters"
                + " other than '='");
  }

  private static List<String> dataKey(String text) {
    boolean named = !text.isEmpty() && hasNameCharactersOnly(text);
    if (named && text.length() <= SUBDOMAIN_MAX && !text.equals(".") && !text.startsWith("..")) {
      return List.of();
    }
    List<String> problems = tooLong(text, SUBDOMAIN_MAX);
    if (!named) {
      problems.add(
          pattern(
              "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
              "[-._a-zA-Z0-9]+",
              "key.name",
              "KEY_NAME",
              "key-name"));
    }
    if (text.equals(".") || text.equals("..")) {
      problems.add("must not be '" + text + "'");
    } else if (text.startsWith("..")) {
      problems.add("must not start with '..'");
    }
    return problems;
  }

  private static List<String> headerName(String text) {
    return !text.isEmpty() && text.chars().allMatch(c -> c == '-' || isAlphanumeric(c))
        ? List.of()
        : List.of(
            pattern(
                "a valid HTTP header must consist of alphanumeric characters or '-'",
                "[-A-Za-z0-9]+",
                "X-Header-Name"));
  }

  private static List<String> pathSegment(String text) {
    if (text.equals(".") || text.equals("..")) {
      return List.of("may not be '" + text + "'");
    }
    List<String> problems = new ArrayList<>();
    for (String character : List.of("/", "%")) {
      if (text.contains(character)) {
        problems.add("may not contain '" + character + "'");
      }
    }
    return problems;
  }

  private static List<String> tooLong(String text, int max) {
    List<String> problems = new ArrayList<>();
    if (text.length() > max) {
      problems.add("must be no more than " + max + " characters");
    }
    return problems;
  }

  private static String pattern(String words, String pattern, String... examples) {
    var text = new StringBuilder(words).append(" (e.g. ");
    for (int i = 0; i < examples.length; i++) {
      text.append(i > 0 ? " or " : "").append('\'').append(examples[i]).append("', ");
    }
    return text.append("regex used for validation is '").append(pattern).append("')").toString();
  }

  private static boolean isSubdomain(String text) {
    int from = 0;
    while (true) {
      int dot = text.indexOf('.', from);
      int to = dot < 0 ? text.length() : dot;
      if (!isLabel(text, from, to)) {
        return false;
      }
      if (dot < 0) {
        return true;
      }
      from = dot + 1;
    }
  }

  private static boolean isLabel(String text, int from, int to) {
    if (from == to || text.charAt(from) == '-' || text.charAt(to - 1) == '-') {
      return false;
    }
    for (int i = from; i < to; i++) {
      if (text.charAt(i) != '-' && !isLowerAlphanumeric(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isName(String text) {
    if (text.isEmpty()
        || !isAlphanumeric(text.charAt(0))
        || !isAlphanumeric(text.charAt(text.length() - 1))) {
      return false;
    }
    return hasNameCharactersOnly(text);
  }

  private static boolean hasNameCharactersOnly(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (!isNameCharacter(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isNameCharacter(int c) {
    return isAlphanumeric(c) || c == '-' || c == '_' || c == '.';
  }

  private static boolean isAlphanumeric(int c) {
    return isLowerAlphanumeric(c) || (c >= 'A' && c <= 'Z');
  }

  private static boolean isLowerAlphanumeric(int c) {
    return isLowerLetter(c) || (c >= '0' && c <= '9');
  }

  private static boolean isLowerLetter(int c) {
    return c >= 'a' && c <= 'z';
  }
}
