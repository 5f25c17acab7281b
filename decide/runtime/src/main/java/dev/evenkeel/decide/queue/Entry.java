package dev.evenkeel.decide.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A key in the queue, as people see it.
 *
 * @param wakes why it is here; of a key that is worked on, why it was taken
 * @param adds how many wake-ups it stands for
 * @param attempts how many attempts failed since the last that did not
 * @param inState since when it is as it is
 * @param nextTime when that may change by itself, if the queue knows
 * @param again it is worked on, and was added meanwhile
 * @param dependency what it was last found to need that was overloaded, if anything
 */
public record Entry(
    Key key,
    State state,
    Priority priority,
    List<Wake> wakes,
    int adds,
    int attempts,
    Duration inState,
    @Nullable Instant nextTime,
    boolean again,
    @Nullable String dependency) {

  /** What a key waits for. */
  public enum State {
    /** For a worker. */
    READY,
    /** For the worker who has it. */
    WORKING,
    /** For the time it was asked for. */
    DELAYED,
    /** For its time after a failure. */
    BACKOFF,
    /** For something that is overloaded. */
    HELD
  }

  public Entry {
    wakes = List.copyOf(wakes);
  }
}
