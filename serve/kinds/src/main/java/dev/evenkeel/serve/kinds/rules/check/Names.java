package dev.evenkeel.serve.kinds.rules.check;

import dev.evenkeel.kernel.schema.TextFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The forms that names take, those of the schemas and a few more. Each check returns what is wrong,
 * most often nothing.
 */
public final class Names {

  private static final String LABEL_PATTERN = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";

  private Names() {}

  /** A lower case DNS label. */
  public static List<String> dnsLabel(String name) {
    return TextFormat.DNS_LABEL.problems(name);
  }

  /** DNS labels joined by dots. */
  public static List<String> dnsSubdomain(String name) {
    return TextFormat.DNS_SUBDOMAIN.problems(name);
  }

  /** A DNS label that begins with a letter. */
  public static List<String> dns1035Label(String name) {
    return TextFormat.DNS_1035_LABEL.problems(name);
  }

  /** The key of a label: a name, before which a DNS subdomain and a slash may stand. */
  public static List<String> qualifiedName(String name) {
    return TextFormat.QUALIFIED_NAME.problems(name);
  }

  /** What a label may be set to. */
  public static List<String> labelValue(String value) {
    return TextFormat.LABEL_VALUE.problems(value);
  }

  /** The name of a port. */
  public static List<String> portName(String name) {
    return TextFormat.PORT_NAME.problems(name);
  }

  /** What fits into one segment of a path. */
  public static List<String> pathSegment(String name) {
    return TextFormat.PATH_SEGMENT.problems(name);
  }

  /** {@code *.} and a DNS subdomain. */
  public static List<String> wildcardSubdomain(String name) {
    return name.startsWith("*.") && dnsSubdomain(name.substring(2)).isEmpty()
        ? List.of()
        : List.of(
            "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS"
                + " subdomain, which must consist of lower case alphanumeric characters, '-' or"
                + " '.' and end with an alphanumeric character (e.g. '*.example.com', regex used"
                + " for validation is '\\*\\."
                + LABEL_PATTERN
                + "(\\."
                + LABEL_PATTERN
                + ")*')");
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
            .allMatch(c -> isAlphanumeric(c) || "/-._~%!$&'()*+,;=:".indexOf(c) >= 0);
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

  private static boolean isAlphanumeric(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }
}
