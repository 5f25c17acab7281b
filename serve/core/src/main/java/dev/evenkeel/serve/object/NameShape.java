package dev.evenkeel.serve.object;

/**
 * The shapes that names may have. By hand because every name, label and annotation of every write
 * is looked at: a regular expression makes a machine of its own for each look.
 */
final class NameShape {

  private NameShape() {}

  /** Whether it matches {@code [a-z0-9]([-a-z0-9]*[a-z0-9])?}. */
  static boolean isLabel(String text) {
    return isLabel(text, 0, text.length());
  }

  /** Whether it matches {@code [a-z]([-a-z0-9]*[a-z0-9])?}. */
  static boolean isLabel1035(String text) {
    return isLabel(text) && text.charAt(0) >= 'a';
  }

  /** Whether it is labels with dots between them. */
  static boolean isSubdomain(String text) {
    int from = 0;
    for (int dot = text.indexOf('.'); dot >= 0; dot = text.indexOf('.', from)) {
      if (!isLabel(text, from, dot)) {
        return false;
      }
      from = dot + 1;
    }
    return isLabel(text, from, text.length());
  }

  /** Whether it matches {@code ([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]}. */
  static boolean isQualified(String text) {
    if (text.isEmpty()
        || !isLetterOrDigit(text.charAt(0))
        || !isLetterOrDigit(text.charAt(text.length() - 1))) {
      return false;
    }
    for (int i = 1; i < text.length() - 1; i++) {
      char c = text.charAt(i);
      if (!isLetterOrDigit(c) && c != '-' && c != '_' && c != '.') {
        return false;
      }
    }
    return true;
  }

  private static boolean isLabel(String text, int from, int to) {
    if (from == to || !isLowerOrDigit(text.charAt(from)) || !isLowerOrDigit(text.charAt(to - 1))) {
      return false;
    }
    for (int i = from + 1; i < to - 1; i++) {
      char c = text.charAt(i);
      if (!isLowerOrDigit(c) && c != '-') {
        return false;
      }
    }
    return true;
  }

  private static boolean isLetterOrDigit(char c) {
    return isLowerOrDigit(c) || (c >= 'A' && c <= 'Z');
  }

  private static boolean isLowerOrDigit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  }
}
