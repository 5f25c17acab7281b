package dev.evenkeel.store.testkit.history;

import static dev.evenkeel.store.testkit.history.Script.batch;
import static dev.evenkeel.store.testkit.history.Script.bytes;
import static dev.evenkeel.store.testkit.history.Script.commit;
import static dev.evenkeel.store.testkit.history.Script.delete;
import static dev.evenkeel.store.testkit.history.Script.item;
import static dev.evenkeel.store.testkit.history.Script.put;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.Event;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.WatchBatch;
import dev.evenkeel.store.WatchQuery;
import dev.evenkeel.store.testkit.history.Violation.Kind;
import org.junit.jupiter.api.Test;

/** What watchers may and may not be told. */
class WatchCheckTest {

  private static final KeyValue A1 = item("a", "1", 2, 2, 1);
  private static final KeyValue A2 = item("a", "2", 2, 3, 2);
  private static final KeyValue B2 = item("b", "2", 3, 3, 1);

  private static final WatchBatch.Commit SECOND = commit(2, put(A1));
  private static final WatchBatch.Commit THIRD = commit(3, put(A2), put(B2));
  private static final WatchBatch.Commit FOURTH = commit(4, delete("a"));
  private static final WatchQuery ALL = WatchQuery.prefix(Bytes.EMPTY, 2);

  /** Revision 2 puts a, 3 puts a and b, 4 deletes a. */
  private static Script threeChanges() {
    return new Script()
        .committed(Txn.put(bytes("a"), bytes("1")), 2)
        .committed(Txn.builder().put(bytes("a"), bytes("2")).put(bytes("b"), bytes("2")).build(), 3)
        .committed(Txn.delete(bytes("a")), 4)
        .change(2, put(A1))
        .change(3, put(A2), put(B2))
        .change(4, delete("a"));
  }

  @Test
  void completeWatch_passes() {
    assertPasses(threeChanges().watcher(batch(2, SECOND), batch(4, THIRD, FOURTH)));
    assertPasses(
        threeChanges().watcher(batch(2, SECOND), batch(2), batch(3, THIRD), batch(4, FOURTH)));
    assertPasses(threeChanges().watcher(batch(2, SECOND)));
    assertPasses(threeChanges().watcher());
  }

  @Test
  void watchOfAPrefix_seesItsPartOnly() {
    Script script = threeChanges();
    assertPasses(
        script.watcher(
            4,
            script.session(
                WatchQuery.prefix(bytes("b"), 2), batch(2), batch(4, commit(3, put(B2))))));
    Script wrong = threeChanges();
    assertFinds(
        Kind.WATCH_WRONG_EVENT,
        wrong.watcher(0, wrong.session(WatchQuery.prefix(bytes("b"), 2), batch(3, THIRD))));
  }

  @Test
  void resumedWatch_goesOnBehindTheLastBatch() {
    Script script = threeChanges();
    assertPasses(
        script.watcher(
            4,
            script.session(ALL, batch(2, SECOND)),
            script.session(WatchQuery.prefix(Bytes.EMPTY, 3)),
            script.session(WatchQuery.prefix(Bytes.EMPTY, 3), batch(3, THIRD), batch(4, FOURTH))));
  }

  @Test
  void repeatedEvent_isFound() {
    assertFinds(
        Kind.WATCH_REPEAT, threeChanges().watcher(batch(2, SECOND), batch(3, SECOND, THIRD)));
  }

  @Test
  void repeatAfterResumption_isFound() {
    Script script = threeChanges();
    assertFinds(
        Kind.WATCH_REPEAT,
        script.watcher(
            0,
            script.session(ALL, batch(3, SECOND, THIRD)),
            script.session(WatchQuery.prefix(Bytes.EMPTY, 4), batch(4, THIRD, FOURTH))));
  }

  @Test
  void reorderedEvents_areFound() {
    assertFinds(Kind.WATCH_ORDER, threeChanges().watcher(batch(3, THIRD, SECOND)));
    assertFinds(Kind.WATCH_GAP, threeChanges().watcher(batch(3, THIRD), batch(3, SECOND)));
  }

