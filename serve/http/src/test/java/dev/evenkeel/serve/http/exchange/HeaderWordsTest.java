package dev.evenkeel.serve.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderWordsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gzip",
        "GZIP",
        "deflate, gzip",
        "deflate,gzip;q=1.0, *;q=0.5",
        " gzip ",
        "gzip; q=0.1",
        "br;q=0, gzip"
      })
  void gzip_isAcceptedWhereItIsNamed(String header) {
    assertThat(HeaderWords.acceptsGzip(header)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "identity",
        "x-gzip",
        "gzipped",
        "gzip;q=0",
        "gzip; q=0.000",
        "br, ,;",
        ";q=1"
      })
  void gzip_isNotAcceptedOtherwise(String header) {
    assertThat(HeaderWords.acceptsGzip(header)).isFalse();
    assertThat(HeaderWords.acceptsGzip(null)).isFalse();
  }
}
