package dev.evenkeel.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.evenkeel.store.Store;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.testkit.history.History;
import dev.evenkeel.store.testkit.history.HistoryChecker;
import dev.evenkeel.store.testkit.history.HistoryWorkload;
import dev.evenkeel.store.testkit.history.Outcome;
import dev.evenkeel.store.testkit.history.WorkloadOptions;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Concurrent histories: linearizable, and with watches that keep their promises. */
abstract class HistoryContract extends ContractPart {

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void concurrentHistory_holds(long seed) {
    var workload = HistoryWorkload.start(this::store, WorkloadOptions.seed(seed));
    History history = workload.finish();
    assertThat(HistoryChecker.check(history)).as("seed %d, %s", seed, history.summary()).isEmpty();
    assertSaysSomething(history);
  }

  @Test
  void historyAcrossReopenings_holds() {
    assumeTrue(fixture().durable(), "the engine keeps nothing");
    int reopenings = 3;
    var current = new AtomicReference<>(store());
    var workload =
        HistoryWorkload.start(current::get, WorkloadOptions.seed(4).operationsPerClient(400));
    for (int i = 1; i <= reopenings; i++) {
      int calls = i * 300;
      eventually("the clients go on", () -> workload.callsSoFar() >= calls || workload.isDone());
      Store old = current.get();
      old.close();
      current.set(closedAfterwards(fixture().reopen(old)));
    }
    History history = workload.finish();
    assertThat(HistoryChecker.check(history)).as("%s", history.summary()).isEmpty();
    assertSaysSomething(history);
  }

  /** A history without changes, rejections or deliveries would prove nothing. */
  private static void assertSaysSomething(History history) {
    assertThat(history.changes()).hasSizeGreaterThan(50);
    assertThat(history.calls())
        .anyMatch(
            call ->
                call.outcome() instanceof Outcome.Decided(TxnResult result)
                    && result instanceof TxnResult.Rejected);
    assertThat(history.readers()).allSatisfy(reader -> assertThat(reader.sessions()).isNotEmpty());
  }
}
