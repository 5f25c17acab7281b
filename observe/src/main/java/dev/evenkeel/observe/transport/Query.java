package dev.evenkeel.observe.transport;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Puts an encoded query together. */
public final class Query {

  private final StringBuilder text = new StringBuilder();

  /** Adds a parameter. */
  public Query with(String name, String value) {
    text.append(text.isEmpty() ? "" : "&")
        .append(name)
        .append('=')
        .append(URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20"));
    return this;
  }

  /** Adds a parameter if it says something. */
  public Query withUnlessEmpty(String name, String value) {
    return value.isEmpty() ? this : with(name, value);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
