package dev.evenkeel.kernel.json;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a body that is no JSON, in the words of Go's decoder: they are what clients of
 * Kubernetes know. Asked only of bodies that were refused. Used once.
 */
final class JsonSyntax {

  private static final String UNEXPECTED_END = "unexpected end of JSON input";

  /** Where the scanner stands, as far as messages tell. */
  private enum Container {
    OBJECT,
    ARRAY
  }

  private final byte[] bytes;
  private final Deque<Container> open = new ArrayDeque<>();
  private int at;

  private JsonSyntax(byte[] bytes) {
    this.bytes = bytes;
  }

  /** The first error; null if there is none that Go would see. */
  static @Nullable String error(byte[] bytes) {
    try {
      new JsonSyntax(bytes).document();
      return null;
    } catch (Found e) {
      return e.getMessage();
    }
  }

  private static final class Found extends RuntimeException {
    Found(String message) {
      super(message, null, false, false);
    }
  }

  private void document() {
    beginValue();
    // Not recursive: a body may nest as deep as it is long.
    while (!open.isEmpty()) {
      int c = next();
      if (open.getFirst() == Container.OBJECT) {
        switch (c) {
          case ',' -> {
            var _ = key(false);
            beginValue();
          }
          case '}' -> open.pop();
          default -> throw unexpected(c, "after object key:value pair");
        }
      } else {
        switch (c) {
          case ',' -> beginValue();
          case ']' -> open.pop();
          default -> throw unexpected(c, "after array element");
        }
      }
    }
    skipSpace();
    if (at < bytes.length) {
      throw unexpected(bytes[at] & 0xff, "after top-level value");
    }
  }

  /** A value up to where another part of what holds it may follow. */
  private void beginValue() {
    boolean mayEnd = false;
    while (true) {
      int c = next();
      switch (c) {
        case '{' -> {
          open.push(Container.OBJECT);
          if (key(true)) {
            mayEnd = false;
            continue;
          }
        }
        case '[' -> {
          open.push(Container.ARRAY);
          mayEnd = true;
          continue;
        }
        case ']' -> {
          if (!mayEnd) {
            throw unexpected(c, "looking for beginning of value");
          }
          open.pop();
        }
        case '"' -> string();
        case '-' -> {
          int digit = nextByte();
          if (digit < '0' || digit > '9') {
            throw unexpected(digit, "in numeric literal");
          }
          number(digit);
        }
        case 't' -> literal("true");
        case 'f' -> literal("false");
        case 'n' -> literal("null");
        default -> {
          if (c < '0' || c > '9') {
            throw unexpected(c, "looking for beginning of value");
          }
          number(c);
        }
      }
      return;
    }
  }

  /** A key and its colon; false if the object ends instead. */
  private boolean key(boolean orEnd) {
    int c = next();
    if (c == '}' && orEnd) {
      open.pop();
      return false;
    }
    if (c != '"') {
      throw unexpected(c, "looking for beginning of object key string");
    }
    string();
    int colon = next();
    if (colon != ':') {
      throw unexpected(colon, "after object key");
    }
    return true;
  }

  private void string() {
    while (true) {
      int c = nextByte();
      if (c == '"') {
        return;
      }
      if (c == '\\') {
        escape();
      } else if (c < ' ') {
        throw unexpected(c, "in string literal");
      }
    }
  }

  private void escape() {
    int c = nextByte();
    if (c == 'u') {
      for (int i = 0; i < 4; i++) {
        int digit = nextByte();
        if (Character.digit(digit, 16) < 0) {
          throw unexpected(digit, "in \\u hexadecimal character escape");
        }
      }
    } else if ("bfnrt\\/\"".indexOf(c) < 0) {
      throw unexpected(c, "in string escape code");
    }
  }

  private void literal(String word) {
    for (int i = 1; i < word.length(); i++) {
      int c = nextByte();
      if (c != word.charAt(i)) {
        throw unexpected(c, "in literal " + word + " (expecting " + quoted(word.charAt(i)) + ")");
      }
    }
  }

  private void number(int first) {
    if (first != '0') {
      digits();
    }
    if (at < bytes.length && bytes[at] == '.') {
      at++;
      int digit = nextByte();
      if (digit < '0' || digit > '9') {
        throw unexpected(digit, "after decimal point in numeric literal");
      }
      digits();
    }
    if (at < bytes.length && (bytes[at] == 'e' || bytes[at] == 'E')) {
      at++;
      int c = nextByte();
      if (c == '+' || c == '-') {
        c = nextByte();
      }
      if (c < '0' || c > '9') {
        throw unexpected(c, "in exponent of numeric literal");
      }
      digits();
    }
  }

  private void digits() {
    while (at < bytes.length && bytes[at] >= '0' && bytes[at] <= '9') {
      at++;
    }
  }

  private int next() {
    skipSpace();
    return nextByte();
  }

  private int nextByte() {
    if (at == bytes.length) {
      throw new Found(UNEXPECTED_END);
    }
    return bytes[at++] & 0xff;
  }

  private void skipSpace() {
    while (at < bytes.length
        && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\r' || bytes[at] == '\n')) {
      at++;
    }
  }

  private static Found unexpected(int c, String where) {
    return new Found("invalid character " + quoted((char) c) + " " + where);
  }

  private static String quoted(char c) {
    return switch (c) {
      case '\'' -> "'\\''";
      case '"' -> "'\"'";
      default -> {
        String text = GoText.quoted(String.valueOf(c));
        yield "'" + text.substring(1, text.length() - 1) + "'";
      }
    };
  }
}
