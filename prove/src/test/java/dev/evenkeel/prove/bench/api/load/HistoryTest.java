package dev.evenkeel.prove.bench.api.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HistoryTest {

  private static History appended(long... versions) {
    var history = new History();
    for (long version : versions) {
      history.append(version);
    }
    return history;
  }

  @Test
  void sameAs_wantsTheSameVersionsInOrder() {
    History written = History.of(new long[] {9, 3, 5});
    assertThat(appended(3, 5, 9).sameAs(written)).isTrue();
    assertThat(appended(3, 5).sameAs(written)).isFalse();
    assertThat(appended(3, 5, 9, 10).sameAs(written)).isFalse();
    assertThat(appended(3, 6, 9).sameAs(written)).isFalse();
    assertThat(appended(5, 3, 9).sameAs(written)).isFalse();
  }

  @Test
  void disorders_areCounted() {
    assertThat(appended(3, 5, 9).disorders()).isZero();
    assertThat(appended(3, 5, 5, 9).disorders()).isEqualTo(1);
    assertThat(appended(5, 3, 9, 7).disorders()).isEqualTo(2);
  }
}
