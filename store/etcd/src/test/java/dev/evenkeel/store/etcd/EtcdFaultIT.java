package dev.evenkeel.store.etcd;

import static dev.evenkeel.store.etcd.Answers.await;
import static dev.evenkeel.store.etcd.Answers.bytes;
import static dev.evenkeel.store.etcd.Answers.eventually;
import static dev.evenkeel.store.etcd.Answers.failure;
import static dev.evenkeel.store.etcd.Answers.linesUntil;
import static dev.evenkeel.store.etcd.Answers.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.Watch;
import dev.evenkeel.store.WatchBatch;
import dev.evenkeel.store.WatchQuery;
import dev.evenkeel.store.etcd.client.EtcdCounters;
import dev.evenkeel.store.etcd.client.EtcdOptions;
import dev.evenkeel.store.testkit.outside.EtcdProcess;
import dev.evenkeel.store.testkit.outside.NeedsProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** etcd out of reach, out of space, set to less than usual, and shared with others. */
@NeedsProgram("etcd")
@NeedsProgram("etcdctl")
class EtcdFaultIT {

  private static final Duration SHORT = Duration.ofMillis(700);
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final dev.evenkeel.store.testkit.outside.EtcdOptions FAST =
      dev.evenkeel.store.testkit.outside.EtcdOptions.DEFAULTS.withoutSync();

  @Test
  void openWithoutAnEtcd_namesTheEndpoints() {
    // Port 1 on loopback is nobody's.
    var options = EtcdOptions.of(List.of("127.0.0.1:1", "localhost:1")).withTimeouts(SHORT, SHORT);
    assertThatExceptionOfType(StoreException.Unavailable.class)
        .isThrownBy(() -> EtcdStore.open(new RealEnv(), options))
        .withMessageContaining("127.0.0.1:1, localhost:1")
        .withMessageContaining("check that it runs");
  }

  @Test
  void stoppedEtcd_failsRequestsAsUnavailable_andEverythingGoesOnAfterwards() {
    try (var etcd = EtcdProcess.start(FAST);
        EtcdStore store = open(etcd, SHORT, SHORT)) {
      long first = put(store, "w/a", "1");
      Watch watch = store.watch(WatchQuery.prefix(bytes("w/"), first + 1));
      CompletableFuture<WatchBatch> next = watch.next();
      eventually("the watch is open", () -> store.counters().upstreamRevision() >= first);
      etcd.stop();
      failure(StoreException.Unavailable.class, store.get(bytes("w/a"), Store.NEWEST));
      // It was never sent, or etcd was still there to take it: never a mere failure.
      var unsent = store.commit(Txn.put(bytes("w/b"), bytes("1")));
      failure(StoreException.Unavailable.class, unsent);
      assertThat(next).isNotDone();

      etcd.restart();
      eventually("it answers again", () -> answers(store));
      long second = put(store, "w/c", "1");
      assertThat(await(next).commits()).hasSize(1);
      assertThat(await(store.get(bytes("w/b"), Store.NEWEST)).item()).isNull();
      assertThat(second).isEqualTo(first + 1);
      assertThat(store.counters().upstreamResumes()).isPositive();
    }
  }

