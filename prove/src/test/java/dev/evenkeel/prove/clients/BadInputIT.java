package dev.evenkeel.prove.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.operate.kubeconfig.ServerAccess;
import dev.evenkeel.serve.http.limit.HttpLimits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What no client should send. Each is answered with the protocol's error or dropped by a limit,
 * others are served meanwhile, and nothing is left behind.
 */
class BadInputIT {

  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String JSON = "application/json";
  private static final String YAML = "application/yaml";
  private static final Duration IMPATIENCE = Duration.ofSeconds(5);

  private RunningServer server;
  private HttpClient client;
  private Bystander bystander;

  @BeforeEach
  void start(@TempDir Path folder) throws IOException {
    server = RunningServer.start(folder, RunningServer.Setup.MEMORY.withLimits(impatient()));
    client = server.client(HttpClient.Version.HTTP_2);
    bystander = new Bystander(server);
  }

  private static HttpLimits impatient() {
    HttpLimits limits = HttpLimits.DEFAULTS.withTimeouts(IMPATIENCE);
    return new HttpLimits(
        limits.connectionsMax(),
        limits.streamsPerConnectionMax(),
        limits.requestLineBytesMax(),
        limits.headerBytesMax(),
        limits.bodyBytesMax(),
        limits.pendingBodyBytesMax(),
        limits.gzipBytesMin(),
        limits.handshakeTimeout(),
        limits.headersTimeout(),
        limits.idleTimeout(),
        limits.bodyTimeout(),
        limits.stallTimeout(),
        IMPATIENCE);
  }

  @AfterEach
  void othersWereServed_andNothingIsLeft() throws Exception {
    bystander.close();
    Await.until(
        "no lane is taken", () -> running().stream().allMatch(line -> line.endsWith(" 0.0")));
    assertThat(running()).hasSizeGreaterThan(3);
    client.close();
    Await.until("connections are closed", () -> server.counters().connectionsOpen() == 0);
    assertThat(server.counters().requestsOpen()).isZero();
    assertThat(server.counters().streamsOpen()).isZero();
    assertThat(server.counters().pendingBodyBytes()).isZero();
    server.close();
  }

