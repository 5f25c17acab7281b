package dev.evenkeel.serve.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.env.SimulatedEnv;
import dev.evenkeel.kernel.metric.Meters;
import dev.evenkeel.store.Compare;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.memory.MemoryStore;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The protocol, with ledgers that are numbers and hold ten. */
class PostingsTest {

  private static final Bytes OBJECT = Bytes.utf8("object");
  private static final long LIMIT = 10;

  private final SimulatedEnv env = new SimulatedEnv(1);
  private final HeldStore store = new HeldStore(MemoryStore.open(env));
  private final Loop loop = env.loop("ledgers");
  private final Postings postings = new Postings(store, loop);
  private final Ledgers<Long> ledgers = new Ledgers<>(postings, new Numbers(), loop);

  PostingsTest() {
    put("a", 0);
    put("b", 0);
  }

  @AfterEach
  void close() {
    env.runDue();
    assertThat(figure("evenkeel_number_charges_posted")).isZero();
    assertThat(postings.underWay()).isZero();
    loop.close();
    store.close();
  }

  private double figure(String name) {
    var meters = new Meters();
    ledgers.register(meters);
    for (MetricSnapshot snapshot : meters.scrape()) {
      if (snapshot.getMetadata().getPrometheusName().equals(name)) {
        return snapshot instanceof GaugeSnapshot gauge
            ? gauge.getDataPoints().getFirst().getValue()
            : ((CounterSnapshot) snapshot).getDataPoints().getFirst().getValue();
      }
    }
    throw new AssertionError("no metric " + name);
  }

  private static final class Numbers extends LedgerKind<Long> {
    Numbers() {
      super("number", Bytes.utf8("ledger/"), true, 1);
    }

    @Override
    protected Long parse(Bytes stored) {
      return Long.parseLong(stored.utf8());
    }

    @Override
    protected Bytes encode(Long ledger) {
      return Bytes.utf8(Long.toString(ledger));
    }

    @Override
    protected boolean isCounted(Long ledger) {
      return true;
    }

    @Override
    protected CompletableFuture<List<Count<Long>>> count(List<LedgerState<Long>> ledgers) {
      throw new AssertionError("all are counted");
    }

    @Override
    protected CompletableFuture<List<Count<Long>>> recount(
        List<LedgerState<Long>> ledgers, long revision) {
      throw new AssertionError("nobody audits");
    }
  }

  private record Plus(String ledger, long amount) implements Charge<Long> {
    @Override
    public boolean isRefusedBy(@Nullable Long now) {
      return now != null && now + amount > LIMIT;
    }

    @Override
    public @Nullable Long charged(@Nullable Long now) {
      return now == null ? null : now + amount;
    }
  }

  private Bill<Long> bill(Plus... charges) {
    return new Bill<>(ledgers) {
      @Override
      protected List<Plus> charges() {
        return Arrays.asList(charges);
      }

      @Override
      protected ApiException refusal(List<Refused<Long>> refused) {
        return Status.forbidden("", "things", "x", "full").asException();
      }

      @Override
      protected String owner() {
        return "the things are charged";
      }
    };
  }

  private CompletableFuture<TxnResult> commit(Txn write, Plus... charges) {
    CompletableFuture<TxnResult> answer = postings.commit(write, List.of(bill(charges)));
    env.runDue();
    return answer;
  }

  private CompletableFuture<TxnResult> commit(Plus... charges) {
    return commit(Txn.builder().build(), charges);
  }

  private void put(String ledger, long number) {
    boolean held = store.holds;
    store.holds = false;
    var _ = store.commit(Txn.put(ledgers.key(ledger), Bytes.utf8(Long.toString(number))));
    env.runDue();
    store.sent.removeLast();
    store.holds = held;
  }

  private long stored(String ledger) {
    KeyValue found = store.get(ledgers.key(ledger), Store.NEWEST).join().item();
    return Long.parseLong(Objects.requireNonNull(found).value().utf8());
  }

  private void release(int... indexes) {
    for (int index : indexes) {
      store.release(index);
      env.runDue();
    }
  }

  private static void assertCommitted(CompletableFuture<TxnResult> answer) {
    assertThat(answer).isCompletedWithValueMatching(TxnResult.Committed.class::isInstance);
  }

  private void assertJudgedOn(int sent, String ledger, long number) {
    assertThat(store.sent.get(sent).txn().compares())
        .contains(new Compare.Value(ledgers.key(ledger), Bytes.utf8(Long.toString(number))));
  }

  @Test
  void charges_areJudgedOnThoseBefore_andSentAtOnce() {
    store.holds = true;
    CompletableFuture<TxnResult> first = commit(new Plus("a", 1));
    CompletableFuture<TxnResult> second = commit(new Plus("a", 2), new Plus("b", 3));
    assertThat(store.sent).hasSize(2);
    assertJudgedOn(1, "a", 1);
    release(0, 1);
    assertCommitted(first);
    assertCommitted(second);
    assertThat(stored("a")).isEqualTo(3);
    assertThat(stored("b")).isEqualTo(3);
  }

