package dev.evenkeel.serve.kinds.rules.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressesTest {

  @ParameterizedTest
  @CsvSource({
    "10.1.2.3, 0a010203",
    "255.255.255.255, ffffffff",
    "::, 00000000000000000000000000000000",
    "::1, 00000000000000000000000000000001",
    "2001:db8::ffff, 20010db800000000000000000000ffff",
    "1:2:3:4:5:6:7:8, 00010002000300040005000600070008",
    "1::8, 00010000000000000000000000000008",
    "fe80::, fe800000000000000000000000000000",
    "::ffff:1.2.3.4, 00000000000000000000ffff01020304",
  })
  void parse_readsAddressesOfBothFamilies(String text, String hexadecimal) {
    byte[] bytes = Objects.requireNonNull(Addresses.parse(text));
    assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(hexadecimal);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "1.2.3",
        "1.2.3.4.5",
        "256.1.1.1",
        "1.2.3.x",
        "1.2.3.-4",
        "localhost",
        ":",
        ":::",
        "1::2::3",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "1:2:3:4:5:6:7::8:9",
        "12345::",
        "g::",
        "::1%eth0",
        "1.2.3.4:80",
        "٣.1.1.1"
      })
  void parse_refusesTheRest(String text) {
    assertThat(Addresses.parse(text)).isNull();
  }

  @Test
  void strictlyContains_wantsALongerPrefixOfTheSameBits() {
    assertThat(range("10.0.0.0/8").strictlyContains(range("10.1.0.0/16"))).isTrue();
    assertThat(range("10.0.0.0/8").strictlyContains(range("10.0.0.0/8"))).isFalse();
    assertThat(range("10.0.0.0/8").strictlyContains(range("11.0.0.0/16"))).isFalse();
    assertThat(range("0.0.0.0/0").strictlyContains(range("fd00::/8"))).isFalse();
    assertThat(Addresses.parseRange("10.0.0.0/33")).isNull();
    assertThat(Addresses.parseRange("10.0.0.0")).isNull();
  }

  @Test
  void isDualStack_wantsOneOfEachFamily() {
    assertThat(Addresses.isDualStack(List.of("10.0.0.1", "fd00::1"))).isTrue();
    assertThat(Addresses.isDualStack(List.of("10.0.0.1", "10.0.0.2"))).isFalse();
    assertThat(Addresses.isDualStack(List.of("10.0.0.1"))).isFalse();
  }

  private static Addresses.Range range(String text) {
    return Objects.requireNonNull(Addresses.parseRange(text));
  }
}
