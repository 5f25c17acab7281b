package dev.evenkeel.decide.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.controllers.workload.ReplicaSetReconciler;
import dev.evenkeel.decide.lead.LeaseElection;
import dev.evenkeel.decide.lead.LeaseSettings;
import dev.evenkeel.decide.lead.Term;
import dev.evenkeel.decide.metric.ControllerMetrics;
import dev.evenkeel.decide.run.ControllerRunner;
import dev.evenkeel.decide.run.EventRecorder;
import dev.evenkeel.explain.log.DecisionLog;
import dev.evenkeel.explain.record.Decision;
import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.env.SimulatedEnv;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.observe.cache.Informers;
import dev.evenkeel.observe.feed.FeedLimits;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.object.Kinds;
import dev.evenkeel.observe.transport.Client;
import dev.evenkeel.observe.transport.Query;
import dev.evenkeel.operate.inprocess.InProcessTransport;
import dev.evenkeel.serve.ApiServer;
import dev.evenkeel.serve.ServerSettings;
import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Candidates for a lease on the real server, over networks that are cut, in virtual time. */
class LeaseSimulation {

  private static final Kind<ObjectNode> CONFIG_MAPS =
      Kind.untyped("v1", "ConfigMap", "configmaps", true);
  private static final ApiRequest.Peer ADMIN =
      new ApiRequest.Peer("kubernetes-admin", List.of("system:masters"));

  private SimulatedEnv env;
  private Store store;
  private ApiServer server;
  private Client user;
  private final List<Candidate> candidates = new ArrayList<>();

  @BeforeEach
  void start() {
    start(1);
  }

  private void start(long seed) {
    env = new SimulatedEnv(seed);
    store = MemoryStore.open(env);
    server = ApiServer.open(env, store, ServerSettings.DEFAULTS);
    env.runFor(Duration.ofMillis(10));
    user = new Client(new InProcessTransport(env, server, ADMIN));
  }

  @AfterEach
  void stop() {
    candidates.forEach(Candidate::close);
    candidates.clear();
    server.close();
    store.close();
  }

  /** A process that runs the controller of replica sets, if it leads. */
  private final class Candidate implements AutoCloseable {
    final UnreliableTransport leaseNetwork =
        new UnreliableTransport(new InProcessTransport(env, server, ADMIN));
    final UnreliableTransport workNetwork =
        new UnreliableTransport(new InProcessTransport(env, server, ADMIN));
    final Client client = new Client(workNetwork);
    final DecisionLog log = new DecisionLog(1_000, 1_000);
    final LeaseElection election;
    private final Informers informers = new Informers(env, workNetwork, FeedLimits.DEFAULTS);
    private final EventRecorder events = new EventRecorder(env, client);
    private final ControllerRunner<?> runner;

    Candidate(String name) {
      election =
          LeaseElection.stand(
              env, new Client(leaseNetwork), LeaseSettings.of("default", "sets", name));
      runner =
          ControllerRunner.start(
              ReplicaSetReconciler.controller(),
              env,
              informers,
              client,
              log,
              events,
              election,
              ControllerMetrics.unseen());
      candidates.add(this);
    }

    boolean leads() {
      return election.term() != null;
    }

    Term term() {
      return Objects.requireNonNull(election.term());
    }

    void cut() {
      leaseNetwork.cut();
      workNetwork.cut();
    }

    void mend() {
      leaseNetwork.mend();
      workNetwork.mend();
    }

    long acted() {
      return log.newest(it -> it.outcome().kind() == Decision.Outcome.Kind.ACTED, 1_000).size();
    }

    @Override
    public void close() {
      runner.close();
      informers.close();
      events.close();
    }
  }

  private <R extends @Nullable Object> R now(CompletableFuture<R> future) {
    for (int i = 0; !future.isDone() && i < 1_000; i++) {
      env.runFor(Duration.ofMillis(1));
    }
    return future.join();
  }

  private void set(String name, int replicas) {
    String text =
        """
        {"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"%s"},
         "spec":{"replicas":%d,"selector":{"matchLabels":{"app":"%s"}},"template":{
           "metadata":{"labels":{"app":"%s"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}
        """
            .formatted(name, replicas, name, name);
    var _ =
        now(
            user.create(
                Kinds.REPLICA_SETS,
                "default",
                Json.parseObject(text.getBytes(StandardCharsets.UTF_8))));
  }

