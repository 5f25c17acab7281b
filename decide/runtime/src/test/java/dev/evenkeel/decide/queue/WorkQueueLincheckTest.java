package dev.evenkeel.decide.queue;

import dev.evenkeel.kernel.env.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * Lincheck searches for interleavings of real threads whose results no sequential order explains.
 * Time stands still: what is delayed stays so until it is added for now.
 */
@Param(name = "key", gen = IntGen.class, conf = "1:3")
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

  private final ConcurrentMap<Key, Item> taken = new ConcurrentHashMap<>();

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
    Item item = queue.take();
    if (item == null) {
      return "nothing";
    }
    taken.put(item.key(), item);
    return item.toString();
  }

  @Operation
  public String settle(@Param(name = "key") int key) {
    return done(key, new Result.Settled());
  }

  @Operation
  public String fail(@Param(name = "key") int key) {
    return done(key, new Result.Failed("no"));
  }

  /** Somebody else may have been faster, or be about to put his item there: both are a no. */
  private String done(int key, Result result) {
    Item item = taken.get(key(key));
    if (item == null) {
      return "no";
    }
    try {
      queue.done(item, result);
      return "done " + item.number();
    } catch (IllegalStateException e) {
      return "no";
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
}
