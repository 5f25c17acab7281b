package dev.evenkeel.decide.schedule.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.schedule.plugin.PluginFailure;
import dev.evenkeel.decide.schedule.plugin.SchedulerPlugin;
import dev.evenkeel.kernel.env.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PluginLogTest {

  private static final Logger LOGGER = Logger.getLogger(PluginLog.class.getName());

  private static final class HandClock implements Clock {
    private Duration time = Duration.ZERO;

    @Override
    public Instant now() {
      return Instant.EPOCH.plus(time);
    }

    @Override
    public long nanoTime() {
      return time.toNanos();
    }
  }

  private static final class Listening extends Handler {
    private final List<String> lines = new ArrayList<>();

    @Override
    public void publish(LogRecord entry) {
      lines.add(entry.getMessage() + (entry.getThrown() == null ? "" : " + trace"));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  private final HandClock clock = new HandClock();
  private final Listening listening = new Listening();
  private final PluginLog log = new PluginLog(clock);

  @BeforeEach
  void listen() {
    LOGGER.addHandler(listening);
    LOGGER.setUseParentHandlers(false);
  }

  @AfterEach
  void stop() {
    LOGGER.removeHandler(listening);
    LOGGER.setUseParentHandlers(true);
  }

  private void fail(String name, String point) {
    SchedulerPlugin plugin = () -> name;
    log.failed("no", PluginFailure.of(plugin, point, new IllegalStateException("broken")));
  }

  private static String line(String name, String point, int times) {
    return "%s plugin \"%s\" failed: java.lang.IllegalStateException: broken; %d times since this was last said"
        .formatted(point, name, times);
  }

  @Test
  void failed_isToldInFullOnce_andThenCountedInALineAMinute() {
    for (int second = 0; second <= 120; second += 10) {
      clock.time = Duration.ofSeconds(second);
      fail("a", "Filter");
    }
    assertThat(listening.lines)
        .containsExactly("no + trace", line("a", "Filter", 6), line("a", "Filter", 6));
  }

  @Test
  void failed_isNewsForEachPluginAndPoint() {
    fail("a", "Filter");
    fail("a", "Score");
    fail("b", "Filter");
    fail("a", "Filter");
    fail("b", "Filter");
    assertThat(listening.lines).containsExactly("no + trace", "no + trace", "no + trace");
  }

  @Test
  void failed_ofMoreThanCanBeKnownForgetsTheFirst() {
    for (int i = 0; i <= PluginLog.KNOWN_MAX; i++) {
      fail("p" + i, "Filter");
    }
    listening.lines.clear();
    fail("p1", "Filter");
    assertThat(listening.lines).isEmpty();
    fail("p0", "Filter");
    assertThat(listening.lines).containsExactly("no + trace");
  }
}
