package dev.evenkeel.store.testkit.history;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.Event;
import dev.evenkeel.store.GetResult;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.RangeResult;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.WatchBatch;
import dev.evenkeel.store.WatchQuery;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A history written by hand. Calls follow one another in time, unless a test gives the times
 * itself.
 */
final class Script {

  private final List<History.Call> calls = new ArrayList<>();
  private final List<History.Reader> readers = new ArrayList<>();
  private final List<WatchBatch.Commit> changes = new ArrayList<>();
  private long now = 10;
  private long endRevision = 1;

  static Bytes bytes(String text) {
    return Bytes.utf8(text);
  }

  static KeyValue item(String key, String value, long created, long modified, long version) {
    return new KeyValue(bytes(key), bytes(value), created, modified, version);
  }

  static Event put(KeyValue current) {
    return new Event.Put(current, null);
  }

  static Event delete(String key) {
    return new Event.Delete(bytes(key), null);
  }

  static WatchBatch.Commit commit(long revision, Event... events) {
    return new WatchBatch.Commit(revision, List.of(events));
  }

  static WatchBatch batch(long revision, WatchBatch.Commit... commits) {
    return new WatchBatch(revision, List.of(commits));
  }

  /** A change in the store's own account. */
  Script change(long revision, Event... events) {
    changes.add(commit(revision, events));
    endRevision = Math.max(endRevision, revision);
    return this;
  }

  Script call(Operation operation, Outcome outcome) {
    long end = outcome instanceof Outcome.Unknown ? History.NEVER : now + 1;
    return call(now, end, operation, outcome);
  }

  Script call(long invokedAt, long returnedAt, Operation operation, Outcome outcome) {
    calls.add(new History.Call("c" + calls.size(), invokedAt, returnedAt, operation, outcome));
    now = Math.max(now, invokedAt) + 2;
    return this;
  }

  /** Now, to be used as the begin of something that ends later. */
  long now() {
    return now;
  }

  Script committed(Txn txn, long revision) {
    return call(
        new Operation.Commit(txn), new Outcome.Decided(new TxnResult.Committed(revision, true)));
  }

  Script unchanged(Txn txn, long revision) {
    return call(
        new Operation.Commit(txn), new Outcome.Decided(new TxnResult.Committed(revision, false)));
  }

  Script rejected(Txn txn, long revision, TxnResult.Failure... failures) {
    return call(
        new Operation.Commit(txn),
        new Outcome.Decided(new TxnResult.Rejected(revision, List.of(failures))));
  }

  Script failed(Txn txn) {
    return call(
        new Operation.Commit(txn),
        new Outcome.Failed(new StoreException.Unavailable("no leader", null)));
  }

  Script unknown(Txn txn) {
    return call(new Operation.Commit(txn), new Outcome.Unknown("killed"));
  }

  Script got(String key, long revision, @Nullable KeyValue item) {
    return gotAt(key, Store.NEWEST, revision, item);
  }

  Script gotAt(String key, long asked, long answered, @Nullable KeyValue item) {
    return call(
        new Operation.Get(bytes(key), asked), new Outcome.Got(new GetResult(answered, item)));
  }

  Script ranged(RangeQuery query, long revision, boolean more, KeyValue... items) {
    return call(
        new Operation.Range(query),
        new Outcome.Ranged(new RangeResult(revision, List.of(items), more, items.length)));
  }

  Script revision(long revision) {
    return call(new Operation.CurrentRevision(), new Outcome.Revision(revision));
  }

  /** A watcher of everything with one watch from revision 2. */
  Script watcher(WatchBatch... batches) {
    return watcher(0, session(WatchQuery.prefix(Bytes.EMPTY, 2), batches));
  }

  Script watcher(long mustReach, History.Session... sessions) {
    readers.add(new History.Reader("w" + readers.size(), List.of(sessions), mustReach));
    return this;
  }

  /** A watch whose batches come from now on. */
  History.Session session(WatchQuery query, WatchBatch... batches) {
    var deliveries = new ArrayList<History.Delivery>();
    for (WatchBatch batch : batches) {
      deliveries.add(new History.Delivery(now++, batch));
    }
    return new History.Session(query, deliveries);
  }

  History build() {
    return new History(
        new RangeResult(Store.FIRST_REVISION, List.of(), false, 0),
        calls,
        readers,
        changes,
        endRevision);
  }
}
