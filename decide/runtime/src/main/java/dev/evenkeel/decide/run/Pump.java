package dev.evenkeel.decide.run;

import dev.evenkeel.decide.lead.Leadership;
import dev.evenkeel.decide.lead.Term;
import dev.evenkeel.decide.queue.Item;
import dev.evenkeel.decide.queue.WorkQueue;
import dev.evenkeel.kernel.env.Loop;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Takes keys from a queue and hands them to a worker, several at a time.
 *
 * <p><b>Threading:</b> all on the loop; the queue calls from any thread.
 */
public final class Pump {

  private final WorkQueue queue;
  private final Loop loop;
  private final int inFlightMax;
  private final Leadership leadership;
  private final Predicate<Term> view;
  private final Worker worker;
  private final AtomicBoolean called = new AtomicBoolean();
  private int inFlight;
  private boolean running;
  private boolean taking;
  private Loop.@Nullable Timer timer;

  /** Works on keys. */
  @FunctionalInterface
  public interface Worker {

    /**
     * Begins to work on a key, and says {@link #done} in the end.
     *
     * @param term what is done is done in it, or not at all
     */
    void begin(Item item, Term term);
  }

  /**
   * One that takes keys only while it leads and sees: until then they gather.
   *
   * @param view whether what is seen is new enough for a term; who said no calls {@link #call} when
   *     it is. Asked on the loop
   */
  public Pump(
      WorkQueue queue,
      Loop loop,
      int inFlightMax,
      Leadership leadership,
      Predicate<Term> view,
      Worker worker) {
    this.queue = queue;
    this.loop = loop;
    this.inFlightMax = inFlightMax;
    this.leadership = leadership;
    this.view = view;
    this.worker = worker;
    queue.onReady(this::call);
    leadership.listen(this::call);
  }

  /** Begins to take, on the loop. */
  public void start() {
    running = true;
    takeAll();
  }

  /** Takes no more, on the loop. */
  public void stop() {
    running = false;
  }

  /** A key that was handed out was dealt with, and the queue was told; on the loop. */
  public void done() {
    inFlight--;
    takeAll();
  }

  /** Has it look whether there is something to take. For any thread; one run takes all there is. */
  public void call() {
    if (called.compareAndSet(false, true)) {
      try {
        loop.execute(this::takeAll);
      } catch (RejectedExecutionException e) {
        // It is closed: nobody waits for it.
      }
    }
  }

  /** A worker that is done at once calls from within: whoever takes already goes on. */
  private void takeAll() {
    called.set(false);
    if (taking) {
      return;
    }
    taking = true;
    try {
      while (running && inFlight < inFlightMax) {
        Term term = leadership.term();
        if (term == null || !view.test(term)) {
          return;
        }
        Item item = queue.take();
        if (item == null) {
          sleep();
          return;
        }
        inFlight++;
        worker.begin(item, term);
      }
    } finally {
      taking = false;
    }
  }

  private void sleep() {
    Duration next = queue.untilNext();
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
    if (next != null) {
      timer = loop.runLater(next, this::takeAll);
    }
  }
}
