package dev.evenkeel.kernel.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Walks over JSON where it lies, from field to field, and passes over what nobody asks for. It
 * trusts its input to be JSON as a server stores and sends it: what is malformed is noticed where
 * it matters to the walk, not everywhere.
 *
 * <p><b>Threading:</b> for one caller.
 */
public final class JsonCursor {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final long LOW_BITS = 0x0101010101010101L;
  private static final long BACKSLASHES = '\\' * LOW_BITS;
  private static final long QUOTES = '"' * LOW_BITS;

  private byte[] bytes = new byte[0];
  private int at;
  private int end;
  private int nameFrom;
  private int nameTo;
  private int stringFrom;
  private int stringTo;

  /** Whether the string that was passed last, a name or a value, has no escapes. */
  private boolean isPlain;

  /** Begins anew at that part of an array. */
  public JsonCursor reset(byte[] array, int from, int to) {
    bytes = array;
    at = from;
    end = to;
    return this;
  }

  /** Where it stands: behind what was read last. */
  public int position() {
    return at;
  }

  /** The byte that the next value begins with; 0 at the end. */
  public byte peek() {
    skipSpace();
    return at < end ? bytes[at] : 0;
  }

  public void enterObject() {
    expect('{');
  }

  public void enterArray() {
    expect('[');
  }

  /** Goes to the value of the next field; false, and behind the object, when there is none. */
  public boolean nextField() {
    byte next = peek();
    if (next == ',') {
      at++;
      next = peek();
    }
    if (next == '}') {
      at++;
      return false;
    }
    if (next != '"') {
      throw malformed("a field's name");
    }
    nameFrom = at + 1;
    skipString();
    nameTo = at - 1;
    expect(':');
    skipSpace();
    return true;
  }

  /** Goes to the next element; false, and behind the array, when there is none. */
  public boolean nextElement() {
    byte next = peek();
    if (next == ',') {
      at++;
      next = peek();
    }
    if (next == ']') {
      at++;
      return false;
    }
    if (next == 0) {
      throw malformed("an element");
    }
    return true;
  }

  /** Where the current field begins: at its name's quote. */
  public int fieldStart() {
    return nameFrom - 1;
  }

  /** Whether the current field is called so. */
  public boolean isNamed(byte[] name) {
    return Arrays.equals(bytes, nameFrom, nameTo, name, 0, name.length);
  }

  /** The current field's name. */
  public String name() {
    return text(nameFrom, nameTo);
  }

  // ---- strings where they lie

  /** The array that it walks over. */
  public byte[] array() {
    return bytes;
  }

  /** Goes to the value of the next field, as {@link #nextField}; its name is the string then. */
  public boolean nextName() {
    if (!nextField()) {
      return false;
    }
    stringFrom = nameFrom;
    stringTo = nameTo;
    return true;
  }

  /** Passes over the string that must come next. */
  public void readString() {
    if (peek() != '"') {
      throw malformed("a string");
    }
    stringFrom = at + 1;
    skipString();
    stringTo = at - 1;
  }

  /** Where the string that was read last begins, without its quotes. */
  public int stringStart() {
    return stringFrom;
  }

  public int stringEnd() {
    return stringTo;
  }

  /** Whether the string that was read last has no escapes: then its bytes are the text itself. */
  public boolean stringIsPlain() {
    return isPlain;
  }

  /** The string that was read last. */
  public String stringText() {
    return text(stringFrom, stringTo);
  }

  // ---- values of which the type is known

  /** Passes over a null, if one comes next. */
  public boolean skipNull() {
    if (peek() != 'n') {
      return false;
    }
    word("null");
    return true;
  }

  public boolean flag() {
    if (peek() == 't') {
      word("true");
      return true;
    }
    word("false");
    return false;
  }

  private void word(String word) {
    for (int i = 0; i < word.length(); i++) {
      if (at >= end || bytes[at++] != word.charAt(i)) {
        throw malformed(word);
      }
    }
  }

  /**
   * A number that has no fraction.
   *
   * @throws ArithmeticException if it is too large
   */
  public long wholeNumber() {
    boolean negative = peek() == '-';
    if (negative) {
      at++;
    }
    int start = at;
    long number = 0;
    while (at < end && bytes[at] >= '0' && bytes[at] <= '9') {
      // Negative numbers reach one further.
      number = Math.subtractExact(Math.multiplyExact(number, 10L), bytes[at] - '0');
      at++;
    }
    if (at == start || (at < end && (bytes[at] == '.' || (bytes[at] | 0x20) == 'e'))) {
      throw malformed("a whole number");
    }
    return negative ? number : Math.negateExact(number);
  }

