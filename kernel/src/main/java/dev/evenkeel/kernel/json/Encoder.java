package dev.evenkeel.kernel.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Writes one tree as JSON. Used once.
 *
 * <p>Written by hand because every write and every list goes through it: it has none of the set-up
 * of a general generator, and almost all of what it writes are short texts that need no escapes.
 */
final class Encoder {

  private static final int BYTES_AT_FIRST = 1024;

  /** The most that one char becomes: a backslash, the letter u and four digits. */
  private static final int BYTES_PER_CHAR_MAX = 6;

  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

  /** Which chars are written as the byte that they are. */
  private static final boolean[] PLAIN = new boolean[128];

  static {
    Arrays.fill(PLAIN, ' ', PLAIN.length, true);
    PLAIN['"'] = false;
    PLAIN['\\'] = false;
  }

  private byte[] bytes = new byte[BYTES_AT_FIRST];
  private int length;

  byte[] encoded(JsonNode tree) {
    write(tree);
    return Arrays.copyOf(bytes, length);
  }

  /** Tests of classes, most frequent first: a switch over patterns takes twice as long. */
  private void write(JsonNode node) {
    if (node instanceof StringNode text) {
      writeString(text.stringValue());
    } else if (node instanceof ObjectNode object) {
      writeObject(object);
    } else if (node instanceof ArrayNode array) {
      writeArray(array);
    } else {
      writeScalar(node);
    }
  }

  private void writeObject(ObjectNode object) {
    append('{');
    boolean first = true;
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      if (!first) {
        append(',');
      }
      first = false;
      writeString(entry.getKey());
      append(':');
      write(entry.getValue());
    }
    append('}');
  }

  private void writeArray(ArrayNode array) {
    append('[');
    for (int i = 0; i < array.size(); i++) {
      if (i > 0) {
        append(',');
      }
      write(array.get(i));
    }
    append(']');
  }

  private void writeScalar(JsonNode node) {
    switch (node.getNodeType()) {
      case STRING -> writeString(node.stringValue());
      case BOOLEAN -> append(node.booleanValue() ? TRUE : FALSE);
      case NUMBER -> writeNumber(node);
      default -> append(NULL);
    }
  }

  private void writeNumber(JsonNode node) {
    String text =
        node.isIntegralNumber()
            ? Long.toString(node.longValue())
            : Double.toString(node.doubleValue());
    append(text.getBytes(StandardCharsets.US_ASCII));
  }

  private void writeString(String text) {
    int chars = text.length();
    ensure(chars + 2);
    byte[] target = bytes;
    int at = length;
    target[at++] = '"';
    int i = 0;
    while (i < chars) {
      char c = text.charAt(i);
      if (c >= 128 || !PLAIN[c]) {
        break;
      }
      target[at++] = (byte) c;
      i++;
    }
    length = at;
    if (i < chars) {
      writeRest(text, i);
    }
    append('"');
  }

  /** The part of a text that begins with something special. */
  private void writeRest(String text, int from) {
    int i = from;
    while (i < text.length()) {
      ensure(BYTES_PER_CHAR_MAX);
      char c = text.charAt(i++);
      if (c < 128) {
        if (PLAIN[c]) {
          bytes[length++] = (byte) c;
        } else {
          writeEscape(c);
        }
      } else if (c < 0x800) {
        bytes[length++] = (byte) (0xc0 | (c >> 6));
        bytes[length++] = (byte) (0x80 | (c & 0x3f));
      } else if (Character.isHighSurrogate(c)
          && i < text.length()
          && Character.isLowSurrogate(text.charAt(i))) {
        int point = Character.toCodePoint(c, text.charAt(i++));
        bytes[length++] = (byte) (0xf0 | (point >> 18));
        bytes[length++] = (byte) (0x80 | ((point >> 12) & 0x3f));
        bytes[length++] = (byte) (0x80 | ((point >> 6) & 0x3f));
        bytes[length++] = (byte) (0x80 | (point & 0x3f));
      } else {
        int whole = Character.isSurrogate(c) ? Texts.REPLACEMENT : c;
        bytes[length++] = (byte) (0xe0 | (whole >> 12));
        bytes[length++] = (byte) (0x80 | ((whole >> 6) & 0x3f));
        bytes[length++] = (byte) (0x80 | (whole & 0x3f));
      }
    }
  }

  private void writeEscape(char c) {
    bytes[length++] = '\\';
    switch (c) {
      case '"', '\\' -> bytes[length++] = (byte) c;
      case '\n' -> bytes[length++] = 'n';
      case '\r' -> bytes[length++] = 'r';
      case '\t' -> bytes[length++] = 't';
      case '\b' -> bytes[length++] = 'b';
      case '\f' -> bytes[length++] = 'f';
      default -> {
        bytes[length++] = 'u';
        bytes[length++] = '0';
        bytes[length++] = '0';
        bytes[length++] = HEX[c >> 4];
        bytes[length++] = HEX[c & 0xf];
      }
    }
  }

  private void append(char ascii) {
    ensure(1);
    bytes[length++] = (byte) ascii;
  }

  private void append(byte[] ascii) {
    ensure(ascii.length);
    System.arraycopy(ascii, 0, bytes, length, ascii.length);
    length += ascii.length;
  }

  private void ensure(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, Math.addExact(length, more)));
    }
  }
}
