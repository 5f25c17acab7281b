package dev.evenkeel.serve.kinds.rules.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The forms that names take. Each check returns what is wrong, most often nothing.
 *
 * <p>By hand and not by regular expressions: these run for every name in every object that is
 * written, and the expressions are only needed as words in the messages.
 */
public final class Names {

  private static final String LABEL_PATTERN = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
  private static final String SUBDOMAIN_PATTERN = LABEL_PATTERN + "(\\." + LABEL_PATTERN + ")*";
  private static final String LABEL_1035_PATTERN = "[a-z]([-a-z0-9]*[a-z0-9])?";
  private static final String QUALIFIED_PATTERN = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
  private static final String QUALIFIED_MESSAGE =
      "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an"
          + " alphanumeric character";

  static final int LABEL_LENGTH_MAX = 63;
  static final int SUBDOMAIN_LENGTH_MAX = 253;
  private static final int PORT_NAME_LENGTH_MAX = 15;

  private Names() {}

  /** A lower case DNS label. */
  public static List<String> dnsLabel(String name) {
    if (isLabel(name) && name.length() <= LABEL_LENGTH_MAX) {
      return List.of();
    }
    List<String> faults = new ArrayList<>();
    lengthMax(name, LABEL_LENGTH_MAX, faults);
    if (!isLabel(name)) {
      faults.add(
          isSubdomain(name)
              ? "must not contain dots"
              : pattern(
                  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or"
                      + " '-', and must start and end with an alphanumeric character",
                  LABEL_PATTERN,
                  "my-name",
                  "123-abc"));
    }
    return faults;
  }

  /** DNS labels joined by dots. */
  public static List<String> dnsSubdomain(String name) {
    if (isSubdomain(name) && name.length() <= SUBDOMAIN_LENGTH_MAX) {
      return List.of();
    }
    List<String> faults = new ArrayList<>();
    lengthMax(name, SUBDOMAIN_LENGTH_MAX, faults);
    if (!isSubdomain(name)) {
      faults.add(
          pattern(
              "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters,"
                  + " '-' or '.', and must start and end with an alphanumeric character",
              SUBDOMAIN_PATTERN,
              "example.com"));
    }
    return faults;
  }

  /** {@code *.} and a DNS subdomain. */
  public static List<String> wildcardSubdomain(String name) {
    List<String> faults = new ArrayList<>();
    lengthMax(name, SUBDOMAIN_LENGTH_MAX, faults);
    if (!name.startsWith("*.") || !isSubdomain(name.substring(2))) {
      faults.add(
          pattern(
              "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS"
                  + " subdomain, which must consist of lower case alphanumeric characters, '-' or"
                  + " '.' and end with an alphanumeric character",
              "\\*\\." + SUBDOMAIN_PATTERN,
              "*.example.com"));
    }
    return faults;
  }

  /** A DNS label that begins with a letter. */
  public static List<String> dns1035Label(String name) {
    boolean wellFormed = isLabel(name) && isLower(name.charAt(0));
    if (wellFormed && name.length() <= LABEL_LENGTH_MAX) {
      return List.of();
    }
    List<String> faults = new ArrayList<>();
    lengthMax(name, LABEL_LENGTH_MAX, faults);
    if (!wellFormed) {
      faults.add(
          pattern(
              "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start"
                  + " with an alphabetic character, and end with an alphanumeric character",
              LABEL_1035_PATTERN,
              "my-name",
              "abc-123"));
    }
    return faults;
  }

