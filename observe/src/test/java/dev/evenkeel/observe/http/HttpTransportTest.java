package dev.evenkeel.observe.http;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.transport.Answer;
import dev.evenkeel.observe.transport.Client;
import dev.evenkeel.observe.transport.OutcomeUnknownException;
import dev.evenkeel.observe.transport.Request;
import dev.evenkeel.observe.transport.TransportException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The transport against the JDK's small server, which can be made to misbehave. */
final class HttpTransportTest {

  private static final Kind<ObjectNode> PODS = Kind.untyped("v1", "Pod", "pods", true);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch testOver = new CountDownLatch(1);
  private final Queue<String> seen = new ConcurrentLinkedQueue<>();
  private HttpServer server;
  private HttpTransport transport;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
    transport = open(new Identity.Token("t"));
  }

  @AfterEach
  void stop() {
    testOver.countDown();
    transport.close();
    server.stop(0);
    threads.shutdownNow();
  }

  private HttpTransport open(Identity identity) {
    return HttpTransport.open(
        new RealEnv(),
        HttpSettings.of(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/below/"),
                HttpSettings.Trust.JDK,
                identity)
            .withTimeouts(
                new HttpSettings.Timeouts(Duration.ofSeconds(5), Duration.ofMillis(700))));
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().toString();
    seen.add(
        exchange.getRequestMethod()
            + " "
            + path
            + " "
            + exchange.getRequestHeaders().getFirst("Authorization")
            + " "
            + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    if (path.contains("refused")) {
      exchange.getResponseHeaders().add("Retry-After", "7");
      send(
          exchange,
          429,
          "{\"kind\":\"Status\",\"code\":429,\"reason\":\"TooManyRequests\",\"message\":\"slow\","
              + "\"details\":{\"causes\":[{\"field\":\"f\"}]}}");
    } else if (path.contains("proxy")) {
      send(exchange, 502, "bad gateway");
    } else if (path.contains("cut")) {
      exchange.sendResponseHeaders(200, 1_000);
      exchange.getResponseBody().write('{');
      exchange.getResponseBody().flush();
      exchange.getResponseBody().close();
    } else if (path.contains("silent")) {
      hold();
      exchange.close();
    } else if (path.contains("stalled")) {
      exchange.sendResponseHeaders(200, 0);
      exchange.getResponseBody().write('{');
      exchange.getResponseBody().flush();
      hold();
      exchange.close();
    } else if (path.contains("large")) {
      exchange.sendResponseHeaders(200, 0);
      byte[] piece = new byte[1 << 16];
      try (var out = exchange.getResponseBody()) {
        for (int i = 0; i < 1_600; i++) {
          out.write(piece);
          seen.add("piece");
        }
      }
    } else {
      send(exchange, 200, "{\"kind\":\"Pod\"}");
    }
  }

  private void hold() {
    try {
      var _ = testOver.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void send(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private static <T> T join(CompletableFuture<T> future) throws Exception {
    return future.get(20, TimeUnit.SECONDS);
  }

  private static ByteBuffer piece(Answer answer) throws Exception {
    return requireNonNull(answer.body().next().get(20, TimeUnit.SECONDS));
  }

  private static Throwable failure(CompletableFuture<? extends @Nullable Object> future)
      throws Exception {
    try {
      throw new AssertionError("it did not fail but gave " + future.get(20, TimeUnit.SECONDS));
    } catch (ExecutionException e) {
      Throwable cause = requireNonNull(e.getCause());
      return cause instanceof CompletionException ? requireNonNull(cause.getCause()) : cause;
    }
  }

  @Test
  void requests_carryPathPrefixTokenAndBody() throws Exception {
    var client = new Client(transport);
    assertThat(join(client.get(PODS, "n", "a")).path("kind").asString()).isEqualTo("Pod");
    join(client.create(PODS, "n", JsonNodeFactory.instance.objectNode().put("a", 1L)));
    join(client.delete(PODS, "n", "a", null));
    assertThat(seen)
        .containsExactly(
            "GET /below/api/v1/namespaces/n/pods/a Bearer t ",
            "POST /below/api/v1/namespaces/n/pods Bearer t {\"a\":1}",
            "DELETE /below/api/v1/namespaces/n/pods/a Bearer t ");
  }

  @Test
  void refusals_areStatuses() throws Exception {
    var client = new Client(transport);
    var refused = (ApiException) failure(client.get(PODS, "n", "refused"));
    assertThat(refused.status().code()).isEqualTo(429);
    assertThat(refused.status().reason()).isEqualTo("TooManyRequests");
    Status.Details details = requireNonNull(refused.status().details());
    assertThat(details.retryAfterSeconds()).isEqualTo(7);
    assertThat(details.causes().get(0).field()).isEqualTo("f");
    var proxy = (ApiException) failure(client.get(PODS, "n", "proxy"));
    assertThat(proxy.status().code()).isEqualTo(502);
    assertThat(proxy).hasMessage("bad gateway");
  }

  @Test
  void aWriteWhoseAnswerIsLost_hasAnUnknownOutcome() throws Exception {
    var client = new Client(transport);
    assertThat(failure(client.delete(PODS, "n", "cut", null)))
        .isInstanceOf(OutcomeUnknownException.class);
    assertThat(failure(client.delete(PODS, "n", "silent", null)))
        .isInstanceOf(OutcomeUnknownException.class);
    assertThat(failure(client.delete(PODS, "n", "stalled", null)))
        .isInstanceOf(OutcomeUnknownException.class)
        .hasMessageContaining("nothing came for");
    assertThat(failure(client.delete(PODS, "n", "proxy", null)))
        .isInstanceOf(OutcomeUnknownException.class)
        .hasMessageContaining("bad gateway");
    assertThat(failure(client.delete(PODS, "n", "refused", null))).isInstanceOf(ApiException.class);
    assertThat(failure(client.get(PODS, "n", "cut"))).isInstanceOf(TransportException.class);
  }

  @Test
  void aWriteThatReachedNobody_isKnownToHaveDoneNothing() throws Exception {
    server.stop(0);
    Throwable failure = failure(new Client(transport).delete(PODS, "n", "a", null));
    assertThat(failure).isInstanceOf(TransportException.class);
    assertThat(((TransportException) failure).reached())
        .isEqualTo(TransportException.Reached.NOTHING);
  }

  @Test
  void streams_mayBeSilent() throws Exception {
    Answer answer = join(transport.send(Request.watch("/stalled", "")));
    assertThat(piece(answer).get()).isEqualTo((byte) '{');
    CompletableFuture<@Nullable ByteBuffer> next = answer.body().next();
    assertThatThrownBy(() -> next.get(1_500, TimeUnit.MILLISECONDS))
        .isInstanceOf(java.util.concurrent.TimeoutException.class);
    answer.body().close();
    assertThat(failure(next)).isInstanceOf(TransportException.class);
  }

  @Test
  void aReaderThatDoesNotPull_holdsUpTheSender() throws Exception {
    Answer answer = join(transport.send(Request.watch("/large", "")));
    var _ = piece(answer);
    long before;
    long now = -1;
    do {
      before = now;
      Thread.sleep(300);
      now = seen.stream().filter("piece"::equals).count();
    } while (now != before);
    assertThat(now).isLessThan(1_600);
    long bytes = 0;
    ByteBuffer piece;
    while ((piece = answer.body().next().get(20, TimeUnit.SECONDS)) != null) {
      bytes += piece.remaining();
    }
    assertThat(bytes).isGreaterThan(1_590L << 16);
  }

  @Test
  void aClosedTransport_endsWhatIsUnderWayAndTakesNoMore() throws Exception {
    Answer answer = join(transport.send(Request.watch("/stalled", "")));
    var _ = piece(answer);
    CompletableFuture<@Nullable ByteBuffer> next = answer.body().next();
    transport.close();
    assertThat(failure(next)).isInstanceOf(TransportException.class);
    assertThat(failure(transport.send(Request.get("/a", ""))))
        .hasMessageContaining("the transport is closed");
  }

  @Test
  void renew_leavesWhatIsUnderWayAlone() throws Exception {
    Answer answer = join(transport.send(Request.watch("/stalled", "")));
    transport.renew();
    assertThat(piece(answer).get()).isEqualTo((byte) '{');
    assertThat(join(new Client(transport).get(PODS, "n", "a")).path("kind").asString())
        .isEqualTo("Pod");
    answer.body().close();
  }

  @Test
  void manyStreams_areMoreThanOneConnectionTakes() throws Exception {
    for (int i = 0; i < HttpTransport.STREAMS_MAX + 5; i++) {
      assertThat(join(transport.send(Request.watch("/stalled", ""))).status()).isEqualTo(200);
    }
  }

  @Test
  void aTokenFile_isReadAndMustBeThere(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("token");
    try (HttpTransport filed = open(new Identity.TokenFile(file))) {
      Throwable failure = failure(filed.send(Request.get("/a", "")));
      assertThat(failure).hasMessageContaining("cannot be read");
      Files.writeString(file, "from-file\n");
      join(filed.send(Request.get("/b", ""))).body().close();
      assertThat(seen).anyMatch(line -> line.startsWith("GET /below/b Bearer from-file "));
    }
  }
}
