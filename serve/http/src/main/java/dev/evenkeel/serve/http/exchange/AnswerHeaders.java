package dev.evenkeel.serve.http.exchange;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import org.jspecify.annotations.Nullable;

/**
 * The headers of every answer: that it is for its client alone and not to be kept, and the name by
 * which the request can be talked about, which is the client's own if it gave one.
 */
final class AnswerHeaders {

  private static final CharSequence NOT_TO_BE_KEPT =
      HttpHeaders.createOptimized("no-cache, private");
  private static final CharSequence AUDIT_ID = HttpHeaders.createOptimized("audit-id");

  /** Upstream cuts longer ones where it keeps them; nobody needs them. */
  private static final int AUDIT_ID_CHARS_MAX = 64;

  private AnswerHeaders() {}

  /**
   * An id that the client gave its request is given back. None is made up: a text that is new with
   * each answer would push all others out of the connection's table of known headers.
   */
  static void put(HttpServerRequest request, HttpServerResponse response) {
    String given = request.getHeader(AUDIT_ID);
    response.headers().set(HttpHeaders.CACHE_CONTROL, NOT_TO_BE_KEPT);
    if (isSane(given)) {
      response.headers().set(AUDIT_ID, given);
    }
  }

  private static boolean isSane(@Nullable String id) {
    if (id == null || id.isEmpty() || id.length() > AUDIT_ID_CHARS_MAX) {
      return false;
    }
    for (int i = 0; i < id.length(); i++) {
      if (id.charAt(i) <= ' ' || id.charAt(i) > '~') {
        return false;
      }
    }
    return true;
  }
}
