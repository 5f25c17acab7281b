package dev.evenkeel.serve.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.serve.http.buffer.Staging;
import dev.evenkeel.serve.http.tls.CredentialFolder;
import dev.evenkeel.serve.http.tls.Credentials;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ApiListenerTest {

  @TempDir Path folder;
  private Served served;

  @BeforeEach
  void start() {
    served = new Served(folder);
  }

  @AfterEach
  void stop() {
    served.close();
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpClient.Version.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void smallAnswer_comesWithItsLengthAndHeaders(HttpClient.Version version) throws Exception {
    try (HttpClient client = served.client(version)) {
      HttpResponse<String> response =
          client.send(served.get("/small"), HttpResponse.BodyHandlers.ofString());
      assertThat(response.version()).isEqualTo(version);
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.body()).isEqualTo("small");
      assertThat(response.headers().firstValueAsLong("content-length")).hasValue(5);
      assertThat(response.headers().allValues("warning"))
          .containsExactly("299 - \"one\"", "299 - \"two\"");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpClient.Version.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void everyAnswer_isForItsClientAlone_andKeepsTheNameItWasGiven(HttpClient.Version version)
      throws Exception {
    try (HttpClient client = served.client(version)) {
      for (String path : List.of("/small", "/stream/10", "/denied", "/refused")) {
        HttpRequest request =
            HttpRequest.newBuilder(served.uri(path))
                .POST(HttpRequest.BodyPublishers.ofString("body"))
                .build();
        HttpResponse<?> response = client.send(request, HttpResponse.BodyHandlers.discarding());
        assertThat(response.headers().allValues("cache-control"))
            .containsExactly("no-cache, private");
      }
      assertThat(auditId(client, "mine-1")).isEqualTo("mine-1");
      assertThat(auditId(client, "x".repeat(64))).hasSize(64);
      assertThat(auditId(client, "x".repeat(65))).isEmpty();
      assertThat(auditId(client, "not one word")).isEmpty();
    }
  }

  private String auditId(HttpClient client, String given) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(served.uri("/small")).header("Audit-ID", given).build();
    return client
        .send(request, HttpResponse.BodyHandlers.discarding())
        .headers()
        .firstValue("audit-id")
        .orElse("");
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpClient.Version.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void headersThatSayWhomToActAs_areAllKept(HttpClient.Version version) throws Exception {
    try (HttpClient client = served.client(version)) {
      HttpRequest request =
          HttpRequest.newBuilder(served.uri("/echo"))
              .header("Impersonate-Group", "one")
              .header("Impersonate-Group", "two")
              .header("X-Other", "one")
              .header("X-Other", "two")
              .build();
      String echo = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
      assertThat(echo).contains("impersonate-group=one\ntwo\n", "x-other=one\n");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpClient.Version.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void request_reachesTheCoreWhole(HttpClient.Version version) throws Exception {
    try (HttpClient client = served.client(version)) {
      HttpRequest request =
          HttpRequest.newBuilder(served.uri("/echo?label%20=a%2Cb&watch=1"))
              .header("X-Mixed-Case", "Value")
              .PUT(HttpRequest.BodyPublishers.ofByteArray(new byte[200_000]))
              .build();
      List<String> lines =
          client.send(request, HttpResponse.BodyHandlers.ofLines()).body().toList();
      assertThat(lines.subList(0, 5))
          .containsExactly("PUT", "/echo", "label%20=a%2Cb&watch=1", "null", "200000");
      assertThat(lines).contains("x-mixed-case=Value");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpClient.Version.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void answerOfAnotherThread_isSent(HttpClient.Version version) throws Exception {
    try (HttpClient client = served.client(version)) {
      for (int i = 0; i < 100; i++) {
        assertThat(client.send(served.get("/later"), HttpResponse.BodyHandlers.ofString()).body())
            .isEqualTo("later");
      }
    }
    Served.await(() -> served.listener.counters().requestsOpen() == 0);
    assertThat(served.listener.counters().requestsTotal()).isEqualTo(100);
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpClient.Version.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void streamedBody_isWhole(HttpClient.Version version) throws Exception {
    try (HttpClient client = served.client(version)) {
      for (int length : new int[] {0, 1, Staging.BYTES, 65_536, 70_000, 10_000_000}) {
        HttpResponse<byte[]> response =
            client.send(served.get("/stream/" + length), HttpResponse.BodyHandlers.ofByteArray());
        assertThat(response.body()).isEqualTo(ToyHandler.pattern(length));
        if (length <= Staging.BYTES) {
          assertThat(response.headers().firstValueAsLong("content-length")).hasValue(length);
        }
      }
    }
    Served.await(() -> served.handler.streamsOpen.get() == 0);
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpClient.Version.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void largeAnswer_isCompressedOnDemand(HttpClient.Version version) throws Exception {
    try (HttpClient client = served.client(version)) {
      for (String path : List.of("/stream/3000000", "/whole/3000000", "/stream/140000")) {
        HttpRequest request =
            HttpRequest.newBuilder(served.uri(path)).header("Accept-Encoding", "gzip").build();
        HttpResponse<InputStream> response =
            client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        assertThat(response.headers().firstValue("content-encoding")).hasValue("gzip");
        try (var plain = new GZIPInputStream(response.body())) {
          int length = Integer.parseInt(path.substring(path.lastIndexOf('/') + 1));
          assertThat(plain.readAllBytes()).isEqualTo(ToyHandler.pattern(length));
        }
      }
    }
  }

  @Test
  void smallAnswer_isNotCompressed() throws Exception {
    try (HttpClient client = served.client(HttpClient.Version.HTTP_2)) {
      for (String path : List.of("/stream/120000", "/whole/120000", "/stream/0", "/small")) {
        HttpRequest request =
            HttpRequest.newBuilder(served.uri(path)).header("Accept-Encoding", "gzip").build();
        HttpResponse<byte[]> response =
            client.send(request, HttpResponse.BodyHandlers.ofByteArray());
        assertThat(response.headers().firstValue("content-encoding")).isEmpty();
        assertThat(response.headers().firstValueAsLong("content-length"))
            .hasValue(response.body().length);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpClient.Version.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void events_leaveAtOnce(HttpClient.Version version) throws Exception {
    try (HttpClient client = served.client(version)) {
      HttpResponse<InputStream> response =
          client.send(served.get("/events/a"), HttpResponse.BodyHandlers.ofInputStream());
      try (var body = response.body()) {
        for (int i = 0; i < 50; i++) {
          served.handler.feed("/events/a", "event-" + i);
          String line =
              new String(body.readNBytes(("{event-" + i + "}\n").length()), StandardCharsets.UTF_8);
          assertThat(line).isEqualTo("{event-" + i + "}\n");
        }
        served.handler.feed("/events/a", "end");
        assertThat(body.read()).isEqualTo(-1);
      }
    }
    Served.await(() -> served.handler.streamsOpen.get() == 0);
  }

  @Test
  void thousandWatches_shareOneConnection() throws Exception {
    int count = 1_000;
    try (HttpClient client = served.client(HttpClient.Version.HTTP_2)) {
      // The first request settles the connection; the rest then share it.
      client.send(served.get("/small"), HttpResponse.BodyHandlers.ofString());
      var responses = new ArrayList<CompletableFuture<HttpResponse<String>>>();
      for (int i = 0; i < count; i++) {
        responses.add(
            client.sendAsync(served.get("/events/" + i), HttpResponse.BodyHandlers.ofString()));
      }
      Served.await(() -> served.handler.watches.size() == count);
      assertThat(served.listener.counters().connectionsOpen()).isEqualTo(1);
      assertThat(served.listener.counters().streamsOpen()).isEqualTo(count);
      for (String event : List.of("one", "two", "end")) {
        for (int i = 0; i < count; i++) {
          served.handler.feed("/events/" + i, event);
        }
      }
      for (CompletableFuture<HttpResponse<String>> response : responses) {
        assertThat(response.join().body()).isEqualTo("{one}\n{two}\n");
      }
    }
    Served.await(() -> served.handler.streamsOpen.get() == 0);
    Served.await(() -> served.listener.counters().streamsOpen() == 0);
  }

  @Test
  void manyWatchesWithMoreThanTheirConnectionTakes_getAllOfIt() throws Exception {
    int watches = 100;
    String event = "x".repeat(100_000);
    try (HttpClient client = served.client(HttpClient.Version.HTTP_2)) {
      client.send(served.get("/small"), HttpResponse.BodyHandlers.ofString());
      var responses = new ArrayList<CompletableFuture<HttpResponse<String>>>();
      for (int i = 0; i < watches; i++) {
        responses.add(
            client.sendAsync(served.get("/events/" + i), HttpResponse.BodyHandlers.ofString()));
      }
      Served.await(() -> served.handler.watches.size() == watches);
      for (String each : List.of(event, event, "end")) {
        // While the event loop is held up, so that it meets all of them in one go.
        var holding = client.sendAsync(served.get("/hold"), HttpResponse.BodyHandlers.ofString());
        served.handler.holding.acquire();
        for (int i = 0; i < watches; i++) {
          served.handler.feed("/events/" + i, each);
        }
        served.handler.goOn.release();
        holding.get(30, TimeUnit.SECONDS);
      }
      for (CompletableFuture<HttpResponse<String>> response : responses) {
        assertThat(response.get(30, TimeUnit.SECONDS).body()).hasSize(2 * 100_003);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpClient.Version.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void clientThatLeaves_closesItsStream(HttpClient.Version version) throws Exception {
    try (HttpClient client = served.client(version)) {
      HttpResponse<InputStream> response =
          client.send(served.get("/events/a"), HttpResponse.BodyHandlers.ofInputStream());
      assertThat(served.handler.streamsOpen).hasValue(1);
      response.body().close();
      Served.await(() -> served.handler.streamsOpen.get() == 0);
      Served.await(() -> served.listener.counters().requestsOpen() == 0);
    }
  }

  @Test
  void certificate_namesThePeer() throws Exception {
    try (HttpClient client = served.adminClient()) {
      List<String> lines =
          client.send(served.get("/echo"), HttpResponse.BodyHandlers.ofLines()).body().toList();
      assertThat(lines.get(3)).isEqualTo("Peer[name=kubernetes-admin, groups=[system:masters]]");
    }
  }

  @Test
  void certificateOfAnotherAuthority_isRefused(@TempDir Path elsewhere) throws Exception {
    Credentials foreign = CredentialFolder.open(elsewhere, "127.0.0.1", Instant.now());
    try (HttpClient client =
        served.client(
            HttpClient.Version.HTTP_1_1,
            served.trusting(foreign.adminCertificatePem(), foreign.adminKeyPem()))) {
      assertThatThrownBy(
              () -> client.send(served.get("/echo"), HttpResponse.BodyHandlers.ofString()))
          .isInstanceOf(IOException.class);
    }
    assertThat(served.listener.counters().requestsTotal()).isZero();
  }

  @Test
  void handlerThatThrows_isAnInternalError() throws Exception {
    try (HttpClient client = served.client(HttpClient.Version.HTTP_2)) {
      HttpResponse<String> response =
          client.send(served.get("/fail"), HttpResponse.BodyHandlers.ofString());
      assertThat(response.statusCode()).isEqualTo(500);
      assertThat(response.body()).contains("\"kind\":\"Status\"", "InternalError");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpClient.Version.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void streamThatThrows_isNotTakenForWhole(HttpClient.Version version) {
    try (HttpClient client = served.client(version)) {
      assertThatThrownBy(
              () -> client.send(served.get("/broken"), HttpResponse.BodyHandlers.ofByteArray()))
          .isInstanceOf(IOException.class);
    }
    Served.await(() -> served.handler.streamsOpen.get() == 0);
  }

  @Test
  void head_hasTheLengthAndNoBody() throws Exception {
    try (HttpClient client = served.client(HttpClient.Version.HTTP_1_1)) {
      HttpRequest request = HttpRequest.newBuilder(served.uri("/small")).HEAD().build();
      HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(response.headers().firstValueAsLong("content-length")).hasValue(5);
      assertThat(response.body()).isEmpty();
      // And the connection is in order after it.
      assertThat(client.send(served.get("/small"), HttpResponse.BodyHandlers.ofString()).body())
          .isEqualTo("small");
    }
  }

  @Test
  void jdkTls_servesAsWell(@TempDir Path other) throws Exception {
    try (var jdk =
            new Served(other, ListenSettings.on("127.0.0.1", 0).withEventLoops(1).withJdkTls());
        HttpClient client = jdk.adminClient()) {
      HttpResponse<String> response =
          client.send(jdk.get("/echo"), HttpResponse.BodyHandlers.ofString());
      assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
      assertThat(response.body()).contains("kubernetes-admin");
    }
  }

  @Test
  void takenPort_saysWhatToDo() {
    assertThatThrownBy(
            () ->
                ApiListener.open(
                        new RealEnv(),
                        served.handler,
                        served.credentials.server(),
                        ListenSettings.on("127.0.0.1", served.listener.port()))
                    .join())
        .hasCauseInstanceOf(ListenException.class)
        .hasMessageContaining("is taken", "--listen");
  }

  @Test
  void bytes_areCounted() throws Exception {
    try (HttpClient client = served.client(HttpClient.Version.HTTP_2)) {
      client.send(served.get("/stream/1000000"), HttpResponse.BodyHandlers.ofByteArray());
    }
    assertThat(served.listener.counters().bytesSentTotal()).isBetween(1_000_000L, 1_100_000L);
    assertThat(served.listener.counters().bytesReceivedTotal()).isBetween(500L, 50_000L);
  }
}
