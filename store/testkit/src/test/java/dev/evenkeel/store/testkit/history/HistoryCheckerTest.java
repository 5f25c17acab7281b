package dev.evenkeel.store.testkit.history;

import static dev.evenkeel.store.testkit.history.Script.bytes;
import static dev.evenkeel.store.testkit.history.Script.delete;
import static dev.evenkeel.store.testkit.history.Script.item;
import static dev.evenkeel.store.testkit.history.Script.put;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.Compare;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.testkit.history.Violation.Kind;
import org.junit.jupiter.api.Test;

/** What calls may and may not be told. */
class HistoryCheckerTest {

  private static final KeyValue A1 = item("a", "1", 2, 2, 1);
  private static final KeyValue A2 = item("a", "2", 2, 3, 2);
  private static final Txn PUT_A1 = Txn.put(bytes("a"), bytes("1"));
  private static final Txn PUT_A2 = Txn.put(bytes("a"), bytes("2"));

  /** Revision 2 puts a=1, revision 3 puts a=2; both acknowledged, one after the other. */
  private static Script twoPuts() {
    return new Script()
        .committed(PUT_A1, 2)
        .committed(PUT_A2, 3)
        .change(2, put(A1))
        .change(3, put(A2));
  }

  @Test
  void emptyHistory_passes() {
    assertPasses(new Script());
  }

  @Test
  void correctHistory_passes() {
    var wrongVersion = new Compare.Version(bytes("a"), 1);
    Txn conditional = Txn.builder().ifVersion(bytes("a"), 1).put(bytes("a"), bytes("9")).build();
    Txn wide =
        Txn.builder()
            .ifValue(bytes("a"), bytes("2"))
            .put(bytes("b"), bytes("3"))
            .delete(bytes("a"))
            .delete(bytes("never"))
            .build();
    KeyValue b = item("b", "3", 4, 4, 1);
    assertPasses(
        twoPuts()
            .got("a", 3, A2)
            .gotAt("a", 2, 2, A1)
            .got("never", 3, null)
            .rejected(conditional, 3, new TxnResult.Failure(wrongVersion, A2))
            .unchanged(Txn.delete(bytes("never")), 3)
            .failed(Txn.put(bytes("a"), bytes("failed")))
            .unknown(Txn.put(bytes("a"), bytes("unknown, never happened")))
            .committed(wide, 4)
            .change(4, put(b), delete("a"))
            .ranged(RangeQuery.prefix(Bytes.EMPTY), 4, false, b)
            .ranged(RangeQuery.prefix(Bytes.EMPTY).at(3), 3, false, A2)
            .ranged(RangeQuery.prefix(bytes("b")).keysOnly(), 4, false, item("b", "", 4, 4, 1))
            .revision(4));
  }

  @Test
  void overlappingCalls_mayBeAnsweredInAnyOrder() {
    var script = new Script();
    script
        .call(
            1,
            100,
            new Operation.Commit(PUT_A1),
            new Outcome.Decided(new TxnResult.Committed(2, true)))
        .call(
            2,
            50,
            new Operation.Commit(PUT_A2),
            new Outcome.Decided(new TxnResult.Committed(3, true)))
        .call(3, 4, new Operation.CurrentRevision(), new Outcome.Revision(1))
        .call(5, 6, new Operation.CurrentRevision(), new Outcome.Revision(3))
        .change(2, put(A1))
        .change(3, put(A2));
    assertPasses(script);
  }

  @Test
  void unknownOutcome_mayHaveHappened() {
    assertPasses(new Script().unknown(PUT_A1).change(2, put(A1)).got("a", 2, A1));
  }

  @Test
  void unknownDelete_isFoundByItsEffect() {
    assertPasses(
        new Script()
            .committed(PUT_A1, 2)
            .unknown(Txn.delete(bytes("other")))
            .unknown(Txn.delete(bytes("a")))
            .change(2, put(A1))
            .change(3, delete("a"))
            .got("a", 3, null));
  }

  // Changes

  @Test
  void lostWrite_isFound() {
    assertFinds(Kind.LOST_WRITE, new Script().committed(PUT_A1, 2));
  }

  @Test
  void acknowledgedWriteMissingAfterRestart_isFound() {
    // The second write was acknowledged; after the restart the store is as it was before it.
    assertFinds(
        Kind.LOST_WRITE,
        new Script()
            .committed(PUT_A1, 2)
            .committed(PUT_A2, 3)
            .change(2, put(A1))
            .call(
                new Operation.Get(bytes("a"), 0),
                new Outcome.Failed(new StoreException.Closed("restarting")))
            .got("a", 2, A1));
  }

