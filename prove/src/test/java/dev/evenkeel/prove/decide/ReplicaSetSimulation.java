package dev.evenkeel.prove.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.controllers.object.Kinds;
import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.controllers.workload.ReplicaSetReconciler;
import dev.evenkeel.decide.run.ControllerRunner;
import dev.evenkeel.explain.log.DecisionLog;
import dev.evenkeel.explain.record.Decision;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.SimulatedEnv;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.observe.cache.Informers;
import dev.evenkeel.observe.feed.FeedLimits;
import dev.evenkeel.observe.transport.Answer;
import dev.evenkeel.observe.transport.Client;
import dev.evenkeel.observe.transport.OutcomeUnknownException;
import dev.evenkeel.observe.transport.PatchType;
import dev.evenkeel.observe.transport.Query;
import dev.evenkeel.observe.transport.Request;
import dev.evenkeel.observe.transport.Transport;
import dev.evenkeel.operate.inprocess.InProcessTransport;
import dev.evenkeel.serve.ApiServer;
import dev.evenkeel.serve.ServerSettings;
import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.memory.MemoryStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The ReplicaSet controller on the real server, while it is stopped and started anew, answers get
 * lost, pods fail and vanish, and the set is scaled: there are never more pods than were ever
 * wanted, and in the end just as many as are. A failing run is a seed.
 */
final class ReplicaSetSimulation {

  private static final int SEEDS = Integer.getInteger("evenkeel.replicaset.seeds", 150);

