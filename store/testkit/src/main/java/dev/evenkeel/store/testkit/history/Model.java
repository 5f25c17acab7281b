package dev.evenkeel.store.testkit.history;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.Compare;
import dev.evenkeel.store.Event;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.RangeResult;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The contract as a plain, slow, single-threaded store that remembers every revision: what an
 * answer should have been.
 *
 * <p><b>Invariants.</b> Changes are applied in order of revision. Events kept here always carry the
 * previous state.
 *
 * <p><b>Threading.</b> One thread.
 */
final class Model {

  private final NavigableMap<Bytes, NavigableMap<Long, Optional<KeyValue>>> keys = new TreeMap<>();
  private final NavigableMap<Long, List<Event>> changes = new TreeMap<>();

  Model(RangeResult start) {
    for (KeyValue item : start.items()) {
      states(item.key()).put(item.modRevision(), Optional.of(item));
    }
  }

  /** All changes, each with its events in the order they were written. */
  NavigableMap<Long, List<Event>> changes() {
    return changes;
  }

  @Nullable KeyValue at(Bytes key, long revision) {
    NavigableMap<Long, Optional<KeyValue>> states = keys.get(key);
    if (states == null) {
      return null;
    }
    var entry = states.floorEntry(revision);
    return entry == null ? null : entry.getValue().orElse(null);
  }

  /** What the transaction would change behind the revision, at the next one. */
  List<Event> effects(Txn txn, long stateRevision, long newRevision) {
    var events = new ArrayList<Event>();
    for (Write write : txn.writes()) {
      KeyValue previous = at(write.key(), stateRevision);
      switch (write) {
        case Write.Put put -> events.add(putEvent(put, previous, newRevision));
        case Write.Delete delete -> {
          if (previous != null) {
            events.add(new Event.Delete(delete.key(), previous));
          }
        }
      }
    }
    return events;
  }

  private static Event putEvent(Write.Put put, @Nullable KeyValue previous, long revision) {
    long created = previous == null ? revision : previous.createRevision();
    long version = previous == null ? 1 : previous.version() + 1;
    return new Event.Put(
        new KeyValue(put.key(), put.value(), created, revision, version), previous);
  }

  /** The comparisons that do not hold at the revision. */
  List<TxnResult.Failure> failures(Txn txn, long revision) {
    var failures = new ArrayList<TxnResult.Failure>();
    for (Compare compare : txn.compares()) {
      KeyValue current = at(compare.key(), revision);
      if (!compare.holdsFor(current)) {
        failures.add(new TxnResult.Failure(compare, current));
      }
    }
    return failures;
  }

  /** Takes a change as it happened, whether it should have or not. */
  void apply(long revision, List<Event> events) {
    var complete = new ArrayList<Event>();
    for (Event event : events) {
      KeyValue previous = at(event.key(), revision - 1);
      complete.add(
          switch (event) {
            case Event.Put put -> new Event.Put(put.current(), previous);
            case Event.Delete delete -> new Event.Delete(delete.key(), previous);
          });
    }
    for (Event event : complete) {
      states(event.key())
          .put(
              revision,
              event instanceof Event.Put put ? Optional.of(put.current()) : Optional.empty());
    }
    changes.put(revision, List.copyOf(complete));
  }

  /** What a range should have given at the revision. */
  RangeResult range(RangeQuery query, long revision) {
    var matching = new ArrayList<KeyValue>();
    for (Bytes key : keys.tailMap(query.start(), true).keySet()) {
      KeyValue item = key.startsWith(query.prefix()) ? at(key, revision) : null;
      if (item != null) {
        matching.add(query.content() == RangeQuery.Content.KEYS ? withoutValue(item) : item);
      }
    }
    if (query.content() == RangeQuery.Content.COUNT) {
      return new RangeResult(revision, List.of(), false, matching.size());
    }
    boolean more = query.limit() > 0 && matching.size() > query.limit();
    List<KeyValue> items = more ? matching.subList(0, query.limit()) : matching;
    return new RangeResult(revision, List.copyOf(items), more, items.size());
  }

  private static KeyValue withoutValue(KeyValue item) {
    return new KeyValue(
        item.key(), Bytes.EMPTY, item.createRevision(), item.modRevision(), item.version());
  }

  /** The revision a read is to be judged at. */
  static long asOf(long asked, long answered) {
    return asked == Store.NEWEST ? answered : asked;
  }

  /** An event as a watch without previous states shows it. */
  static Event withoutPrevious(Event event) {
    return switch (event) {
      case Event.Put put -> new Event.Put(put.current(), null);
      case Event.Delete delete -> new Event.Delete(delete.key(), null);
    };
  }

  private NavigableMap<Long, Optional<KeyValue>> states(Bytes key) {
    return keys.computeIfAbsent(key, _ -> new TreeMap<>());
  }
}
