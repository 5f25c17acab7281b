package dev.evenkeel.decide.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The queue in numbers.
 *
 * @param depths keys by state, every state
 * @param ready keys that wait for a worker or for the server, by priority
 * @param oldestReady how long the first of them has waited
 * @param working how long the keys that are worked on have been so, in all
 * @param longestWorking the longest of it
 * @param adds wake-ups that were taken in
 * @param merged those of them whose key was there already
 * @param takes keys given to workers
 * @param failures attempts that failed, overload included
 * @param refused wake-ups beyond the limit of entries
 * @param overflowed some were refused, and nobody was asked yet to add everything again
 * @param breakers what is overloaded now
 */
public record QueueFigures(
    String name,
    Map<Entry.State, Integer> depths,
    Map<Priority, Integer> ready,
    Duration oldestReady,
    Duration working,
    Duration longestWorking,
    long adds,
    long merged,
    long takes,
    long failures,
    long refused,
    boolean overflowed,
    boolean draining,
    List<OpenBreaker> breakers) {

  /**
   * Something overloaded.
   *
   * @param held keys that wait for it
   * @param openings how often in a row it was found overloaded
   * @param nextProbe when a key may be let through to see
   */
  public record OpenBreaker(String dependency, int held, int openings, Instant nextProbe) {}

  public QueueFigures {
    depths = Map.copyOf(depths);
    ready = Map.copyOf(ready);
    breakers = List.copyOf(breakers);
  }

  /** All keys that the queue knows. */
  public int depth() {
    return depths.values().stream().mapToInt(Integer::intValue).sum();
  }
}
