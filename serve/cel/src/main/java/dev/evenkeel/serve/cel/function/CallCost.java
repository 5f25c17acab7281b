package dev.evenkeel.serve.cel.function;

import dev.evenkeel.serve.cel.meter.Meter;

/** What a call costs, by its arguments. */
@FunctionalInterface
public interface CallCost {

  /**
   * @param meter charged for the work of finding out
   */
  long of(Object[] arguments, Meter meter);
}
