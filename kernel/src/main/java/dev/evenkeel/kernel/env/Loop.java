package dev.evenkeel.kernel.env;

import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * Runs tasks one at a time, in the order they were handed in. State that only a loop's tasks touch
 * needs no lock.
 *
 * <p>A task that throws is reported and the loop goes on: one bad task must not stop the owner of a
 * store. Tasks run later are kept in order of their time, then in the order they were handed in.
 */
public interface Loop extends Executor, AutoCloseable {

  String name();

  /**
   * Runs the task after those already handed in.
   *
   * @throws java.util.concurrent.RejectedExecutionException if the loop is closed
   */
  @Override
  void execute(Runnable task);

  /**
   * Runs the task once the delay has passed.
   *
   * @throws java.util.concurrent.RejectedExecutionException if the loop is closed
   */
  Timer runLater(Duration delay, Runnable task);

  /** Whether the caller is one of this loop's tasks. */
  boolean inLoop();

  /**
   * Takes no more tasks, runs those already handed in, drops those to be run later, and returns
   * when all is done. Called from one of the loop's own tasks, it returns at once. Closing twice is
   * fine.
   */
  @Override
  void close();

  /** A task that waits for its time. */
  interface Timer {

    /** Keeps the task from running; without effect once it has begun. */
    void cancel();
  }
}
