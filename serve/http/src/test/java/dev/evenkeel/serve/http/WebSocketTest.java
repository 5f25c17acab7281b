package dev.evenkeel.serve.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebSocketTest {

  @TempDir Path folder;
  private Served served;

  @BeforeEach
  void start() {
    served = new Served(folder);
  }

  @AfterEach
  void stop() {
    Served.await(() -> served.handler.streamsOpen.get() == 0);
    served.close();
  }

  /** Keeps what comes, a message at a time. */
  private static final class Messages implements WebSocket.Listener {
    final BlockingQueue<String> texts = new LinkedBlockingQueue<>();
    final CompletableFuture<Integer> closed = new CompletableFuture<>();
    private final StringBuilder text = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(
        WebSocket socket, CharSequence data, boolean isLast) {
      text.append(data);
      if (isLast) {
        texts.add(text.toString());
        text.setLength(0);
      }
      socket.request(1);
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
      closed.complete(code);
      return null;
    }

    String next() throws InterruptedException {
      return String.valueOf(texts.poll(20, TimeUnit.SECONDS));
    }
  }

  private URI uri(String path) {
    return URI.create("wss://127.0.0.1:" + served.listener.port() + path);
  }

  @Test
  void watch_isOneFrameAnEvent() throws Exception {
    var messages = new Messages();
    try (HttpClient client = served.client(HttpClient.Version.HTTP_1_1)) {
      WebSocket socket =
          client.newWebSocketBuilder().buildAsync(uri("/events/a?watch=true"), messages).join();
      String large = "ü".repeat(200_000);
      served.handler.feed("/events/a", "one");
      served.handler.feed("/events/a", "two");
      served.handler.feed("/events/a", large);
      assertThat(messages.next()).isEqualTo("{one}");
      assertThat(messages.next()).isEqualTo("{two}");
      assertThat(messages.next()).isEqualTo("{" + large + "}");
      served.handler.feed("/events/a", "end");
      assertThat(messages.closed.get(20, TimeUnit.SECONDS)).isEqualTo(1000);
      assertThat(socket.isInputClosed()).isTrue();
    }
  }

  @Test
  void clientThatCloses_closesItsStream() throws Exception {
    var messages = new Messages();
    try (HttpClient client = served.client(HttpClient.Version.HTTP_1_1)) {
      WebSocket socket = client.newWebSocketBuilder().buildAsync(uri("/events/a"), messages).join();
      assertThat(served.handler.streamsOpen).hasValue(1);
      socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
      Served.await(() -> served.handler.streamsOpen.get() == 0);
    }
    Served.await(() -> served.listener.counters().streamsOpen() == 0);
  }

  @Test
  void clientThatAborts_closesItsStream() throws Exception {
    try (HttpClient client = served.client(HttpClient.Version.HTTP_1_1)) {
      WebSocket socket =
          client.newWebSocketBuilder().buildAsync(uri("/events/a"), new Messages()).join();
      socket.abort();
      Served.await(() -> served.handler.streamsOpen.get() == 0);
    }
  }

  @Test
  void refusalOfTheCore_isAPlainAnswer() {
    try (HttpClient client = served.client(HttpClient.Version.HTTP_1_1)) {
      CompletableFuture<WebSocket> attempt =
          client.newWebSocketBuilder().buildAsync(uri("/denied"), new Messages());
      assertThat(attempt)
          .failsWithin(java.time.Duration.ofSeconds(20))
          .withThrowableThat()
          .havingCause()
          .isInstanceOfSatisfying(
              WebSocketHandshakeException.class,
              e -> assertThat(e.getResponse().statusCode()).isEqualTo(403));
    }
  }

  @Test
  void subprotocol_isAnswered_andATokenAmongThemIsAHeader() throws Exception {
    String token =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString("secret".getBytes(StandardCharsets.UTF_8));
    try (HttpClient client = served.client(HttpClient.Version.HTTP_1_1)) {
      WebSocket socket =
          client
              .newWebSocketBuilder()
              .subprotocols("base64url.bearer.authorization.k8s.io." + token, "watch.example")
              .buildAsync(uri("/events/a"), new Messages())
              .join();
      assertThat(socket.getSubprotocol()).isEqualTo("watch.example");
      assertThat(served.handler.lastAuthorization).isEqualTo("Bearer secret");
      socket.abort();
    }
  }
}
