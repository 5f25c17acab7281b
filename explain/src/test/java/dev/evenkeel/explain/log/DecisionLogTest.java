package dev.evenkeel.explain.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.explain.record.Decision;
import dev.evenkeel.explain.record.Decision.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecisionLogTest {

  private final DecisionLog log = new DecisionLog(2, 3);

  private void write(Outcome.Kind kind, String name) {
    log.write(
        new Decision(
            log.nextId(),
            "c",
            new Decision.Subject("v1", "Pod", "default", name, "u", 1, 1),
            Instant.EPOCH,
            Duration.ZERO,
            new Decision.Waking(
                List.of(), 1, 1, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO),
            List.of(),
            null,
            List.of(),
            new Outcome(kind, ""),
            null));
  }

  private List<String> names(int max) {
    return log.newest(_ -> true, max).stream().map(it -> it.subject().name()).toList();
  }

  @Test
  void newest_comesFirst_whateverItsOutcome() {
    write(Outcome.Kind.ACTED, "a");
    write(Outcome.Kind.SETTLED, "b");
    write(Outcome.Kind.FAILED, "c");
    assertThat(names(10)).containsExactly("c", "b", "a");
    assertThat(names(2)).containsExactly("c", "b");
  }

  @Test
  void whatChangedNothing_cannotPushOutWhatDid() {
    write(Outcome.Kind.ACTED, "a");
    for (int i = 0; i < 20; i++) {
      write(Outcome.Kind.SETTLED, "s" + i);
    }
    assertThat(names(10)).containsExactly("s19", "s18", "s17", "a");
  }

  @Test
  void full_forgetsTheOldest() {
    write(Outcome.Kind.ACTED, "a");
    write(Outcome.Kind.ACTED, "b");
    write(Outcome.Kind.ACTED, "c");
    assertThat(names(10)).containsExactly("c", "b");
  }
}
