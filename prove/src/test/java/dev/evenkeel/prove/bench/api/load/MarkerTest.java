package dev.evenkeel.prove.bench.api.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class MarkerTest {

  private final Marker marker = new Marker("\"v\":\"");

  private long number(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    return marker.number(bytes, 0, bytes.length);
  }

  @Test
  void number_isFoundWhereverItIs() {
    assertThat(number("{\"v\":\"12\"}")).isEqualTo(12);
    assertThat(number("{\"other\":1,\"v\":\"345\"}")).isEqualTo(345);
    assertThat(number("{\"other\":1,\"v\":\"9223372036854775807\"}")).isEqualTo(Long.MAX_VALUE);
    assertThat(number("{\"v\":\"6\",\"other\":1}")).isEqualTo(6);
  }

  @Test
  void number_thatIsCutOffIsNone() {
    assertThat(number("{\"v\":\"12")).isEqualTo(Marker.NOT_FOUND);
    assertThat(number("{\"v\":\"")).isEqualTo(Marker.NOT_FOUND);
    assertThat(number("{\"v\":")).isEqualTo(Marker.NOT_FOUND);
    assertThat(number("")).isEqualTo(Marker.NOT_FOUND);
  }

  @Test
  void number_thatIsNoNumberIsNone() {
    assertThat(number("{\"v\":\"x\"}")).isEqualTo(Marker.NOT_FOUND);
  }
}
