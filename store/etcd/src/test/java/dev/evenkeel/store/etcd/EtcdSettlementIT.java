package dev.evenkeel.store.etcd;

import static dev.evenkeel.store.etcd.Answers.await;
import static dev.evenkeel.store.etcd.Answers.bytes;
import static dev.evenkeel.store.etcd.Answers.eventually;
import static dev.evenkeel.store.etcd.Answers.failure;
import static dev.evenkeel.store.etcd.Answers.linesUntil;
import static dev.evenkeel.store.etcd.Answers.put;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.Watch;
import dev.evenkeel.store.WatchQuery;
import dev.evenkeel.store.testkit.outside.EtcdOptions;
import dev.evenkeel.store.testkit.outside.EtcdProcess;
import dev.evenkeel.store.testkit.outside.NeedsProgram;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is told of writes whose request or answer was lost on the way. */
@NeedsProgram("etcd")
@NeedsProgram("etcdctl")
class EtcdSettlementIT {

  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(3);
  private static final Duration SETTLE_TIMEOUT = Duration.ofSeconds(2);

  private static EtcdProcess etcd;
  private LossyProxy proxy;
  private EtcdStore store;
  private EtcdStore other;

  @SuppressWarnings("NullAway.Init") // JUnit sets them before each test
  EtcdSettlementIT() {}

  @BeforeAll
  static void startEtcd() {
    etcd = EtcdProcess.start(EtcdOptions.DEFAULTS.withoutSync());
  }

  @AfterAll
  static void stopEtcd() {
    etcd.close();
  }

  @BeforeEach
  void connect() throws IOException {
    proxy = new LossyProxy(etcd.endpoint());
    store = open(List.of(proxy.endpoint()));
    other = open(List.of(etcd.endpoint()));
  }

  @AfterEach
  void disconnect() throws IOException {
    store.close();
    other.close();
    proxy.close();
  }

  @Test
  void lostAnswerToAnUnconditionalPut_isSettledAsCommitted() throws IOException {
    proxy.loseAnswers();
    var write = store.commit(Txn.put(bytes("plain"), bytes("mine")));
    KeyValue item = awaitValue("plain", "mine");
    proxy.cut();
    assertThat(await(write)).isEqualTo(new TxnResult.Committed(item.modRevision(), true));
    assertThat(store.counters().settledWrites()).isEqualTo(1);
  }

  @Test
  void lostAnswer_isFoundBelowLaterWritesOfOthers() throws IOException {
    long before = put(store, "busy", "0");
    long gone = put(store, "busy/gone", "0");
    proxy.loseAnswers();
    var write =
        store.commit(
            Txn.builder()
                .ifModRevision(bytes("busy"), before)
                .ifExists(bytes("busy/gone"))
                .put(bytes("busy"), bytes("mine"))
                .put(bytes("busy/2"), bytes("mine too"))
                .delete(bytes("busy/gone"))
                .build());
    KeyValue item = awaitValue("busy", "mine");
    put(other, "busy", "theirs");
    put(other, "busy/2", "theirs");
    put(other, "busy/gone", "again");
    proxy.cut();
    assertThat(await(write)).isEqualTo(new TxnResult.Committed(item.modRevision(), true));
    assertThat(item.modRevision()).isGreaterThan(gone);
  }

  @Test
  void lostRequestThatCanNeverHold_isSettledAsRejected() throws IOException {
    long before = put(store, "cas", "0");
    proxy.loseRequests();
    var write =
        store.commit(
            Txn.builder()
                .ifAbsent(bytes("cas/absent"))
                .ifModRevision(bytes("cas"), before)
                .put(bytes("cas"), bytes("mine"))
                .build());
    eventually("the request is lost", () -> proxy.hasLost("mine"));
    long theirs = put(other, "cas", "theirs");
    proxy.cut();
    var rejected = (TxnResult.Rejected) await(write);
    assertThat(rejected.revision()).isGreaterThanOrEqualTo(theirs);
    assertThat(rejected.failures()).hasSize(1);
    assertThat(Objects.requireNonNull(rejected.failures().getFirst().current()).value())
        .isEqualTo(bytes("theirs"));
  }

