package dev.evenkeel.prove.bench.api.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads one answer after the other out of bytes that are cut anywhere.
 *
 * <p>Threading: owned by its connection.
 */
final class Http1Parser {

  private static final int HEAD_BYTES_MAX = 16 << 10;

  private enum Part {
    HEAD,
    SIZED_BODY,
    CHUNK_SIZE,
    CHUNK,
    CHUNK_END,
    TRAILER,
    BODY_UNTIL_CLOSE,
    END
  }

  private Part part = Part.END;
  private @Nullable Receiver receiver;
  private byte[] head = new byte[512];
  private int headLength;

  /** Bytes still to come of a sized body or a chunk; the size itself while it is being read. */
  private long remaining;

  private boolean lineHasContent;

  void begin(Receiver answerTo) {
    receiver = answerTo;
    part = Part.HEAD;
    headLength = 0;
  }

  boolean ended() {
    return part == Part.END;
  }

  /** Whether the end of the connection is the regular end of the answer. */
  boolean endsWithConnection() {
    return part == Part.BODY_UNTIL_CLOSE;
  }

  /** Takes bytes up to the end of the answer, and says how far it came. */
  int feed(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && part != Part.END) {
      at =
          switch (part) {
            case HEAD -> head(bytes, at);
            case SIZED_BODY, CHUNK -> body(bytes, at, to);
            case CHUNK_SIZE -> chunkSize(bytes, at);
            case CHUNK_END -> chunkEnd(bytes, at);
            case TRAILER -> trailer(bytes, at);
            case BODY_UNTIL_CLOSE -> {
              receiver().bytes(bytes, at, to);
              yield to;
            }
            case END -> throw new IllegalStateException("unreachable");
          };
    }
    return at;
  }

  private Receiver receiver() {
    if (receiver == null) {
      throw new ProtocolException("bytes that answer no request");
    }
    return receiver;
  }

  private int head(byte[] bytes, int at) {
    if (headLength == HEAD_BYTES_MAX) {
      throw new ProtocolException("headers over " + HEAD_BYTES_MAX + " bytes");
    }
    if (headLength == head.length) {
      head = Arrays.copyOf(head, 2 * headLength);
    }
    head[headLength++] = bytes[at];
    if (bytes[at] == '\n'
        && headLength >= 4
        && head[headLength - 2] == '\r'
        && head[headLength - 3] == '\n') {
      headRead(new String(head, 0, headLength, StandardCharsets.ISO_8859_1));
    }
    return at + 1;
  }

  private void headRead(String text) {
    List<String> lines = text.lines().filter(line -> !line.isEmpty()).toList();
    int status = Integer.parseInt(lines.getFirst().substring(9, 12));
    if (status < 200) {
      headLength = 0;
      return;
    }
    part = status == 204 || status == 304 ? Part.END : Part.BODY_UNTIL_CLOSE;
    for (String line : lines.subList(1, lines.size())) {
      int colon = line.indexOf(':');
      String name = line.substring(0, colon).toLowerCase(Locale.ROOT);
      String value = line.substring(colon + 1).trim();
      if (name.equals("content-length")) {
        remaining = Long.parseLong(value);
        part = remaining == 0 ? Part.END : Part.SIZED_BODY;
      } else if (name.equals("transfer-encoding") && value.equalsIgnoreCase("chunked")) {
        beginChunk();
      }
    }
    receiver().head(status);
  }

  private void beginChunk() {
    part = Part.CHUNK_SIZE;
    remaining = 0;
  }

  private int body(byte[] bytes, int at, int to) {
    int count = (int) Math.min(remaining, to - at);
    receiver().bytes(bytes, at, at + count);
    remaining -= count;
    if (remaining == 0) {
      part = part == Part.CHUNK ? Part.CHUNK_END : Part.END;
    }
    return at + count;
  }

  private int chunkSize(byte[] bytes, int at) {
    byte next = bytes[at];
    int digit = Character.digit(next, 16);
    if (digit >= 0) {
      remaining = remaining << 4 | digit;
    } else if (next == '\n') {
      part = remaining == 0 ? Part.TRAILER : Part.CHUNK;
      lineHasContent = false;
    } else if (next != '\r') {
      throw new ProtocolException("a chunk's size that is no number");
    }
    return at + 1;
  }

  private int chunkEnd(byte[] bytes, int at) {
    if (bytes[at] == '\n') {
      beginChunk();
    }
    return at + 1;
  }

  /** After the last chunk: lines, then an empty one. */
  private int trailer(byte[] bytes, int at) {
    if (bytes[at] == '\n') {
      if (!lineHasContent) {
        part = Part.END;
      }
      lineHasContent = false;
    } else if (bytes[at] != '\r') {
      lineHasContent = true;
    }
    return at + 1;
  }
}
