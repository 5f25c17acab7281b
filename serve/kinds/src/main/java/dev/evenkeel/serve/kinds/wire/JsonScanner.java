package dev.evenkeel.serve.kinds.wire;

import dev.evenkeel.kernel.json.JsonException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Reads JSON off its bytes without making anything of it. For bodies that were read and written
 * before: it notices most faults, but is not there to find them all.
 *
 * <p>Cost: texts are most of what objects are made of, and are looked through eight bytes at a
 * time. Threading: one thread.
 */
final class JsonScanner {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long LOW_BITS = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final long QUOTES = '"' * LOW_BITS;
  private static final long BACKSLASHES = '\\' * LOW_BITS;

  private final byte[] json;
  private int at;
  private int textStart;
  private int textEnd;
  private boolean textIsPlain;

  JsonScanner(byte[] json) {
    this.json = json;
  }

  byte[] json() {
    return json;
  }

  /** Where the text that was read last begins, without its quotes. */
  int textStart() {
    return textStart;
  }

  int textEnd() {
    return textEnd;
  }

  /** Whether the text that was read last has no escapes: then its bytes are the text itself. */
  boolean textIsPlain() {
    return textIsPlain;
  }

  String text() {
    if (textIsPlain) {
      return new String(json, textStart, textEnd - textStart, StandardCharsets.UTF_8);
    }
    var plain = new WireBuffer(textEnd - textStart);
    unescape(plain);
    return new String(plain.toBytes(), StandardCharsets.UTF_8);
  }

  private static JsonException malformed() {
    return new JsonException("malformed JSON");
  }

  /** The first byte of what follows. */
  int peek() {
    while (at < json.length) {
      byte next = json[at];
      if (next > ' ') {
        return next;
      }
      at++;
    }
    throw malformed();
  }

  void expect(char c) {
    if (peek() != c) {
      throw malformed();
    }
    at++;
  }

  /** Goes into an object or list: whether there is a first member. */
  boolean enter(char open, char close) {
    expect(open);
    if (peek() == close) {
      at++;
      return false;
    }
    return true;
  }

  /** After a member: whether there is another. */
  boolean another(char close) {
    int next = peek();
    at++;
    if (next == ',') {
      return true;
    }
    if (next == close) {
      return false;
    }
    throw malformed();
  }

  /** Reads the name of a member and goes to its value. */
  void name() {
    string();
    expect(':');
  }

  void string() {
    expect('"');
    textStart = at;
    textIsPlain = true;
    while (true) {
      int stop = nextQuoteOrBackslash();
      if (json[stop] == '"') {
        textEnd = stop;
        at = stop + 1;
        return;
      }
      textIsPlain = false;
      at = stop + 2;
    }
  }

  private int nextQuoteOrBackslash() {
    int i = at;
    for (; i + Long.BYTES <= json.length; i += Long.BYTES) {
      long word = (long) LONGS.get(json, i);
      long hits = zeroBytes(word ^ QUOTES) | zeroBytes(word ^ BACKSLASHES);
      if (hits != 0) {
        return i + Long.numberOfTrailingZeros(hits) / Byte.SIZE;
      }
    }
    for (; i < json.length; i++) {
      if (json[i] == '"' || json[i] == '\\') {
        return i;
      }
    }
    throw malformed();
  }

  /** The high bit of the lowest byte that is zero, and perhaps of some above it. */
  private static long zeroBytes(long word) {
    return (word - LOW_BITS) & ~word & HIGH_BITS;
  }

  /** Writes the text that was read last, its escapes replaced by what they stand for. */
  void unescape(WireBuffer out) {
    int i = textStart;
    while (i < textEnd) {
      byte c = json[i++];
      if (c != '\\') {
        out.put(c);
        continue;
      }
      byte escape = json[i++];
      if (escape == 'u') {
        i = unicode(i, out);
      } else {
        out.put(plain(escape));
      }
    }
  }

  private static int plain(byte escape) {
    return switch (escape) {
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case '"', '\\', '/' -> escape;
      default -> throw malformed();
    };
  }

  private int unicode(int from, WireBuffer out) {
    char unit = hex(from);
    int i = from + 4;
    int point = unit;
    if (Character.isHighSurrogate(unit)
        && i + 6 <= textEnd
        && json[i] == '\\'
        && json[i + 1] == 'u'
        && Character.isLowSurrogate(hex(i + 2))) {
      point = Character.toCodePoint(unit, hex(i + 2));
      i += 6;
    } else if (Character.isSurrogate(unit)) {
      point = '\uFFFD';
    }
    byte[] bytes = Character.toString(point).getBytes(StandardCharsets.UTF_8);
    out.put(bytes, 0, bytes.length);
    return i;
  }

  private char hex(int from) {
    if (from + 4 > textEnd) {
      throw malformed();
    }
    int unit = 0;
    for (int i = from; i < from + 4; i++) {
      int digit = Character.digit(json[i], 16);
      if (digit < 0) {
        throw malformed();
      }
      unit = unit << 4 | digit;
    }
    return (char) unit;
  }

  /** Reads a null if there is one. */
  boolean skipNull() {
    if (peek() != 'n') {
      return false;
    }
    literal("null");
    return true;
  }

  boolean flag() {
    if (peek() == 't') {
      literal("true");
      return true;
    }
    literal("false");
    return false;
  }

  private void literal(String word) {
    for (int i = 0; i < word.length(); i++) {
      if (at >= json.length || json[at++] != word.charAt(i)) {
        throw malformed();
      }
    }
  }

  /** Reads a number that has no fraction. */
  long whole() {
    boolean negative = peek() == '-';
    if (negative) {
      at++;
    }
    int start = at;
    long number = 0;
    while (at < json.length && json[at] >= '0' && json[at] <= '9') {
      // Negative numbers reach one further.
      number = Math.subtractExact(Math.multiplyExact(number, 10L), json[at] - '0');
      at++;
    }
    if (at == start || (at < json.length && (json[at] == '.' || (json[at] | 0x20) == 'e'))) {
      throw new JsonException("a number is not whole");
    }
    return negative ? number : Math.negateExact(number);
  }

  double number() {
    int start = at();
    while (at < json.length && ",]} \n\r\t".indexOf(json[at]) < 0) {
      at++;
    }
    try {
      return Double.parseDouble(new String(json, start, at - start, StandardCharsets.US_ASCII));
    } catch (NumberFormatException e) {
      throw malformed();
    }
  }

  /** Where the value begins that comes next. */
  int at() {
    var _ = peek();
    return at;
  }

  /** Passes over a value. */
  void skip() {
    int depth = 0;
    do {
      switch (peek()) {
        case '{', '[' -> {
          depth++;
          at++;
        }
        case '}', ']' -> {
          depth--;
          at++;
        }
        case ',', ':' -> at++;
        case '"' -> string();
        default -> word();
      }
    } while (depth > 0);
  }

  /** A number or a literal. */
  private void word() {
    while (at < json.length && ",:]} \n\r\t".indexOf(json[at]) < 0) {
      at++;
    }
  }
}
