package dev.evenkeel.operate.up;

import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.serve.api.ApiHandler;
import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.http.tls.Credentials;
import dev.evenkeel.store.Store;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The API server, as far as it is there: it says that it lives. */
final class Core implements AutoCloseable {

  private Core() {}

  static Core open(Env env, Store store, Credentials credentials) {
    return new Core();
  }

  ApiHandler handler() {
    return Core::answer;
  }

  private static CompletableFuture<ApiResponse> answer(ApiRequest request) {
    boolean known = request.path().equals("/livez") || request.path().equals("/readyz");
    byte[] text = (known ? "ok" : "not there yet").getBytes(StandardCharsets.UTF_8);
    return CompletableFuture.completedFuture(
        new ApiResponse(known ? 200 : 501, List.of(), new ApiResponse.Whole(text)));
  }

  CompletableFuture<@Nullable Void> ready() {
    return CompletableFuture.completedFuture(null);
  }

  void drain() {}

  @Override
  public void close() {}
}
