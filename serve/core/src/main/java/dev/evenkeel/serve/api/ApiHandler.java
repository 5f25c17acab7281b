package dev.evenkeel.serve.api;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Answers requests. Safe to call from any thread; never blocks the caller. */
public interface ApiHandler {

  /**
   * Answers the request. Whatever is wrong with it is an answer too: the future fails only when the
   * server itself is broken.
   */
  CompletableFuture<ApiResponse> handle(ApiRequest request);

  /**
   * Why a request will be refused whatever its body is, asked before the body is read, so that
   * nobody is sent one for nothing. Null if it depends on the body.
   *
   * @param request without its body
   */
  default @Nullable ApiResponse refusal(ApiRequest request) {
    return null;
  }
}