  @Test
  void lostRequestThatMayYetArrive_isUnknown() throws IOException {
    put(store, "open", "0");
    proxy.loseRequests();
    var write = store.commit(Txn.put(bytes("open"), bytes("mine")));
    eventually("the request is lost", () -> proxy.hasLost("mine"));
    proxy.cut();
    assertThat(failure(StoreException.UnknownOutcome.class, write)).hasMessageContaining("read");
    assertThat(store.counters().unknownWrites()).isEqualTo(1);
    assertThat(valueOf("open")).isEqualTo("0");
  }

  @Test
  void lostAnswerToADelete_isUnknown() throws IOException {
    put(store, "delete", "0");
    proxy.loseAnswers();
    var write = store.commit(Txn.delete(bytes("delete")));
    eventually(
        "it is deleted", () -> await(other.get(bytes("delete"), Store.NEWEST)).item() == null);
    proxy.cut();
    failure(StoreException.UnknownOutcome.class, write);
  }

  @Test
  void equalWriteOfOthersThatOursCannotHaveBeen_isNotTakenForOurs() throws IOException {
    long before = put(store, "lock", "free");
    long taken = put(other, "lock", "taken");
    // Whatever ours becomes, it comes after what this engine has seen.
    assertThat(await(store.currentRevision())).isEqualTo(taken);
    proxy.loseRequests();
    var write =
        store.commit(
            Txn.builder()
                .ifModRevision(bytes("lock"), before)
                .put(bytes("lock"), bytes("taken"))
                .build());
    eventually("the request is lost", () -> proxy.hasLost("taken"));
    put(other, "lock", "taken");
    proxy.cut();
    assertThat(await(write)).isInstanceOf(TxnResult.Rejected.class);
  }

  @Test
  void equalWritesOfOneEngine_areNotBothCommittedAtOneRevision() throws IOException {
    proxy.loseAnswers();
    Txn acquire = Txn.builder().ifAbsent(bytes("twin")).put(bytes("twin"), bytes("1")).build();
    CompletableFuture<TxnResult> first = store.commit(acquire);
    CompletableFuture<TxnResult> second = store.commit(acquire);
    awaitValue("twin", "1");
    proxy.cut();
    int committed = 0;
    for (var write : List.of(first, second)) {
      try {
        committed += await(write) instanceof TxnResult.Committed ? 1 : 0;
      } catch (StoreException.UnknownOutcome _) {
        // Also true of the one that lost.
      }
    }
    assertThat(committed).isEqualTo(1);
  }

  @Test
  void requestThatWasNeverSent_isUnavailableAndNothingHappens() throws IOException {
    proxy.close();
    eventually("the wire is cut", () -> !answers(store));
    failure(StoreException.Unavailable.class, store.commit(Txn.put(bytes("never"), bytes("1"))));
    assertThat(await(other.get(bytes("never"), Store.NEWEST)).item()).isNull();
  }

  @Test
  void watchOnASilentConnection_isNoticedAndGoesOnElsewhere() {
    try (EtcdStore both = open(List.of(proxy.endpoint(), etcd.endpoint()))) {
      long first = put(both, "silent/a", "1");
      try (Watch watch = both.watch(WatchQuery.prefix(bytes("silent/"), first))) {
        assertThat(linesUntil(watch, first)).containsExactly(first + ": silent/a");
        proxy.loseAnswers();
        long second = put(other, "silent/b", "1");
        assertThat(linesUntil(watch, second)).containsExactly(second + ": silent/b");
      }
      assertThat(both.counters().upstreamResumes()).isPositive();
    }
  }

  private static EtcdStore open(List<String> endpoints) {
    return EtcdStore.open(
        new RealEnv(),
        dev.evenkeel.store.etcd.client.EtcdOptions.of(endpoints)
            .withTimeouts(REQUEST_TIMEOUT, SETTLE_TIMEOUT));
  }

  private KeyValue awaitValue(String key, String value) {
    eventually(key + " is written", () -> value.equals(valueOf(key)));
    return Objects.requireNonNull(await(other.get(bytes(key), Store.NEWEST)).item());
  }

  private String valueOf(String key) {
    KeyValue item = await(other.get(bytes(key), Store.NEWEST)).item();
    return item == null ? "" : item.value().utf8();
  }

  private static boolean answers(Store store) {
    try {
      return await(store.currentRevision()) > 0;
    } catch (StoreException.Unavailable _) {
      return false;
    }
  }
}
