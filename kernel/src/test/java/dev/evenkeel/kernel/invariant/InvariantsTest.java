package dev.evenkeel.kernel.invariant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.kernel.metric.Meters;
import dev.evenkeel.testing.invariant.InvariantsHold;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionContext;

class InvariantsTest {

  private final Logger logger = Logger.getLogger(Invariants.class.getName());
  private final List<LogRecord> logged = new ArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          logged.add(record);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
  }

  @AfterEach
  void stop() {
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
  }

  @Test
  void whatHolds_costsNoWords() {
    assertThat(
            Invariants.hold(
                true,
                "test_holds",
                () -> {
                  throw new AssertionError("nobody wants to know");
                }))
        .isTrue();
    assertThat(logged).isEmpty();
  }

  @Test
  void violation_isLoggedWithItsEvidenceAndCounted() {
    long before = Invariants.total();
    assertThat(Invariants.hold(false, "test_evidence", () -> "5 after 6")).isFalse();
    assertThat(Invariants.total()).isEqualTo(before + 1);
    assertThat(logged).hasSize(1);
    assertThat(logged.getFirst().getLevel()).isEqualTo(Level.SEVERE);
    assertThat(logged.getFirst().getMessage()).contains("test_evidence", "5 after 6");
    assertThat(count("test_evidence")).isEqualTo(1);
    assertThat(InvariantsHold.expected()).containsExactly("test_evidence: 5 after 6");
  }

  @Test
  void violationThatRepeatsItself_doesNotFillTheLog() {
    for (int i = 0; i < 1_000; i++) {
      Invariants.hold(false, "test_often", () -> "again");
    }
    assertThat(logged).hasSizeLessThanOrEqualTo(10);
    assertThat(count("test_often")).isEqualTo(1_000);
    Invariants.hold(false, "test_other", () -> "for the first time");
    assertThat(logged.getLast().getMessage()).contains("test_other");
    assertThat(InvariantsHold.expected()).hasSize(1_001).last().asString().contains("test_other");
  }

  @Test
  void evidenceThatFails_isStillAViolation() {
    Invariants.hold(
        false,
        "test_wordless",
        () -> {
          throw new IllegalStateException("no words");
        });
    assertThat(InvariantsHold.expected()).singleElement().asString().contains("no words");
  }

  private static double count(String name) {
    var meters = new Meters();
    Invariants.register(meters);
    var snapshot = (CounterSnapshot) meters.scrape().stream().findFirst().orElseThrow();
    return snapshot.getDataPoints().stream()
        .filter(point -> name.equals(point.getLabels().get("invariant")))
        .findFirst()
        .orElseThrow()
        .getValue();
  }

  /** What JUnit does after each test of each module. */
  @Test
  void testDuringWhichOneWasViolated_fails() {
    var extension = new InvariantsHold();
    extension.afterEach(named("quiet()"));
    Invariants.hold(false, "test_planted", () -> "2 before 1");
    assertThatThrownBy(() -> extension.afterEach(named("loud()")))
        .isInstanceOf(AssertionError.class)
        .hasMessageContainingAll("1 violations", "during loud()", "test_planted: 2 before 1");
    extension.afterEach(named("next()"));
    Invariants.hold(false, "test_planted", () -> "after the last test");
    assertThatThrownBy(() -> extension.afterAll(named("InvariantsTest")))
        .isInstanceOf(AssertionError.class);
  }

  private static ExtensionContext named(String name) {
    return (ExtensionContext)
        Proxy.newProxyInstance(
            InvariantsTest.class.getClassLoader(),
            new Class<?>[] {ExtensionContext.class},
            (_, method, _) -> {
              assertThat(method.getName()).isEqualTo("getDisplayName");
              return name;
            });
  }
}
