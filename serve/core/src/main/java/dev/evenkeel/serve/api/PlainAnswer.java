package dev.evenkeel.serve.api;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A request that ends with words instead of a Status: what stands at no path of the API is answered
 * as any web server would.
 */
public final class PlainAnswer extends RuntimeException {

  private final int status;

  /** Without a stack trace: it is an answer, not a fault. */
  public PlainAnswer(int status, String text) {
    super(text, null, false, false);
    this.status = status;
  }

  /** For a path that leads nowhere. */
  public static PlainAnswer noSuchPage() {
    return new PlainAnswer(404, "404 page not found\n");
  }

  public ApiResponse response() {
    return text(status, String.valueOf(getMessage()));
  }

  /** An answer of words. */
  public static ApiResponse text(int status, String body) {
    return new ApiResponse(
        status,
        List.of(
            new ApiResponse.Header("Content-Type", "text/plain; charset=utf-8"),
            new ApiResponse.Header("X-Content-Type-Options", "nosniff")),
        new ApiResponse.Whole(body.getBytes(StandardCharsets.UTF_8)));
  }
}
