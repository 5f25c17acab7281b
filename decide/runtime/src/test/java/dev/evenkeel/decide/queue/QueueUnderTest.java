package dev.evenkeel.decide.queue;

import dev.evenkeel.kernel.env.SimulatedEnv;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;

/** A queue on virtual time, and short words for what tests do with it. */
final class QueueUnderTest {

  /** No chance: every wait is as long as it can be. */
  static final RandomGenerator LONGEST = () -> 0;

  static final Wake CHANGED = new Wake(Wake.Kind.OBJECT, "changed");
  static final Result SETTLED = new Result.Settled();

  final SimulatedEnv env = new SimulatedEnv(1);
  final WorkQueue queue;

  QueueUnderTest() {
    this(QueueLimits.DEFAULTS);
  }

  QueueUnderTest(QueueLimits limits) {
    this.queue = new WorkQueue("test", env.clock(), LONGEST, limits);
  }

  static Key key(String text) {
    int slash = text.indexOf('/');
    return new Key(slash < 0 ? "" : text.substring(0, slash), text.substring(slash + 1));
  }

  void add(String key) {
    add(key, Priority.NORMAL);
  }

  void add(String key, Priority priority) {
    var _ = queue.add(key(key), priority, CHANGED);
  }

  void addAfter(String key, long seconds) {
    addAfter(key, seconds, Priority.NORMAL);
  }

  void addAfter(String key, long seconds, Priority priority) {
    var _ = queue.addAfter(key(key), Duration.ofSeconds(seconds), priority, CHANGED);
  }

  Item take() {
    return Objects.requireNonNull(queue.take(), "nothing to take");
  }

  /** Takes and settles until there is nothing. */
  List<String> takeAll() {
    var keys = new ArrayList<String>();
    for (Item item = queue.take(); item != null; item = queue.take()) {
      keys.add(item.key().toString());
      queue.done(item, SETTLED);
    }
    return keys;
  }

  void fail(String why) {
    queue.done(take(), new Result.Failed(why));
  }

  void overloaded(String dependency) {
    queue.done(take(), new Result.Overloaded(dependency, Duration.ZERO));
  }

  void passSeconds(long seconds) {
    env.runFor(Duration.ofSeconds(seconds));
  }

  void passMillis(long millis) {
    env.runFor(Duration.ofMillis(millis));
  }

  Entry entry(String key) {
    return queue.entries(Integer.MAX_VALUE).stream()
        .filter(entry -> entry.key().equals(key(key)))
        .findAny()
        .orElseThrow();
  }

  int depth(Entry.State state) {
    return Objects.requireNonNull(queue.figures().depths().get(state));
  }
}
