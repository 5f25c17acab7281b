package dev.evenkeel.kernel.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.POJONode;
import tools.jackson.databind.node.StringNode;

/**
 * Writes one tree as JSON. Used once, and at once: a thread has one at a time.
 *
 * <p>Written by hand because every write and every list goes through it: it has none of the set-up
 * of a general generator, and almost all of what it writes are short texts that need no escapes.
 */
final class Encoder {

  private static final int BYTES_AT_FIRST = 8 * 1024;

  /** Where a thread writes, again and again: each tree would need some kilobytes of its own. */
  private static final ThreadLocal<byte[]> SCRATCH =
      ThreadLocal.withInitial(() -> new byte[BYTES_AT_FIRST]);

  /** What has grown larger than this is not kept. */
  private static final int SCRATCH_BYTES_MAX = 64 * 1024;

  /** The most that one char becomes: a backslash, the letter u and four digits. */
  private static final int BYTES_PER_CHAR_MAX = 6;

  /** From there on it pays to let the JDK make bytes of a text, many at a time. */
  private static final int LONG_TEXT_CHARS = 64;

  /** No sign before or after a text. */
  private static final byte NOTHING = 0;

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

  private byte[] bytes = SCRATCH.get();
  private int length;

  byte[] encoded(JsonNode tree) {
    int had = bytes.length;
    write(tree);
    return taken(had);
  }

  /** See {@link Json#encode(byte[], ObjectNode, String, ObjectNode, Set)}. */
  byte[] encoded(
      byte[] head, ObjectNode inner, String withoutInner, ObjectNode outer, Set<String> without) {
    int had = bytes.length;
    append(head);
    byte before = NOTHING;
    for (Map.Entry<String, JsonNode> entry : inner.properties()) {
      if (!entry.getKey().equals(withoutInner)) {
        writeString(before, entry.getKey(), (byte) ':');
        before = ',';
        write(entry.getValue());
      }
    }
    append('}');
    for (Map.Entry<String, JsonNode> entry : outer.properties()) {
      if (!without.contains(entry.getKey())) {
        writeString((byte) ',', entry.getKey(), (byte) ':');
        write(entry.getValue());
      }
    }
    append('}');
    return taken(had);
  }

  private byte[] taken(int had) {
    if (bytes.length > had && bytes.length <= SCRATCH_BYTES_MAX) {
      SCRATCH.set(bytes);
    }
    return Arrays.copyOf(bytes, length);
  }

  /** Tests of classes, most frequent first: a switch over patterns takes twice as long. */
  private void write(JsonNode node) {
    if (node instanceof StringNode text) {
      writeString(NOTHING, text.stringValue(), NOTHING);
    } else if (node instanceof ObjectNode object) {
      writeObject(object);
    } else if (node instanceof ArrayNode array) {
      writeArray(array);
    } else {
      writeScalar(node);
    }
  }

  private void writeObject(ObjectNode object) {
    if (object.isEmpty()) {
      append('{');
    }
    byte before = '{';
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      writeString(before, entry.getKey(), (byte) ':');
      before = ',';
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
      case STRING -> writeString(NOTHING, node.stringValue(), NOTHING);
      case BOOLEAN -> append(node.booleanValue() ? TRUE : FALSE);
      case NUMBER -> writeNumber(node);
      case POJO -> writeEncoded(node);
      default -> append(NULL);
    }
  }

  private void writeEncoded(JsonNode node) {
    append(
        node instanceof POJONode pojo && pojo.getPojo() instanceof EncodedJson(String json)
            ? json.getBytes(StandardCharsets.UTF_8)
            : NULL);
  }

  private void writeNumber(JsonNode node) {
    String text =
        node.isIntegralNumber()
            ? Long.toString(node.longValue())
            : Double.toString(node.doubleValue());
    append(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** A text in quotes, with the signs around it, so that there is one look at the room left. */
  private void writeString(byte before, String text, byte after) {
    int chars = text.length();
    ensure(chars + 4);
    if (before != NOTHING) {
      bytes[length++] = before;
    }
    bytes[length++] = '"';
    if (chars < LONG_TEXT_CHARS) {
      writeShort(text, chars);
    } else {
      writeLong(text.getBytes(StandardCharsets.UTF_8));
    }
    ensure(2);
    bytes[length++] = '"';
    if (after != NOTHING) {
      bytes[length++] = after;
    }
  }

  private void writeShort(String text, int chars) {
    byte[] target = bytes;
    int at = length;
    for (int i = 0; i < chars; i++) {
      char c = text.charAt(i);
      if (c >= 128 || !PLAIN[c]) {
        length = at;
        writeRest(text, i);
        return;
      }
      target[at++] = (byte) c;
    }
    length = at;
  }

  /** What a text is made of, given as UTF-8: whole runs without escapes at a time. */
  private void writeLong(byte[] text) {
    int from = 0;
    while (from < text.length) {
      int to = Texts.endOfPlain(text, from);
      ensure(to - from + BYTES_PER_CHAR_MAX);
      System.arraycopy(text, from, bytes, length, to - from);
      length += to - from;
      if (to < text.length) {
        writeEscape((char) text[to]);
      }
      from = to + 1;
    }
  }

  /** The part of a short text that begins with something special. */
  private void writeRest(String text, int from) {
    writeLong(text.substring(from).getBytes(StandardCharsets.UTF_8));
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
