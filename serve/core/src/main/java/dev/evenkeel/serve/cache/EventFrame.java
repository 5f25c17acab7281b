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

  /** Heads do not depend on what follows, so they are made once. */
  final class Json implements EventFrame {

    private static final byte[][] HEADS = new byte[Type.values().length][];

    static {
      for (Type type : Type.values()) {
        HEADS[type.ordinal()] = bytes("{\"type\":\"" + type + "\",\"object\":");
      }
    }

    private static final byte[] TAIL = bytes("}\n");

    private Json() {}

    @Override
    public byte[] head(Type type, int objectBytes) {
      return HEADS[type.ordinal()];
    }

    @Override
    public byte[] tail() {
      return TAIL;
    }

    private static byte[] bytes(String text) {
      return text.getBytes(StandardCharsets.US_ASCII);
    }
  }
}
