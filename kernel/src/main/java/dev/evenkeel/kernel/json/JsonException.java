package dev.evenkeel.kernel.json;

/** A body that is not what it claims to be. The message says where and why, for the sender. */
public final class JsonException extends RuntimeException {

  /** Names and texts in a message can be as long as the body. */
  private static final int MESSAGE_CHARS_MAX = 300;

  /** Without a stack trace: it is an answer, not a fault, and anybody can cause it. */
  public JsonException(String message) {
    super(
        message.length() <= MESSAGE_CHARS_MAX
            ? message
            : message.substring(0, MESSAGE_CHARS_MAX) + "...",
        null,
        false,
        false);
  }
}
