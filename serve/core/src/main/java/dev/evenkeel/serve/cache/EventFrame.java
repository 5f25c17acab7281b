package dev.evenkeel.serve.cache;

import java.nio.charset.StandardCharsets;

/** What stands around an object in the event that carries it. */
public interface EventFrame {

  /** What an event tells. */
  enum Type {
    ADDED,
    MODIFIED,
    DELETED,
    BOOKMARK,
    ERROR
  }

  /** One JSON object a line. */
  EventFrame JSON = new Json();

  byte[] head(Type type, int objectBytes);

  byte[] tail();

  /** The frame of JSON. */
  final class Json implements EventFrame {

    private static final byte[] ADDED = headOf(Type.ADDED);
    private static final byte[] MODIFIED = headOf(Type.MODIFIED);
    private static final byte[] DELETED = headOf(Type.DELETED);
    private static final byte[] BOOKMARK = headOf(Type.BOOKMARK);
    private static final byte[] ERROR = headOf(Type.ERROR);
    private static final byte[] TAIL = {'}', '\n'};

    private Json() {}

    @Override
    public byte[] head(Type type, int objectBytes) {
      return switch (type) {
        case ADDED -> ADDED;
        case MODIFIED -> MODIFIED;
        case DELETED -> DELETED;
        case BOOKMARK -> BOOKMARK;
        case ERROR -> ERROR;
      };
    }

    private static byte[] headOf(Type type) {
      return ("{\"type\":\"" + type + "\",\"object\":").getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public byte[] tail() {
      return TAIL;
    }
  }
}