  /** What the page of metrics tells of requests under way and of open watches. */
  private List<String> running() {
    try {
      String page = server.send(client, "GET", "/metrics", JSON, new byte[0]).body();
      return page.lines()
          .filter(
              line ->
                  line.startsWith("evenkeel_requests_running{")
                      || line.startsWith("evenkeel_cache_watchers{"))
          .toList();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A request and the codes it may be answered with. */
  private record Case(
      String method, String target, String contentType, Bytes body, List<Integer> codes) {}

  /** A body, shown shortly. */
  private record Bytes(String latin) {
    byte[] array() {
      return latin.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public String toString() {
      return latin.length() > 120 ? latin.substring(0, 120) + "…" : latin;
    }
  }

  private static Case post(String contentType, String body, Integer... codes) {
    return new Case("POST", MAPS, contentType, new Bytes(body), List.of(codes));
  }

  private static Case get(String target, Integer... codes) {
    return new Case("GET", target, JSON, new Bytes(""), List.of(codes));
  }

  private void check(List<Case> cases) throws Exception {
    List<String> wrong = new ArrayList<>();
    for (Case each : cases) {
      HttpResponse<String> answer =
          server.send(
              client, each.method(), each.target(), each.contentType(), each.body().array());
      // Outside of all groups there is nobody who could tell more, as upstream.
      boolean isStatus =
          answer.body().contains("\"kind\":\"Status\"")
              || answer.body().equals("404 page not found\n");
      if (!each.codes().contains(answer.statusCode())
          || (answer.statusCode() >= 400 && !isStatus)) {
        String body = answer.body();
        wrong.add(
            each
                + " -> "
                + answer.statusCode()
                + " "
                + body.substring(0, Math.min(300, body.length())));
      }
    }
    assertThat(wrong).isEmpty();
  }

  private static String map(String name, String rest) {
    return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\""
        + name
        + "\"}"
        + rest
        + "}";
  }

  @Test
  void brokenBodies_areBadRequests() throws Exception {
    check(
        List.of(
            post(JSON, "{", 400),
            post(JSON, "", 400),
            post(JSON, "null", 422),
            post(JSON, "[]", 400),
            post(JSON, "{\"kind\":\"ConfigMap\"} trailing", 400),
            post(JSON, "\u0000\u0001\u0002", 400),
            post(JSON, map("twice", ",\"data\":{\"a\":1e999999}"), 400),
            post(YAML, "a: [b", 400),
            post(YAML, "\tkind: ConfigMap", 400),
            post(YAML, "- ConfigMap", 400),
            post(JSON, map("a", "").replace("ConfigMap", "Secret"), 400),
            post(JSON, map("a", "").replace("\"v1\"", "\"v2\""), 400),
            post(JSON, map("a", ",\"data\":7"), 400),
            post(JSON, map("a", ",\"data\":{\"a\":{}}"), 400),
            post(JSON, "{\"metadata\":[]}", 400),
            post(JSON, "{\"apiVersion\":7,\"kind\":{}}", 400),
            post("application/x-nonsense", map("a", ""), 415),
            post("application/vnd.kubernetes.protobuf", "nonsense", 400)));
  }

  @Test
  void unknownFields_areToldAsTheClientWishes() throws Exception {
    String body = map("unknown", ",\"nonsense\":true");
    HttpResponse<String> strict =
        server.send(client, "POST", MAPS + "?fieldValidation=Strict", JSON, bytes(body));
    assertThat(strict.statusCode()).isEqualTo(400);
    assertThat(strict.body()).contains("strict decoding error", "nonsense");
    HttpResponse<String> warned =
        server.send(client, "POST", MAPS + "?fieldValidation=Warn", JSON, bytes(body));
    assertThat(warned.statusCode()).isEqualTo(201);
    assertThat(warned.headers().allValues("warning")).anyMatch(text -> text.contains("nonsense"));
    assertThat(warned.body()).doesNotContain("nonsense");
    HttpResponse<String> absurd =
        server.send(client, "POST", MAPS + "?fieldValidation=Perhaps", JSON, bytes(body));
    assertThat(absurd.statusCode()).isIn(400, 422);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void deepAndMultiplyingBodies_areBadRequests() throws Exception {
    var bomb = new StringBuilder("a0: &a0 [x,x,x,x,x,x,x,x,x]\n");
    for (int i = 1; i < 30; i++) {
      bomb.append("a" + i + ": &a" + i + " [");
      bomb.append(("*a" + (i - 1) + ",").repeat(8)).append("*a" + (i - 1) + "]\n");
    }
    check(
        List.of(
            post(JSON, "[".repeat(1_000_000), 400),
            post(JSON, "{\"a\":".repeat(200_000), 400),
            post(JSON, map("deep", ",\"x\":" + "[".repeat(5_000) + "]".repeat(5_000)), 400),
            post(YAML, "[".repeat(1_000_000), 400),
            post(YAML, "{a: ".repeat(200_000), 400),
            post(YAML, "- ".repeat(200_000), 400),
            post(YAML, bomb.toString(), 400)));
  }

  @Test
  void invalidText_isRefusedOrMended() throws Exception {
    check(
        List.of(
            post(JSON, map("utf-a", ",\"data\":{\"a\":\"\u00ff\u00fe\"}"), 400, 201),
            post(JSON, map("utf-b", ",\"data\":{\"a\":\"\u00c0\u0080\"}"), 400, 201),
            post(JSON, map("utf-c", ",\"data\":{\"a\":\"\\ud800\"}"), 400, 201),
            post(YAML, "kind: ConfigMap\nmetadata: {name: utf-d}\ndata: {a: \u00ff}", 400, 201)));
    // Whatever was taken comes back as text that others can read.
    HttpResponse<byte[]> list =
        client.send(
            java.net.http.HttpRequest.newBuilder(java.net.URI.create(server.url() + MAPS)).build(),
            HttpResponse.BodyHandlers.ofByteArray());
    assertThat(
            StandardCharsets.UTF_8
                .newDecoder()
                .decode(java.nio.ByteBuffer.wrap(list.body()))
                .toString())
        .startsWith("{");
  }

  @Test
  void oversizedBody_isTooLarge() throws Exception {
    HttpResponse<String> answer = server.send(client, "POST", MAPS, JSON, new byte[(3 << 20) + 1]);
    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(answer.body()).contains("\"kind\":\"Status\"", "RequestEntityTooLarge");
  }

  @Test
  void brokenQueries_areBadRequests() throws Exception {
    String versionless = "eyJydiI6NSwic3RhcnQiOiJhIn0"; // {"rv":5,"start":"a"}
    check(
        List.of(
            get(MAPS + "?limit=2&continue=garbage", 400),
            get(MAPS + "?limit=2&continue=%25%25%25", 400),
            get(MAPS + "?limit=2&continue=" + versionless, 400),
            get(MAPS + "?limit=2&continue=" + "A".repeat(30_000), 400),
            get(MAPS + "?limit=many", 400),
            get(MAPS + "?resourceVersion=newest", 400, 422),
            get(MAPS + "?resourceVersion=-1", 400, 422),
            get(MAPS + "?resourceVersion=99999999999999999999999", 400, 422),
            get(MAPS + "?resourceVersionMatch=Exact", 422, 400),
            get(MAPS + "?watch=true&timeoutSeconds=soon", 400),
            get(MAPS + "?labelSelector=" + encoded("!!!"), 400),
            get(MAPS + "?labelSelector=" + encoded("a in (b"), 400),
            get(MAPS + "?labelSelector=" + encoded("a=b=c,,="), 400),
            get(MAPS + "?labelSelector=" + encoded("(".repeat(10_000)), 400),
            get(MAPS + "?labelSelector=" + encoded("x".repeat(10_000)), 400),
            get(MAPS + "?watch=true&labelSelector=" + encoded("a in ("), 400),
            get(MAPS + "?labelSelector=" + encoded("a!=b,".repeat(4_000) + "a!=c"), 200, 400),
            get(MAPS + "?fieldSelector=" + encoded("nonsense=1"), 400),
            get(MAPS + "?fieldSelector=" + encoded("metadata.name"), 400),
            get(MAPS + "?fieldSelector=" + encoded("=".repeat(10_000)), 400),
            get(MAPS + "?" + "a=b&".repeat(10_000), 200, 400)));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Test
  void wrongPathsAndVerbs_haveTheirOwnAnswers() throws Exception {
    check(
        List.of(
            get("/api/v1/namespaces/default/nonsense", 404),
            get("/api/v9/configmaps", 404),
            get("/apis/nobody.example.com/v1/things", 404),
            get("//api//v1//configmaps", 404, 200, 400, 301),
            get(MAPS + "/%2e%2e%2f%2e%2e", 400, 404),
            get(MAPS + "/%00", 400, 404),
            get(MAPS + "/" + "x".repeat(20_000), 400, 404),
            new Case("PUT", MAPS, JSON, new Bytes(map("a", "")), List.of(405)),
            new Case("BREW", MAPS, JSON, new Bytes(""), List.of(405, 400)),
            new Case("PUT", MAPS + "/b", JSON, new Bytes(map("a", "")), List.of(400)),
            new Case("PATCH", MAPS + "/none", JSON, new Bytes("{}"), List.of(415)),
            new Case(
                "PATCH",
                "/api/v1/namespaces/default",
                "application/json-patch+json",
                new Bytes("{}"),
                List.of(400)),
            new Case(
                "PATCH",
                "/api/v1/namespaces/default",
                "application/json-patch+json",
                new Bytes("[{\"op\":\"remove\",\"path\":\"/a/b/c\"}]"),
                List.of(422)),
            new Case(
                "PATCH",
                "/api/v1/namespaces/default",
                "application/merge-patch+json",
                new Bytes("[]"),
                List.of(400, 422)),
            new Case(
                "DELETE", MAPS + "/none", JSON, new Bytes("{\"kind\":\"Pod\"}"), List.of(400, 404)),
            new Case("POST", MAPS, JSON, new Bytes(map("Not A Name", "")), List.of(422)),
            new Case("POST", MAPS, JSON, new Bytes(map("x".repeat(10_000), "")), List.of(422))));
  }

  @Test
  void strangers_areUnauthorized() throws Exception {
    for (String line : List.of("", "authorization: Bearer nonsense\r\n", "authorization: \r\n")) {
      try (SSLSocket stranger = strangersSocket(65_536)) {
        send(stranger, "GET " + MAPS + " HTTP/1.1\r\nhost: x\r\n" + line + "\r\n");
        assertThat(firstBytes(stranger)).startsWith("HTTP/1.1 401 ");
      }
    }
  }

  // ---- those that are slow, silent or deaf

  @Test
  void slowHeadersAndSilence_areCutOff() throws Exception {
    try (SSLSocket slow = strangersSocket(65_536);
        SSLSocket silent = strangersSocket(65_536);
        var plain = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      plain.setSoTimeout(60_000);
      send(slow, "GET " + MAPS + " HTTP/1.1\r\nhost: x\r\n");
      long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
      boolean cut = false;
      while (!cut && System.nanoTime() < end) {
        Await.pause(200);
        try {
          send(slow, "x-more: more\r\n");
        } catch (IOException e) {
          cut = true;
        }
      }
      assertThat(cut).isTrue();
      assertThat(firstBytes(silent)).isEmpty();
      assertThat(plain.getInputStream().readAllBytes()).isEmpty();
    }
  }

  @Test
  void slowBody_isCutOff() throws Exception {
    try (SSLSocket slow = strangersSocket(65_536)) {
      send(slow, head("POST " + MAPS) + "content-length: 1000\r\n\r\n{");
      assertThat(firstBytes(slow)).doesNotContain(" 201 ");
    }
  }

  @Test
  void halfOpenWatch_isClosed() throws Exception {
    try (var plain = new Socket(InetAddress.getLoopbackAddress(), server.port());
        SSLSocket half = tls(plain)) {
      send(half, head("GET " + MAPS + "?watch=true") + "\r\n");
      Await.until("the watch is open", () -> server.counters().streamsOpen() == 1);
      plain.shutdownOutput();
      Await.until("the watch is closed", () -> server.counters().streamsOpen() == 0);
    }
  }

  @Test
  void deafClients_areDropped() throws Exception {
    String text = "x".repeat(100_000);
    try (SSLSocket watching = strangersSocket(8_192);
        SSLSocket listing = strangersSocket(8_192)) {
      send(watching, head("GET " + MAPS + "?watch=true") + "\r\n");
      Await.until("the watch is open", () -> server.counters().streamsOpen() == 1);
      for (int i = 0; i < 150; i++) {
        String body = map("large-" + i, ",\"data\":{\"text\":\"" + text + "\"}");
        assertThat(server.send(client, "POST", MAPS, JSON, bytes(body)).statusCode())
            .isEqualTo(201);
      }
      long sent = server.counters().bytesSentTotal();
      send(listing, head("GET " + MAPS) + "\r\n");
      Await.until(
          "both are dropped",
          () -> server.counters().streamsOpen() == 0 && server.counters().timeoutsTotal() >= 2);
      // Neither took more of the server than its socket holds.
      assertThat(server.counters().bytesSentTotal() - sent).isLessThan(12_000_000);
    }
  }

  private String head(String request) {
    return request
        + " HTTP/1.1\r\nhost: x\r\nauthorization: Bearer "
        + server.credentials().adminToken()
        + "\r\n";
  }

  /** Without the certificate that the other clients show. */
  private SSLSocket strangersSocket(int receiveBytes) throws IOException {
    var plain = new Socket();
    plain.setReceiveBufferSize(receiveBytes);
    plain.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
    return tls(plain);
  }

  private SSLSocket tls(Socket plain) throws IOException {
    plain.setSoTimeout(60_000);
    ServerAccess known = ServerAccess.read(server.kubeconfig());
    var tls =
        (SSLSocket)
            known
                .anonymous()
                .sslContext()
                .getSocketFactory()
                .createSocket(plain, "127.0.0.1", server.port(), true);
    tls.startHandshake();
    return tls;
  }

  private static void send(SSLSocket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
  }

  /** What comes first, empty if the server closes instead. */
  private static String firstBytes(SSLSocket socket) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try {
      byte[] some = new byte[4_096];
      int count = socket.getInputStream().read(some);
      if (count > 0) {
        bytes.write(some, 0, count);
      }
    } catch (java.net.SocketException e) {
      // A reset closes too.
    }
    return bytes.toString(StandardCharsets.ISO_8859_1);
  }
}
