package dev.evenkeel.decide.queue;

import dev.evenkeel.kernel.env.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Lincheck searches for interleavings of real threads whose results no sequential order explains.
 * Time stands still: what is delayed stays so until it is added for now.
 */
@Param(name = "key", gen = IntGen.class, conf = "1:3")
@Param(name = "number", gen = IntGen.class, conf = "1:2")
@Param(name = "priority", gen = IntGen.class, conf = "0:3")
public class WorkQueueLincheckTest {

  private static final Clock STANDING =
      new Clock() {
        @Override
        public Instant now() {
          return Instant.EPOCH;
        }

        @Override
        public long nanoTime() {
          return 0;
        }
      };

  private static final Wake CHANGED = new Wake(Wake.Kind.OBJECT, "changed");

  /** Room for two of the three keys. */
  private final WorkQueue queue =
      new WorkQueue("lincheck", STANDING, () -> 0, QueueLimits.DEFAULTS.withEntriesMax(2));

  private static Key key(int key) {
    return new Key("ns" + key % 2, "key" + key);
  }

  private static Priority priority(int priority) {
    return switch (priority) {
      case 0 -> Priority.RESYNC;
      case 1 -> Priority.LOW;
      case 2 -> Priority.NORMAL;
      default -> Priority.HIGH;
    };
  }

  @Operation
  public boolean add(@Param(name = "key") int key, @Param(name = "priority") int priority) {
    return queue.add(key(key), priority(priority), CHANGED);
  }

  @Operation
  public boolean addAfter(@Param(name = "key") int key, @Param(name = "priority") int priority) {
    return queue.addAfter(key(key), Duration.ofHours(1), priority(priority), CHANGED);
  }

  @Operation
  public String take() {
    return String.valueOf(queue.take());
  }

  @Operation
  public boolean settle(@Param(name = "key") int key, @Param(name = "number") int number) {
    return done(key, number, new Result.Settled());
  }

  @Operation
  public boolean fail(@Param(name = "key") int key, @Param(name = "number") int number) {
    return done(key, number, new Result.Failed("no"));
  }

  /**
   * An item is known by its key and number, so one can be given back that may not have been taken:
   * a table of those that were would be a second step, which Lincheck rightly finds.
   */
  private boolean done(int key, int number, Result result) {
    try {
      queue.done(
          new Item(number, key(key), Priority.NORMAL, List.of(), 1, 1, Segments.NONE), result);
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  @Operation
  public String depths() {
    QueueFigures figures = queue.figures();
    StringBuilder text = new StringBuilder();
    for (Entry.State state : Entry.State.values()) {
      text.append(state).append(figures.depths().get(state)).append(' ');
    }
    return text.append(figures.overflowed()).toString();
  }

  @Test
  void linearizable_underStress() {
    new StressOptions()
        .iterations(30)
        .invocationsPerIteration(300)
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(2)
        .actorsAfter(1)
        .check(getClass());
  }

  /** Switches threads at chosen places instead of waiting for the machine to do so. */
  @Test
  @Tag("slow")
  void linearizable_inChosenInterleavings() {
    new ModelCheckingOptions()
        .iterations(15)
        .invocationsPerIteration(150)
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(2)
        .actorsAfter(1)
        .check(getClass());
  }
}