  public double number() {
    byte first = peek();
    int from = at;
    skipValue();
    try {
      if (first != '"' && first != '{' && first != '[') {
        return Double.parseDouble(new String(bytes, from, at - from, StandardCharsets.US_ASCII));
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw malformed("a number");
  }

  // ---- any value

  /** The string that comes next; empty, and passed over, if what comes is no string. */
  public String string() {
    if (peek() != '"') {
      skipValue();
      return "";
    }
    int from = at + 1;
    skipString();
    return text(from, at - 1);
  }

  /** The number, word or string that comes next as text; empty, and passed over, if it is none. */
  public String scalar() {
    byte first = peek();
    if (first == '"') {
      return string();
    }
    int from = at;
    skipValue();
    return first == '{' || first == '[' || first == 'n'
        ? ""
        : new String(bytes, from, at - from, StandardCharsets.US_ASCII);
  }

  /** Passes over the value that comes next. */
  public void skipValue() {
    byte first = peek();
    if (first == '"') {
      skipString();
    } else if (first == '{' || first == '[') {
      skipNested();
    } else {
      int from = at;
      while (at < end && !endsScalar(bytes[at])) {
        at++;
      }
      if (at == from) {
        throw malformed("a value");
      }
    }
  }

  private void skipNested() {
    int depth = 0;
    while (at < end) {
      switch (bytes[at]) {
        case '"' -> skipString();
        case '{', '[' -> {
          depth++;
          at++;
        }
        case '}', ']' -> {
          at++;
          if (--depth == 0) {
            return;
          }
        }
        default -> at++;
      }
    }
    throw malformed("the end of a value");
  }

  /** From the opening quote to behind the closing one; eight bytes at a time where it can. */
  private void skipString() {
    int i = at + 1;
    isPlain = true;
    while (i < end) {
      while (i <= end - Long.BYTES && !hasQuoteOrBackslash((long) LONGS.get(bytes, i))) {
        i += Long.BYTES;
      }
      while (i < end && bytes[i] != '"' && bytes[i] != '\\') {
        i++;
      }
      if (i < end && bytes[i] == '"') {
        at = i + 1;
        return;
      }
      isPlain = false;
      i += 2;
    }
    throw malformed("the end of a string");
  }

  private static boolean hasQuoteOrBackslash(long word) {
    long quote = word ^ QUOTES;
    long backslash = word ^ BACKSLASHES;
    long found = ((quote - LOW_BITS) & ~quote) | ((backslash - LOW_BITS) & ~backslash);
    return (found & HIGH_BITS) != 0;
  }

  private static boolean endsScalar(byte b) {
    return b == ',' || b == '}' || b == ']' || b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }

  private void skipSpace() {
    while (at < end && bytes[at] <= ' ' && bytes[at] >= 0) {
      at++;
    }
  }

  private void expect(char wanted) {
    if (peek() != wanted) {
      throw malformed("'" + wanted + "'");
    }
    at++;
  }

  private String text(int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] == '\\') {
        return unescaped(from, to);
      }
    }
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }

  private String unescaped(int from, int to) {
    String raw = new String(bytes, from, to - from, StandardCharsets.UTF_8);
    var text = new StringBuilder(raw.length());
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c != '\\' || i + 1 >= raw.length()) {
        text.append(c);
        continue;
      }
      char escape = raw.charAt(++i);
      switch (escape) {
        case 'b' -> text.append('\b');
        case 'f' -> text.append('\f');
        case 'n' -> text.append('\n');
        case 'r' -> text.append('\r');
        case 't' -> text.append('\t');
        case 'u' -> {
          if (i + 4 >= raw.length()) {
            throw malformed("four hexadecimal digits");
          }
          try {
            text.append((char) Integer.parseInt(raw, i + 1, i + 5, 16));
          } catch (NumberFormatException e) {
            throw malformed("four hexadecimal digits");
          }
          i += 4;
        }
        default -> text.append(escape);
      }
    }
    return text.toString();
  }

  private JsonException malformed(String wanted) {
    return new JsonException(
        at >= end ? "it ends where " + wanted + " should come" : wanted + " should come at " + at);
  }
}
