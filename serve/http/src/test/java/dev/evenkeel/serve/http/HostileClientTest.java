package dev.evenkeel.serve.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.serve.http.buffer.VertxInside;
import dev.evenkeel.serve.http.limit.HttpLimits;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What must not hold the server's memory, its connections or its other clients. */
class HostileClientTest {

  private static final HttpLimits IMPATIENT =
      HttpLimits.DEFAULTS.withTimeouts(Duration.ofMillis(1_500));

  @TempDir Path folder;
  private @Nullable Served running;

  private Served serve(HttpLimits limits) {
    running = new Served(folder, limits);
    return running;
  }

  @AfterEach
  void stop() {
    Served served = Objects.requireNonNull(running);
    // Whatever a client did, it left nothing behind.
    Served.await(() -> served.handler.streamsOpen.get() == 0);
    Served.await(() -> served.listener.counters().requestsOpen() == 0);
    assertThat(served.listener.counters().pendingBodyBytes()).isZero();
    served.close();
  }

  private static RawHttp http1(Served served) throws IOException {
    return new RawHttp(served.socket("http/1.1"));
  }

  // ---- slow ones

  @Test
  void headersSentSlowly_areCutOff() throws Exception {
    Served served = serve(IMPATIENT);
    try (RawHttp client = http1(served)) {
      client.send("GET /small HTTP/1.1\r\nhost: x\r\n");
      long began = System.nanoTime();
      boolean cut = false;
      while (!cut && System.nanoTime() - began < 10_000_000_000L) {
        Thread.sleep(100);
        try {
          client.send("x-more: and-more\r\n");
        } catch (IOException e) {
          cut = true;
        }
      }
      assertThat(cut).isTrue();
    }
    assertThat(served.listener.counters().requestsTotal()).isZero();
    assertThat(served.listener.counters().timeoutsTotal()).isEqualTo(1);
  }

  @Test
  void laterHeadersSentSlowly_areCutOff() throws Exception {
    Served served = serve(IMPATIENT);
    try (RawHttp client = http1(served)) {
      client.send("GET /small HTTP/1.1\r\nhost: x\r\n\r\n");
      assertThat(client.answer()).endsWith("small");
      client.send("GET /small HTTP/1.1\r\nhost:");
      assertThat(client.isClosedByServer()).isTrue();
    }
  }

  @Test
  void bodySentSlowly_isCutOff() throws Exception {
    Served served = serve(IMPATIENT);
    try (RawHttp client = http1(served)) {
      client.send("POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n");
      client.send("some");
      assertThat(client.isClosedByServer()).isTrue();
    }
  }

  @Test
  void bodyOfARequestThatIsRefusedAnyway_isNotWaitedFor() throws Exception {
    Served served = serve(HttpLimits.DEFAULTS);
    try (RawHttp client = http1(served)) {
      client.send("POST /refused HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\nsome");
      assertThat(client.answer()).startsWith("HTTP/1.1 401");
    }
    assertThat(served.listener.counters().pendingBodyBytes()).isZero();
  }

  @Test
  void silentConnection_isClosed() throws Exception {
    Served served = serve(IMPATIENT);
    try (var tcp = new Socket(InetAddress.getLoopbackAddress(), served.listener.port())) {
      tcp.setSoTimeout(10_000);
      assertThat(new RawHttp(tcp).isClosedByServer()).isTrue();
    }
    for (String protocol : List.of("http/1.1", "h2")) {
      try (SSLSocket tls = served.socket(protocol)) {
        // HTTP/2 servers speak first.
        tls.getInputStream().readNBytes(protocol.equals("h2") ? 9 : 0);
        Served.await(() -> served.listener.counters().connectionsOpen() == 0);
      }
    }
  }

