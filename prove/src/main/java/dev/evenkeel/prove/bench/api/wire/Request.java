package dev.evenkeel.prove.bench.api.wire;

/**
 * What differs between two requests of a connection.
 *
 * @param path with the query
 * @param body empty if there is none
 */
@SuppressWarnings("ArrayRecordComponent") // requests are sent, never compared
public record Request(Method method, String path, byte[] body) {

  private static final byte[] NO_BODY = {};

  /** The verbs that are used. */
  public enum Method {
    GET,
    POST,
    PUT,
    DELETE
  }

  public static Request get(String path) {
    return new Request(Method.GET, path, NO_BODY);
  }

  public static Request delete(String path) {
    return new Request(Method.DELETE, path, NO_BODY);
  }

  public static Request post(String path, byte[] body) {
    return new Request(Method.POST, path, body);
  }

  public static Request put(String path, byte[] body) {
    return new Request(Method.PUT, path, body);
  }
}
