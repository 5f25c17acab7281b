package dev.evenkeel.serve.http.exchange;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.http.buffer.VertxInside;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;

/** What the transport answers by itself, in the API's form. */
public final class Refusals {

  private static final ApiResponse.Header JSON =
      new ApiResponse.Header("content-type", "application/json");

  private Refusals() {}

  static ApiResponse answer(Status status) {
    var retry =
        status.details() == null || status.details().retryAfterSeconds() == 0
            ? List.of(JSON)
            : List.of(
                JSON,
                new ApiResponse.Header(
                    "retry-after", String.valueOf(status.details().retryAfterSeconds())));
    return new ApiResponse(
        status.code(), retry, new ApiResponse.Whole(Json.encode(status.toJson())));
  }

  static ApiResponse bodyTooLarge(int bytesMax) {
    return answer(Status.tooLarge("Request entity too large: limit is " + bytesMax));
  }

  static ApiResponse tooManyBodies() {
    return answer(
        Status.tooManyRequests(
            "the server holds as many request bodies as it may; try again later", 1));
  }

  static ApiResponse compressedBody(String encoding) {
    return answer(
        Status.of(
            415,
            "UnsupportedMediaType",
            "request bodies may not be encoded, and this one is: " + encoding));
  }

  static ApiResponse broken() {
    return answer(Status.internal("the request could not be answered"));
  }

  /** For what is not HTTP. The connection is of no use after it. */
  public static void malformed(HttpServerRequest request) {
    Throwable cause = request.decoderResult().cause();
    Status status =
        switch (cause) {
          case TooLongHttpLineException _ -> Status.of(414, "", "the request line is too long");
          case TooLongHttpHeaderException _ -> Status.of(431, "", "the headers are too large");
          case null, default -> Status.badRequest("this is no HTTP request");
        };
    request
        .response()
        .setStatusCode(status.code())
        .putHeader(JSON.name(), JSON.value())
        .putHeader("connection", "close")
        .end(VertxInside.buffer(Json.encode(status.toJson())))
        .onComplete(_ -> request.connection().close());
  }
}