  private int pods() {
    return now(user.list(Kinds.PODS, "default", new Query())).path("items").size();
  }

  private ObjectNode lease() {
    return now(user.get(Kinds.LEASES, "default", "sets"));
  }

  private static ObjectNode configMap(String name) {
    return Json.parseObject(
        ("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + name + "\"}}")
            .getBytes(StandardCharsets.UTF_8));
  }

  /** Empty if it was carried out, or else what the server says. */
  private String write(Client as, String name) {
    return now(
        as.create(CONFIG_MAPS, "default", configMap(name))
            .handle((_, failure) -> failure == null ? "" : text(failure)));
  }

  private static String text(Throwable failure) {
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    return cause instanceof ApiException refused
        ? refused.status().code()
            + " "
            + refused.status().reason()
            + " "
            + refused.status().message()
        : cause.toString();
  }

  @Test
  void twoCandidates_oneLeadsAndTheOtherIsWarm() {
    var first = new Candidate("first");
    env.runFor(Duration.ofSeconds(1));
    var second = new Candidate("second");
    env.runFor(Duration.ofMinutes(10));

    assertThat(first.leads()).isTrue();
    assertThat(second.leads()).isFalse();
    assertThat(second.election.leader()).isEqualTo("first");
    set("web", 3);
    env.runFor(Duration.ofSeconds(5));
    assertThat(pods()).isEqualTo(3);
    assertThat(first.acted()).isPositive();
    assertThat(second.acted()).isZero();
    // The standby has the key in its queue: it need not read anything to begin.
    assertThat(second.runner.queue().figures().adds()).isPositive();
    assertThat(lease().path("spec").path("leaseTransitions").asLong(-1)).isZero();
  }

  @Test
  void leaderThatIsCutOff_stopsBeforeTheNextBegins() {
    var first = new Candidate("first");
    env.runFor(Duration.ofSeconds(1));
    var second = new Candidate("second");
    env.runFor(Duration.ofSeconds(20));
    first.cut();

    Duration step = Duration.ofMillis(50);
    Duration stopped = Duration.ZERO;
    Duration begun = Duration.ZERO;
    for (Duration at = step; at.toSeconds() < 60; at = at.plus(step)) {
      env.runFor(step);
      assertThat(first.leads() && second.leads()).as("two leaders").isFalse();
      if (!first.leads() && stopped.isZero()) {
        stopped = at;
      }
      if (second.leads() && begun.isZero()) {
        begun = at;
      }
    }
    assertThat(stopped.toMillis()).isBetween(6_000L, 12_100L);
    assertThat(begun.toMillis()).isBetween(12_000L, 20_000L);
    assertThat(begun).isGreaterThan(stopped);
    assertThat(second.term().number()).isEqualTo(1);
  }

  @Test
  void formerLeader_writesAreRefusedByTheServer_andItFollows() {
    var first = new Candidate("first");
    env.runFor(Duration.ofSeconds(1));
    Term old = first.term();
    assertThat(write(old.fence(user), "while-it-leads")).isEmpty();
    var second = new Candidate("second");
    env.runFor(Duration.ofSeconds(5));

    // Its work is under way, and held up in the network, as is everything else of it.
    first.workNetwork.cut();
    set("web", 2);
    env.runFor(Duration.ofMillis(100));
    first.leaseNetwork.cut();
    env.runFor(Duration.ofSeconds(60));
    assertThat(second.leads()).isTrue();
    assertThat(pods()).isEqualTo(2);

    String before = lease().path("metadata").path("resourceVersion").asString("");
    first.mend();
    env.runFor(Duration.ofSeconds(1));
    assertThat(pods()).as("no pod of the former leader").isEqualTo(2);
    assertThat(first.leads()).isFalse();
    assertThat(write(old.fence(user), "too-late"))
        .isEqualTo(
            "412 LeaseLost the write was made under the lease 'default/sets' by 'first' in term 0,"
                + " which is over: 'second' holds it, in term 1");
    assertThat(write(second.term().fence(user), "in-time")).isEmpty();
    assertThat(before).isNotEmpty();
    set("more", 1);
    env.runFor(Duration.ofSeconds(5));
    assertThat(pods()).isEqualTo(3);
  }

