package dev.evenkeel.observe.http;

import org.jspecify.annotations.Nullable;

/** What says where the server is cannot be used; the message says what to do. */
public final class ConfigurationException extends RuntimeException {

  public ConfigurationException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