  @Test
  void pods_areNeverTooMany_andInTheEndJustEnough() {
    long only = Long.getLong("evenkeel.replicaset.seed", -1);
    for (long seed = only < 0 ? 0 : only; seed < (only < 0 ? SEEDS : only + 1); seed++) {
      try {
        new Run(seed).run();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed + " (-Devenkeel.replicaset.seed=" + seed + ")", e);
      }
    }
  }

  @Test
  void decisions_sayWhyEachPodWasMade() {
    var run = new Run(1, 0);
    run.create(2);
    run.env.runFor(Duration.ofSeconds(2));
    List<Decision> acted =
        run.log.newest(it -> it.outcome().kind() == Decision.Outcome.Kind.ACTED, 100);
    assertThat(acted.getLast().waking().reasons().getFirst().text())
        .isEqualTo("ReplicaSet/web added");
    assertThat(acted.getLast().actions())
        .extracting(Decision.ActionRecord::because)
        .startsWith("replica 1 of 2 is missing", "replica 2 of 2 is missing");
    assertThat(acted.getLast().reads()).extracting(Decision.Read::kind).containsOnly("pods");
    assertThat(run.log.newest(_ -> true, 1).getFirst().outcome().kind())
        .isEqualTo(Decision.Outcome.Kind.SETTLED);
    run.close();
  }

  /** Loses some of the answers to writes, after they were done or before they are sent. */
  private static final class Lossy implements Transport {
    private final Transport to;
    private final Random random;
    private int percent;

    Lossy(Transport to, Random random, int percent) {
      this.to = to;
      this.random = random;
      this.percent = percent;
    }

    @Override
    public CompletableFuture<Answer> send(Request request) {
      boolean write = !request.method().equals("GET");
      if (write && random.nextInt(100) < percent) {
        boolean done = random.nextBoolean();
        CompletableFuture<?> first =
            done ? to.send(request) : CompletableFuture.completedFuture(null);
        return first
            .handle((_, _) -> null)
            .thenCompose(
                _ ->
                    CompletableFuture.<Answer>failedFuture(
                        new OutcomeUnknownException(
                            "the connection was lost", new IOException("cut"))));
      }
      return to.send(request);
    }

    @Override
    public void close() {
      to.close();
    }
  }

  private static final class Run {
    private final SimulatedEnv env;
    private final Random random;
    private final Store store;
    private final ApiServer server;
    private final Client user;
    private final Lossy lossy;
    private final DecisionLog log = new DecisionLog(10_000, 10_000);
    private Informers informers;
    private ControllerRunner<ObjectNode> runner;
    private int wanted;
    private int wantedMost;

    Run(long seed) {
      this(seed, 10);
    }

    Run(long seed, int lossPercent) {
      env = new SimulatedEnv(seed);
      random = new Random(seed);
      store = MemoryStore.open(env);
      server = ApiServer.open(env, store, ServerSettings.DEFAULTS);
      env.runFor(Duration.ofMillis(10));
      var admin = new ApiRequest.Peer("kubernetes-admin", List.of("system:masters"));
      user = new Client(new InProcessTransport(env, server, admin));
      lossy = new Lossy(new InProcessTransport(env, server, admin), random, lossPercent);
      start();
    }

    private void start() {
      informers = new Informers(env, lossy, FeedLimits.DEFAULTS);
      runner =
          ControllerRunner.start(
              ReplicaSetReconciler.controller(), env, informers, new Client(lossy), log);
    }

    private void stop() {
      runner.close();
      informers.close();
    }

    private <R extends @Nullable Object> R now(CompletableFuture<R> future) {
      for (int i = 0; !future.isDone() && i < 1_000; i++) {
        env.runFor(Duration.ofMillis(1));
      }
      return future.join();
    }

    /** The controller may have been faster. */
    private void nowOrGone(CompletableFuture<ObjectNode> future) {
      var _ =
          now(
              future
                  .<@Nullable ObjectNode>thenApply(it -> it)
                  .exceptionally(
                      failure -> {
                        assertThat(failure).hasMessageContaining("not found");
                        return null;
                      }));
    }

    void create(int replicas) {
      wanted = replicas;
      wantedMost = Math.max(wantedMost, replicas);
      now(
          user.create(
              Kinds.REPLICA_SETS,
              "default",
              Json.parseObject(
                  """
                  {"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"web"},
                   "spec":{"replicas":%d,"selector":{"matchLabels":{"app":"web"}},
                   "template":{"metadata":{"labels":{"app":"web"}},
                   "spec":{"containers":[{"name":"c","image":"i"}]}}}}
                  """
                      .formatted(replicas)
                      .getBytes(StandardCharsets.UTF_8))));
    }

    void run() {
      create(random.nextInt(6));
      for (int step = 0; step < 40; step++) {
        env.runFor(Duration.ofMillis(random.nextInt(40)));
        check();
        switch (random.nextInt(5)) {
          case 0 -> scale(random.nextInt(8));
          case 1 -> {
            stop();
            env.runFor(Duration.ofMillis(random.nextInt(20)));
            start();
          }
          case 2 -> finishOne();
          case 3 -> deleteOne();
          default -> {}
        }
      }
      lossy.percent = 0;
      env.runFor(Duration.ofMinutes(5));
      check();
      List<ObjectNode> active = active();
      assertThat(active).hasSize(wanted);
      JsonNode status = now(user.get(Kinds.REPLICA_SETS, "default", "web")).path("status");
      assertThat(status.path("replicas").asInt(-1)).isEqualTo(wanted);
      assertThat(log.newest(_ -> true, 1).getFirst().outcome().kind())
          .isEqualTo(Decision.Outcome.Kind.SETTLED);
      close();
    }

    void close() {
      stop();
      server.close();
      store.close();
    }

    private void scale(int replicas) {
      wanted = replicas;
      wantedMost = Math.max(wantedMost, replicas);
      now(patch("{\"spec\":{\"replicas\":" + replicas + "}}"));
    }

    private CompletableFuture<ObjectNode> patch(String change) {
      return user.patch(
          Kinds.REPLICA_SETS, "default", "web", PatchType.MERGE, Bytes.utf8(change), new Query());
    }

    private List<ObjectNode> active() {
      List<ObjectNode> active = new ArrayList<>();
      for (JsonNode pod : now(user.list(Kinds.PODS, "default", new Query())).path("items")) {
        if (Pods.isActive((ObjectNode) pod)) {
          active.add((ObjectNode) pod);
        }
      }
      return active;
    }

    private void check() {
      assertThat(active().size()).isLessThanOrEqualTo(wantedMost);
    }

    private void finishOne() {
      List<ObjectNode> active = active();
      if (!active.isEmpty()) {
        String name = Meta.name(active.get(random.nextInt(active.size())));
        nowOrGone(
            user.patch(
                Kinds.PODS,
                "default",
                name,
                "status",
                PatchType.MERGE,
                Bytes.utf8("{\"status\":{\"phase\":\"Failed\"}}"),
                new Query()));
      }
    }

    private void deleteOne() {
      List<ObjectNode> active = active();
      if (!active.isEmpty()) {
        String name = Meta.name(active.get(random.nextInt(active.size())));
        ObjectNode options =
            Json.parseObject("{\"gracePeriodSeconds\":0}".getBytes(StandardCharsets.UTF_8));
        nowOrGone(user.delete(Kinds.PODS, "default", name, options));
      }
    }
  }
}
