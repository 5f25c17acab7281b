package dev.evenkeel.serve.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.serve.http.buffer.Staging;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events for many connections, on one event loop. */
class FanOutTest {

  private static final ListenSettings ONE_LOOP =
      ListenSettings.on("127.0.0.1", 0).withEventLoops(1);

  @TempDir Path folder;

  @Test
  void request_isAnsweredWhileALargeFanOutIsUnderWay() throws Exception {
    int watches = 200;
    try (var served = new Served(folder, ONE_LOOP);
        HttpClient client = served.client(HttpClient.Version.HTTP_2);
        var asking = new RawHttp(served.socket("http/1.1"))) {
      var responses = watch(client, served, watches);
      var holding = client.sendAsync(served.get("/hold"), HttpResponse.BodyHandlers.ofString());
      served.handler.holding.acquire();
      feedAll(served, watches, "slow");
      // It is there before the event loop goes on, which then has all of the events to write too.
      asking.send("GET /slowEvents HTTP/1.1\r\nhost: here\r\n\r\n");
      served.handler.goOn.release();
      String answer = asking.answer();
      int writtenBefore = Integer.parseInt(answer.substring(answer.indexOf("\r\n\r\n") + 4));
      holding.get(30, TimeUnit.SECONDS);
      feedAll(served, watches, "end");
      for (CompletableFuture<HttpResponse<String>> response : responses) {
        assertThat(response.get(30, TimeUnit.SECONDS).body()).isEqualTo("{slow}\n");
      }
      assertThat(served.handler.slowEvents).hasValue(watches);
      assertThat(writtenBefore).isLessThan(watches / 2);
    }
  }

  private static List<CompletableFuture<HttpResponse<String>>> watch(
      HttpClient client, Served served, int count) throws Exception {
    // The first request settles the connection; the rest then share it.
    client.send(served.get("/small"), HttpResponse.BodyHandlers.ofString());
    var responses = new ArrayList<CompletableFuture<HttpResponse<String>>>();
    for (int i = 0; i < count; i++) {
      responses.add(
          client.sendAsync(served.get("/events/" + i), HttpResponse.BodyHandlers.ofString()));
    }
    Served.await(() -> served.listener.counters().streamsOpen() == count);
    return responses;
  }

  private static void feedAll(Served served, int count, String event) {
    for (int i = 0; i < count; i++) {
      served.handler.feed("/events/" + i, event);
    }
  }

  @Test
  void eventsOfAnySize_arriveWholeAndInOrder() throws Exception {
    try (var served = new Served(folder, ONE_LOOP);
        HttpClient client = served.client(HttpClient.Version.HTTP_1_1)) {
      readEvents(client, served.get("/events/a"), served.handler);
    }
  }

  @Test
  void eventsOfAnySize_arriveWholeAndInOrder_withTheTlsOfTheJdk() throws Exception {
    try (var served = new Served(folder, ONE_LOOP.withJdkTls());
        HttpClient client = served.client(HttpClient.Version.HTTP_1_1)) {
      readEvents(client, served.get("/events/a"), served.handler);
    }
  }

  @Test
  void eventsOfAnySize_arriveWholeAndInOrder_inPlainText() throws Exception {
    var handler = new ToyHandler();
    ApiListener listener = ApiListener.open(new RealEnv(), handler, null, ONE_LOOP).join();
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      URI uri = URI.create("http://127.0.0.1:" + listener.port() + "/events/a");
      readEvents(client, HttpRequest.newBuilder(uri).build(), handler);
    } finally {
      listener.stop(Duration.ZERO).join();
    }
  }

  /** One by one, then many while nobody reads, more than a connection takes at once. */
  private static void readEvents(HttpClient client, HttpRequest request, ToyHandler handler)
      throws Exception {
    int full = Staging.BYTES - "{}\n".length();
    List<Integer> sizes = List.of(1, 13, 4_096, full - 1, full, full + 1, 3 * full, 70_000);
    HttpResponse<InputStream> response =
        client.send(request, HttpResponse.BodyHandlers.ofInputStream());
    try (InputStream body = response.body()) {
      for (int size : sizes) {
        handler.feed("/events/a", event(size));
        assertThat(line(body, size)).isEqualTo("{" + event(size) + "}\n");
      }
      for (int round = 0; round < 20; round++) {
        sizes.forEach(size -> handler.feed("/events/a", event(size)));
      }
      handler.feed("/events/a", "end");
      for (int round = 0; round < 20; round++) {
        for (int size : sizes) {
          assertThat(line(body, size)).isEqualTo("{" + event(size) + "}\n");
        }
      }
      assertThat(body.read()).isEqualTo(-1);
    }
    Served.await(() -> handler.streamsOpen.get() == 0);
  }

  private static String event(int size) {
    return Character.toString('a' + size % 26).repeat(size);
  }

  private static String line(InputStream body, int size) throws Exception {
    return new String(body.readNBytes(size + "{}\n".length()), StandardCharsets.UTF_8);
  }
}