  @Test
  void writesToAnEtcdThatHangs_neverFailAndAreDoneAllTheSame() throws InterruptedException {
    try (var etcd = EtcdProcess.start(FAST);
        EtcdStore store = open(etcd, SHORT, Duration.ofSeconds(4))) {
      put(store, "a", "0");
      etcd.pause();
      var writes = new ArrayList<CompletableFuture<TxnResult>>();
      for (int i = 0; i < 20; i++) {
        writes.add(store.commit(Txn.put(bytes("hang/" + i), bytes("value " + i))));
      }
      Thread.sleep(2 * SHORT.toMillis());
      etcd.resume();

      var outcomes = new ArrayList<String>();
      for (CompletableFuture<TxnResult> write : writes) {
        try {
          TxnResult result = await(write);
          outcomes.add("committed");
          assertThat(result).isInstanceOf(TxnResult.Committed.class);
        } catch (StoreException.UnknownOutcome _) {
          outcomes.add("unknown");
        }
      }
      for (int i = 0; i < writes.size(); i++) {
        var item = await(store.get(bytes("hang/" + i), Store.NEWEST)).item();
        if (outcomes.get(i).equals("committed")) {
          assertThat(Objects.requireNonNull(item).modRevision())
              .isEqualTo(writes.get(i).join().revision());
        }
      }
      assertThat(store.counters().unansweredWrites()).isEqualTo(20);
      EtcdCounters counters = store.counters();
      assertThat(counters.settledWrites() + counters.unknownWrites()).isEqualTo(20);
      // The answers came late, but while one was still looking for them.
      assertThat(counters.settledWrites()).isPositive();
    }
  }

  @Test
  void fullEtcd_saysWhatToDo_andTakesWritesAgainAfterIt() {
    var quota = 1 << 20;
    try (var etcd = EtcdProcess.start(FAST.quotaBackendBytes(quota));
        EtcdStore store = open(etcd, Duration.ofSeconds(5), SHORT)) {
      byte[] value = new byte[64 << 10];
      StoreException.OutOfSpace full = null;
      // An etcd looks at its size a few times a second: a fast disk takes much more meanwhile.
      long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
      while (full == null && System.nanoTime() < end) {
        ThreadLocalRandom.current().nextBytes(value);
        try {
          var _ = await(store.commit(Txn.put(bytes("big"), Bytes.wrap(value.clone()))));
        } catch (StoreException.OutOfSpace e) {
          full = e;
        }
      }
      assertThat(full).isNotNull();
      assertThat(full).hasMessageContaining("compact").hasMessageContaining("alarm disarm");
      assertThat(await(store.get(bytes("big"), Store.NEWEST)).item()).isNotNull();
      assertThat(store.counters().lastError()).contains("database space exceeded");

      await(store.compact(await(store.currentRevision())));
      etcd.etcdctl("defrag");
      etcd.etcdctl("alarm", "disarm");
      assertThat(put(store, "small", "1")).isPositive();
    }
  }

