package dev.evenkeel.prove.clients;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.pem.Pem;
import dev.evenkeel.serve.http.tls.Issuer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Webhooks as users write them: an HTTPS server with a certificate of an authority of its own. */
final class WebhookServer implements AutoCloseable {

  private static final Duration VALIDITY = Duration.ofDays(1);

  private final Issuer authority;
  private final HttpsServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();

  /**
   * @param names that its certificate is for
   */
  WebhookServer(String... names) throws IOException, GeneralSecurityException {
    Instant now = Instant.now();
    authority = Issuer.create("webhook-authority", now, VALIDITY);
    Issuer.Issued issued = authority.server(List.of(names), now, VALIDITY);
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    keys.setKeyEntry("own", issued.key(), new char[0], new Certificate[] {issued.certificate()});
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(keys, new char[0]);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(factory.getKeyManagers(), null, null);
    server = HttpsServer.create(new InetSocketAddress(0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    server.setExecutor(threads);
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  /** As it stands in a configuration. */
  String caBundle() {
    return Base64.getEncoder()
        .encodeToString(Pem.of(authority.certificate()).getBytes(StandardCharsets.US_ASCII));
  }

  int callsOf(String path) {
    return calls.getOrDefault(path, new AtomicInteger()).get();
  }

  /**
   * Answers reviews at a path.
   *
   * @param response made from the request, without the uid
   */
  void answer(String path, Function<JsonNode, String> response) {
    at(
        path,
        exchange -> {
          JsonNode request =
              Json.parseObject(exchange.getRequestBody().readAllBytes()).path("request");
          ObjectNode answer =
              Json.parseObject(response.apply(request).getBytes(StandardCharsets.UTF_8));
          answer.put("uid", request.path("uid").asString());
          byte[] body =
              ("{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"response\":"
                      + answer
                      + "}")
                  .getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
        });
  }

  /** What a server does with a call. */
  interface Behaviour {
    void serve(HttpExchange exchange) throws IOException;
  }

  void at(String path, Behaviour behaviour) {
    server.createContext(
        path,
        exchange -> {
          calls.computeIfAbsent(path, _ -> new AtomicInteger()).incrementAndGet();
          try (exchange) {
            behaviour.serve(exchange);
          }
        });
  }

  static String patch(String operations) {
    String encoded =
        Base64.getEncoder().encodeToString(operations.getBytes(StandardCharsets.UTF_8));
    return "{\"allowed\":true,\"patchType\":\"JSONPatch\",\"patch\":\"" + encoded + "\"}";
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
