package dev.evenkeel.kernel.json;

/** Texts as Go's {@code %q} writes them, which is how errors of the API show what was sent. */
public final class GoText {

  private GoText() {}

  /** In double quotes, with whatever does not print escaped. */
  public static String quoted(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c >= 0x7f || c == '"' || c == '\\') {
        return escaped(text);
      }
    }
    return "\"" + text + "\"";
  }

  private static String escaped(String text) {
    var out = new StringBuilder(text.length() + 16).append('"');
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case 0x07 -> out.append("\\a");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                case 0x0b -> out.append("\\v");
                default -> {
                  if (isPrintable(c)) {
                    out.appendCodePoint(c);
                  } else if (c < 0x80) {
                    out.append("\\x%02x".formatted(c));
                  } else if (c < 0x10000) {
                    out.append("\\u%04x".formatted(c));
                  } else {
                    out.append("\\U%08x".formatted(c));
                  }
                }
              }
            });
    return out.append('"').toString();
  }

  /** As Go sees it: what leaves ink, and the one space. */
  public static boolean isPrintable(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      case Character.SPACE_SEPARATOR -> c == ' ';
      default -> true;
    };
  }
}
