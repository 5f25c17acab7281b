package dev.evenkeel.store.testkit.history;

import dev.evenkeel.store.RangeResult;
import dev.evenkeel.store.WatchBatch;
import dev.evenkeel.store.WatchQuery;
import java.util.List;

/**
 * What clients and watchers of one store were told, and when. Times are ticks of one clock that all
 * of them share; only their order matters.
 *
 * @param start the keys before the first call
 * @param calls what the clients asked and were told
 * @param readers what the watchers were told
 * @param changes the store's own account of all changes behind the start, as of {@code
 *     endRevision}, read when all was over. It is checked against the calls like everything else
 * @param endRevision the revision up to which the account goes
 */
public record History(
    RangeResult start,
    List<Call> calls,
    List<Reader> readers,
    List<WatchBatch.Commit> changes,
    long endRevision) {

  public History {
    calls = List.copyOf(calls);
    readers = List.copyOf(readers);
    changes = List.copyOf(changes);
  }

  /** A call's time of return where there was none. */
  public static final long NEVER = Long.MAX_VALUE;

  /**
   * @param client who asked; a client asks one thing after the other
   * @param invokedAt before the call
   * @param returnedAt after the answer; {@link #NEVER} if there was none
   */
  public record Call(
      String client, long invokedAt, long returnedAt, Operation operation, Outcome outcome) {}

  /**
   * A watcher, which goes on where it was whenever it opens its watch again.
   *
   * @param mustReach how far it was told to read before it stopped; 0 if nobody told it
   */
  public record Reader(String name, List<Session> sessions, long mustReach) {

    public Reader {
      sessions = List.copyOf(sessions);
    }
  }

  /** One watch, from its opening to its end. */
  public record Session(WatchQuery query, List<Delivery> deliveries) {

    public Session {
      deliveries = List.copyOf(deliveries);
    }
  }

  /** A batch and when it was there. */
  public record Delivery(long at, WatchBatch batch) {}

  /** The figures that show whether a history says anything: an idle one proves nothing. */
  public String summary() {
    long decided = calls.stream().filter(call -> call.outcome() instanceof Outcome.Decided).count();
    long failed = calls.stream().filter(call -> call.outcome() instanceof Outcome.Failed).count();
    long unknown = calls.stream().filter(call -> call.outcome() instanceof Outcome.Unknown).count();
    long sessions = readers.stream().mapToLong(reader -> reader.sessions().size()).sum();
    return "%d calls (%d transactions decided, %d failed, %d unknown), %d changes, %d watches"
        .formatted(calls.size(), decided, failed, unknown, changes.size(), sessions);
  }
}
