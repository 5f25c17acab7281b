package dev.evenkeel.decide.queue;

import java.time.Duration;

/**
 * The limits of a queue.
 *
 * @param entriesMax keys it holds; {@link WorkQueue#add} tells what happens beyond
 * @param wakesMax different reasons kept for a key
 * @param agedEvery of so many takes one goes to the key that has waited longest, whatever its
 *     priority
 * @param backoffFirst the longest wait after the first failure; it doubles with each
 * @param backoffMax and grows no further
 * @param overloadsToOpen so many overloads of one dependency within {@code overloadWindow} open its
 *     breaker
 * @param openFirst how long a breaker stays open at first; it doubles with each failed probe
 * @param openMax and grows no further; also how long a probe is waited for before there is another
 * @param probesToClose so many probes in a row must go well before a breaker closes
 * @param dependenciesMax breakers known at a time; beyond, an overload is a failure like any other
 */
public record QueueLimits(
    int entriesMax,
    int wakesMax,
    int agedEvery,
    Duration backoffFirst,
    Duration backoffMax,
    int overloadsToOpen,
    Duration overloadWindow,
    Duration openFirst,
    Duration openMax,
    int probesToClose,
    int dependenciesMax) {

  public static final QueueLimits DEFAULTS =
      new QueueLimits(
          1_000_000,
          4,
          8,
          Duration.ofMillis(10),
          Duration.ofMinutes(5),
          3,
          Duration.ofSeconds(10),
          Duration.ofSeconds(1),
          Duration.ofMinutes(1),
          3,
          64);

  public QueueLimits {
    atLeast(1, entriesMax, "entriesMax");
    atLeast(1, wakesMax, "wakesMax");
    atLeast(2, agedEvery, "agedEvery");
    atLeast(1, overloadsToOpen, "overloadsToOpen");
    atLeast(1, probesToClose, "probesToClose");
    atLeast(1, dependenciesMax, "dependenciesMax");
    ordered(backoffFirst, backoffMax, "backoffFirst", "backoffMax");
    ordered(openFirst, openMax, "openFirst", "openMax");
    ordered(Duration.ofNanos(1), overloadWindow, "1 ns", "overloadWindow");
  }

  private static void atLeast(int least, int value, String name) {
    if (value < least) {
      throw new IllegalArgumentException(name + " must be " + least + " or more, not " + value);
    }
  }

  private static void ordered(Duration first, Duration max, String firstName, String maxName) {
    if (first.compareTo(Duration.ofNanos(1)) < 0 || first.compareTo(max) > 0) {
      throw new IllegalArgumentException(
          firstName + " must be more than 0 and at most " + maxName + ": " + first + ", " + max);
    }
  }

  public QueueLimits withEntriesMax(int other) {
    return new QueueLimits(
        other,
        wakesMax,
        agedEvery,
        backoffFirst,
        backoffMax,
        overloadsToOpen,
        overloadWindow,
        openFirst,
        openMax,
        probesToClose,
        dependenciesMax);
  }

  public QueueLimits withBackoff(Duration first, Duration max) {
    return new QueueLimits(
        entriesMax,
        wakesMax,
        agedEvery,
        first,
        max,
        overloadsToOpen,
        overloadWindow,
        openFirst,
        openMax,
        probesToClose,
        dependenciesMax);
  }
}
