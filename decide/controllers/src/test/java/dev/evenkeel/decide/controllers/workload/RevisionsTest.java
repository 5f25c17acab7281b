package dev.evenkeel.decide.controllers.workload;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a ReplicaSet remembers of the revisions that it was. */
final class RevisionsTest {

  @Test
  void history_growsAtTheEnd() {
    assertThat(Revisions.history("", "1")).isEqualTo("1");
    assertThat(Revisions.history("1,4", "7")).isEqualTo("1,4,7");
  }

  @Test
  void history_forgetsTheOldest_whenItGetsLong() {
    String known = "1";
    for (int revision = 2; revision <= 1000; revision++) {
      known = Revisions.history(known, Integer.toString(revision));
    }
    assertThat(known).hasSizeBetween(1990, 2000).endsWith(",998,999,1000").doesNotStartWith("1,");
  }
}
