package dev.evenkeel.operate.up;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.quantity.Quantity;
import dev.evenkeel.operate.kubeconfig.ServerAccess;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A quota under many clients, on a server that is killed. */
@Tag("slow")
class QuotaIT {

  private static final int CLIENTS = 64;
  private static final int LIMIT = 1_000;
  private static final String QUOTAS = "/api/v1/namespaces/default/resourcequotas";
  private static final String SECRETS = "/api/v1/namespaces/default/secrets";

  @TempDir Path home;

  private UpProcess up() throws Exception {
    var up = new UpProcess(home, "--listen", "127.0.0.1:0");
    var _ = up.lineOf("next");
    return up;
  }

  @Test
  void manyClientsAndAKilledServer_leaveTheLedgerExact() throws Exception {
    try (UpProcess first = up()) {
      try (var api = new Api()) {
        assertThat(
                api.send(
                        "POST",
                        QUOTAS,
                        "{\"metadata\":{\"name\":\"q\"},\"spec\":{\"hard\":{\"secrets\":\"1000\"}}}")
                    .statusCode())
            .isEqualTo(201);
        List<Integer> statuses = api.createByAll(LIMIT + 200);
        assertThat(statuses).containsOnly(201, 403);
        assertThat(statuses.stream().filter(status -> status == 201)).hasSize(LIMIT);
        api.assertExact(LIMIT);
        // Killed while half of them are being deleted: some answers never come.
        Thread killer = Thread.ofVirtual().start(() -> killSoon(first));
        api.deleteByAll(LIMIT / 2);
        killer.join();
      }
    }
    try (UpProcess second = up();
        var api = new Api()) {
      api.deleteByAll(LIMIT / 2);
      api.assertExact(LIMIT / 2);
      assertThat(api.createByAll(CLIENTS)).containsOnly(201);
      api.assertExact(LIMIT / 2 + CLIENTS);
      assertThat(second.terminate()).isZero();
    }
  }

  private static void killSoon(UpProcess server) {
    try {
      Thread.sleep(Duration.ofMillis(150));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    server.close();
  }

  /** Many clients of the server that runs now. */
  private final class Api implements AutoCloseable {
    private final ServerAccess config = ServerAccess.read(home.resolve(".evenkeel/kubeconfig"));
    private final HttpClient client =
        HttpClient.newBuilder().sslContext(config.sslContext()).build();
    private final ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    private final String run = Long.toString(System.nanoTime(), 36);

    HttpResponse<String> send(String method, String path, String body) throws Exception {
      HttpRequest request =
          HttpRequest.newBuilder(config.server().resolve(path))
              .timeout(Duration.ofSeconds(30))
              .header("content-type", "application/json")
              .method(method, HttpRequest.BodyPublishers.ofString(body))
              .build();
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    List<Integer> createByAll(int count) throws Exception {
      return byAll(
          count,
          i ->
              send("POST", SECRETS, "{\"metadata\":{\"name\":\"s-" + run + "-" + i + "\"}}")
                  .statusCode());
    }

    /** Deletes all but so many; a client whose server is gone goes on with the next. */
    void deleteByAll(int keep) throws Exception {
      List<String> names = names();
      List<String> gone = names.subList(Math.min(keep, names.size()), names.size());
      var _ =
          byAll(
              gone.size(),
              i -> {
                try {
                  return send("DELETE", SECRETS + "/" + gone.get(i), "").statusCode();
                } catch (java.io.IOException e) {
                  return 0;
                }
              });
    }

    private List<String> names() throws Exception {
      JsonNode list = parsed(send("GET", SECRETS, ""));
      List<String> names = new ArrayList<>();
      list.path("items").forEach(item -> names.add(item.path("metadata").path("name").asString()));
      return names;
    }

    void assertExact(int expected) throws Exception {
      assertThat(names()).hasSize(expected);
      JsonNode used =
          parsed(send("GET", QUOTAS + "/q", "")).path("status").path("used").path("secrets");
      assertThat(Quantity.parse(used.asString())).isEqualTo(Quantity.of(expected));
    }

    private static JsonNode parsed(HttpResponse<String> response) {
      assertThat(response.statusCode()).isEqualTo(200);
      return Json.parse(response.body().getBytes(StandardCharsets.UTF_8));
    }

    private interface Work {
      int run(int index) throws Exception;
    }

    private List<Integer> byAll(int count, Work work) throws Exception {
      var next = new AtomicInteger();
      Callable<List<Integer>> worker =
          () -> {
            List<Integer> statuses = new ArrayList<>();
            for (int i; (i = next.getAndIncrement()) < count; ) {
              statuses.add(work.run(i));
            }
            return statuses;
          };
      List<Integer> all = new ArrayList<>();
      for (Future<List<Integer>> done :
          threads.invokeAll(IntStream.range(0, CLIENTS).mapToObj(_ -> worker).toList())) {
        all.addAll(done.get());
      }
      return all;
    }

    @Override
    public void close() {
      threads.shutdownNow();
      client.shutdownNow();
    }
  }
}
