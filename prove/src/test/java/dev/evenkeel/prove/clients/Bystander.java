package dev.evenkeel.prove.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A client that reads and writes the whole time, and expects to be served whatever others do.
 *
 * <p><b>Threading:</b> a thread of its own, until it is closed.
 */
final class Bystander implements AutoCloseable {

  private static final String MAPS = "/api/v1/namespaces/kube-public/configmaps";

  /** Far more than any request takes; machines that run tests are busy. */
  private static final long MILLIS_MAX = 15_000;

  private final RunningServer server;
  private final Thread thread;
  private final List<String> failures = Collections.synchronizedList(new ArrayList<>());
  private volatile boolean ending;
  private final AtomicInteger rounds = new AtomicInteger();

  Bystander(RunningServer server) {
    this.server = server;
    this.thread = Thread.ofPlatform().name("bystander").start(this::run);
  }

  private void run() {
    try (HttpClient client = server.client(HttpClient.Version.HTTP_2)) {
      while (!ending) {
        String name = "bystander-" + rounds.get();
        String body = "{\"metadata\":{\"name\":\"" + name + "\"},\"data\":{\"a\":\"b\"}}";
        expect(client, "POST", MAPS, body, 201);
        expect(client, "GET", MAPS + "/" + name, "", 200);
        expect(client, "DELETE", MAPS + "/" + name, "", 200);
        rounds.incrementAndGet();
        Await.pause(20);
      }
    } catch (IOException e) {
      failures.add(e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void expect(HttpClient client, String method, String target, String body, int code)
      throws IOException, InterruptedException {
    long began = System.nanoTime();
    HttpResponse<String> answer =
        server.send(
            client, method, target, "application/json", body.getBytes(StandardCharsets.UTF_8));
    long millis = (System.nanoTime() - began) / 1_000_000;
    if (answer.statusCode() != code || millis > MILLIS_MAX) {
      failures.add(
          method
              + " "
              + target
              + ": "
              + answer.statusCode()
              + " after "
              + millis
              + " ms "
              + answer.body());
    }
  }

  /** Fails if it was not served. */
  @Override
  public void close() throws InterruptedException {
    Await.until("the bystander was served", () -> rounds.get() > 0 || !failures.isEmpty());
    ending = true;
    thread.join();
    assertThat(failures).isEmpty();
  }
}
