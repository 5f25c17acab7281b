package dev.evenkeel.kernel.quantity;

/** A text that is no quantity. The message says why, in the words that clients know. */
public final class QuantityException extends RuntimeException {

  public QuantityException(String message) {
    super(message);
  }
}
