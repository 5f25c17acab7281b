package dev.evenkeel.decide.run;

import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/**
 * Notices reconcilers that do not return. Each has a thread of its own, so the others go on; nobody
 * can end it, but everybody is to know.
 *
 * <p><b>Threading:</b> on a loop of its own.
 */
final class Watchdog implements AutoCloseable {

  /** A reconcile takes microseconds; one that takes this long waits for something. */
  static final Duration RECONCILE_MAX = Duration.ofSeconds(10);

  private static final Duration EVERY = Duration.ofSeconds(5);

  private final Loop loop;
  private final Supplier<List<ControllerRunner<?>>> runners;

  Watchdog(Env env, Supplier<List<ControllerRunner<?>>> runners) {
    this.runners = runners;
    this.loop = env.loop("watchdog");
    next();
  }

  private void next() {
    try {
      loop.runLater(
          EVERY,
          () -> {
            runners.get().forEach(runner -> runner.checkBusy(RECONCILE_MAX));
            next();
          });
    } catch (RejectedExecutionException e) {
      // It is closed: nobody is watched any more.
    }
  }

  @Override
  public void close() {
    loop.close();
  }
}