  /** The key of a label: a name, before which a DNS subdomain and a slash may stand. */
  public static List<String> qualifiedName(String name) {
    int slash = name.indexOf('/');
    String prefix = slash < 0 ? "" : name.substring(0, slash);
    String rest = name.substring(slash + 1);
    if (rest.indexOf('/') >= 0) {
      return List.of(
          "a qualified name "
              + qualifiedPattern()
              + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
    }
    List<String> faults = new ArrayList<>();
    if (slash == 0) {
      faults.add("prefix part must be non-empty");
    } else if (slash > 0) {
      dnsSubdomain(prefix).forEach(fault -> faults.add("prefix part " + fault));
    }
    if (rest.isEmpty()) {
      faults.add("name part must be non-empty");
    } else if (rest.length() > LABEL_LENGTH_MAX) {
      faults.add("name part must be no more than " + LABEL_LENGTH_MAX + " characters");
    }
    if (!isQualified(rest)) {
      faults.add("name part " + qualifiedPattern());
    }
    return faults;
  }

  private static String qualifiedPattern() {
    return pattern(QUALIFIED_MESSAGE, QUALIFIED_PATTERN, "MyName", "my.name", "123-abc");
  }

  /** What a label may be set to. */
  public static List<String> labelValue(String value) {
    boolean wellFormed = value.isEmpty() || isQualified(value);
    if (wellFormed && value.length() <= LABEL_LENGTH_MAX) {
      return List.of();
    }
    List<String> faults = new ArrayList<>();
    lengthMax(value, LABEL_LENGTH_MAX, faults);
    if (!wellFormed) {
      faults.add(
          pattern(
              "a valid label must be an empty string or consist of alphanumeric characters, '-',"
                  + " '_' or '.', and must start and end with an alphanumeric character",
              "(" + QUALIFIED_PATTERN + ")?",
              "MyValue",
              "my_value",
              "12345"));
    }
    return faults;
  }

  /** The name of a port. */
  public static List<String> portName(String name) {
    List<String> faults = new ArrayList<>();
    lengthMax(name, PORT_NAME_LENGTH_MAX, faults);
    if (name.isEmpty() || !name.chars().allMatch(c -> isLowerOrDigit((char) c) || c == '-')) {
      faults.add("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
    }
    if (name.chars().noneMatch(c -> isLower((char) c))) {
      faults.add("must contain at least one letter (a-z)");
    }
    if (name.contains("--")) {
      faults.add("must not contain consecutive hyphens");
    }
    if (name.startsWith("-") || name.endsWith("-")) {
      faults.add("must not begin or end with a hyphen");
    }
    return faults;
  }

  /** The name of an environment variable: anything printable but {@code =}. */
  public static List<String> environmentName(String name) {
    if (name.isEmpty()) {
      return List.of("environment variable name must be non-empty");
    }
    return name.chars().allMatch(c -> c >= ' ' && c <= '~' && c != '=')
        ? List.of()
        : List.of(
            "a valid environment variable name must consist only of printable ASCII characters"
                + " other than '='");
  }

  /** A key in the data of a config map or secret. */
  public static List<String> dataKey(String key) {
    List<String> faults = new ArrayList<>();
    lengthMax(key, SUBDOMAIN_LENGTH_MAX, faults);
    if (key.isEmpty() || !key.chars().allMatch(c -> isQualifiedPart((char) c))) {
      faults.add(
          pattern(
              "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
              "[-._a-zA-Z0-9]+",
              "key.name",
              "KEY_NAME",
              "key-name"));
    }
    if (key.equals(".") || key.equals("..")) {
      faults.add("must not be '" + key + "'");
    } else if (key.startsWith("..")) {
      faults.add("must not start with '..'");
    }
    return faults;
  }

  /** What fits into one segment of a path. */
  public static List<String> pathSegment(String name) {
    if (name.equals(".") || name.equals("..")) {
      return List.of("may not be '" + name + "'");
    }
    List<String> faults = new ArrayList<>();
    for (String character : List.of("/", "%")) {
      if (name.contains(character)) {
        faults.add("may not contain '" + character + "'");
      }
    }
    return faults;
  }

  public static List<String> headerName(String name) {
    boolean wellFormed =
        !name.isEmpty() && name.chars().allMatch(c -> c == '-' || isAlphanumeric((char) c));
    return wellFormed
        ? List.of()
        : List.of(
            pattern(
                "a valid HTTP header must consist of alphanumeric characters or '-'",
                "[-A-Za-z0-9]+",
                "X-Header-Name"));
  }

  /** A domain and a path, such as {@code acme.io/foo}. */
  public static List<String> domainPrefixedPath(String text) {
    int slash = text.indexOf('/');
    if (slash <= 0 || slash == text.length() - 1) {
      return List.of("must be a domain-prefixed path (such as \"acme.io/foo\")");
    }
    List<String> faults = new ArrayList<>(dnsSubdomain(text.substring(0, slash)));
    boolean wellFormed =
        text.substring(slash + 1)
            .chars()
            .allMatch(c -> isAlphanumeric((char) c) || "/-._~%!$&'()*+,;=:".indexOf(c) >= 0);
    if (!wellFormed) {
      faults.add("Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')");
    }
    return faults;
  }

  /** A name in some domain; at least so many labels. */
  public static List<String> qualifiedDomain(String name, int labelsMin) {
    List<String> faults = dnsSubdomain(name);
    if (!faults.isEmpty()) {
      return List.of(String.join(",", faults));
    }
    long labels = name.chars().filter(c -> c == '.').count() + 1;
    return labels >= labelsMin
        ? List.of()
        : List.of(
            "should be a domain with at least "
                + (labelsMin == 2 ? "two" : "three")
                + " segments separated by dots");
  }

  public static List<String> csiDriver(String name) {
    return dnsSubdomain(name.toLowerCase(Locale.ROOT));
  }

  private static boolean isLabel(String text) {
    if (text.isEmpty() || text.startsWith("-") || text.endsWith("-")) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!isLowerOrDigit(c) && c != '-') {
        return false;
      }
    }
    return true;
  }

  private static boolean isSubdomain(String text) {
    int from = 0;
    for (int dot; (dot = text.indexOf('.', from)) >= 0; from = dot + 1) {
      if (!isLabel(text.substring(from, dot))) {
        return false;
      }
    }
    return isLabel(text.substring(from));
  }

  private static boolean isQualified(String text) {
    if (text.isEmpty()
        || !isAlphanumeric(text.charAt(0))
        || !isAlphanumeric(text.charAt(text.length() - 1))) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (!isQualifiedPart(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isQualifiedPart(char c) {
    return isAlphanumeric(c) || c == '-' || c == '_' || c == '.';
  }

  private static boolean isAlphanumeric(char c) {
    return isLowerOrDigit(c) || (c >= 'A' && c <= 'Z');
  }

  private static boolean isLowerOrDigit(char c) {
    return isLower(c) || (c >= '0' && c <= '9');
  }

  private static boolean isLower(char c) {
    return c >= 'a' && c <= 'z';
  }

  private static void lengthMax(String name, int max, List<String> faults) {
    if (name.length() > max) {
      faults.add("must be no more than " + max + " characters");
    }
  }

  private static String pattern(String message, String pattern, String... examples) {
    String quoted = "'" + String.join("',  or '", examples) + "', ";
    return message + " (e.g. " + quoted + "regex used for validation is '" + pattern + "')";
  }
}
