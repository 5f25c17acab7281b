package dev.evenkeel.decide.queue;

/** Is told how long keys wait, and how long they are worked on. Called from any thread. */
public interface QueueMeter {

  /** Nobody wants to know. */
  QueueMeter NONE =
      new QueueMeter() {
        @Override
        public void taken(long readyNanos) {}

        @Override
        public void worked(long nanos) {}
      };

  /** A worker took a key, which had been ready for this long. */
  void taken(long readyNanos);

  /** A worker gave a key back after this long. */
  void worked(long nanos);
}
