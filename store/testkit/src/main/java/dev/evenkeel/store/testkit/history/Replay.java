package dev.evenkeel.store.testkit.history;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.Event;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.WatchBatch;
import dev.evenkeel.store.Write;
import dev.evenkeel.store.testkit.history.History.Call;
import dev.evenkeel.store.testkit.history.Violation.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Replays all changes in order of revision and finds out which call made which.
 *
 * <p>A call that was told its revision is at that one. A change at any other revision must belong
 * to a call with unknown outcome; values are unique in a history, so a put names its maker. A
 * change without puts could have several makers with the same effect: it goes to the one that began
 * first, which leaves the others the most room.
 *
 * <p>Where the store's account and the calls disagree, that is a violation, and the replay goes on
 * with the store's account: one mistake is reported once, not in every later read.
 */
final class Replay {

  private final History history;
  private final List<Violation> violations;
  private final Model model;
  private final TreeMap<Long, Call> acknowledged = new TreeMap<>();
  private final TreeMap<Long, WatchBatch.Commit> accounted = new TreeMap<>();
  private final Map<Written, Call> makers = new HashMap<>();
  private final List<Call> unknown = new ArrayList<>();
  private final IdentityHashMap<Call, Long> revisions = new IdentityHashMap<>();

  private record Written(Bytes key, Bytes value) {}

  Replay(History history, List<Violation> violations) {
    this.history = history;
    this.violations = violations;
    this.model = new Model(history.start());
  }

  Model model() {
    return model;
  }

  /** The revision at which the call changed something; null if it did not. */
  @Nullable Long revisionOf(Call call) {
    return revisions.get(call);
  }

  void run() {
    collect();
    var all = new TreeSet<>(acknowledged.keySet());
    all.addAll(accounted.keySet());
    for (long revision : all) {
      replay(revision);
    }
  }

  private void collect() {
    for (Call call : history.calls()) {
      if (!(call.operation() instanceof Operation.Commit(Txn txn))) {
        continue;
      }
      for (Write write : txn.writes()) {
        if (write instanceof Write.Put put) {
          makers.put(new Written(put.key(), put.value()), call);
        }
      }
      if (call.outcome() instanceof Outcome.Unknown) {
        unknown.add(call);
      } else if (call.outcome()
              instanceof Outcome.Decided(TxnResult.Committed(long at, boolean changed))
          && changed) {
        Call other = acknowledged.putIfAbsent(at, call);
        if (other != null) {
          report(
              Kind.REVISION_REUSED,
              "%s and %s were both told revision %d".formatted(name(other), name(call), at));
        }
      }
    }
    unknown.sort(java.util.Comparator.comparingLong(Call::invokedAt));
    for (WatchBatch.Commit commit : history.changes()) {
      if (accounted.put(commit.revision(), commit) != null) {
        report(
            Kind.WATCH_REPEAT,
            "the store's account has revision %d twice".formatted(commit.revision()));
      }
    }
  }

  private void replay(long revision) {
    WatchBatch.Commit commit = accounted.get(revision);
    Call call = acknowledged.get(revision);
    if (call == null && commit != null) {
      call = findMaker(commit);
    }
    List<Event> effects = call == null ? List.of() : effects(call, revision);
    if (call != null) {
      place(call, revision);
    }
    if (commit == null) {
      report(
          Kind.LOST_WRITE,
          "%s was told that it committed at revision %d, but the store's account has no such change"
              .formatted(call == null ? "somebody" : name(call), revision));
      model.apply(revision, effects);
      return;
    }
    if (call != null) {
      judge(call, revision, commit, effects);
    }
    model.apply(revision, commit.events());
  }

  private List<Event> effects(Call call, long revision) {
    return model.effects(txn(call), revision - 1, revision);
  }

  private void judge(Call call, long revision, WatchBatch.Commit commit, List<Event> effects) {
    List<TxnResult.Failure> failures = model.failures(txn(call), revision - 1);
    if (!failures.isEmpty()) {
      report(
          Kind.WRONG_DECISION,
          "%s took effect at revision %d, though %s did not hold: it was %s"
              .formatted(
                  name(call),
                  revision,
                  failures.getFirst().compare(),
                  failures.getFirst().current()));
    }
    List<Event> expected = effects.stream().map(Model::withoutPrevious).toList();
    List<Event> actual = commit.events().stream().map(Model::withoutPrevious).toList();
    if (!actual.equals(expected)) {
      report(
          Kind.WRONG_CHANGE,
          "%s should have changed %s at revision %d, but the change is %s"
              .formatted(name(call), expected, revision, actual));
    }
  }

  /** Who made a change that nobody was told of. Null, and a violation, if nobody can have. */
  private @Nullable Call findMaker(WatchBatch.Commit commit) {
    for (Event event : commit.events()) {
      if (event instanceof Event.Put put) {
        return checkedMaker(makers.get(new Written(put.key(), put.current().value())), commit);
      }
    }
    List<Event> actual = commit.events().stream().map(Model::withoutPrevious).toList();
    for (Call call : unknown) {
      if (!revisions.containsKey(call)
          && model.failures(txn(call), commit.revision() - 1).isEmpty()
          && effects(call, commit.revision()).stream()
              .map(Model::withoutPrevious)
              .toList()
              .equals(actual)) {
        return call;
      }
    }
    return checkedMaker(null, commit);
  }

  private @Nullable Call checkedMaker(@Nullable Call maker, WatchBatch.Commit commit) {
    long revision = commit.revision();
    if (maker == null) {
      report(
          Kind.PHANTOM_WRITE,
          "revision %d changed %s, which nobody asked for".formatted(revision, commit.events()));
      return null;
    }
    switch (maker.outcome()) {
      case Outcome.Unknown _ -> {
        Long before = revisions.get(maker);
        if (before == null) {
          return maker;
        }
        report(
            Kind.WRITTEN_TWICE,
            "%s took effect at revision %d and again at %d"
                .formatted(name(maker), before, revision));
      }
      case Outcome.Decided(TxnResult.Committed(long at, boolean changed)) ->
          report(
              changed ? Kind.WRITTEN_TWICE : Kind.PHANTOM_WRITE,
              "%s was told that it committed at revision %d, changed: %s, but took effect at %d"
                  .formatted(name(maker), at, changed, revision));
      case Outcome other ->
          report(
              Kind.PHANTOM_WRITE,
              "%s was told %s, but took effect at revision %d"
                  .formatted(name(maker), other, revision));
    }
    return null;
  }

  private void place(Call call, long revision) {
    revisions.put(call, revision);
  }

  private static Txn txn(Call call) {
    if (call.operation() instanceof Operation.Commit(Txn txn)) {
      return txn;
    }
    throw new IllegalStateException("only commits change something: " + call);
  }

  static String name(Call call) {
    return "%s's call at %d".formatted(call.client(), call.invokedAt());
  }

  private void report(Kind kind, String sentence) {
    violations.add(new Violation(kind, sentence));
  }
}
