package dev.evenkeel.store.rocksdb;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.GetResult;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.RangeResult;
import dev.evenkeel.store.SnapshotInfo;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.StoreLimits;
import dev.evenkeel.store.StoreStats;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.Watch;
import dev.evenkeel.store.WatchBatch;
import dev.evenkeel.store.WatchQuery;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The store of a {@link StoreHost}, seen from the process that started it, and that may kill it.
 *
 * <p>When the host dies, commits that were sent and not answered fail with {@link
 * StoreException.UnknownOutcome}, everything else with {@link StoreException.Unavailable}; so does
 * whatever is asked later. Snapshots and stats are not served.
 *
 * <p><b>Invariants.</b> A request is in {@code asked} before its first byte is sent, and leaves it
 * once: with its answer or with the host's death. Nothing is sent after the host was found dead.
 *
 * <p><b>Threading.</b> Any thread asks, one after the other under {@code lock}; a thread of its own
 * reads the answers and completes the futures, without the lock.
 */
final class HostedStore implements Store {

  private static final long OPEN_BOUND_SECONDS = 60;
  private static final long END_BOUND_SECONDS = 30;

  /** What was asked and not answered yet. */
  private record Asked<T extends @Nullable Object>(
      @Nullable HostRequest request,
      Function<HostAnswer, T> understand,
      CompletableFuture<T> future) {

    void answered(HostAnswer answer) {
      switch (answer) {
        case HostAnswer.Failed(StoreException reason) -> future.completeExceptionally(reason);
        case HostAnswer.Broken(String reason) ->
            future.completeExceptionally(new IllegalStateException(reason));
        case HostAnswer other -> future.complete(understand.apply(other));
      }
    }

    void died() {
      future.completeExceptionally(
          request instanceof HostRequest.Commit
              ? new StoreException.UnknownOutcome("the host died before it answered", null)
              : dead());
    }
  }

  private final Process process;
  private final DataOutputStream out;
  private final Thread listener;
  private final CompletableFuture<Long> opening = new CompletableFuture<>();
  private final Object lock = new Object();
  private final Map<Long, Asked<?>> asked = new HashMap<>();
  private final AtomicInteger commitsDecided = new AtomicInteger();
  private final AtomicInteger commitsLost = new AtomicInteger();
  private final AtomicInteger watchesLost = new AtomicInteger();
  private long lastNumber = StoreHost.OPENING;
  private boolean dead;

  private HostedStore(Process process) {
    this.process = process;
    this.out = new DataOutputStream(process.getOutputStream());
    asked.put(StoreHost.OPENING, new Asked<>(null, HostedStore::revision, opening));
    this.listener = Thread.ofPlatform().daemon().name("host-answers").unstarted(this::listen);
  }

  /** Starts a host on the folder, and does not wait until it has opened it. */
  static HostedStore start(Path folder, Durability durability) {
    var store =
        new HostedStore(ChildJvm.start(StoreHost.class, folder.toString(), durability.name()));
    store.listener.start();
    return store;
  }

