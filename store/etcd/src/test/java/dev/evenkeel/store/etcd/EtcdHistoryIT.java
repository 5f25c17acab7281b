package dev.evenkeel.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.store.etcd.client.EtcdOptions;
import dev.evenkeel.store.testkit.history.HistoryChecker;
import dev.evenkeel.store.testkit.history.HistoryWorkload;
import dev.evenkeel.store.testkit.history.WorkloadOptions;
import dev.evenkeel.store.testkit.outside.EtcdCluster;
import dev.evenkeel.store.testkit.outside.EtcdProcess;
import dev.evenkeel.store.testkit.outside.NeedsProgram;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What concurrent clients are told while etcd is stopped, killed, paused or loses its leader. */
@NeedsProgram("etcd")
@NeedsProgram("etcdctl")
class EtcdHistoryIT {

  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);
  private static final int OPERATIONS = 1_000_000; // stopped when the faults are through
  private static final int CALLS_BETWEEN_FAULTS = 400;

  @Test
  void calmEtcd_keepsItsPromises() {
    try (var etcd = EtcdProcess.start();
        EtcdStore store = open(List.of(etcd.endpoint()))) {
      var workload = HistoryWorkload.start(() -> store, WorkloadOptions.seed(1));
      assertThat(HistoryChecker.check(workload.finish())).isEmpty();
      assertThat(store.counters().unansweredWrites()).isZero();
    }
  }

  @Test
  void etcdThatIsKilledAndStoppedAndRestarted_keepsItsPromises() {
    try (var etcd = EtcdProcess.start();
        EtcdStore store = open(List.of(etcd.endpoint()))) {
      var workload = start(store, 2);
      for (int round = 0; round < 4; round++) {
        awaitCalls(workload, CALLS_BETWEEN_FAULTS);
        if (round % 2 == 0) {
          etcd.kill();
        } else {
          etcd.stop();
        }
        etcd.restart();
      }
      awaitCalls(workload, CALLS_BETWEEN_FAULTS);
      finish(workload, store);
      assertThat(store.counters().upstreamResumes()).isPositive();
    }
  }

  @Test
  void etcdThatHangs_keepsItsPromises() throws InterruptedException {
    try (var etcd = EtcdProcess.start();
        EtcdStore store = open(List.of(etcd.endpoint()))) {
      var workload = start(store, 3);
      for (int round = 0; round < 3; round++) {
        awaitCalls(workload, CALLS_BETWEEN_FAULTS);
        etcd.pause();
        // Longer than a request waits, at times shorter than the settling.
        Thread.sleep(REQUEST_TIMEOUT.toMillis() + 500 + 1000L * round);
        etcd.resume();
      }
      awaitCalls(workload, CALLS_BETWEEN_FAULTS);
      finish(workload, store);
      assertThat(store.counters().unansweredWrites()).isPositive();
    }
  }

  @Test
  void clusterThatLosesItsLeader_keepsItsPromises() {
    try (var cluster = EtcdCluster.start();
        EtcdStore store = open(cluster.endpoints())) {
      var workload = start(store, 4);
      for (int round = 0; round < 4; round++) {
        awaitCalls(workload, CALLS_BETWEEN_FAULTS);
        EtcdProcess leader = cluster.leader();
        leader.kill();
        awaitCalls(workload, CALLS_BETWEEN_FAULTS / 4);
        leader.restart();
      }
      finish(workload, store);
    }
  }

  @Test
  void clusterWhoseLeaderHangs_keepsItsPromises() {
    try (var cluster = EtcdCluster.start();
        EtcdStore store = open(cluster.endpoints())) {
      var workload = start(store, 5);
      for (int round = 0; round < 2; round++) {
        awaitCalls(workload, CALLS_BETWEEN_FAULTS);
        EtcdProcess leader = cluster.leader();
        leader.pause();
        awaitCalls(workload, CALLS_BETWEEN_FAULTS / 4);
        leader.resume();
      }
      awaitCalls(workload, CALLS_BETWEEN_FAULTS);
      finish(workload, store);
    }
  }

  private static EtcdStore open(List<String> endpoints) {
    return EtcdStore.open(
        new RealEnv(),
        EtcdOptions.of(endpoints).withTimeouts(REQUEST_TIMEOUT, Duration.ofSeconds(2)));
  }

  private static HistoryWorkload start(EtcdStore store, long seed) {
    return HistoryWorkload.start(
        () -> store, WorkloadOptions.seed(seed).operationsPerClient(OPERATIONS));
  }

  private static void finish(HistoryWorkload workload, EtcdStore store) {
    workload.stop();
    assertThat(HistoryChecker.check(workload.finish())).as("%s", store.counters()).isEmpty();
  }

  /** Waits until the clients have got on: nothing is said about how long that takes. */
  private static void awaitCalls(HistoryWorkload workload, int more) {
    int target = workload.callsSoFar() + more;
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (workload.callsSoFar() < target) {
      assertThat(System.nanoTime()).as("the clients get on").isLessThan(deadline);
      try {
        Thread.sleep(5);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError(e);
      }
    }
  }
}
