package dev.evenkeel.kernel.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextFormatTest {

  @ParameterizedTest
  @CsvSource({
    "DNS_LABEL, a", "DNS_LABEL, 1-a", "DNS_SUBDOMAIN, a.b-c.d", "DNS_1035_LABEL, a1",
    "QUALIFIED_NAME, a_B.c", "QUALIFIED_NAME, x.io/a", "LABEL_VALUE, ''", "LABEL_VALUE, a_b",
    "PORT_NAME, http-1", "ENVIRONMENT_NAME, A B", "DATA_KEY, .a", "HEADER_NAME, X-a",
    "PATH_SEGMENT, system:x",
  })
  void problems_areNone(TextFormat format, String text) {
    assertThat(format.problems(text)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "DNS_LABEL, ''",
    "DNS_LABEL, A",
    "DNS_LABEL, a-",
    "DNS_SUBDOMAIN, a..b",
    "DNS_SUBDOMAIN, a_b",
    "DNS_1035_LABEL, 1a",
    "DNS_1035_LABEL, ''",
    "QUALIFIED_NAME, /a",
    "QUALIFIED_NAME, x/",
    "QUALIFIED_NAME, X/a",
    "LABEL_VALUE, -a",
    "PORT_NAME, 80",
    "PORT_NAME, a--b",
    "PORT_NAME, abcdefghijklmnop",
    "ENVIRONMENT_NAME, a=b",
    "ENVIRONMENT_NAME, ''",
    "DATA_KEY, ..",
    "DATA_KEY, a/b",
    "HEADER_NAME, a b",
    "PATH_SEGMENT, a/b",
    "PATH_SEGMENT, ..",
  })
  void problems_areSome(TextFormat format, String text) {
    assertThat(format.problems(text)).isNotEmpty();
  }
}