  /** Waits until the host has opened the folder; the revision at which it did. */
  long awaitOpen() throws InterruptedException, TimeoutException {
    try {
      return opening.get(OPEN_BOUND_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the host could not open the folder", e.getCause());
    }
  }

  /** SIGKILL; when this returns, the process is gone and every call has its outcome. */
  void kill() throws InterruptedException {
    // Through its handle: the process object would close what the host still says.
    process.toHandle().destroyForcibly();
    awaitEnd();
  }

  private void awaitEnd() throws InterruptedException {
    if (!process.waitFor(END_BOUND_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("process " + process.pid() + " does not die");
    }
    listener.join(TimeUnit.SECONDS.toMillis(END_BOUND_SECONDS));
  }

  /** Transactions committed or rejected so far. */
  int commitsDecided() {
    return commitsDecided.get();
  }

  /** Transactions that were under way when the host died. */
  int commitsLost() {
    return commitsLost.get();
  }

  /** Watches that waited for a batch when the host died. */
  int watchesLost() {
    return watchesLost.get();
  }

  private void listen() {
    try (var in = new DataInputStream(new BufferedInputStream(process.getInputStream()))) {
      while (true) {
        long number = in.readLong();
        HostAnswer answer = HostCodec.readAnswer(in);
        if (answer instanceof HostAnswer.Decided) {
          commitsDecided.incrementAndGet();
        }
        Asked<?> question;
        synchronized (lock) {
          question = asked.remove(number);
        }
        if (question == null) {
          throw new IOException("an answer to a question that nobody asked: " + answer);
        }
        question.answered(answer);
      }
    } catch (IOException e) {
      // The end of what the host says, perhaps in the middle of an answer.
      bury();
    }
  }

  private void bury() {
    List<Asked<?>> unanswered;
    synchronized (lock) {
      dead = true;
      unanswered = new ArrayList<>(asked.values());
      asked.clear();
    }
    for (Asked<?> question : unanswered) {
      if (question.request instanceof HostRequest.Commit) {
        commitsLost.incrementAndGet();
      } else if (question.request instanceof HostRequest.NextBatch) {
        watchesLost.incrementAndGet();
      }
      question.died();
    }
  }

  private <T extends @Nullable Object> CompletableFuture<T> ask(
      HostRequest request, Function<HostAnswer, T> understand) {
    var question = new Asked<T>(request, understand, new CompletableFuture<>());
    synchronized (lock) {
      if (dead) {
        question.future.completeExceptionally(dead());
      } else {
        long number = ++lastNumber;
        asked.put(number, question);
        send(number, request);
      }
    }
    return question.future;
  }

  /** Sends what is not answered. */
  private void tell(HostRequest request) {
    synchronized (lock) {
      if (!dead) {
        send(++lastNumber, request);
      }
    }
  }

  private void send(long number, HostRequest request) {
    try {
      out.writeLong(number);
      HostCodec.write(out, request);
      out.flush();
    } catch (IOException e) {
      // The host is dead. Its last answers may still be in the pipe: the listener reads them first.
    }
  }

  private static StoreException.Unavailable dead() {
    return new StoreException.Unavailable("the host is dead; use its successor", null);
  }

  private static long revision(HostAnswer answer) {
    return ((HostAnswer.Revision) answer).revision();
  }

  @Override
  public CompletableFuture<TxnResult> commit(Txn txn) {
    return ask(new HostRequest.Commit(txn), answer -> ((HostAnswer.Decided) answer).result());
  }

  @Override
  public CompletableFuture<GetResult> get(Bytes key, long revision) {
    return ask(new HostRequest.Get(key, revision), answer -> ((HostAnswer.Got) answer).result());
  }

  @Override
  public CompletableFuture<RangeResult> range(RangeQuery query) {
    return ask(new HostRequest.Range(query), answer -> ((HostAnswer.Ranged) answer).result());
  }

  @Override
  public CompletableFuture<Long> currentRevision() {
    return ask(new HostRequest.CurrentRevision(), HostedStore::revision);
  }

  @Override
  public CompletableFuture<@Nullable Void> compact(long revision) {
    return this.<@Nullable Void>ask(new HostRequest.Compact(revision), _ -> null);
  }

  @Override
  public Watch watch(WatchQuery query) {
    synchronized (lock) {
      long number = ++lastNumber;
      tell(new HostRequest.OpenWatch(number, query));
      return new HostedWatch(number);
    }
  }

  private final class HostedWatch implements Watch {

    private final long number;

    private HostedWatch(long number) {
      this.number = number;
    }

    @Override
    public CompletableFuture<WatchBatch> next() {
      return ask(
          new HostRequest.NextBatch(number), answer -> ((HostAnswer.Delivered) answer).batch());
    }

    @Override
    public void requestProgress() {
      tell(new HostRequest.RequestProgress(number));
    }

    @Override
    public void close() {
      tell(new HostRequest.CloseWatch(number));
    }
  }

  @Override
  public CompletableFuture<SnapshotInfo> snapshot(Path file) {
    return notServed();
  }

  @Override
  public CompletableFuture<StoreStats> stats() {
    return notServed();
  }

  private static <T> CompletableFuture<T> notServed() {
    return CompletableFuture.failedFuture(
        new StoreException.InvalidRequest("a host does not serve this; ask the store itself"));
  }

  @Override
  public StoreLimits limits() {
    return StoreLimits.LOCAL_DEFAULTS;
  }

  /** Lets the host close its store; kills it if it does not. */
  @Override
  public void close() {
    try {
      synchronized (lock) {
        out.close();
      }
    } catch (IOException e) {
      // It died before.
    }
    try {
      if (!process.waitFor(END_BOUND_SECONDS, TimeUnit.SECONDS)) {
        kill();
      }
    } catch (InterruptedException e) {
      process.toHandle().destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
