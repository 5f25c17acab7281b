package dev.evenkeel.decide.queue;

/**
 * How urgent a key is. Few named levels and not a number: people read them, and the queue can keep
 * a line for each, so that every step costs the same however long the lines are.
 */
public enum Priority {
  /** Nothing is known to have changed; a look just in case. */
  RESYNC(0),
  /** Can wait: the first look at everything after a start, for example. */
  LOW(1),
  /** Something changed. */
  NORMAL(2),
  /** Somebody waits for it, or harm comes of waiting. */
  HIGH(3);

  static final int LEVELS = 4;

  /** From 0, the least urgent, to {@link #LEVELS} - 1. */
  final int level;

  Priority(int level) {
    this.level = level;
  }

  boolean isAbove(Priority other) {
    return level > other.level;
  }
}