  @Test
  void phantomOfNobody_isFound() {
    assertFinds(Kind.PHANTOM_WRITE, new Script().change(2, put(A1)));
    assertFinds(Kind.PHANTOM_WRITE, twoPuts().change(4, delete("a")));
  }

  @Test
  void phantomOfAFailedCall_isFound() {
    assertFinds(Kind.PHANTOM_WRITE, new Script().failed(PUT_A1).change(2, put(A1)));
  }

  @Test
  void phantomOfARejectedCall_isFound() {
    var exists = new Compare.Exists(bytes("a"));
    Txn txn = Txn.builder().ifExists(bytes("a")).put(bytes("a"), bytes("1")).build();
    assertFinds(
        Kind.PHANTOM_WRITE,
        new Script().rejected(txn, 1, new TxnResult.Failure(exists, null)).change(2, put(A1)));
  }

  @Test
  void phantomOfACallThatChangedNothing_isFound() {
    assertFinds(Kind.PHANTOM_WRITE, new Script().unchanged(PUT_A1, 1).change(2, put(A1)));
  }

  @Test
  void writeThatHappenedTwice_isFound() {
    KeyValue again = item("a", "1", 2, 3, 2);
    assertFinds(
        Kind.WRITTEN_TWICE,
        new Script().committed(PUT_A1, 2).change(2, put(A1)).change(3, put(again)));
    assertFinds(
        Kind.WRITTEN_TWICE, new Script().unknown(PUT_A1).change(2, put(A1)).change(3, put(again)));
  }

  @Test
  void revisionGivenTwice_isFound() {
    assertFinds(
        Kind.REVISION_REUSED,
        new Script()
            .committed(PUT_A1, 2)
            .committed(Txn.put(bytes("b"), bytes("1")), 2)
            .change(2, put(A1)));
  }

  @Test
  void transactionThatHappenedInPart_isFound() {
    Txn both = Txn.builder().put(bytes("a"), bytes("1")).put(bytes("b"), bytes("1")).build();
    assertFinds(Kind.WRONG_CHANGE, new Script().unknown(both).change(2, put(A1)));
    assertFinds(Kind.WRONG_CHANGE, new Script().committed(both, 2).change(2, put(A1)));
  }

  @Test
  void wrongVersionOrCreateRevision_isFound() {
    assertFinds(
        Kind.WRONG_CHANGE,
        new Script().committed(PUT_A1, 2).change(2, put(item("a", "1", 2, 2, 2))));
    assertFinds(
        Kind.WRONG_CHANGE,
        new Script()
            .committed(PUT_A1, 2)
            .committed(PUT_A2, 3)
            .change(2, put(A1))
            .change(3, put(item("a", "2", 3, 3, 2))));
  }

  // Decisions

  @Test
  void commitAgainstItsComparison_isFound() {
    Txn txn = Txn.builder().ifAbsent(bytes("a")).put(bytes("a"), bytes("2")).build();
    assertFinds(
        Kind.WRONG_DECISION,
        new Script().committed(PUT_A1, 2).committed(txn, 3).change(2, put(A1)).change(3, put(A2)));
  }

  @Test
  void rejectionWithoutReason_isFound() {
    var absent = new Compare.Absent(bytes("b"));
    Txn txn = Txn.builder().ifAbsent(bytes("b")).put(bytes("b"), bytes("1")).build();
    assertFinds(Kind.WRONG_DECISION, twoPuts().rejected(txn, 3));
    assertFinds(
        Kind.WRONG_DECISION, twoPuts().rejected(txn, 3, new TxnResult.Failure(absent, null)));
  }

  @Test
  void rejectionWithAnOldRecord_isFound() {
    var absent = new Compare.Absent(bytes("a"));
    Txn txn = Txn.builder().ifAbsent(bytes("a")).put(bytes("a"), bytes("9")).build();
    assertFinds(Kind.WRONG_DECISION, twoPuts().rejected(txn, 3, new TxnResult.Failure(absent, A1)));
  }

  @Test
  void rejectionThatListsOnlyTheFirst_isFound() {
    var absent = new Compare.Absent(bytes("a"));
    Txn txn = Txn.builder().ifAbsent(bytes("a")).ifExists(bytes("b")).build();
    assertFinds(Kind.WRONG_DECISION, twoPuts().rejected(txn, 3, new TxnResult.Failure(absent, A2)));
  }

