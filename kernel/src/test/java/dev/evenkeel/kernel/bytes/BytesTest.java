package dev.evenkeel.kernel.bytes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BytesTest {

  @Test
  void compareTo_ordersBytesAsUnsignedNumbers() {
    List<Bytes> ordered =
        List.of(hex(""), hex("00"), hex("0000"), hex("01"), hex("7f"), hex("80"), hex("ff"));
    var shuffled = new ArrayList<>(ordered);
    Collections.reverse(shuffled);
    Collections.sort(shuffled);
    assertThat(shuffled).isEqualTo(ordered);
  }

  @Test
  void equals_comparesContent() {
    assertThat(hex("0102")).isEqualTo(hex("0102")).hasSameHashCodeAs(hex("0102"));
    assertThat(hex("0102")).isNotEqualTo(hex("0103")).isNotEqualTo(hex("01"));
    assertThat(hex("")).isSameAs(Bytes.EMPTY);
  }

  @Test
  void startsWith_looksAtWholeBytesOnly() {
    assertThat(hex("010203").startsWith(hex("0102"))).isTrue();
    assertThat(hex("0102").startsWith(hex("0102"))).isTrue();
    assertThat(hex("0102").startsWith(Bytes.EMPTY)).isTrue();
    assertThat(hex("01").startsWith(hex("0102"))).isFalse();
    assertThat(hex("0103").startsWith(hex("0102"))).isFalse();
  }

  @Test
  void prefixEnd_dropsTrailingLargestBytes() {
    assertThat(hex("61").prefixEnd()).isEqualTo(hex("62"));
    assertThat(hex("7f").prefixEnd()).isEqualTo(hex("80"));
    assertThat(hex("61ffff").prefixEnd()).isEqualTo(hex("62"));
    assertThat(hex("6100").prefixEnd()).isEqualTo(hex("6101"));
  }

  @Test
  void prefixEnd_isNullWhereNothingIsGreater() {
    assertThat(Bytes.EMPTY.prefixEnd()).isNull();
    assertThat(hex("ff").prefixEnd()).isNull();
    assertThat(hex("ffff").prefixEnd()).isNull();
  }

  @Test
  void prefixEnd_leavesTheBytesAsTheyWere() {
    Bytes bytes = hex("61ff");
    bytes.prefixEnd();
    assertThat(bytes).isEqualTo(hex("61ff"));
  }

  /** The half-open range from a prefix to its end holds exactly what starts with the prefix. */
  @Test
  void prefixEnd_boundsExactlyWhatStartsWithThePrefix() {
    var random = new SplittableRandom(42);
    int within = 0;
    for (int i = 0; i < 20_000; i++) {
      Bytes prefix = random(random, 3);
      Bytes key = random(random, 5);
      @Nullable Bytes end = prefix.prefixEnd();
      boolean inRange = key.compareTo(prefix) >= 0 && (end == null || key.compareTo(end) < 0);
      assertThat(inRange).as("%s in range of %s", key, prefix).isEqualTo(key.startsWith(prefix));
      within += inRange ? 1 : 0;
    }
    assertThat(within).isGreaterThan(100);
  }

  @Test
  void successor_isTheVeryNext() {
    assertThat(hex("61").successor()).isEqualTo(hex("6100"));
    assertThat(hex("ff").successor()).isGreaterThan(hex("ff")).isLessThan(hex("ff01"));
    assertThat(Bytes.EMPTY.successor()).isEqualTo(hex("00"));
  }

  @Test
  void first_takesTheBeginning() {
    assertThat(hex("010203").first(2)).isEqualTo(hex("0102"));
    assertThat(hex("010203").first(0)).isSameAs(Bytes.EMPTY);
  }

  @Test
  void common_countsWhatBothBeginWith() {
    assertThat(hex("010203").common(hex("0102ff"))).isEqualTo(2);
    assertThat(hex("0102").common(hex("010203"))).isEqualTo(2);
    assertThat(hex("010203").common(hex("0102"))).isEqualTo(2);
    assertThat(hex("0102").common(hex("0102"))).isEqualTo(2);
    assertThat(hex("01").common(hex("02"))).isZero();
    assertThat(hex("01").common(Bytes.EMPTY)).isZero();
  }

  @Test
  void first_refusesMoreThanThereIs() {
    assertThatThrownBy(() -> hex("0102").first(3)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> hex("0102").first(-1)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void utf8_readsBackWhatWasWritten() {
    assertThat(Bytes.utf8("/pods/ä/€").utf8()).isEqualTo("/pods/ä/€");
    assertThat(Bytes.utf8("€").length()).isEqualTo(3);
  }

  @Test
  void toString_showsShortTextAndHexadecimalOtherwise() {
    assertThat(Bytes.utf8("/pods/a")).hasToString("/pods/a");
    assertThat(hex("610001")).hasToString("0x610001");
    assertThat(hex("c3a4")).hasToString("0xc3a4");
    assertThat(Bytes.EMPTY).hasToString("");
  }

  @Test
  void toString_hidesLongValues() {
    assertThat(Bytes.utf8("x".repeat(200))).hasToString("x".repeat(200));
    assertThat(Bytes.utf8("x".repeat(201))).hasToString("201 bytes");
  }

  private static Bytes hex(String digits) {
    return Bytes.wrap(HexFormat.of().parseHex(digits));
  }

  /** Few different values, so that prefixes are hit and 0xff and 0x7f are common. */
  private static Bytes random(SplittableRandom random, int lengthMax) {
    byte[] values = {0, 1, 0x7f, (byte) 0x80, (byte) 0xfe, (byte) 0xff};
    byte[] array = new byte[random.nextInt(lengthMax + 1)];
    for (int i = 0; i < array.length; i++) {
      array[i] = values[random.nextInt(values.length)];
    }
    return Bytes.wrap(array);
  }
}
