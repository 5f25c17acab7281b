package dev.evenkeel.decide.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoopGuardTest {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final LoopGuard loopGuard = new LoopGuard();
  private Instant now = START;

  private boolean turns(int plan, boolean wokenByItself, Duration later) {
    now = now.plus(later);
    return loopGuard.turned(1, plan, wokenByItself, now) != null;
  }

  @Test
  void samePlanAgainAndAgain_isHeld() {
    for (int i = 1; i < LoopGuard.TURNS_MAX; i++) {
      assertThat(turns(7, false, Duration.ofMillis(10))).isFalse();
    }
    assertThat(turns(7, false, Duration.ofMillis(10))).isTrue();
    assertThat(loopGuard.held(1, now)).isEqualTo(LoopGuard.HOLD_FIRST);
  }

  @Test
  void samePlanWithOthersBetween_isHeld() {
    int turns = 0;
    while (turns < 100 && !turns(turns % 2, false, Duration.ofMillis(10))) {
      loopGuard.rested(now);
      turns++;
    }
    assertThat(turns).isLessThan(2 * LoopGuard.TURNS_MAX);
  }

  @Test
  void samePlanNowAndThen_isFine() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(turns(7, false, Duration.ofMillis(1_200))).isFalse();
    }
  }

  @Test
  void differentPlans_areFineUnlessItWakesItself() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(turns(i, false, Duration.ofMillis(1))).isFalse();
    }
    int own = 1;
    while (own < 100 && !turns(1_000 + own, true, Duration.ofMillis(1))) {
      own++;
    }
    assertThat(own).isEqualTo(LoopGuard.TURNS_MAX);
  }

  @Test
  void hold_doublesUpToTheMost_andEndsWithANewGeneration() {
    List<Duration> holds = new ArrayList<>();
    for (int turns = 0; turns < 100 && holds.size() < 10; turns++) {
      Duration hold = loopGuard.turned(1, 7, false, now);
      now = hold == null ? now.plusMillis(1) : now.plus(hold);
      if (hold != null) {
        holds.add(hold);
      }
    }
    assertThat(holds.subList(0, 4))
        .containsExactly(
            Duration.ofSeconds(1),
            Duration.ofSeconds(2),
            Duration.ofSeconds(4),
            Duration.ofSeconds(8));
    assertThat(holds.getLast()).isEqualTo(LoopGuard.HOLD_MAX);
    assertThat(loopGuard.held(1, now.minusMillis(1))).isNotNull();
    assertThat(loopGuard.held(2, now.minusMillis(1))).isNull();
    assertThat(loopGuard.turned(2, 7, false, now)).isNull();
  }
}
