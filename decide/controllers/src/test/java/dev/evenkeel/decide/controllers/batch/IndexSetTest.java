package dev.evenkeel.decide.controllers.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class IndexSetTest {

  private static IndexSet of(int... indexes) {
    IndexSet set = IndexSet.empty();
    for (int index : indexes) {
      set.add(index);
    }
    return set;
  }

  @Test
  void text_hasDashesForThreeAndMore() {
    assertThat(of()).hasToString("");
    assertThat(of(0)).hasToString("0");
    assertThat(of(0, 1)).hasToString("0,1");
    assertThat(of(4, 0, 2, 3)).hasToString("0,2-4");
    assertThat(of(1, 3, 5, 6, 7, 9, 10)).hasToString("1,3,5-7,9,10");
  }

  @Test
  void parse_readsWhatWasWritten() {
    Random random = new Random(1);
    for (int i = 0; i < 1_000; i++) {
      BitSet wanted = new BitSet();
      IndexSet set = IndexSet.empty();
      for (int j = random.nextInt(20); j > 0; j--) {
        int index = random.nextInt(30);
        wanted.set(index);
        set.add(index);
      }
      IndexSet read = IndexSet.parse(set.toString(), 30);
      assertThat(read.size()).isEqualTo(wanted.cardinality());
      for (int index = 0; index < 31; index++) {
        assertThat(read.has(index)).as(set + " has " + index).isEqualTo(wanted.get(index));
      }
    }
  }

  @Test
  void parse_leavesOutWhatIsBeyondTheLimit_andWhatIsNoNumber() {
    assertThat(IndexSet.parse("0,3-9", 5)).hasToString("0,3,4");
    assertThat(IndexSet.parse("7", 5)).hasToString("");
    assertThat(IndexSet.parse("1,x,3-,-4,5-2,6", 10)).hasToString("1,6");
    assertThat(IndexSet.parse("0-2", 0)).hasToString("");
    assertThat(IndexSet.parse("", -1)).hasToString("");
  }

  @Test
  void nextMissing_skipsWhatIsThere() {
    assertThat(of(0, 1, 3).nextMissing(0)).isEqualTo(2);
    assertThat(of(0, 1, 3).nextMissing(3)).isEqualTo(4);
  }

  @Test
  void common_countsWhatIsInBoth() {
    assertThat(of(0, 1, 3).common(of(1, 2, 3))).isEqualTo(2);
  }
}
