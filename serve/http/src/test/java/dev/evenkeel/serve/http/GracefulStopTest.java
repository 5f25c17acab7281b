package dev.evenkeel.serve.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GracefulStopTest {

  private static final Duration LIMIT = Duration.ofSeconds(10);

  @TempDir Path folder;
  private Served served;

  @BeforeEach
  void start() {
    served = new Served(folder);
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpClient.Version.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void requestInFlight_isAnswered(HttpClient.Version version) throws Exception {
    try (HttpClient client = served.client(version)) {
      CompletableFuture<HttpResponse<String>> answer =
          client.sendAsync(served.get("/never"), HttpResponse.BodyHandlers.ofString());
      served.handler.firstUnanswered.await();
      CompletableFuture<?> stopped = served.listener.stop(LIMIT);
      Thread.sleep(100);
      assertThat(stopped).isNotDone();
      served.handler.answerAll();
      assertThat(answer.join().body()).isEqualTo("at last");
      assertThat(stopped).succeedsWithin(Duration.ofSeconds(5));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpClient.Version.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void watch_endsWhenTheCoreEndsIt(HttpClient.Version version) throws Exception {
    try (HttpClient client = served.client(version)) {
      HttpResponse<InputStream> response =
          client.send(served.get("/events/a"), HttpResponse.BodyHandlers.ofInputStream());
      CompletableFuture<?> stopped = served.listener.stop(LIMIT);
      served.handler.feed("/events/a", "last");
      served.handler.feed("/events/a", "end");
      assertThat(response.body().readAllBytes()).hasSize(7);
      assertThat(stopped).succeedsWithin(Duration.ofSeconds(5));
    }
  }

  @Test
  void lastAnswer_isReadByAClientThatIsStillSending() throws Exception {
    try (var client = new RawHttp2(served.socket("h2"))) {
      int stream = client.get("/events/a", "x", "y");
      assertThat(client.next(stream).kind()).isEqualTo(RawHttp2.HEADERS);
      CompletableFuture<?> stopped = served.listener.stop(LIMIT);
      served.handler.feed("/events/a", "last");
      served.handler.feed("/events/a", "end");
      Thread.sleep(
          100); // all is sent; a server that has closed by now answers what follows by a reset
      client.allow(100);
      Thread.sleep(50);
      RawHttp2.Frame frame = client.next(stream);
      while (frame.kind() == RawHttp2.GOAWAY) {
        frame = client.next(stream);
      }
      assertThat(frame.text()).contains("last");
      assertThat(stopped).succeedsWithin(Duration.ofSeconds(5));
    }
  }

  @Test
  void whatDoesNotEnd_isCutAtTheLimit() throws Exception {
    try (HttpClient client = served.client(HttpClient.Version.HTTP_2)) {
      HttpResponse<InputStream> response =
          client.send(served.get("/events/a"), HttpResponse.BodyHandlers.ofInputStream());
      CompletableFuture<?> stopped = served.listener.stop(Duration.ofMillis(300));
      assertThat(stopped).succeedsWithin(Duration.ofSeconds(5));
      assertThatThrownBy(() -> response.body().readAllBytes()).isInstanceOf(Exception.class);
      assertThat(served.handler.streamsOpen).hasValue(0);
    }
  }

  @Test
  void idleConnections_areClosed_andNewOnesRefused() throws Exception {
    int port = served.listener.port();
    try (RawHttp idle = new RawHttp(served.socket("http/1.1"));
        HttpClient client = served.client(HttpClient.Version.HTTP_2)) {
      CompletableFuture<HttpResponse<String>> answer =
          client.sendAsync(served.get("/never"), HttpResponse.BodyHandlers.ofString());
      served.handler.firstUnanswered.await();
      CompletableFuture<?> stopped = served.listener.stop(LIMIT);
      assertThat(idle.isClosedByServer()).isTrue();
      // The stop is still going on.
      Served.await(
          () -> {
            try (var _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
              return false;
            } catch (ConnectException e) {
              return true;
            } catch (java.io.IOException e) {
              return false;
            }
          });
      assertThat(stopped).isNotDone();
      served.handler.answerAll();
      assertThat(answer.join().statusCode()).isEqualTo(200);
      assertThat(stopped).succeedsWithin(Duration.ofSeconds(5));
    }
  }
}
