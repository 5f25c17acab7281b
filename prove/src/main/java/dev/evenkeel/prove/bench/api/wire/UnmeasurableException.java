package dev.evenkeel.prove.bench.api.wire;

import org.jspecify.annotations.Nullable;

/** The server cannot be reached, started or brought to the state that a measurement begins with. */
public final class UnmeasurableException extends RuntimeException {

  private static final long serialVersionUID = 1;

  public UnmeasurableException(String message) {
    super(message);
  }

  public UnmeasurableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
