package dev.evenkeel.serve.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;
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

  private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  private AnswerHeaders() {}

  static void put(HttpServerRequest request, HttpServerResponse response, RandomGenerator random) {
    String given = request.getHeader(AUDIT_ID);
    response
        .headers()
        .set(HttpHeaders.CACHE_CONTROL, NOT_TO_BE_KEPT)
        .set(AUDIT_ID, isSane(given) ? given : uuid(random.nextLong(), random.nextLong()));
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

  /** A random uuid, version 4, by hand: it is made for every request. */
  static String uuid(long first, long second) {
    long high = (first & 0xffff_ffff_ffff_0fffL) | 0x4000L;
    long low = (second & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
    byte[] text = new byte[36];
    int at = 0;
    for (int i = 0; i < 32; i++) {
      if (i == 8 || i == 12 || i == 16 || i == 20) {
        text[at++] = '-';
      }
      long half = i < 16 ? high : low;
      text[at++] = DIGITS[(int) (half >>> (60 - 4 * (i & 15))) & 15];
    }
    return new String(text, StandardCharsets.ISO_8859_1);
  }
}
