package dev.evenkeel.kernel.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Looks through bodies for what the parsers let pass: bytes that are no UTF-8, and escapes of half
 * a character. Neither may get into a tree, because no tree with them could be sent on.
 */
final class Texts {

  /** What stands for half a character, as with Kubernetes' own decoder. */
  private static final char REPLACEMENT = '\ufffd';

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final long LOW_BITS = 0x0101010101010101L;
  private static final long BACKSLASHES = '\\' * LOW_BITS;
  private static final long QUOTES = '"' * LOW_BITS;
  private static final long SPACES = ' ' * LOW_BITS;

  private Texts() {}

  /**
   * Whether a text in the body may contain an escape of half a character.
   *
   * @throws JsonException if the body is no UTF-8
   */
  static boolean checked(byte[] body) {
    // Eight bytes at a time: almost all bodies have neither, and pay next to nothing.
    boolean surrogates = false;
    long seen = 0;
    int i = 0;
    for (; i <= body.length - Long.BYTES; i += Long.BYTES) {
      long word = (long) LONGS.get(body, i);
      seen |= word;
      long zeroAtBackslash = word ^ BACKSLASHES;
      if (((zeroAtBackslash - LOW_BITS) & ~zeroAtBackslash & HIGH_BITS) != 0 && !surrogates) {
        surrogates = hasSurrogateEscape(body, i, i + Long.BYTES);
      }
    }
    for (int j = i; j < body.length; j++) {
      seen |= body[j];
    }
    if ((seen & HIGH_BITS) != 0) {
      checkUtf8(body);
    }
    return surrogates || hasSurrogateEscape(body, i, body.length);
  }

  /** Whether a backslash in that part begins what looks like the escape of a surrogate. */
  private static boolean hasSurrogateEscape(byte[] body, int from, int to) {
    for (int i = from; i < to && i + 2 < body.length; i++) {
      // Also true for an escaped backslash before the letters: then a look too many is taken.
      if (body[i] == '\\' && body[i + 1] == 'u' && (body[i + 2] | 0x20) == 'd') {
        return true;
      }
    }
    return false;
  }

  private static void checkUtf8(byte[] body) {
    int i = 0;
    while (i < body.length) {
      int lead = body[i] & 0xff;
      if (lead < 0x80) {
        i++;
        continue;
      }
      int length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
      if (lead < 0xc2 || lead > 0xf4 || i + length > body.length) {
        throw notUtf8(i);
      }
      // The second byte tells overlong forms, surrogates and what is beyond Unicode.
      int second = body[i + 1] & 0xff;
      int lowest = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
      int highest = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
      if (second < lowest || second > highest) {
        throw notUtf8(i);
      }
      for (int j = i + 2; j < i + length; j++) {
        if ((body[j] & 0xc0) != 0x80) {
          throw notUtf8(i);
        }
      }
      i += length;
    }
  }

  private static JsonException notUtf8(int position) {
    return new JsonException("the body is not UTF-8: invalid byte at position " + position);
  }

  /** Where the next byte stands that JSON wants escaped; the text's length if there is none. */
  static int endOfPlain(byte[] text, int from) {
    int i = from;
    while (i <= text.length - Long.BYTES && !hasEscaped((long) LONGS.get(text, i))) {
      i += Long.BYTES;
    }
    // Bytes are signed: what is not ASCII is below zero.
    while (i < text.length
        && (text[i] < 0 || (text[i] >= ' ' && text[i] != '"' && text[i] != '\\'))) {
      i++;
    }
    return i;
  }

  /** Whether one of eight bytes needs an escape; now and then also if none does. */
  private static boolean hasEscaped(long word) {
    long zeroAtQuote = word ^ QUOTES;
    long zeroAtBackslash = word ^ BACKSLASHES;
    long borrowed =
        ((word - SPACES) & ~word)
            | ((zeroAtQuote - LOW_BITS) & ~zeroAtQuote)
            | ((zeroAtBackslash - LOW_BITS) & ~zeroAtBackslash);
    return (borrowed & HIGH_BITS) != 0;
  }

  /** The text with half characters replaced. */
  static String whole(String text) {
    int i = firstHalf(text, 0);
    if (i < 0) {
      return text;
    }
    char[] chars = text.toCharArray();
    for (; i >= 0; i = firstHalf(text, i + 1)) {
      chars[i] = REPLACEMENT;
    }
    return new String(chars);
  }

  private static int firstHalf(String text, int from) {
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        boolean pair =
            Character.isHighSurrogate(c)
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!pair) {
          return i;
        }
        i++;
      }
    }
    return -1;
  }
}