  @Test
  void whatIsLost_isTakenBackWithAllThatWasJudgedOnIt_onAllPages() {
    store.holds = true;
    CompletableFuture<TxnResult> lost =
        commit(Txn.builder().ifExists(OBJECT).build(), new Plus("a", 1));
    CompletableFuture<TxnResult> behind = commit(new Plus("a", 1), new Plus("b", 1));
    release(0);
    assertThat(lost).isCompletedWithValueMatching(TxnResult.Rejected.class::isInstance);
    // Nobody has heard of the second yet, and what it was to write will never be.
    CompletableFuture<TxnResult> next = commit(new Plus("b", 1));
    assertJudgedOn(2, "b", 0);
    release(1, 2);
    assertCommitted(next);
    // It was judged again, on what the third is about to write or wrote.
    assertJudgedOn(3, "a", 0);
    assertJudgedOn(3, "b", 1);
    release(3);
    assertCommitted(behind);
    assertThat(store.sent).hasSize(4);
    assertThat(stored("b")).isEqualTo(2);
  }

  @Test
  void ledgerThatAnotherServerCharged_isJudgedAgain_withoutTheWriter() {
    assertCommitted(commit(new Plus("a", 1)));
    put("a", 7);
    assertCommitted(commit(new Plus("a", 1)));
    assertThat(stored("a")).isEqualTo(8);
    assertThat(figure("evenkeel_number_charges_repeated")).isEqualTo(1);
  }

  @Test
  void unknownOutcome_isSettledByReading() {
    store.holds = true;
    CompletableFuture<TxnResult> unknown = commit(new Plus("a", 4));
    store.makeAndLose(0);
    env.runDue();
    assertThatThrownBy(unknown::join).hasCauseInstanceOf(StoreException.UnknownOutcome.class);
    CompletableFuture<TxnResult> next = commit(new Plus("a", 1));
    assertJudgedOn(1, "a", 4);
    release(1);
    assertCommitted(next);
    assertThat(store.sent).hasSize(2);
  }

  @Test
  void unknownOutcome_thatWasNot_leavesWhatIsBehindToTheStore() {
    store.holds = true;
    CompletableFuture<TxnResult> unknown = commit(new Plus("a", 4));
    CompletableFuture<TxnResult> behind = commit(new Plus("a", 1));
    store.sent.get(0).answer().completeExceptionally(unknownOutcome());
    env.runDue();
    assertThat(unknown).isCompletedExceptionally();
    release(1);
    assertJudgedOn(2, "a", 0);
    release(2);
    assertCommitted(behind);
    assertThat(stored("a")).isEqualTo(1);
  }

  private static StoreException unknownOutcome() {
    return new StoreException.UnknownOutcome("no answer", null);
  }

  @Test
  void refusal_isToldOnlyByTheStoresOwnLedger() {
    store.holds = true;
    CompletableFuture<TxnResult> lost =
        commit(Txn.builder().ifExists(OBJECT).build(), new Plus("a", LIMIT));
    CompletableFuture<TxnResult> second = commit(new Plus("a", 1));
    assertThat(second).isNotDone();
    release(0);
    assertThat(lost).isDone();
    release(1);
    assertCommitted(second);
    CompletableFuture<TxnResult> third = commit(new Plus("a", LIMIT));
    assertThatThrownBy(third::join).hasMessageContaining("full");
  }

  @Test
  void refusalByAPageThatIsOld_isJudgedAgainOnTheStores() {
    assertCommitted(commit(new Plus("a", LIMIT)));
    put("a", 0);
    assertCommitted(commit(new Plus("a", LIMIT)));
  }

  @Test
  void moreThanTheWindow_waitTheirTurn_inOrder() {
    store.holds = true;
    List<CompletableFuture<TxnResult>> answers = new ArrayList<>();
    for (int i = 0; i < Page.WINDOW_MAX + 5; i++) {
      answers.add(commit(new Plus("a", 0)));
    }
    assertThat(store.sent).hasSize(Page.WINDOW_MAX);
    release(0);
    assertThat(store.sent).hasSize(Page.WINDOW_MAX + 1);
    for (int i = 1; i < Page.WINDOW_MAX + 5; i++) {
      release(i);
    }
    answers.forEach(PostingsTest::assertCommitted);
  }

  @Test
  void storeThatChangesTheOrder_makesAllOfThemInTheEnd() {
    store.holds = true;
    List<CompletableFuture<TxnResult>> answers = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      answers.add(commit(new Plus("a", 0), new Plus("b", i % 2)));
    }
    int released = 0;
    while (released < store.sent.size()) {
      int end = store.sent.size();
      for (int i = end - 1; i >= released; i--) {
        release(i);
      }
      released = end;
    }
    answers.forEach(PostingsTest::assertCommitted);
    assertThat(stored("b")).isEqualTo(10);
    // All of them at a time would be 20, then 19, then 18: 210.
    assertThat(store.sent).hasSizeLessThan(100);
  }

  @Test
  void whatIsChargedNothing_passesByTheLoop() {
    store.holds = true;
    var _ = postings.commit(Txn.put(OBJECT, OBJECT), List.of(bill()));
    assertThat(store.sent).hasSize(1);
  }

  @Test
  void dryRun_isJudgedOnTheStore_andChargesNothing() {
    assertCommitted(commit(new Plus("a", LIMIT)));
    CompletableFuture<@Nullable Void> full = postings.check(List.of(bill(new Plus("a", 1))));
    assertThatThrownBy(full::join).hasMessageContaining("full");
    put("a", 1);
    assertThat(postings.check(List.of(bill(new Plus("a", 1))))).isCompleted();
    assertThat(stored("a")).isEqualTo(1);
  }

  @Test
  void closedServer_answersThatItShutsDown() {
    loop.close();
    CompletableFuture<TxnResult> late =
        postings.commit(Txn.builder().build(), List.of(bill(new Plus("a", 1))));
    assertThat(late).isCompletedExceptionally();
    assertThatThrownBy(late::join).hasMessageContaining("shutting down");
  }
}