  @Test
  void etcdThatFillsUpUnderManyWriters_neverCallsAWriteRefusedThatItCarriedOut() {
    // With syncing, which keeps more writes under way when the limit is crossed.
    var full = dev.evenkeel.store.testkit.outside.EtcdOptions.DEFAULTS.quotaBackendBytes(20 << 20);
    try (var etcd = EtcdProcess.start(full);
        EtcdStore store = open(etcd, Duration.ofSeconds(10), SHORT)) {
      Bytes value = Bytes.wrap(new byte[50_000]);
      var told = new ConcurrentHashMap<Bytes, Boolean>();
      try (var writers = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int i = 0; i < 64; i++) {
          String writer = i + "/";
          var _ =
              writers.submit(
                  () -> {
                    boolean room = true;
                    for (int write = 0; room && write < 100; write++) {
                      Bytes key = bytes(writer + write);
                      try {
                        var _ = await(store.commit(Txn.put(key, value)));
                      } catch (StoreException.OutOfSpace _) {
                        room = false;
                      }
                      told.put(key, room);
                    }
                  });
        }
      }
      assertThat(told).containsValue(false);
      told.forEach(
          (key, committed) -> {
            boolean there = await(store.get(key, Store.NEWEST)).item() != null;
            assertThat(there).as("%s is there", key.utf8()).isEqualTo(committed);
          });
      assertThat(told.values().stream().filter(committed -> !committed)).hasSize(64);
    }
  }

  @Test
  void failedRequests_failWithTheStoresOwnExceptionAlsoForHandlers() {
    try (var etcd = EtcdProcess.start(FAST);
        EtcdStore store = open(etcd, SHORT, SHORT)) {
      var requests =
          List.<CompletableFuture<?>>of(
              store.get(bytes("a"), 1_000_000),
              store.range(dev.evenkeel.store.RangeQuery.prefix(bytes("a")).at(1_000_000)),
              store.compact(1_000_000),
              store.commit(Txn.put(Bytes.EMPTY, Bytes.EMPTY)));
      for (CompletableFuture<?> request : requests) {
        Object seen = await(request.handle((_, error) -> error));
        assertThat(seen).isInstanceOf(StoreException.class);
      }
    }
  }

  @Test
  void rejectionWhoseKeysAreLargerThanAMessage_isARejectionAllTheSame() {
    try (var etcd = EtcdProcess.start(FAST);
        EtcdStore store = open(etcd, Duration.ofSeconds(10), SHORT)) {
      var txn = Txn.builder();
      for (int i = 0; i < 60; i++) {
        Bytes key = bytes("big/" + i);
        var _ = await(store.commit(Txn.put(key, Bytes.wrap(new byte[1_400_000]))));
        txn.ifAbsent(key);
      }
      TxnResult result = await(store.commit(txn.put(bytes("w"), bytes("1")).build()));
      assertThat(result).isInstanceOf(TxnResult.Rejected.class);
      assertThat(((TxnResult.Rejected) result).failures()).hasSize(60);
      assertThat(store.counters().unansweredWrites()).isZero();
    }
  }

  @Test
  void rejectionThatCompactionOvertakes_isARejectionAllTheSame() {
    try (var etcd = EtcdProcess.start(FAST);
        EtcdStore store = open(etcd, Duration.ofSeconds(10), SHORT);
        EtcdStore other = open(etcd, Duration.ofSeconds(10), SHORT)) {
      put(store, "there", "1");
      var txn = Txn.builder().ifAbsent(bytes("there")).put(bytes("w"), bytes("1"));
      for (int i = 0; i < 60; i++) {
        // Longer keys than come along with etcd's answer: they are read after it.
        txn.ifAbsent(bytes("absent/".repeat(20) + i));
      }
      for (int round = 0; round < 100; round++) {
        var rejections = new ArrayList<CompletableFuture<TxnResult>>();
        for (int i = 0; i < 8; i++) {
          rejections.add(store.commit(txn.build()));
        }
        await(other.compact(put(other, "other", "1")));
        for (CompletableFuture<TxnResult> rejection : rejections) {
          TxnResult result = await(rejection);
          assertThat(result).isInstanceOf(TxnResult.Rejected.class);
          assertThat(((TxnResult.Rejected) result).failures()).hasSize(1);
        }
      }
      // Else nothing was shown.
      assertThat(store.counters().lastError()).contains("has been compacted");
    }
  }

  @Test
  void snapshotsToOnePlaceAtATime_areEachWhole(@TempDir Path folder) throws IOException {
    try (var etcd = EtcdProcess.start(FAST);
        EtcdStore store = open(etcd, Duration.ofSeconds(10), SHORT)) {
      for (int i = 0; i < 20; i++) {
        var _ = await(store.commit(Txn.put(bytes("big/" + i), Bytes.wrap(new byte[1_000_000]))));
      }
      Path file = folder.resolve("snapshot");
      var snapshots = List.of(store.snapshot(file), store.snapshot(file), store.snapshot(file));
      for (var snapshot : snapshots) {
        assertThat(await(snapshot).keys()).isEqualTo(20);
      }
      try (var files = Files.list(folder)) {
        assertThat(files).containsExactly(file);
      }
      try (var restored = EtcdProcess.startFromSnapshot(file, FAST);
          EtcdStore copy = open(restored, Duration.ofSeconds(10), SHORT)) {
        assertThat(await(copy.stats()).keys()).isEqualTo(20);
      }
    }
  }

  @Test
  void snapshotToAFolderThatIsNotThere_saysSo(@TempDir Path folder) {
    try (var etcd = EtcdProcess.start(FAST);
        EtcdStore store = open(etcd, Duration.ofSeconds(10), SHORT)) {
      var refused =
          failure(
              StoreException.Unavailable.class,
              store.snapshot(folder.resolve("missing").resolve("snapshot")));
      assertThat(refused).hasMessageContaining("choose a file in a folder that is there");
    }
  }

  @Test
  void etcdThatHangsWhenAskedForAToken_isGivenUpInTime() {
    try (var etcd = EtcdProcess.start(FAST)) {
      etcd.pause();
      var options =
          EtcdOptions.of(List.of(etcd.endpoint()))
              .withTimeouts(SHORT, SHORT)
              .withUser(new EtcdOptions.User("root", "right"));
      try {
        assertThatExceptionOfType(StoreException.Unavailable.class)
            .isThrownBy(() -> EtcdStore.open(new RealEnv(), options))
            .withMessageContaining("DEADLINE_EXCEEDED");
      } finally {
        etcd.resume();
      }
    }
  }

  @Test
  void limitsBelowOurs_areTooLargeAsWell() {
    try (var etcd =
            EtcdProcess.start(FAST.flag("--max-txn-ops=4").flag("--max-request-bytes=20000"));
        EtcdStore store = open(etcd, Duration.ofSeconds(5), SHORT)) {
      var wide = Txn.builder();
      for (int i = 0; i < 5; i++) {
        wide.put(bytes("k" + i), bytes("v"));
      }
      var tooMany = failure(StoreException.TooLarge.class, store.commit(wide.build()));
      assertThat(tooMany).hasMessageContaining("--max-txn-ops");
      assertThat(tooMany.actual()).isEqualTo(5);
      var tooLong = store.commit(Txn.put(bytes("k"), Bytes.wrap(new byte[30_000])));
      assertThat(failure(StoreException.TooLarge.class, tooLong))
          .hasMessageContaining("--max-request-bytes");
      var farTooLong = store.commit(Txn.put(bytes("k"), Bytes.wrap(new byte[1_500_000])));
      failure(StoreException.TooLarge.class, farTooLong);
      assertThat(await(store.get(bytes("k"), Store.NEWEST)).item()).isNull();
      assertThat(await(store.get(bytes("k0"), Store.NEWEST)).item()).isNull();
    }
  }

  @Test
  void compactionByOthers_hurtsOnlyTheWatchThatWasAwayTooLong() {
    try (var etcd = EtcdProcess.start(FAST);
        EtcdStore store = open(etcd, SHORT, SHORT);
        EtcdStore other = open(etcd, SHORT, SHORT)) {
      long first = put(store, "w/a", "1");
      try (Watch running = store.watch(WatchQuery.prefix(bytes("w/"), first + 1));
          Watch late = other.watch(WatchQuery.prefix(bytes("w/"), first + 1))) {
        CompletableFuture<WatchBatch> next = running.next();
        eventually("the watch is open", () -> store.counters().upstreamWatches() == 1);
        put(other, "w/b", "1");
        assertThat(await(next).commits()).hasSize(1);

        long bound = put(other, "w/c", "1");
        etcd.etcdctl("compact", Long.toString(bound));
        long last = put(other, "w/d", "1");
        assertThat(linesUntil(running, last)).containsExactly(bound + ": w/c", last + ": w/d");
        var refused = failure(StoreException.Compacted.class, late.next());
        assertThat(refused.compactedRevision()).isEqualTo(bound);
      }
    }
  }

  @Test
  void othersInTheSameEtcd_areNotSeenAndDoNotHoldUpProgress() {
    try (var etcd = EtcdProcess.start(FAST);
        EtcdStore ours =
            EtcdStore.open(
                new RealEnv(), EtcdOptions.of(List.of(etcd.endpoint())).withPrefix("/t/a"));
        EtcdStore theirs =
            EtcdStore.open(
                new RealEnv(), EtcdOptions.of(List.of(etcd.endpoint())).withPrefix("/t/ab"))) {
      long first = put(ours, "k", "1");
      long foreign = put(theirs, "k", "2");
      try (Watch watch = ours.watch(WatchQuery.prefix(Bytes.EMPTY, first))) {
        assertThat(linesUntil(watch, foreign)).containsExactly(first + ": k");
        long later = put(theirs, "k2", "2");
        assertThat(linesUntil(watch, later)).isEmpty();
      }
      var stats = await(ours.stats());
      assertThat(stats.keys()).isEqualTo(1);
      assertThat(ours.counters().marksWritten()).isPositive();
      var all = dev.evenkeel.store.RangeQuery.prefix(Bytes.EMPTY);
      assertThat(await(ours.range(all)).items())
          .extracting(item -> item.key().utf8())
          .containsExactly("k");
    }
  }

  @Test
  void catchUpLargerThanAMessage_comesInFragmentsAndWhole() {
    try (var etcd = EtcdProcess.start(FAST);
        EtcdStore store = open(etcd, Duration.ofSeconds(10), SHORT)) {
      var expected = new ArrayList<String>();
      // Events carry the state before them too: 90 MiB on the wire, in answers of 64 at the most.
      Bytes value = Bytes.wrap(new byte[1 << 20]);
      long first = 0;
      long last = 0;
      for (int i = 0; i < 45; i++) {
        last = await(store.commit(Txn.put(bytes("big"), value))).revision();
        first = first == 0 ? last : first;
        expected.add(last + ": big");
      }
      try (Watch watch = store.watch(WatchQuery.prefix(bytes("big"), first))) {
        assertThat(linesUntil(watch, last)).isEqualTo(expected);
      }
    }
  }

  @Test
  void rangeLargerThanAMessage_isReadInPages() {
    try (var etcd = EtcdProcess.start(FAST);
        EtcdStore store = open(etcd, Duration.ofSeconds(10), SHORT)) {
      Bytes value = Bytes.wrap(new byte[1 << 20]);
      for (int i = 0; i < 70; i++) {
        var _ = await(store.commit(Txn.put(bytes("big/" + i), value)));
      }
      var all = await(store.range(dev.evenkeel.store.RangeQuery.prefix(bytes("big/"))));
      assertThat(all.items()).hasSize(70);
      assertThat(all.more()).isFalse();
      assertThat(all.items()).allMatch(item -> item.value().length() == 1 << 20);
    }
  }

  @Test
  void userAndPassword_areNeededWhereAsked_andOutliveARestart() {
    try (var etcd = EtcdProcess.start(FAST)) {
      etcd.etcdctl("user", "add", "root:right");
      etcd.etcdctl("user", "grant-role", "root", "root");
      etcd.etcdctl("auth", "enable");
      // etcd hashes passwords slowly on purpose: a short wait would end before the refusal comes.
      var options = EtcdOptions.of(List.of(etcd.endpoint())).withTimeouts(LONG, LONG);
      for (EtcdOptions refused :
          List.of(options, options.withUser(new EtcdOptions.User("root", "wrong")))) {
        assertThatExceptionOfType(StoreException.Unavailable.class)
            .isThrownBy(() -> EtcdStore.open(new RealEnv(), refused))
            .withMessageContaining("user");
      }
      try (var store =
          EtcdStore.open(new RealEnv(), options.withUser(new EtcdOptions.User("root", "right")))) {
        long first = put(store, "w/a", "1");
        Watch watch = store.watch(WatchQuery.prefix(bytes("w/"), first + 1));
        CompletableFuture<WatchBatch> next = watch.next();
        // A restart forgets all tokens.
        etcd.restart();
        eventually("it answers again", () -> answers(store));
        put(store, "w/b", "1");
        assertThat(await(next).commits()).hasSize(1);
      }
    }
  }

  private static EtcdStore open(EtcdProcess etcd, Duration request, Duration settle) {
    return EtcdStore.open(
        new RealEnv(), EtcdOptions.of(List.of(etcd.endpoint())).withTimeouts(request, settle));
  }

  private static boolean answers(Store store) {
    try {
      return await(store.currentRevision()) > 0;
    } catch (StoreException.Unavailable _) {
      return false;
    }
  }
}
