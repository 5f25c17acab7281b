package dev.evenkeel.observe.transport;

import dev.evenkeel.kernel.bytes.Bytes;
import java.util.List;

/**
 * A request.
 *
 * @param method in upper case
 * @param path encoded, without the query, for example {@code /api/v1/pods}
 * @param query encoded, without the question mark; empty if there is none
 * @param body empty if there is none
 * @param patience how long an answer may be silent
 */
public record Request(
    String method, String path, String query, List<Header> headers, Bytes body, Patience patience) {

  /** How long an answer may be silent before the transport gives it up. */
  public enum Patience {
    /** For the transport's own limit: an answer that is under way comes. */
    ANSWER,
    /** For ever: a watch may have nothing to tell. Whoever reads it knows when it is too long. */
    STREAM
  }

  public Request {
    headers = List.copyOf(headers);
  }

  /** A read of an answer. */
  public static Request get(String path, String query) {
    return new Request("GET", path, query, JSON, Bytes.EMPTY, Patience.ANSWER);
  }

  /** A read of a stream. */
  public static Request watch(String path, String query) {
    return new Request("GET", path, query, JSON, Bytes.EMPTY, Patience.STREAM);
  }

  private static final List<Header> JSON = List.of(new Header("Accept", "application/json"));

  /** Method and target, for messages. */
  @Override
  public String toString() {
    return method + " " + path + (query.isEmpty() ? "" : "?" + query);
  }
}
