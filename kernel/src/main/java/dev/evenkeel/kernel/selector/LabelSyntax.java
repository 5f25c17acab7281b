package dev.evenkeel.kernel.selector;

import java.util.ArrayList;
import java.util.List;

/** What a label's key and value may look like, with upstream's words for what is wrong. */
public final class LabelSyntax {

  /** Of a key's name, the part behind the slash. */
  public static final int NAME_CHARS_MAX = 63;

  public static final int VALUE_CHARS_MAX = 63;

  /** Of a key's prefix, a DNS subdomain. */
  public static final int PREFIX_CHARS_MAX = 253;

  private static final String NAME_PATTERN = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";

  private static final String NAME_RULE =
      "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an"
          + " alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for"
          + " validation is '"
          + NAME_PATTERN
          + "')";

  private static final String VALUE_RULE =
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or"
          + " '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or"
          + " 'my_value',  or '12345', regex used for validation is '("
          + NAME_PATTERN
          + ")?')";

  private static final String PREFIX_RULE =
      "prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric"
          + " characters, '-' or '.', and must start and end with an alphanumeric character (e.g."
          + " 'example.com', regex used for validation is"
          + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

  private LabelSyntax() {}

  /** What is wrong with the key; empty if nothing is. */
  public static List<String> keyErrors(String key) {
    int slash = key.indexOf('/');
    if (slash < 0 && isName(key) && key.length() <= NAME_CHARS_MAX) {
      return List.of();
    }
    if (slash >= 0 && key.indexOf('/', slash + 1) >= 0) {
      return List.of(
          "a qualified name "
              + NAME_RULE
              + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
    }
    List<String> errors = new ArrayList<>();
    if (slash >= 0) {
      addPrefixErrors(key.substring(0, slash), errors);
    }
    addNameErrors(key.substring(slash + 1), errors);
    return errors;
  }

  /** What is wrong with the value; empty if nothing is. */
  public static List<String> valueErrors(String value) {
    boolean tooLong = value.length() > VALUE_CHARS_MAX;
    boolean malformed = !value.isEmpty() && !isName(value);
    if (!tooLong && !malformed) {
      return List.of();
    }
    List<String> errors = new ArrayList<>();
    if (tooLong) {
      errors.add(tooLong(VALUE_CHARS_MAX));
    }
    if (malformed) {
      errors.add(VALUE_RULE);
    }
    return errors;
  }

  private static void addPrefixErrors(String prefix, List<String> errors) {
    if (prefix.isEmpty()) {
      errors.add("prefix part must be non-empty");
      return;
    }
    if (prefix.length() > PREFIX_CHARS_MAX) {
      errors.add("prefix part " + tooLong(PREFIX_CHARS_MAX));
    }
    if (!isSubdomain(prefix)) {
      errors.add(PREFIX_RULE);
    }
  }

  private static void addNameErrors(String name, List<String> errors) {
    if (name.isEmpty()) {
      errors.add("name part must be non-empty");
    } else if (name.length() > NAME_CHARS_MAX) {
      errors.add("name part " + tooLong(NAME_CHARS_MAX));
    }
    if (!isName(name)) {
      errors.add("name part " + NAME_RULE);
    }
  }

  private static String tooLong(int charsMax) {
    return "must be no more than " + charsMax + " characters";
  }

  /** {@link #NAME_PATTERN}, by hand: labels are checked with every write. */
  private static boolean isName(String text) {
    int length = text.length();
    if (length == 0
        || !isAlphanumeric(text.charAt(0))
        || !isAlphanumeric(text.charAt(length - 1))) {
      return false;
    }
    for (int i = 1; i < length - 1; i++) {
      char c = text.charAt(i);
      if (!isAlphanumeric(c) && c != '-' && c != '_' && c != '.') {
        return false;
      }
    }
    return true;
  }

  private static boolean isSubdomain(String text) {
    char previous = '.';
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean fits =
          switch (c) {
            // Neither a dot nor a hyphen may stand at the beginning of a label, no dot behind a
            // hyphen.
            case '.' -> previous != '.' && previous != '-';
            case '-' -> previous != '.';
            default -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
          };
      if (!fits) {
        return false;
      }
      previous = c;
    }
    return previous != '.' && previous != '-';
  }

  private static boolean isAlphanumeric(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }
}
