package dev.evenkeel.serve.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients leave all the time, in every way. That is no news for a log. */
class QuietClosingTest {

  private static final Logger ROOT = Logger.getLogger("");

  @TempDir Path folder;

  /** What was logged by anybody, Vert.x and Netty included. */
  private final List<String> logged = new CopyOnWriteArrayList<>();

  private final Handler listening =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          if (entry.getLevel().intValue() >= Level.INFO.intValue()) {
            logged.add(
                entry.getLoggerName() + ": " + entry.getMessage() + ": " + entry.getThrown());
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  private Served served;

  @BeforeEach
  void serve() {
    served = new Served(folder);
    ROOT.addHandler(listening);
  }

  @AfterEach
  void stop() {
    Served.await(() -> served.listener.counters().connectionsOpen() == 0);
    served.close();
    ROOT.removeHandler(listening);
    assertThat(logged).isEmpty();
    assertThat(served.handler.streamsOpen.get()).isZero();
  }

  /** A connection whose socket can be cut without a goodbye of TLS. */
  private record Cuttable(Socket plain, SSLSocket tls) {

    /** Bytes that were not read make a close of the socket a reset of the connection. */
    void reset() throws IOException {
      plain.setSoLinger(true, 0);
      plain.close();
    }

    void leave() throws IOException {
      plain.close();
    }
  }

  private Cuttable connect(String protocol) throws IOException {
    var plain = new Socket(InetAddress.getLoopbackAddress(), served.listener.port());
    plain.setSoTimeout(20_000);
    var tls =
        (SSLSocket)
            served
                .trusting(null, null)
                .getSocketFactory()
                .createSocket(plain, "127.0.0.1", served.listener.port(), true);
    var parameters = tls.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {protocol});
    tls.setSSLParameters(parameters);
    tls.startHandshake();
    return new Cuttable(plain, tls);
  }

  @Test
  void log_isListenedTo() {
    System.getLogger("test").log(System.Logger.Level.WARNING, "heard");
    assertThat(logged).singleElement().asString().contains("heard");
    logged.clear();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /small HTTP/1.1\r\nho",
        "GET /sm",
        "POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\nhalf",
        "POST /echo HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n10\r\nhalf",
      })
  void halfARequest_thenTheEnd(String half) throws Exception {
    Cuttable one = connect("http/1.1");
    new RawHttp(one.tls()).send(half);
    one.leave();
    Cuttable other = connect("http/1.1");
    new RawHttp(other.tls()).send(half);
    other.reset();
    Cuttable polite = connect("http/1.1");
    new RawHttp(polite.tls()).send(half);
    polite.tls().close();
  }

  @Test
  void watchOverHttp1_thatIsCut() throws Exception {
    Cuttable client = connect("http/1.1");
    new RawHttp(client.tls()).send("GET /events/a HTTP/1.1\r\nhost: x\r\n\r\n");
    Served.await(() -> served.handler.streamsOpen.get() == 1);
    client.reset();
    served.handler.feed("/events/a", "for nobody");
  }

  @Test
  void watchOverHttp2_thatIsResetOrCut() throws Exception {
    Cuttable client = connect("h2");
    var http = new RawHttp2(client.tls());
    int watch = http.get("/events/a", "x", "y");
    assertThat(http.next(watch).kind()).isEqualTo(RawHttp2.HEADERS);
    http.reset(watch);
    served.handler.feed("/events/a", "for nobody");
    Served.await(() -> served.handler.streamsOpen.get() == 0);
    int other = http.get("/events/b", "x", "y");
    assertThat(http.next(other).kind()).isEqualTo(RawHttp2.HEADERS);
    client.reset();
    served.handler.feed("/events/b", "for nobody");
  }

  @Test
  void halfAnHttp2Frame_thenTheEnd() throws Exception {
    for (boolean reset : new boolean[] {true, false}) {
      Cuttable client = connect("h2");
      var _ = new RawHttp2(client.tls());
      client.tls().getOutputStream().write(new byte[] {0, 0, 90, 1, 4, 0, 0, 0, 1, 0});
      client.tls().getOutputStream().flush();
      if (reset) {
        client.reset();
      } else {
        client.leave();
      }
    }
  }

  @Test
  void webSocketThatIsCut() throws Exception {
    Cuttable client = connect("http/1.1");
    var http = new RawHttp(client.tls());
    http.send(
        String.join(
            "\r\n",
            "GET /events/a HTTP/1.1",
            "host: x",
            "connection: upgrade",
            "upgrade: websocket",
            "sec-websocket-version: 13",
            "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==",
            "",
            ""));
    assertThat(http.answer()).startsWith("HTTP/1.1 101 ");
    client.reset();
    served.handler.feed("/events/a", "for nobody");
  }

  @Test
  void answerThatIsNotTaken() throws Exception {
    Cuttable client = connect("http/1.1");
    new RawHttp(client.tls()).send("GET /stream/50000000 HTTP/1.1\r\nhost: x\r\n\r\n");
    assertThat(client.tls().getInputStream().read()).isEqualTo('H');
    client.reset();
    Served.await(() -> served.handler.streamsOpen.get() == 0);
  }

  @Test
  void handshakeThatIsNone() throws Exception {
    try (var plain = new Socket(InetAddress.getLoopbackAddress(), served.listener.port())) {
      plain.getOutputStream().write("hello".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
      plain.setSoLinger(true, 0);
    }
    Served.await(() -> served.listener.counters().connectionsTotal() == 1);
  }
}
