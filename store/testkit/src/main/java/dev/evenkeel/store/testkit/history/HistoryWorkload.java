package dev.evenkeel.store.testkit.history;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.RangeResult;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.Watch;
import dev.evenkeel.store.WatchBatch;
import dev.evenkeel.store.WatchQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Clients and watchers on one store, and the history of what they were told.
 *
 * <p>Start it, do to the store what the test is about (nothing, a restart, a kill), finish it:
 *
 * <pre>{@code
 * var workload = HistoryWorkload.start(() -> store, WorkloadOptions.seed(1));
 * assertThat(HistoryChecker.check(workload.finish())).isEmpty();
 * }</pre>
 *
 * <p>The supplier is asked before every call and may give another store than before, as after a
 * restart. While there is none it may give a closed one: those calls fail for certain and are tried
 * again later. All keys lie below {@code h/}; nobody else may write there.
 *
 * <p><b>Threading.</b> One thread starts and finishes it; clients and watchers have their own.
 */
public final class HistoryWorkload implements AutoCloseable {

  private static final Bytes PREFIX = Bytes.utf8("h/");
  private static final long BOUND_SECONDS = 120;
  private static final long RETRY_MILLIS = 20;

  private final Supplier<Store> stores;
  private final HistoryRecorder recorder = new HistoryRecorder();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Future<?>> clients = new ArrayList<>();
  private final List<Future<?>> readerThreads = new ArrayList<>();
  private final List<RecordingReader> readers = new ArrayList<>();
  private final RangeResult start;
  private volatile boolean stopped;

  private HistoryWorkload(Supplier<Store> stores, WorkloadOptions options) {
    this.stores = stores;
    this.start = await(stores.get().range(RangeQuery.prefix(PREFIX)));
    for (int i = 0; i < options.readers(); i++) {
      // The first watches everything, the others a group each.
      Bytes prefix = i == 0 ? PREFIX : RandomClient.group(PREFIX, i);
      var reader =
          new RecordingReader(
              recorder.reader("w" + i),
              stores,
              prefix,
              start.revision(),
              new SplittableRandom(options.seed() * 1000 - i));
      readers.add(reader);
      readerThreads.add(threads.submit(reader));
    }
    for (int i = 0; i < options.clients(); i++) {
      String name = "c" + i;
      var client =
          new RandomClient(
              name,
              PREFIX,
              new RecordingClient(recorder, name, stores),
              start.revision(),
              new Random(options.seed() * 1000 + i));
      clients.add(threads.submit(() -> client.run(options.operationsPerClient(), () -> stopped)));
    }
  }

  /** Lets clients and watchers loose. */
  public static HistoryWorkload start(Supplier<Store> stores, WorkloadOptions options) {
    return new HistoryWorkload(stores, options);
  }

  /** How many calls were begun so far: for tests that act in the middle. */
  public int callsSoFar() {
    return recorder.calls().size();
  }

  /** Whether all clients have made all their calls. */
  public boolean isDone() {
    return clients.stream().allMatch(Future::isDone);
  }

  /** Keeps the clients from asking anything more. */
  public void stop() {
    stopped = true;
  }

  /** Waits for the clients, lets the watchers catch up, and reads the store's own account. */
  public History finish() {
    try {
      clients.forEach(HistoryWorkload::join);
      RangeResult end = readEnd();
      readers.forEach(reader -> reader.drain(end.revision()));
      readerThreads.forEach(HistoryWorkload::join);
      return new History(
          start, recorder.calls(), recorder.readers(), account(end.revision()), end.revision());
    } finally {
      close();
    }
  }

  /**
   * Gives up, for a test that fails before it finishes: whoever still asks or watches is stopped.
   */
  @Override
  public void close() {
    stopped = true;
    threads.shutdownNow();
  }

  /** The last read counts as a call: it is judged like the others. */
  private RangeResult readEnd() {
    var auditor = new RecordingClient(recorder, "auditor", stores);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(BOUND_SECONDS);
    while (true) {
      Outcome outcome = auditor.range(RangeQuery.prefix(PREFIX));
      if (outcome instanceof Outcome.Ranged(RangeResult result)) {
        return result;
      }
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("the store does not come back: " + outcome);
      }
      Pause.millis(RETRY_MILLIS);
    }
  }

  private List<WatchBatch.Commit> account(long endRevision) {
    var commits = new ArrayList<WatchBatch.Commit>();
    long reached = start.revision();
    try (Watch watch = stores.get().watch(WatchQuery.prefix(PREFIX, reached + 1))) {
      watch.requestProgress();
      while (reached < endRevision) {
        WatchBatch batch = await(watch.next());
        reached = batch.revision();
        commits.addAll(batch.commits());
      }
    }
    commits.removeIf(commit -> commit.revision() > endRevision);
    return commits;
  }

  private static <T> T await(Future<T> future) {
    try {
      return future.get(BOUND_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof StoreException storeException) {
        throw storeException;
      }
      throw new IllegalStateException(e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException("not done within " + BOUND_SECONDS + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static void join(Future<?> thread) {
    var _ = await(thread);
  }
}
