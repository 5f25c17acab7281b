package dev.evenkeel.store.testkit.history;

import static dev.evenkeel.store.testkit.history.Replay.name;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.GetResult;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.RangeResult;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.testkit.history.History.Call;
import dev.evenkeel.store.testkit.history.Violation.Kind;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Judges each call: its content against the replayed state, its revision against real time. */
final class CallCheck {

  private final History history;
  private final Replay replay;
  private final List<Violation> violations;

  /** By time: the newest revision anybody had been told of by then. */
  private final TreeMap<Long, Long> known = new TreeMap<>();

  CallCheck(History history, Replay replay, List<Violation> violations) {
    this.history = history;
    this.replay = replay;
    this.violations = violations;
  }

  void run() {
    collectKnown();
    for (Call call : history.calls()) {
      switch (call.outcome()) {
        case Outcome.Decided(TxnResult.Committed result) -> checkCommitted(call, result);
        case Outcome.Decided(TxnResult.Rejected result) -> checkRejected(call, result);
        case Outcome.Got(GetResult result) -> checkGot(call, result);
        case Outcome.Ranged(RangeResult result) -> checkRanged(call, result);
        case Outcome.Revision(long revision) -> checkFresh(call, revision);
        case Outcome.Failed(StoreException reason) -> checkFailed(call, reason);
        case Outcome.Unknown _ -> checkUnknown(call);
        case Outcome.Broken(Throwable reason) ->
            report(Kind.FOREIGN_FAILURE, "%s failed with %s".formatted(name(call), reason));
      }
    }
  }

  private void collectKnown() {
    known.put(Long.MIN_VALUE, history.start().revision());
    for (Call call : history.calls()) {
      answeredRevision(call).ifPresent(revision -> addKnown(call.returnedAt(), revision));
    }
    for (History.Reader reader : history.readers()) {
      for (History.Session session : reader.sessions()) {
        session
            .deliveries()
            .forEach(delivery -> addKnown(delivery.at(), delivery.batch().revision()));
      }
    }
    long newest = 0;
    for (Map.Entry<Long, Long> entry : known.entrySet()) {
      newest = Math.max(newest, entry.getValue());
      entry.setValue(newest);
    }
  }

  private void addKnown(long at, long revision) {
    known.merge(at, revision, Math::max);
  }

  private static OptionalLong answeredRevision(Call call) {
    return switch (call.outcome()) {
      case Outcome.Decided(TxnResult result) -> OptionalLong.of(result.revision());
      case Outcome.Got(GetResult result) -> OptionalLong.of(result.revision());
      case Outcome.Ranged(RangeResult result) -> OptionalLong.of(result.revision());
      case Outcome.Revision(long revision) -> OptionalLong.of(revision);
      case Outcome.Failed _, Outcome.Unknown _, Outcome.Broken _ -> OptionalLong.empty();
    };
  }

  /** The newest revision that anybody had been told of before the call began. */
  private long knownBefore(Call call) {
    return Objects.requireNonNull(known.lowerEntry(call.invokedAt())).getValue();
  }

  private void checkCommitted(Call call, TxnResult.Committed result) {
    if (result.changed()) {
      checkNew(call, result.revision());
      return;
    }
    checkFresh(call, result.revision());
    Txn txn = txn(call);
    List<TxnResult.Failure> failures = replay.model().failures(txn, result.revision());
    if (!failures.isEmpty()) {
      report(
          Kind.WRONG_DECISION,
          "%s was told that all held at revision %d, but %s did not"
              .formatted(name(call), result.revision(), failures));
    }
    if (!replay.model().effects(txn, result.revision(), result.revision()).isEmpty()) {
      report(
          Kind.WRONG_DECISION,
          "%s was told that it changed nothing at revision %d, but it had something to change"
              .formatted(name(call), result.revision()));
    }
  }

  private void checkRejected(Call call, TxnResult.Rejected result) {
    checkFresh(call, result.revision());
    List<TxnResult.Failure> expected = replay.model().failures(txn(call), result.revision());
    if (expected.isEmpty() || !expected.equals(result.failures())) {
      report(
          Kind.WRONG_DECISION,
          "%s was rejected at revision %d for %s, but what did not hold is %s"
              .formatted(name(call), result.revision(), result.failures(), expected));
    }
  }

  private void checkGot(Call call, GetResult result) {
    if (!(call.operation() instanceof Operation.Get(Bytes key, long asked))) {
      throw new IllegalStateException("an answer to another question: " + call);
    }
    checkRead(call, asked, result.revision());
    KeyValue expected = replay.model().at(key, Model.asOf(asked, result.revision()));
    if (!Objects.equals(expected, result.item())) {
      report(
          Kind.WRONG_READ,
          "%s read %s at revision %d as %s, but it was %s"
              .formatted(name(call), key, result.revision(), result.item(), expected));
    }
  }

  private void checkRanged(Call call, RangeResult result) {
    if (!(call.operation() instanceof Operation.Range(RangeQuery query))) {
      throw new IllegalStateException("an answer to another question: " + call);
    }
    checkRead(call, query.revision(), result.revision());
    RangeResult expected =
        replay.model().range(query, Model.asOf(query.revision(), result.revision()));
    boolean counted = query.content() == RangeQuery.Content.COUNT;
    if (!expected.items().equals(result.items())
        || expected.count() != result.count()
        || (!counted && expected.more() != result.more())) {
      report(
          Kind.WRONG_READ,
          "%s read %s as %s, but it was %s".formatted(name(call), query, result, expected));
    }
  }

  private void checkRead(Call call, long asked, long answered) {
    if (asked == Store.NEWEST) {
      checkFresh(call, answered);
    } else if (asked != answered) {
      report(
          Kind.WRONG_READ,
          "%s asked for revision %d and got %d".formatted(name(call), asked, answered));
    }
  }

  private void checkFailed(Call call, StoreException reason) {
    if (reason instanceof StoreException.FutureRevision future
        && future.requested() <= knownBefore(call)) {
      report(
          Kind.STALE_ANSWER,
          "%s was told that revision %d is in the future, but %d was known before it began"
              .formatted(name(call), future.requested(), knownBefore(call)));
    }
  }

  private void checkUnknown(Call call) {
    Long revision = replay.revisionOf(call);
    if (revision != null) {
      checkNew(call, revision);
    }
  }

  private void checkFresh(Call call, long revision) {
    if (revision < knownBefore(call)) {
      report(
          Kind.STALE_ANSWER,
          "%s was answered as of revision %d, but %d was known before it began"
              .formatted(name(call), revision, knownBefore(call)));
    }
  }

  private void checkNew(Call call, long revision) {
    if (revision <= knownBefore(call)) {
      report(
          Kind.REVISION_WENT_BACK,
          "%s changed something at revision %d, but %d was known before it began"
              .formatted(name(call), revision, knownBefore(call)));
    }
  }

  private static Txn txn(Call call) {
    if (call.operation() instanceof Operation.Commit(Txn txn)) {
      return txn;
    }
    throw new IllegalStateException("an answer to another question: " + call);
  }

  private void report(Kind kind, String sentence) {
    violations.add(new Violation(kind, sentence));
  }
}
