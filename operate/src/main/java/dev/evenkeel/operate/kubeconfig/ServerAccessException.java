package dev.evenkeel.operate.kubeconfig;

import org.jspecify.annotations.Nullable;

/** A kubeconfig file cannot be used; the message says what to do. */
public final class ServerAccessException extends RuntimeException {

  public ServerAccessException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
