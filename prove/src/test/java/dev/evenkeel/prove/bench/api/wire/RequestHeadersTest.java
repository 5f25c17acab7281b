package dev.evenkeel.prove.bench.api.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Headers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Held against Netty's decoder. */
class RequestHeadersTest {

  private static final byte[] BODY = {1};

  private static Target target(String token) {
    return Target.of("https://127.0.0.1:6443", Target.Credentials.ofToken(token, null, true));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 100, 4096})
  void headers_areDecodedWhateverTheTableHolds(int tableBytes) throws Exception {
    var decoder = new DefaultHttp2HeadersDecoder(true, 8192);
    decoder.configuration().maxHeaderTableSize(tableBytes);
    var headers = new RequestHeaders(target("t".repeat(300)), tableBytes);
    for (int i = 0; i < 5; i++) {
      for (Request request :
          new Request[] {
            Request.get("/api/v1?limit=" + i),
            Request.post("/" + "p".repeat(400), BODY),
            Request.put("/x", BODY),
            Request.get("/openapi/v2", "application/x-protobuf"),
            Request.delete("/")
          }) {
        ByteBuf block = Unpooled.buffer();
        headers.write(request, block);
        Http2Headers decoded = decoder.decodeHeaders(1, block);
        assertThat(decoded.method()).hasToString(request.method().name());
        assertThat(decoded.path()).hasToString(request.path());
        assertThat(decoded.scheme()).hasToString("https");
        assertThat(decoded.authority()).hasToString("127.0.0.1:6443");
        assertThat(decoded.get("authorization")).hasToString("Bearer " + "t".repeat(300));
        boolean plain = request.accept() == null;
        assertThat(decoded.get("accept"))
            .hasToString(plain ? "application/json" : request.accept());
        assertThat(decoded.contains("accept-encoding", "gzip")).isEqualTo(!plain);
        assertThat(decoded.size()).isEqualTo(plain ? 8 : 9);
      }
    }
  }

  @Test
  void firstRequest_thatAsksForAnotherFormLeavesTheTableAsItIs() throws Exception {
    var decoder = new DefaultHttp2HeadersDecoder(true, 8192);
    var headers = new RequestHeaders(target("t"), 4096);
    for (String accept : new String[] {"text/plain", "application/json", "text/plain"}) {
      ByteBuf block = Unpooled.buffer();
      headers.write(
          accept.equals("text/plain") ? Request.get("/", accept) : Request.get("/"), block);
      Http2Headers decoded = decoder.decodeHeaders(1, block);
      assertThat(decoded.get("accept")).hasToString(accept);
      assertThat(decoded.get("authorization")).hasToString("Bearer t");
    }
  }

  @Test
  void headers_thatNeverChangeAreAByteEachFromTheSecondRequestOn() {
    var headers = new RequestHeaders(target("t".repeat(300)), 4096);
    ByteBuf first = Unpooled.buffer();
    headers.write(Request.get("/"), first);
    ByteBuf second = Unpooled.buffer();
    headers.write(Request.get("/"), second);
    assertThat(first.readableBytes()).isGreaterThan(300);
    assertThat(second.readableBytes()).isEqualTo(1 + 1 + 3 + 5);
  }
}
