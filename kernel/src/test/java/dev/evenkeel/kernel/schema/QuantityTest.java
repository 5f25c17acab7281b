package dev.evenkeel.kernel.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "0Gi, 0",
    "1, 1",
    "-5, -5",
    "+5m, 5m",
    "007, 7",
    "1000, 1k",
    "1500, 1500",
    "10000, 10k",
    "1000m, 1",
    "0.5, 500m",
    ".5, 500m",
    "1., 1",
    "1.5Gi, 1536Mi",
    "1024Mi, 1Gi",
    "1Ki, 1Ki",
    "512Ki, 512Ki",
    "1000Ki, 1000Ki",
    "0.5Ki, 512",
    "0.1Mi, 104857600m",
    "1e3, 1e3",
    "12E6, 12e6",
    "1500e-3, 1500e-3",
    "1E, 1E",
    "100n, 100n",
    "0.1n, 1n",
    "5u, 5u",
    "9223372036854775807, 9223372036854775807",
    "16Ei, 9223372036854775807",
  })
  void toString_isCanonical(String text, String canonical) throws Exception {
    assertThat(Quantity.parse(text)).hasToString(canonical);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-", ".", "a", "1x", "1Kii", "1 Gi", "1e", "1e99999", "1ee3", "--1"})
  void parse_refusesWhatIsNoQuantity(String text) {
    assertThatThrownBy(() -> Quantity.parse(text))
        .isInstanceOf(Quantity.BadQuantityException.class);
  }

  @Test
  void parse_refusesWhatIsTooLongToBeMeant() {
    assertThatThrownBy(() -> Quantity.parse("1".repeat(100_000)))
        .isInstanceOf(Quantity.BadQuantityException.class);
  }

  @Test
  void compareTo_comparesAmounts() throws Exception {
    assertThat(Quantity.parse("1Gi")).isGreaterThan(Quantity.parse("1G"));
    assertThat(Quantity.parse("1000m")).isEqualByComparingTo(Quantity.parse("1"));
  }

  @Test
  void isPlainlyCanonical_neverDisagreesWithToString() throws Exception {
    var random = new Random(7);
    String[] suffixes = {"", "m", "u", "n", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti"};
    int canonical = 0;
    for (int i = 0; i < 20_000; i++) {
      long bound = (long) Math.pow(10, random.nextInt(1, 8));
      String text = random.nextLong(bound) + suffixes[random.nextInt(suffixes.length)];
      if (Quantity.isPlainlyCanonical(text)) {
        canonical++;
        assertThat(Quantity.parse(text)).hasToString(text);
      }
    }
    assertThat(canonical).isGreaterThan(5_000);
  }
}
