package dev.evenkeel.prove.bench.api.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class Http1ParserTest {

  private final Recorded recorded = new Recorded();
  private final Http1Parser parser = new Http1Parser();

  private int feed(String text, int pieceBytes) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    int at = 0;
    while (at < bytes.length && !parser.ended()) {
      int to = Math.min(bytes.length, at + pieceBytes);
      while (at < to && !parser.ended()) {
        at = parser.feed(bytes, at, to);
      }
    }
    return at;
  }

  @Test
  void answer_withALengthEndsThere() {
    String text = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nDate: now\r\n\r\nhello";
    for (int piece = 1; piece < text.length() + 6; piece++) {
      recorded.clear();
      parser.begin(recorded);
      assertThat(feed(text + "HTTP/1.1", piece)).isEqualTo(text.length());
      assertThat(parser.ended()).isTrue();
      assertThat(recorded.status).isEqualTo(200);
      assertThat(recorded.text()).isEqualTo("hello");
    }
  }

  @Test
  void answer_inChunksIsPutTogether() {
    String text =
        """
        HTTP/1.1 404 Not Found
        transfer-encoding: chunked

        5
        hello
        A
        , my world
        0
        trailer: 1

        """
            .replace("\n", "\r\n");
    for (int piece = 1; piece < text.length() + 6; piece++) {
      recorded.clear();
      parser.begin(recorded);
      assertThat(feed(text + "HTTP/1.1", piece)).isEqualTo(text.length());
      assertThat(parser.ended()).isTrue();
      assertThat(recorded.status).isEqualTo(404);
      assertThat(recorded.text()).isEqualTo("hello, my world");
    }
  }

  @Test
  void answer_withoutABodyEndsWithItsHead() {
    for (String head :
        new String[] {
          "HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n"
        }) {
      parser.begin(recorded);
      assertThat(feed(head, 100)).isEqualTo(head.length());
      assertThat(parser.ended()).isTrue();
    }
    assertThat(recorded.status).isEqualTo(201);
  }

  @Test
  void answer_ofPreliminaryKindIsPassedOver() {
    parser.begin(recorded);
    feed("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi", 100);
    assertThat(recorded.status).isEqualTo(200);
    assertThat(recorded.text()).isEqualTo("hi");
  }

  @Test
  void answer_ofUnknownLengthEndsWithTheConnection() {
    parser.begin(recorded);
    feed("HTTP/1.1 200 OK\r\n\r\nsome", 100);
    assertThat(parser.ended()).isFalse();
    assertThat(parser.endsWithConnection()).isTrue();
  }

  @Test
  void headers_withoutEndAreRefused() {
    parser.begin(recorded);
    assertThatThrownBy(() -> feed("HTTP/1.1 200 OK\r\nx: " + "y".repeat(20_000), 1000))
        .isInstanceOf(ProtocolException.class);
  }
}