  /** A pause of the process: its clock goes on, and it believes that it leads when it wakes. */
  @Test
  void leaderWhoseWritesAreHeldUp_isRefusedHoweverLateTheyArrive() {
    var first = new Candidate("first");
    env.runFor(Duration.ofSeconds(1));
    var second = new Candidate("second");
    env.runFor(Duration.ofSeconds(3));
    Client late = first.term().fence(first.client);
    first.workNetwork.cut();
    CompletableFuture<String> answer =
        late.create(CONFIG_MAPS, "default", configMap("late"))
            .handle((_, failure) -> failure == null ? "" : text(failure));
    first.leaseNetwork.cut();
    env.runFor(Duration.ofSeconds(60));
    assertThat(second.leads()).isTrue();

    first.mend();
    assertThat(now(answer)).startsWith("412 LeaseLost");
  }

  @Test
  void leaderThatEndsWell_handsOverAtOnce() {
    var first = new Candidate("first");
    env.runFor(Duration.ofSeconds(1));
    var second = new Candidate("second");
    env.runFor(Duration.ofSeconds(5));
    Term old = first.term();

    var _ = now(first.election.release());
    assertThat(first.leads()).isFalse();
    assertThat(write(old.fence(user), "after")).contains("412 LeaseLost", "nobody holds it");
    env.runFor(Duration.ofSeconds(3));
    assertThat(second.leads()).isTrue();
    assertThat(second.term().number()).isEqualTo(1);
  }

  @Test
  void leaseThatIsDeleted_isMadeAnewAndItsOldTermIsOver() {
    var first = new Candidate("first");
    env.runFor(Duration.ofSeconds(1));
    var _ = now(user.delete(Kinds.LEASES, "default", "sets", null));
    assertThat(write(first.term().fence(user), "gone")).contains("412 LeaseLost", "not exist");
    env.runFor(Duration.ofSeconds(5));
    assertThat(first.leads()).isTrue();
    assertThat(write(first.term().fence(user), "again")).isEmpty();
  }

  @Test
  void malformedFence_isSaidSo() {
    Client odd = new Term("default", 1, "me", 1).fence(user);
    assertThat(write(odd, "odd"))
        .contains("400", "the header Evenkeel-Lease must be 'NAMESPACE/NAME TRANSITIONS HOLDER'");
  }

  @Test
  void manyCuts_neverTwoLeadersAndNeverAPodTooMany() {
    World.seeds(
        "lease",
        150,
        seed -> {
          stop();
          start(seed);
          var random = new Random(seed * 0x9E3779B97F4A7C15L);
          for (int i = 0; i < 3; i++) {
            var _ = new Candidate("candidate-" + i);
          }
          env.runFor(Duration.ofSeconds(5));
          int wanted = 0;
          for (int round = 0; round < 12; round++) {
            Candidate one = candidates.get(random.nextInt(candidates.size()));
            switch (random.nextInt(4)) {
              case 0 -> one.cut();
              case 1 -> one.leaseNetwork.cut();
              case 2 -> one.workNetwork.cut();
              default -> one.mend();
            }
            if (random.nextBoolean()) {
              int replicas = 1 + random.nextInt(3);
              set("set-" + round, replicas);
              wanted += replicas;
            }
            for (int i = 0, steps = random.nextInt(60); i < steps; i++) {
              env.runFor(Duration.ofMillis(500));
              assertThat(candidates.stream().filter(Candidate::leads).count())
                  .as("leaders")
                  .isLessThanOrEqualTo(1);
              assertThat(pods()).as("pods").isLessThanOrEqualTo(wanted);
            }
          }
          candidates.forEach(Candidate::mend);
          env.runFor(Duration.ofMinutes(3));
          assertThat(candidates.stream().filter(Candidate::leads).count()).isEqualTo(1);
          assertThat(pods()).isEqualTo(wanted);
        });
  }
}
