package dev.evenkeel.kernel.json;

/** A body that is not what it claims to be. The message says where and why, for the sender. */
public final class JsonException extends RuntimeException {

  public JsonException(String message) {
    super(message);
  }
}
