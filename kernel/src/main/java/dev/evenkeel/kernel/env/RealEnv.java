package dev.evenkeel.kernel.env;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** The machine's clock, chance and threads: a loop is a thread. */
public final class RealEnv implements Env {

  private static final System.Logger LOG = System.getLogger(RealEnv.class.getName());

  private static final Clock CLOCK =
      new Clock() {
        @Override
        public Instant now() {
          return Instant.now();
        }

        @Override
        public long nanoTime() {
          return System.nanoTime();
        }
      };

  /** Delegates call by call: a generator of one thread may be handed to another. */
  private static final RandomGenerator RANDOM = () -> ThreadLocalRandom.current().nextLong();

  @Override
  public Clock clock() {
    return CLOCK;
  }

  @Override
  public RandomGenerator random() {
    return RANDOM;
  }

  @Override
  public Loop loop(String name) {
    return new ThreadLoop(name);
  }

  private static final class ThreadLoop implements Loop {

    private final String name;
    private final ScheduledThreadPoolExecutor executor;
    private volatile Thread thread = Thread.currentThread();

    ThreadLoop(String name) {
      this.name = name;
      this.executor = new ScheduledThreadPoolExecutor(1, this::newThread);
      executor.setRemoveOnCancelPolicy(true);
      executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
      executor.prestartCoreThread();
    }

    private Thread newThread(Runnable work) {
      thread = Thread.ofPlatform().name(name).daemon(true).unstarted(work);
      return thread;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public void execute(Runnable task) {
      ScheduledFuture<?> future = executor.schedule(contained(task), 0, TimeUnit.NANOSECONDS);
      // Handed in while the loop was closing, a task may be dropped without a word, or be left in
      // the queue of an executor that has ended in between. Whoever waits for the task's effect
      // must be told: nobody else cancels it, and what can still be taken back was not begun.
      if (future.isCancelled()
          || (executor.isShutdown() && executor.remove((RunnableScheduledFuture<?>) future))) {
        throw new RejectedExecutionException("loop " + name + " is closed");
      }
    }

    @Override
    public Timer runLater(Duration delay, Runnable task) {
      ScheduledFuture<?> future =
          executor.schedule(contained(task), Delays.toNanos(delay), TimeUnit.NANOSECONDS);
      return () -> future.cancel(false);
    }

    @Override
    public boolean inLoop() {
      return Thread.currentThread().equals(thread);
    }

    @Override
    public void close() {
      executor.shutdown();
      if (inLoop()) {
        return;
      }
      boolean interrupted = false;
      while (true) {
        try {
          if (executor.awaitTermination(1, TimeUnit.HOURS)) {
            break;
          }
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }

    private Runnable contained(Runnable task) {
      return () -> {
        try {
          task.run();
        } catch (Throwable e) {
          LOG.log(System.Logger.Level.ERROR, "a task of loop " + name + " failed", e);
        }
      };
    }
  }
}
