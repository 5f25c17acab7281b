package dev.evenkeel.serve.http.lane;

import io.netty.channel.EventLoop;
import java.util.concurrent.TimeUnit;

/** An event loop, as a {@link Lane} needs it. */
public interface LaneLoop {

  /** From any thread. The loop runs such tasks until there is none, before it reads again. */
  void execute(Runnable task);

  /** On the loop: once it has read what has arrived, if anything. */
  void executeAfterReading(Runnable task);

  /** On the loop: when the time has passed, and the loop has read what has arrived. */
  void executeIn(long nanos, Runnable task);

  static LaneLoop of(EventLoop loop) {
    return new LaneLoop() {
      @Override
      public void execute(Runnable task) {
        loop.execute(task);
      }

      @Override
      public void executeAfterReading(Runnable task) {
        // What is scheduled is looked at once in a pass, before the tasks.
        executeIn(0, task);
      }

      @Override
      public void executeIn(long nanos, Runnable task) {
        var _ = loop.schedule(task, nanos, TimeUnit.NANOSECONDS);
      }
    };
  }
}
