package dev.evenkeel.decide.queue;

import java.util.List;

/**
 * A key that a worker has taken, until {@link WorkQueue#done} is called with it.
 *
 * @param number counts the takes of the queue, from 1
 * @param priority the highest it was asked for with
 * @param wakes the different reasons, oldest first, as many as the limits keep
 * @param adds how many wake-ups it stands for, those without a reason here included
 * @param attempt 1 unless the ones before failed
 */
public record Item(
    long number,
    Key key,
    Priority priority,
    List<Wake> wakes,
    int adds,
    int attempt,
    Segments segments) {

  public Item {
    wakes = List.copyOf(wakes);
  }
}
