package dev.evenkeel.kernel.quantity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "0Ki, 0",
    "-0, 0",
    "1, 1",
    "+5, 5",
    "1000m, 1",
    "0.5, 500m",
    ".5, 500m",
    "5., 5",
    "1.5, 1500m",
    "100m, 100m",
    "1100m, 1100m",
    "1000, 1k",
    "1500, 1500",
    "1200000, 1200k",
    "1000k, 1M",
    "3000000000, 3G",
    "12E, 12E",
    "1000E, 1000E",
    "1000000E, 1000000E",
    "1e3, 1e3",
    "1E3, 1e3",
    "12e4, 120e3",
    "1e-3, 1e-3",
    "5e-10, 1e-9",
    "1e0, 1",
    "1e30, 1e30",
    "1Ki, 1Ki",
    "1024Ki, 1Mi",
    "1024Mi, 1Gi",
    "1500Mi, 1500Mi",
    "1.5Gi, 1536Mi",
    "0.5Mi, 512Ki",
    "0.1Ki, 102400m",
    "0.5Ki, 512",
    "1.1Ki, 1126400m",
    "1Ei, 1Ei",
    "100Ei, 9223372036854775807",
    "-1Gi, -1Gi",
    "-2000m, -2",
    "1n, 1n",
    "0.1n, 1n",
    "-0.1n, -1n",
    "1500u, 1500u",
    "1000000n, 1m",
  })
  void toString_isTheCanonicalForm(String text, String canonical) {
    assertThat(Quantity.parse(text)).hasToString(canonical);
    assertThat(Quantity.parse(canonical)).isEqualTo(Quantity.parse(text)).hasToString(canonical);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "m",
        "-",
        "+",
        ".",
        "1.2.3",
        "1 ",
        " 1",
        "1K",
        "1ki",
        "1mi",
        "1i",
        "1e",
        "1ee3",
        "1e+",
        "1e3.5",
        "1x",
        "0x10",
        "1e99999",
        "1e99999999999",
        "--1",
        "1-",
        "1e1m",
        "NaN",
        "1Gib",
        "1  "
      })
  void parse_refusesWhatIsNoQuantity(String text) {
    assertThatThrownBy(() -> Quantity.parse(text)).isInstanceOf(QuantityException.class);
    assertThat(Quantity.tryParse(text)).isNull();
  }

  @Test
  void parse_boundsTheCostOfItsInput() {
    assertThatThrownBy(() -> Quantity.parse("9".repeat(1_000_000)))
        .isInstanceOf(QuantityException.class);
  }

  @Test
  void compareTo_looksAtTheNumberNotAtTheWriting() {
    assertThat(Quantity.parse("1000m")).isEqualTo(Quantity.of(1));
    assertThat(Quantity.parse("1000m")).hasSameHashCodeAs(Quantity.of(1));
    assertThat(Quantity.parse("1Gi")).isGreaterThan(Quantity.parse("1G"));
    assertThat(Quantity.parse("999m")).isLessThan(Quantity.of(1));
    assertThat(Quantity.parse("1Gi").max(Quantity.parse("1G"))).hasToString("1Gi");
  }

  @Test
  void plusAndMinus_areExactAndKeepTheWriting() {
    assertThat(Quantity.parse("100m").plus(Quantity.parse("0.2"))).hasToString("300m");
    assertThat(Quantity.parse("1Gi").plus(Quantity.parse("1024Mi"))).hasToString("2Gi");
    assertThat(Quantity.ZERO.plus(Quantity.parse("2Gi"))).hasToString("2Gi");
    assertThat(Quantity.parse("1").minus(Quantity.parse("1n"))).hasToString("999999999n");
    assertThat(Quantity.parse("1").minus(Quantity.parse("1")).isZero()).isTrue();
  }

  @Test
  void isWhole_tellsFractionsApart() {
    assertThat(Quantity.parse("2000m").isWhole()).isTrue();
    assertThat(Quantity.parse("1.5k").isWhole()).isTrue();
    assertThat(Quantity.parse("1500m").isWhole()).isFalse();
    assertThat(Quantity.parse("0.0").isWhole()).isTrue();
  }

  @Test
  void toString_losesNothing() {
    var random = new SplittableRandom(11);
    String[] suffixes = {
      "", "n", "u", "m", "k", "M", "G", "T", "Ki", "Mi", "Gi", "e3", "e-3", "E5"
    };
    for (int i = 0; i < 20_000; i++) {
      String number =
          BigDecimal.valueOf(random.nextLong(-100_000, 100_000), random.nextInt(0, 5))
              .toPlainString();
      Quantity quantity = Quantity.parse(number + suffixes[random.nextInt(suffixes.length)]);
      Quantity again = Quantity.parse(quantity.toString());
      assertThat(again).isEqualTo(quantity);
      assertThat(again).hasToString(quantity.toString());
    }
  }
}
