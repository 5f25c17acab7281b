package dev.evenkeel.serve.api;

import java.util.concurrent.CompletableFuture;

/** Answers requests. Safe to call from any thread; never blocks the caller. */
public interface ApiHandler {

  /**
   * Answers the request. Whatever is wrong with it is an answer too: the future fails only when the
   * server itself is broken.
   */
  CompletableFuture<ApiResponse> handle(ApiRequest request);
}
