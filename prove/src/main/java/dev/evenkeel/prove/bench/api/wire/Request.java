package dev.evenkeel.prove.bench.api.wire;

import org.jspecify.annotations.Nullable;

/**
 * What differs between two requests of a connection.
 *
 * @param path with the query
 * @param body empty if there is none
 * @param accept what is asked for and may come compressed, as Go's clients ask; null for plain JSON
 */
@SuppressWarnings("ArrayRecordComponent") // requests are sent, never compared
public record Request(Method method, String path, byte[] body, @Nullable String accept) {

  private static final byte[] NO_BODY = {};

  /** The verbs that are used. */
  public enum Method {
    GET,
    POST,
    PUT,
    DELETE
  }

  public static Request get(String path) {
    return new Request(Method.GET, path, NO_BODY, null);
  }

  /** A read whose answer may be in another form, and compressed. */
  public static Request get(String path, String accept) {
    return new Request(Method.GET, path, NO_BODY, accept);
  }

  public static Request delete(String path) {
    return new Request(Method.DELETE, path, NO_BODY, null);
  }

  public static Request post(String path, byte[] body) {
    return new Request(Method.POST, path, body, null);
  }

  public static Request put(String path, byte[] body) {
    return new Request(Method.PUT, path, body, null);
  }
}
