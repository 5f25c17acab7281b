package dev.evenkeel.operate.up;

import org.jspecify.annotations.Nullable;

/** It cannot be done as asked, and nothing is broken: the message says what to do. */
public final class StartException extends RuntimeException {

  StartException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