  @Test
  void idleConnection_isClosed_andOneWithAWatchIsNot() throws Exception {
    Served served = serve(IMPATIENT);
    try (HttpClient watcher = served.client(HttpClient.Version.HTTP_2);
        RawHttp idle = http1(served)) {
      HttpResponse<InputStream> watch =
          watcher.send(served.get("/events/a"), HttpResponse.BodyHandlers.ofInputStream());
      idle.send("GET /small HTTP/1.1\r\nhost: x\r\n\r\n");
      assertThat(idle.answer()).endsWith("small");
      assertThat(idle.isClosedByServer()).isTrue();
      Thread.sleep(2_500);
      served.handler.feed("/events/a", "still here");
      try (InputStream body = watch.body()) {
        assertThat(body.readNBytes(13))
            .isEqualTo("{still here}\n".getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  // ---- those that do not read

  @ParameterizedTest
  @EnumSource(
      value = HttpClient.Version.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void slowReader_getsAllOfIt_andHoldsLittle(HttpClient.Version version) throws Exception {
    Served served = serve(HttpLimits.DEFAULTS);
    int length = 50_000_000;
    long most = 0;
    try (HttpClient client = served.client(version)) {
      HttpResponse<InputStream> response =
          client.send(served.get("/stream/" + length), HttpResponse.BodyHandlers.ofInputStream());
      byte[] part = new byte[1_000_000];
      long position = 0;
      try (InputStream body = response.body()) {
        for (int count; (count = body.readNBytes(part, 0, part.length)) > 0; position += count) {
          for (int i = 0; i < count; i += 997) {
            assertThat(part[i]).isEqualTo(ToyHandler.patternAt(position + i));
          }
          most = Math.max(most, usedDirectBytes());
          Thread.sleep(5);
        }
      }
      assertThat(position).isEqualTo(length);
    }
    assertThat(most).isLessThan(16L << 20);
  }

  private static long usedDirectBytes() {
    return ((ByteBufAllocatorMetricProvider) VertxInside.allocator()).metric().usedDirectMemory();
  }

  @Test
  void clientThatNeverReads_holdsItsBufferAndIsDropped() throws Exception {
    Served served = serve(IMPATIENT);
    var plain = new Socket();
    plain.setReceiveBufferSize(8_192);
    plain.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), served.listener.port()));
    try (var tls =
        (SSLSocket)
            served
                .trusting(null, null)
                .getSocketFactory()
                .createSocket(plain, "127.0.0.1", served.listener.port(), true)) {
      tls.startHandshake();
      new RawHttp(tls).send("GET /stream/100000000 HTTP/1.1\r\nhost: x\r\n\r\n");
      Served.await(() -> served.handler.streamsOpen.get() == 1);
      Served.await(() -> served.handler.streamsOpen.get() == 0);
      assertThat(served.listener.counters().bytesSentTotal()).isLessThan(20_000_000);
      assertThat(served.listener.counters().timeoutsTotal()).isEqualTo(1);
    }
  }

  @Test
  void watcherThatNeverReads_changesNothingForTheOthers() throws Exception {
    Served served = serve(IMPATIENT);
    try (RawHttp stalled = http1(served);
        HttpClient client = served.client(HttpClient.Version.HTTP_2)) {
      stalled.send("GET /events/stalled HTTP/1.1\r\nhost: x\r\n\r\n");
      Served.await(() -> served.handler.watches.containsKey("/events/stalled"));
      HttpResponse<InputStream> other =
          client.send(served.get("/events/other"), HttpResponse.BodyHandlers.ofInputStream());
      String event = "x".repeat(100_000);
      try (InputStream body = other.body()) {
        for (int i = 0; i < 300; i++) {
          served.handler.feed("/events/stalled", event);
          served.handler.feed("/events/other", event);
          assertThat(body.readNBytes(event.length() + 3)).hasSize(event.length() + 3);
        }
      }
      // It was pulled as far as its socket took it, and no further.
      assertThat(served.handler.watch("/events/stalled").taken()).isLessThan(150);
    }
  }

  // ---- those that send too much

  @Test
  void announcedBodyOverTheLimit_isRefusedUnread() throws Exception {
    Served served = serve(HttpLimits.DEFAULTS);
    try (RawHttp client = http1(served)) {
      client.send("POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 4000000\r\n\r\nbegun");
      assertThat(client.answer())
          .startsWith("HTTP/1.1 413 ")
          .containsIgnoringCase("connection: close")
          .contains("\"kind\":\"Status\"", "RequestEntityTooLarge", "limit is 3145728");
      assertThat(client.isClosedByServer()).isTrue();
    }
  }

  @Test
  void chunkedBodyOverTheLimit_isRefusedOnTheWay() throws Exception {
    Served served = serve(HttpLimits.DEFAULTS);
    try (RawHttp client = http1(served)) {
      client.send("POST /echo HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n");
      String chunk = "10000\r\n" + "x".repeat(0x10000) + "\r\n";
      for (int i = 0; i < 49; i++) {
        client.send(chunk);
      }
      assertThat(client.answer()).startsWith("HTTP/1.1 413 ");
    }
  }

  @Test
  void http2BodyOverTheLimit_isRefused_andTheConnectionGoesOn() throws Exception {
    Served served = serve(HttpLimits.DEFAULTS);
    try (HttpClient client = served.client(HttpClient.Version.HTTP_2)) {
      HttpRequest large =
          HttpRequest.newBuilder(served.uri("/echo"))
              .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[(3 << 20) + 1]))
              .build();
      assertThat(client.send(large, HttpResponse.BodyHandlers.ofString()).statusCode())
          .isEqualTo(413);
      HttpRequest fits =
          HttpRequest.newBuilder(served.uri("/echo"))
              .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[3 << 20]))
              .build();
      assertThat(client.send(fits, HttpResponse.BodyHandlers.ofString()).body())
          .contains("\n3145728\n");
    }
    assertThat(served.listener.counters().connectionsTotal()).isEqualTo(1);
  }

  @Test
  void manyBodiesAtOnce_areTooManyRequests() throws Exception {
    Served served = serve(HttpLimits.DEFAULTS.withBodyBytesMax(1_000, 2_500));
    var clients = new ArrayList<RawHttp>();
    try {
      for (int i = 0; i < 3; i++) {
        RawHttp client = http1(served);
        clients.add(client);
        client.send("POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n");
        client.send("x".repeat(999));
        long expected = 999L * Math.min(i + 1, 2);
        Served.await(() -> served.listener.counters().pendingBodyBytes() == expected);
      }
      assertThat(clients.get(2).answer())
          .startsWith("HTTP/1.1 429 ")
          .containsIgnoringCase("retry-after: 1");
      clients.get(0).send("x");
      assertThat(clients.get(0).answer()).startsWith("HTTP/1.1 200 ");
      clients.get(1).send("x");
      assertThat(clients.get(1).answer()).startsWith("HTTP/1.1 200 ");
    } finally {
      for (RawHttp client : clients) {
        client.close();
      }
    }
  }

  @Test
  void compressedBody_isAnUnsupportedMediaType() throws Exception {
    Served served = serve(HttpLimits.DEFAULTS);
    try (RawHttp client = http1(served)) {
      client.send(
          "POST /echo HTTP/1.1\r\nhost: x\r\ncontent-encoding: gzip\r\ncontent-length:"
              + " 4\r\n\r\nabcd");
      assertThat(client.answer()).startsWith("HTTP/1.1 415 ");
    }
  }

  @Test
  void connectionsOverTheLimit_areClosedAtOnce() throws Exception {
    Served served = serve(HttpLimits.DEFAULTS.withConnectionsMax(2));
    try (RawHttp _ = http1(served)) {
      try (RawHttp _ = http1(served);
          var third = new Socket(InetAddress.getLoopbackAddress(), served.listener.port())) {
        third.setSoTimeout(10_000);
        assertThat(new RawHttp(third).isClosedByServer()).isTrue();
        assertThat(served.listener.counters().connectionsRefusedTotal()).isEqualTo(1);
        assertThat(served.listener.counters().connectionsOpen()).isEqualTo(2);
      }
      Served.await(() -> served.listener.counters().connectionsOpen() == 1);
      try (RawHttp again = http1(served)) {
        again.send("GET /small HTTP/1.1\r\nhost: x\r\n\r\n");
        assertThat(again.answer()).endsWith("small");
      }
    }
  }

  // ---- those that speak something else

  @Test
  void garbage_isABadRequest() throws Exception {
    Served served = serve(HttpLimits.DEFAULTS);
    for (String nonsense : List.of("\0\1\2 nonsense\r\n\r\n", "GET\r\n\r\n")) {
      try (RawHttp client = http1(served)) {
        client.send(nonsense);
        assertThat(client.answer())
            .matches("HTTP/1.[01] 400 (?s).*")
            .contains("\"kind\":\"Status\"");
        assertThat(client.isClosedByServer()).isTrue();
      }
    }
  }

  @Test
  void longLinesAndLargeHeaders_haveTheirOwnAnswers() throws Exception {
    Served served = serve(HttpLimits.DEFAULTS);
    try (RawHttp client = http1(served)) {
      client.send("GET /" + "x".repeat(70_000) + " HTTP/1.1\r\nhost: x\r\n\r\n");
      assertThat(client.answer()).matches("HTTP/1.[01] 414 (?s).*");
    }
    try (RawHttp client = http1(served)) {
      client.send("GET /small HTTP/1.1\r\nx: " + "x".repeat(70_000) + "\r\n\r\n");
      assertThat(client.answer()).matches("HTTP/1.[01] 431 (?s).*");
    }
  }

  /** A client that is told REFUSED_STREAM, or that its stream was not looked at, tries again. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void http2HeadBeyondTheLimit_isRefusedForGood(boolean inPath) throws Exception {
    Served served = serve(HttpLimits.DEFAULTS);
    try (var client = new RawHttp2(served.socket("h2"))) {
      int stream = large(client, inPath, 70_000); // a path and headers may take as much together
      assertThat(client.next(stream).text()).contains("no-cache");
      RawHttp2.Frame frame = client.next(large(client, inPath, 140_000));
      assertThat(frame.kind()).isEqualTo(RawHttp2.HEADERS);
      assertThat(frame.isLast()).isTrue();
      assertThat(frame.text()).endsWith("431");
    }
    RawHttp2.Frame last = lastWord(served, inPath);
    if (last != null) {
      assertThat(last.kind()).isEqualTo(RawHttp2.GOAWAY);
      assertThat(last.lastStream()).isGreaterThanOrEqualTo(1);
      assertThat(last.error()).isEqualTo(RawHttp2.PROTOCOL_ERROR);
    }
  }

  /** What comes after far too much; null if the server was gone before all of it was sent. */
  private static RawHttp2.@Nullable Frame lastWord(Served served, boolean inPath) {
    try (var client = new RawHttp2(served.socket("h2"))) {
      return client.next(large(client, inPath, 170_000));
    } catch (IOException e) {
      return null;
    }
  }

  private static int large(RawHttp2 client, boolean inPath, int bytes) throws IOException {
    String much = "x".repeat(bytes);
    return inPath ? client.get("/" + much, "x", "y") : client.get("/small", "x", much);
  }

  @Test
  void plainText_isRefused() throws Exception {
    Served served = serve(HttpLimits.DEFAULTS);
    try (var tcp = new Socket(InetAddress.getLoopbackAddress(), served.listener.port())) {
      tcp.setSoTimeout(10_000);
      var client = new RawHttp(tcp);
      client.send("GET /small HTTP/1.1\r\nhost: x\r\n\r\n");
      byte[] answer = tcp.getInputStream().readAllBytes();
      assertThat(new String(answer, StandardCharsets.ISO_8859_1)).doesNotContain("small");
    }
  }

  // ---- those that leave

  @Test
  void halfClosedConnection_isAClosedOne() throws Exception {
    Served served = serve(HttpLimits.DEFAULTS);
    try (var plain = new Socket(InetAddress.getLoopbackAddress(), served.listener.port());
        var tls =
            (SSLSocket)
                served
                    .trusting(null, null)
                    .getSocketFactory()
                    .createSocket(plain, "127.0.0.1", served.listener.port(), false)) {
      tls.startHandshake();
      new RawHttp(tls).send("GET /events/a HTTP/1.1\r\nhost: x\r\n\r\n");
      Served.await(() -> served.handler.streamsOpen.get() == 1);
      plain.shutdownOutput();
      Served.await(() -> served.handler.streamsOpen.get() == 0);
    }
  }

  @Test
  void clientThatLeavesBeforeItsAnswer_leavesNothingBehind() throws Exception {
    Served served = serve(HttpLimits.DEFAULTS);
    try (RawHttp client = http1(served)) {
      client.send("POST /never HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\n\r\nbody");
      served.handler.firstUnanswered.await();
      assertThat(served.listener.counters().requestsOpen()).isEqualTo(1);
    }
    Served.await(() -> served.listener.counters().requestsOpen() == 0);
    served.handler.answerAll();
  }

  // ---- and those that are only quick

  @Test
  void pipelinedRequests_areAnsweredInOrder() throws Exception {
    Served served = serve(HttpLimits.DEFAULTS);
    try (RawHttp client = http1(served)) {
      client.send("GET /later HTTP/1.1\r\nhost: x\r\n\r\nGET /small HTTP/1.1\r\nhost: x\r\n\r\n");
      assertThat(client.answer()).endsWith("later");
      assertThat(client.answer()).endsWith("small");
    }
  }

  @Test
  void bodyOnDemand_isDemanded() throws Exception {
    Served served = serve(HttpLimits.DEFAULTS);
    try (RawHttp client = http1(served)) {
      client.send(
          "POST /echo HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 4\r\n\r\n");
      assertThat(client.answer()).startsWith("HTTP/1.1 100 ");
      client.send("body");
      assertThat(client.answer()).startsWith("HTTP/1.1 200 ").contains("\n4\n");
    }
  }
}