  @Test
  void batchRevisionThatGoesBack_isFound() {
    assertFinds(Kind.WATCH_ORDER, threeChanges().watcher(batch(3, SECOND, THIRD), batch(2)));
    assertFinds(Kind.WATCH_ORDER, threeChanges().watcher(batch(2, SECOND, THIRD)));
  }

  @Test
  void gap_isFound() {
    assertFinds(Kind.WATCH_GAP, threeChanges().watcher(batch(2, SECOND), batch(4, FOURTH)));
    assertFinds(Kind.WATCH_GAP, threeChanges().watcher(batch(4, THIRD, FOURTH)));
  }

  @Test
  void gapUnderAProgressMark_isFound() {
    assertFinds(Kind.WATCH_GAP, threeChanges().watcher(batch(2, SECOND), batch(4)));
  }

  @Test
  void gapAfterResumption_isFound() {
    Script script = threeChanges();
    assertFinds(
        Kind.WATCH_GAP,
        script.watcher(
            0,
            script.session(ALL, batch(2, SECOND)),
            script.session(WatchQuery.prefix(Bytes.EMPTY, 3), batch(4, FOURTH))));
  }

  @Test
  void splitTransaction_isFound() {
    assertFinds(
        Kind.WATCH_SPLIT, threeChanges().watcher(batch(2, SECOND), batch(3, commit(3, put(A2)))));
    assertFinds(
        Kind.WATCH_SPLIT,
        threeChanges()
            .watcher(batch(2, SECOND), batch(3, commit(3, put(A2))), batch(3, commit(3, put(B2)))));
  }

  @Test
  void eventsInAnotherOrderThanWritten_areFound() {
    assertFinds(
        Kind.WATCH_WRONG_EVENT,
        threeChanges().watcher(batch(3, SECOND, commit(3, put(B2), put(A2)))));
  }

  @Test
  void eventThatNeverHappened_isFound() {
    assertFinds(
        Kind.WATCH_WRONG_EVENT,
        threeChanges().watcher(batch(3, SECOND, THIRD), batch(4, commit(4, put(A1)))));
    assertFinds(
        Kind.WATCH_WRONG_EVENT,
        new Script()
            .committed(Txn.put(bytes("a"), bytes("1")), 2)
            .change(2, put(A1))
            .change(5, delete("a"))
            .watcher(batch(2, SECOND), batch(4, commit(4, delete("a")))));
  }

  @Test
  void previousStates_areJudged() {
    Script right = threeChanges();
    assertPasses(right.watcher(0, right.session(ALL.previousToo(), withPrevious(A2))));
    Script wrong = threeChanges();
    assertFinds(
        Kind.WATCH_WRONG_EVENT,
        wrong.watcher(0, wrong.session(ALL.previousToo(), withPrevious(A1))));
    assertFinds(Kind.WATCH_WRONG_EVENT, threeChanges().watcher(withPrevious(A2)));
  }

  private static WatchBatch withPrevious(KeyValue beforeTheDelete) {
    return batch(
        4,
        SECOND,
        commit(3, new Event.Put(A2, A1), put(B2)),
        commit(4, new Event.Delete(bytes("a"), beforeTheDelete)));
  }

  @Test
  void watchThatNeverArrives_isFound() {
    Script script = threeChanges();
    assertFinds(
        Kind.WATCH_STALLED, script.watcher(4, script.session(ALL, batch(3, SECOND, THIRD))));
  }

  @Test
  void changesBehindTheAccount_areNotJudged() {
    assertPasses(
        threeChanges()
            .watcher(
                batch(4, SECOND, THIRD, FOURTH),
                batch(5, commit(5, put(item("z", "1", 5, 5, 1))))));
  }

  private static void assertPasses(Script script) {
    assertThat(HistoryChecker.check(script.build())).isEmpty();
  }

  private static void assertFinds(Kind kind, Script script) {
    assertThat(HistoryChecker.check(script.build())).extracting(Violation::kind).contains(kind);
  }
}