  @Test
  void noChangeWhereThereWasOneToMake_isFound() {
    assertFinds(Kind.WRONG_DECISION, twoPuts().unchanged(Txn.delete(bytes("a")), 3));
    assertFinds(
        Kind.WRONG_DECISION, twoPuts().unchanged(Txn.builder().ifExists(bytes("b")).build(), 3));
  }

  // Reads

  @Test
  void staleRead_isFound() {
    assertFinds(Kind.STALE_ANSWER, twoPuts().got("a", 2, A1));
    assertFinds(Kind.STALE_ANSWER, twoPuts().revision(2));
    assertFinds(Kind.STALE_ANSWER, twoPuts().ranged(RangeQuery.prefix(bytes("a")), 2, false, A1));
  }

  @Test
  void staleRejection_isFound() {
    var absent = new Compare.Absent(bytes("a"));
    Txn txn = Txn.builder().ifAbsent(bytes("a")).build();
    assertFinds(Kind.STALE_ANSWER, twoPuts().rejected(txn, 2, new TxnResult.Failure(absent, A1)));
  }

  @Test
  void readOlderThanAnotherRead_isFound() {
    // The write is unknown, so nobody was told of it but the first reader.
    assertFinds(
        Kind.STALE_ANSWER,
        new Script().unknown(PUT_A1).change(2, put(A1)).got("a", 2, A1).got("a", 1, null));
  }

  @Test
  void readOlderThanAWatchWasTold_isFound() {
    assertFinds(
        Kind.STALE_ANSWER,
        new Script()
            .unknown(PUT_A1)
            .change(2, put(A1))
            .watcher(Script.batch(2, Script.commit(2, put(A1))))
            .got("a", 1, null));
  }

  @Test
  void knownRevisionCalledFuture_isFound() {
    assertFinds(
        Kind.STALE_ANSWER,
        twoPuts()
            .call(
                new Operation.Get(bytes("a"), 3),
                new Outcome.Failed(new StoreException.FutureRevision(3, 2))));
  }

  @Test
  void readWithWrongContent_isFound() {
    assertFinds(Kind.WRONG_READ, twoPuts().got("a", 3, A1));
    assertFinds(Kind.WRONG_READ, twoPuts().got("a", 3, null));
    assertFinds(Kind.WRONG_READ, twoPuts().gotAt("a", 2, 2, A2));
    assertFinds(Kind.WRONG_READ, twoPuts().gotAt("a", 2, 3, A2));
  }

  @Test
  void rangeWithWrongContent_isFound() {
    RangeQuery all = RangeQuery.prefix(Bytes.EMPTY);
    assertFinds(Kind.WRONG_READ, twoPuts().ranged(all, 3, false));
    assertFinds(Kind.WRONG_READ, twoPuts().ranged(all, 3, true, A2));
    assertFinds(Kind.WRONG_READ, twoPuts().ranged(all.countOnly(), 3, false));
    assertFinds(Kind.WRONG_READ, twoPuts().ranged(all.at(2), 2, false, A2));
  }

  // Real time

  @Test
  void changeAtARevisionKnownBefore_isFound() {
    // The second write began when revision 3 was known, and yet took revision 2.
    assertFinds(
        Kind.REVISION_WENT_BACK,
        new Script()
            .committed(PUT_A2, 3)
            .committed(PUT_A1, 2)
            .change(2, put(A1))
            .change(3, put(A2)));
  }

  @Test
  void unknownChangeBeforeItsOwnBeginning_isFound() {
    assertFinds(
        Kind.REVISION_WENT_BACK, new Script().revision(2).unknown(PUT_A1).change(2, put(A1)));
  }

  @Test
  void foreignFailure_isFound() {
    assertFinds(
        Kind.FOREIGN_FAILURE,
        new Script()
            .call(
                new Operation.CurrentRevision(),
                Outcome.ofFailure(new IllegalStateException("oops"))));
  }

  @Test
  void violations_readAsSentences() {
    assertThat(HistoryChecker.check(twoPuts().revision(2).build()))
        .extracting(Violation::sentence)
        .containsExactly(
            "c2's call at 14 was answered as of revision 2, but 3 was known before it began");
  }

  private static void assertPasses(Script script) {
    assertThat(HistoryChecker.check(script.build())).isEmpty();
  }

  private static void assertFinds(Kind kind, Script script) {
    assertThat(HistoryChecker.check(script.build())).extracting(Violation::kind).contains(kind);
  }
}
