package dev.evenkeel.prove.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What fabric8's client leans on over time: watches, informers, leader election. */
class FabricWatchIT {

  private RunningServer server;
  private KubernetesClient client;

  @BeforeEach
  void start(@TempDir Path folder) throws IOException {
    server = RunningServer.start(folder, RunningServer.Setup.DURABLE);
    client = FabricClients.of(server);
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private static ConfigMap configMap(String name, int value) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace("default")
        .addToLabels("watched", "yes")
        .endMetadata()
        .addToData("value", Integer.toString(value))
        .build();
  }

  private void write(String name, int value) {
    client.resource(configMap(name, value)).createOr(resource -> resource.update());
  }

  private static String told(String what, ConfigMap object) {
    return what + " " + object.getMetadata().getName() + "=" + object.getData().get("value");
  }

  /** Keeps what it is told. */
  private static final class Recorder
      implements Watcher<ConfigMap>, ResourceEventHandler<ConfigMap> {
    final Queue<String> told = new ConcurrentLinkedQueue<>();
    final Queue<String> ends = new ConcurrentLinkedQueue<>();

    @Override
    public void eventReceived(Action action, ConfigMap object) {
      told.add(told(action.name(), object));
    }

    @Override
    public void onClose(WatcherException cause) {
      ends.add(String.valueOf(cause));
    }

    @Override
    public void onAdd(ConfigMap object) {
      told.add(told("ADDED", object));
    }

    @Override
    public void onUpdate(ConfigMap before, ConfigMap object) {
      // A resync tells of what has not changed.
      if (!before
          .getMetadata()
          .getResourceVersion()
          .equals(object.getMetadata().getResourceVersion())) {
        told.add(told("MODIFIED", object));
      } else {
        ends.add("resync");
      }
    }

    @Override
    public void onDelete(ConfigMap object, boolean unknownFinalState) {
      told.add(told("DELETED", object));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void watch_tellsOfEveryChangeInOrder_alsoAcrossARestart(boolean plain) {
    var recorder = new Recorder();
    List<String> expected = new ArrayList<>();
    try (KubernetesClient watching =
            plain ? FabricClients.withPlainWatches(server) : FabricClients.of(server);
        Watch _ =
            watching
                .configMaps()
                .inNamespace("default")
                .withLabel("watched", "yes")
                .watch(recorder)) {
      for (int round = 0; round < 2; round++) {
        String name = "watched-" + round;
        write(name, 1);
        write(name, 2);
        client.resource(configMap(name, 2)).delete();
        expected.addAll(
            List.of("ADDED " + name + "=1", "MODIFIED " + name + "=2", "DELETED " + name + "=2"));
        Await.until("all is told", () -> recorder.told.size() >= expected.size());
        if (round == 0) {
          server.restart();
        }
      }
    }
    assertThat(recorder.told).containsExactlyElementsOf(expected);
    assertThat(recorder.ends).noneMatch(end -> end.contains("Exception"));
  }

  @Test
  void informer_holdsTheState_andGoesOnAfterARestart() {
    write("before", 1);
    var recorder = new Recorder();
    try (SharedIndexInformer<ConfigMap> informer =
        client.configMaps().inNamespace("default").withLabel("watched").inform(recorder, 1_000)) {
      assertThat(informer.hasSynced()).isTrue();
      write("live", 1);
      write("live", 2);
      Await.until("changes come", () -> recorder.told.size() >= 3);
      Await.until("it resyncs", () -> recorder.ends.contains("resync"));

      server.restart();
      // At once: whether the informer is back yet or not, it must learn of these.
      for (int i = 0; i < 20; i++) {
        write("after-" + i, i);
      }
      client.resource(configMap("before", 1)).delete();
      Await.until("changes come again", () -> recorder.told.size() >= 24);
      assertThat(informer.getStore().list()).hasSize(21);
      assertThat(informer.isWatching()).isTrue();
    }
    List<String> expected =
        new ArrayList<>(List.of("ADDED before=1", "ADDED live=1", "MODIFIED live=2"));
    for (int i = 0; i < 20; i++) {
      expected.add("ADDED after-" + i + "=" + i);
    }
    expected.add("DELETED before=1");
    // Had it listed anew, what changed meanwhile could come in another order: it need not.
    assertThat(recorder.told).containsExactlyInAnyOrderElementsOf(expected);
  }

  /** One who would lead. */
  private static final class Candidate {
    final String name;
    final CompletableFuture<@Nullable Void> leads = new CompletableFuture<>();
    final CompletableFuture<@Nullable Void> stopped = new CompletableFuture<>();
    final CompletableFuture<?> election;

    Candidate(String name, KubernetesClient client) {
      this.name = name;
      this.election =
          client
              .leaderElector()
              .withConfig(
                  new LeaderElectionConfigBuilder()
                      .withName("election")
                      .withReleaseOnCancel(true)
                      .withLeaseDuration(Duration.ofSeconds(20))
                      .withRenewDeadline(Duration.ofSeconds(15))
                      .withRetryPeriod(Duration.ofMillis(300))
                      .withLock(
                          new LeaseLock(
                              new ObjectMetaBuilder()
                                  .withName("leader")
                                  .withNamespace("default")
                                  .build(),
                              name))
                      .withLeaderCallbacks(
                          new LeaderCallbacks(
                              () -> leads.complete(null), () -> stopped.complete(null), _ -> {}))
                      .build())
              .build()
              .start();
    }
  }

  @Test
  void leaderElection_hasOneLeader_andHandsOver() throws Exception {
    try (KubernetesClient other = FabricClients.of(server)) {
      var first = new Candidate("first", client);
      first.leads.get(60, TimeUnit.SECONDS);
      var second = new Candidate("second", other);
      Await.pause(1_000);
      assertThat(second.leads).isNotDone();
      assertThat(holder()).isEqualTo(first.name);

      var _ = first.election.cancel(true);
      first.stopped.get(60, TimeUnit.SECONDS);
      second.leads.get(60, TimeUnit.SECONDS);
      assertThat(holder()).isEqualTo(second.name);
      assertThat(
              client
                  .leases()
                  .inNamespace("default")
                  .withName("leader")
                  .get()
                  .getSpec()
                  .getLeaseTransitions())
          .isPositive();
      var _ = second.election.cancel(true);
      second.stopped.get(60, TimeUnit.SECONDS);
    }
  }

  private String holder() {
    return client
        .leases()
        .inNamespace("default")
        .withName("leader")
        .get()
        .getSpec()
        .getHolderIdentity();
  }
}
