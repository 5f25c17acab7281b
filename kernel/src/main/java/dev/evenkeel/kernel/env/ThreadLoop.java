package dev.evenkeel.kernel.env;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A loop that is a thread.
 *
 * <p>Tasks are handed in by one compare-and-set, and taken all at once. The thread is woken only if
 * it sleeps, so a busy loop costs those who hand in no system call. Timers are the thread's own:
 * whoever sets one from elsewhere hands in a task that does. One that is cancelled stays in the
 * heap, without its task, until its time comes or half of the heap is like it.
 *
 * <p><b>Invariants.</b> {@link #newest} is {@link #CLOSED} for ever, once it is; until then each
 * task that gets there runs, in the order in which it got there. It is {@link #ASLEEP} only while
 * nothing is handed in.
 *
 * <p><b>Threading.</b> Any thread hands in, cancels and closes; {@link #timers} is the loop's.
 */
final class ThreadLoop implements Loop {

  private static final System.Logger LOG = System.getLogger(ThreadLoop.class.getName());

  /** So few cancelled timers are not worth a walk through all of them. */
  static final int CANCELLED_MIN = 64;

  /** A task that was handed in, before those that are newer. */
  private static final class Task {
    final Runnable work;
    @Nullable Task older;

    Task(Runnable work) {
      this.work = work;
    }
  }

  private static final Task ASLEEP = new Task(() -> {});
  private static final Task CLOSED = new Task(() -> {});

  private final String name;
  private final Thread thread;
  private final AtomicReference<@Nullable Task> newest = new AtomicReference<>();
  private final PriorityQueue<Later> timers =
      new PriorityQueue<>(
          Comparator.<Later>comparingLong(Later::distance).thenComparingLong(it -> it.number));
  private final AtomicInteger cancelled = new AtomicInteger();
  private final long beganNanos = System.nanoTime();
  private long timersSet;
  private volatile boolean closing;

  private ThreadLoop(String name) {
    this.name = name;
    this.thread = Thread.ofPlatform().name(name).daemon(true).unstarted(this::work);
  }

  static ThreadLoop start(String name) {
    var loop = new ThreadLoop(name);
    loop.thread.start();
    return loop;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean inLoop() {
    return Thread.currentThread().equals(thread);
  }

  // ---- handing in

  @Override
  public void execute(Runnable work) {
    if (closing) {
      throw closed();
    }
    var task = new Task(work);
    Task before;
    do {
      before = newest.get();
      if (before == CLOSED) {
        throw closed();
      }
      task.older = before == ASLEEP ? null : before;
    } while (!newest.compareAndSet(before, task));
    if (before == ASLEEP) {
      LockSupport.unpark(thread);
    }
  }

  @Override
  public Timer runLater(Duration delay, Runnable work) {
    var later = new Later(System.nanoTime() + Delays.toNanos(delay), work);
    if (inLoop()) {
      if (closing) {
        throw closed();
      }
      add(later);
    } else {
      execute(() -> add(later));
    }
    return later;
  }

  private RejectedExecutionException closed() {
    return new RejectedExecutionException("loop " + name + " is closed");
  }

  @Override
  public void close() {
    closing = true;
    LockSupport.unpark(thread);
    if (inLoop()) {
      return;
    }
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  // ---- the thread

  private void work() {
    while (!closing) {
      runAll(newest.getAndSet(null));
      runDue();
      sleep();
    }
    runAll(newest.getAndSet(CLOSED));
    timers.clear();
  }

  private void runAll(@Nullable Task last) {
    Task oldest = null;
    for (Task task = last; task != null; ) {
      Task next = task.older;
      task.older = oldest;
      oldest = task;
      task = next;
    }
    while (oldest != null) {
      Task next = oldest.older;
      oldest.older = null;
      run(oldest.work);
      oldest = next;
    }
  }

  private void run(Runnable work) {
    try {
      work.run();
    } catch (RejectedExecutionException e) {
      if (!closing) {
        tell(e);
      } // else a last task asked a loop for more that takes no more
    } catch (Throwable e) {
      tell(e);
    }
  }

  /** Out of memory, or with a failure that cannot even be printed, the loop still goes on. */
  private void tell(Throwable failure) {
    try {
      LOG.log(System.Logger.Level.ERROR, "a task of loop " + name + " failed", failure);
    } catch (Throwable _) {
      // Nobody is left to tell.
    }
  }

  /** Until something is handed in, a timer is due, or the loop closes. */
  private void sleep() {
    Later first = timers.peek();
    if (closing
        || (first != null && first.dueNanos - System.nanoTime() <= 0)
        || !newest.compareAndSet(null, ASLEEP)) {
      return;
    }
    while (newest.get() == ASLEEP && !closing) {
      if (first == null) {
        LockSupport.park(this);
      } else {
        long nanos = first.dueNanos - System.nanoTime();
        if (nanos <= 0) {
          break;
        }
        LockSupport.parkNanos(this, nanos);
      }
      // An interrupted thread would not sleep. Nobody has reason to interrupt this one.
      var _ = Thread.interrupted();
    }
    newest.compareAndSet(ASLEEP, null);
  }

  // ---- timers

  private void add(Later later) {
    if (cancelled.get() >= CANCELLED_MIN && cancelled.get() > timers.size() / 2) {
      timers.removeIf(Later::leaves);
    }
    later.number = timersSet++;
    timers.add(later);
  }

  private void runDue() {
    long now = timers.isEmpty() ? 0 : System.nanoTime();
    for (Later first = timers.peek();
        first != null && first.dueNanos - now <= 0;
        first = timers.peek()) {
      timers.remove();
      Runnable work = first.begin();
      if (work != null) {
        run(work);
      }
    }
  }

  /** How many timers are kept, cancelled ones included. On the loop. */
  int timers() {
    return timers.size();
  }

  private final class Later implements Timer {

    private final long dueNanos;
    private final AtomicReference<@Nullable Runnable> work;
    private long number;

    Later(long dueNanos, Runnable work) {
      this.dueNanos = dueNanos;
      this.work = new AtomicReference<>(work);
    }

    /** Comparable, also if the clock wraps. */
    long distance() {
      return dueNanos - beganNanos;
    }

    @Override
    public void cancel() {
      if (work.getAndSet(null) != null) {
        cancelled.incrementAndGet();
      }
    }

    /** The task, unless it was cancelled; it cannot be any more. */
    @Nullable Runnable begin() {
      Runnable begun = work.getAndSet(null);
      if (begun == null) {
        cancelled.decrementAndGet();
      }
      return begun;
    }

    boolean leaves() {
      if (work.get() != null) {
        return false;
      }
      cancelled.decrementAndGet();
      return true;
    }
  }
}
