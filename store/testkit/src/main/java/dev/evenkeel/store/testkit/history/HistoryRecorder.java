package dev.evenkeel.store.testkit.history;

import dev.evenkeel.store.WatchBatch;
import dev.evenkeel.store.WatchQuery;
import dev.evenkeel.store.testkit.history.History.Call;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Collects what clients and watchers are told while it happens.
 *
 * <p><b>Invariants.</b> A call's begin is ticked before the store is asked and its end after the
 * answer is there, so a recorded call is never shorter than the real one: the checker may miss an
 * overlap that was none, but never invents an order.
 *
 * <p><b>Threading.</b> Any thread.
 */
public final class HistoryRecorder {

  private final AtomicLong clock = new AtomicLong();
  private final ConcurrentHashMap<Long, Call> calls = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, ReaderLog> readers = new ConcurrentHashMap<>();

  /** Notes that a call begins; until it ends, its outcome is unknown. */
  public Pending begin(String client, Operation operation) {
    long invokedAt = clock.incrementAndGet();
    calls.put(
        invokedAt,
        new Call(
            client, invokedAt, History.NEVER, operation, new Outcome.Unknown("never answered")));
    return new Pending(client, invokedAt, operation);
  }

  /** A call under way. */
  public final class Pending {

    private final String client;
    private final long invokedAt;
    private final Operation operation;

    private Pending(String client, long invokedAt, Operation operation) {
      this.client = client;
      this.invokedAt = invokedAt;
      this.operation = operation;
    }

    /** Notes what the client was told. */
    public void end(Outcome outcome) {
      long returnedAt = clock.incrementAndGet();
      calls.put(invokedAt, new Call(client, invokedAt, returnedAt, operation, outcome));
    }
  }

  /** The log of one watcher; the same for the same name. */
  public ReaderLog reader(String name) {
    return readers.computeIfAbsent(name, ReaderLog::new);
  }

  /** What a watcher is told. Used by the watcher's thread, read when it is done. */
  public final class ReaderLog {

    private record OpenSession(WatchQuery query, List<History.Delivery> deliveries) {}

    private final String name;
    private final List<OpenSession> sessions = new ArrayList<>();
    private @Nullable OpenSession current;
    private long mustReach;

    private ReaderLog(String name) {
      this.name = name;
    }

    public synchronized void opened(WatchQuery query) {
      current = new OpenSession(query, new ArrayList<>());
      sessions.add(current);
    }

    public synchronized void delivered(WatchBatch batch) {
      if (current == null) {
        throw new IllegalStateException(
            "watcher " + name + " got a batch before it opened a watch");
      }
      current.deliveries.add(new History.Delivery(clock.incrementAndGet(), batch));
    }

    /** Notes how far the watcher has to come before it may stop. */
    public synchronized void mustReach(long revision) {
      mustReach = revision;
    }

    private synchronized History.Reader toReader() {
      return new History.Reader(
          name,
          sessions.stream().map(s -> new History.Session(s.query, s.deliveries)).toList(),
          mustReach);
    }
  }

  /** All calls so far, in order of their beginning. */
  public List<Call> calls() {
    return calls.values().stream().sorted(Comparator.comparingLong(Call::invokedAt)).toList();
  }

  /** All watchers so far. */
  public List<History.Reader> readers() {
    return readers.values().stream()
        .map(ReaderLog::toReader)
        .sorted(Comparator.comparing(History.Reader::name))
        .toList();
  }
}
