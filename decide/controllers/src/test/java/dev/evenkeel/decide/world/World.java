package dev.evenkeel.decide.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.controllers.collect.GarbageCollector;
import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.guard.Mishaps;
import dev.evenkeel.decide.lead.LateView;
import dev.evenkeel.decide.lead.Leadership;
import dev.evenkeel.decide.lead.LeaseElection;
import dev.evenkeel.decide.lead.LeaseSettings;
import dev.evenkeel.decide.lead.Term;
import dev.evenkeel.decide.metric.ControllerMetrics;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.Reconciler;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.decide.run.ControllerRunner;
import dev.evenkeel.decide.run.EventRecorder;
import dev.evenkeel.explain.log.DecisionLog;
import dev.evenkeel.explain.record.Decision;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.define.CustomDefinition;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.env.SimulatedEnv;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.observe.cache.Informers;
import dev.evenkeel.observe.feed.FeedLimits;
import dev.evenkeel.observe.feed.Scope;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.object.Kinds;
import dev.evenkeel.observe.transport.Client;
import dev.evenkeel.observe.transport.PatchType;
import dev.evenkeel.observe.transport.Query;
import dev.evenkeel.observe.transport.Transport;
import dev.evenkeel.operate.inprocess.InProcessTransport;
import dev.evenkeel.serve.ApiServer;
import dev.evenkeel.serve.ServerSettings;
import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The real server with controllers, in virtual time: controllers are stopped and started anew, or
 * hand over to others; answers to their writes get lost, reads fail, watches are late or silent;
 * and pods do what pods do. Every reconcile is asked twice and must answer the same, must leave
 * what it was given as it was, and must see all that was written for its object, and in terms
 * before.
 */
public final class World implements AutoCloseable {

  public static final String NAMESPACE = "default";

  private static final Kind<ObjectNode> DEFINITIONS =
      Kind.untyped(
          "apiextensions.k8s.io/v1",
          "CustomResourceDefinition",
          "customresourcedefinitions",
          false);

  public final SimulatedEnv env;
  public final Random random;
  public final Client user;
  public final DecisionLog log = new DecisionLog(10_000, 10_000);

  private final Store store;
  private final ApiServer server;
  private final LossyTransport tellers;
  private final EventRecorder events;
  private final Loop wires;
  private final List<Controller<?>> controllers;
  private final List<ControllerProcess> processes = new ArrayList<>();
  private final Setting setting;
  private int begun;
  private int lossPercent;

  /**
   * What there is besides controllers.
   *
   * @param collects whether what belongs to what is gone is collected
   * @param led whether two processes have the same controllers, and one of them leads
   * @param troubled whether {@link #trouble} has an effect
   */
  public record Setting(boolean collects, boolean led, boolean troubled) {
    public static final Setting PLAIN = new Setting(false, false, false);

    /** By seed: half of them without trouble, a quarter with it, a quarter with leaders too. */
    public static Setting of(long seed) {
      int drawn = random(seed).nextInt(4);
      return new Setting(false, drawn == 3, drawn >= 2);
    }

    public Setting collecting() {
      return new Setting(true, led, troubled);
    }
  }

  public World(long seed, int lossPercent, List<Controller<?>> controllers) {
    this(seed, lossPercent, controllers, lossPercent == 0 ? Setting.PLAIN : Setting.of(seed));
  }

  public World(long seed, int lossPercent, List<Controller<?>> controllers, Setting setting) {
    this.setting = setting;
    this.lossPercent = lossPercent;
    this.env = new SimulatedEnv(seed);
    this.random = random(seed);
    this.controllers = new ArrayList<>(controllers);
    store = MemoryStore.open(env);
    server = ApiServer.open(env, store, ServerSettings.DEFAULTS);
    env.runFor(Duration.ofMillis(10));
    wires = env.loop("wires");
    user = new Client(wire());
    tellers = new LossyTransport(wire(), wires, random, lossPercent);
    events = new EventRecorder(env, new Client(tellers));
    start();
  }

  private Transport wire() {
    return new InProcessTransport(
        env, server, new ApiRequest.Peer("kubernetes-admin", List.of("system:masters")));
  }

  /** The first draws of small seeds are alike: they are spread out before. */
  public static Random random(long seed) {
    long mixed = (seed + 1) * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    return new Random(mixed ^ (mixed >>> 27));
  }

  /** Runs a scenario with many seeds; a failing one is named. */
  public static void seeds(String name, int count, Consumer<Long> scenario) {
    long only = Long.getLong("evenkeel." + name + ".seed", -1);
    int seeds = Integer.getInteger("evenkeel." + name + ".seeds", count);
    for (long seed = only < 0 ? 0 : only; seed < (only < 0 ? seeds : only + 1); seed++) {
      try {
        scenario.accept(seed);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(
            "seed " + seed + " (-Devenkeel." + name + ".seed=" + seed + ")", e);
      }
    }
  }

  /** What became of what controllers told. */
  public EventRecorder.Figures told() {
    return events.figures();
  }

  // ---- the controllers' processes

  /** One that runs all controllers, with caches and a way to the server of its own. */
  private final class ControllerProcess {
    final LossyTransport wire = new LossyTransport(wire(), wires, random, lossPercent);
    final Informers informers = new Informers(env, wire, FeedLimits.DEFAULTS);
    final List<ControllerRunner<?>> runners = new ArrayList<>();
    final @Nullable LeaseElection election;
    private final @Nullable GarbageCollector collector;

    /** The first it led in. */
    private @Nullable Term term;

    ControllerProcess() {
      election =
          setting.led()
              ? LeaseElection.stand(
                  env,
                  new Client(wire()),
                  LeaseSettings.of(NAMESPACE, "controllers", "process-" + begun++))
              : null;
      controllers.forEach(this::start);
      collector =
          setting.collects()
              ? GarbageCollector.start(env, wire, log, leadership(), ControllerMetrics.unseen())
              : null;
    }

    private Leadership leadership() {
      return election == null ? Leadership.ALONE : election;
    }

    <T> void start(Controller<T> controller) {
      runners.add(
          ControllerRunner.start(
              checked(controller),
              env,
              informers,
              new Client(wire),
              log,
              events,
              leadership(),
              ControllerMetrics.unseen()));
    }

    /** What the leaders before wrote is seen. */
    private void checkTerm(Controller<?> controller) {
      if (election == null) {
        return;
      }
      if (term == null) {
        term = election.term();
      }
      if (term != null) {
        for (Kind<?> kind : followed(controller)) {
          Scope scope = controller.follows().scopes().getOrDefault(kind, Scope.ALL);
          assertThat(informers.informer(kind, scope).snapshot().version())
              .as(kind + " as " + controller.name() + " sees them in " + term)
              .isGreaterThanOrEqualTo(term.version());
        }
      }
    }

    private <T> Controller<T> checked(Controller<T> controller) {
      Reconciler<T> asked = controller.reconciler();
      Reconciler<T> checking =
          new Reconciler<>() {
            @Override
            public Plan reconcile(Cached<T> object, View view) {
              checkTerm(controller);
              String before = object.json().toString();
              Plan plan = asked.reconcile(object, view);
              Plan again = asked.reconcile(object, view);
              assertThat(again.actions()).isEqualTo(plan.actions());
              assertThat(object.json().toString()).isEqualTo(before);
              if (!asked.concerns(object, view)) {
                assertThat(plan.actions()).isEmpty();
              }
              return plan;
            }

            @Override
            public boolean concerns(Cached<T> object, View view) {
              return asked.concerns(object, view);
            }

            @Override
            public Plan cleanUp(Cached<T> object, View view) {
              return asked.cleanUp(object, view);
            }

            @Override
            public Plan gone(String namespace, String name, View view) {
              return asked.gone(namespace, name, view);
            }
          };
      return controller.reconciledBy(checking);
    }

    void stop() {
      runners.forEach(ControllerRunner::close);
      if (election != null) {
        var _ = now(election.release());
      }
      if (collector != null) {
        collector.close();
      }
      informers.close();
      wire.close();
    }
  }

  private static Set<Kind<?>> followed(Controller<?> controller) {
    Set<Kind<?>> kinds = new LinkedHashSet<>();
    kinds.add(controller.kind());
    kinds.addAll(controller.follows().owned());
    controller.follows().others().forEach(it -> kinds.add(it.kind()));
    return kinds;
  }

  public void start() {
    processes.add(new ControllerProcess());
    if (setting.led()) {
      // The first leads, and the second is ready to.
      env.runFor(Duration.ofMillis(50));
      processes.add(new ControllerProcess());
    }
  }

  /** Runs another one, from now on. */
  public void run(Controller<?> controller) {
    controllers.add(controller);
    processes.forEach(process -> process.start(controller));
  }

  /** What goes wrong on the way of the processes to the server. */
  public List<LossyTransport> wires() {
    return processes.stream().map(it -> it.wire).toList();
  }

  /** What is not planned for now, because too little is seen. */
  public List<LateView> lateViews() {
    return processes.stream()
        .flatMap(it -> it.runners.stream())
        .flatMap(it -> it.waiting().stream())
        .toList();
  }

  /** How often reconcilers misbehaved since the controllers were last started. */
  public long mishaps(Mishaps.Kind kind) {
    return processes.stream()
        .flatMap(it -> it.runners.stream())
        .mapToLong(runner -> runner.mishaps().number(kind))
        .sum();
  }

  public void stop() {
    processes.forEach(ControllerProcess::stop);
    processes.clear();
  }

  /** As after a crash: whatever was under way is forgotten. Where one leads, another takes over. */
  public void restart() {
    if (!setting.led()) {
      stop();
      env.runFor(Duration.ofMillis(random.nextInt(20)));
      start();
      return;
    }
    stopLeader();
    // The one that is ready looks for the lease within this; one that begins now would be first.
    env.runFor(Duration.ofMillis(2_500));
    processes.add(new ControllerProcess());
  }

  /** Where one leads, the other takes over. */
  public void stopLeader() {
    processes.removeFirst().stop();
  }

  /** Now and then something else goes wrong, or is well again; and that takes its time. */
  public void trouble() {
    if (!setting.troubled()) {
      return;
    }
    for (ControllerProcess process : processes) {
      if (random.nextInt(3) == 0) {
        process.wire.trouble();
      }
    }
    if (random.nextInt(4) == 0) {
      env.runFor(Duration.ofMillis(random.nextInt(30_000)));
    }
  }

  /** Whether others' changes may be seen late, or much later. */
  public boolean isTroubled() {
    return setting.troubled();
  }

  /** Nothing more goes wrong, and what did is noticed. */
  public void well() {
    lossPercent = 0;
    tellers.well();
    processes.forEach(process -> process.wire.well());
    if (setting.troubled()) {
      env.runFor(Duration.ofMinutes(4));
    }
  }

  /**
   * Nothing was planned on a cache that did not show what was written for the same object before:
   * as the records have it.
   */
  public void checkViews() {
    Map<String, Map<String, Long>> written = new HashMap<>();
    List<Decision> all = log.newest(_ -> true, Integer.MAX_VALUE).reversed();
    for (Decision decision : all) {
      Map<String, Long> own =
          written.computeIfAbsent(
              decision.controller()
                  + " "
                  + decision.subject().namespace()
                  + "/"
                  + decision.subject().name(),
              _ -> new HashMap<>());
      for (Decision.Read read : decision.reads()) {
        if (!read.fromAuthority()) {
          assertThat(read.version())
              .as("%s of %s, who wrote them before", read.kind(), decision)
              .isGreaterThanOrEqualTo(own.getOrDefault(read.kind(), 0L));
        }
      }
      for (Decision.ActionRecord action : decision.actions()) {
        if (action.version() > 0) {
          own.merge(action.target().split(" ", 2)[0], action.version(), Math::max);
        }
      }
    }
  }

  /** Lets everything come to rest, without faults, and says that it did. */
  public void settle() {
    well();
    checkViews();
    env.runFor(Duration.ofMinutes(5));
    Instant since = env.clock().now();
    env.runFor(Duration.ofMinutes(5));
    List<Decision> late =
        log.newest(
            it ->
                it.begun().isAfter(since)
                    && it.outcome().kind() != Decision.Outcome.Kind.SETTLED
                    && it.outcome().kind() != Decision.Outcome.Kind.GONE,
            3);
    assertThat(late).as("decisions that still do something").isEmpty();
    assertThat(lateViews()).as("what is not planned for").isEmpty();
    checkViews();
  }

  // ---- the user

  public <R extends @Nullable Object> R now(CompletableFuture<R> future) {
    for (int i = 0; !future.isDone() && i < 1_000; i++) {
      env.runFor(Duration.ofMillis(1));
    }
    assertThat(future).as("an answer within a second").isDone();
    return future.join();
  }

  /** Somebody may have been faster: what is gone, or has changed meanwhile, is left alone. */
  public void perhaps(CompletableFuture<ObjectNode> future) {
    var _ =
        now(
            future
                .<@Nullable ObjectNode>thenApply(it -> it)
                .exceptionally(
                    failure -> {
                      assertThat(failure.toString())
                          .containsAnyOf("not found", "has been modified", "being deleted");
                      return null;
                    }));
  }

  public static ObjectNode json(String text) {
    return Json.parseObject(text.getBytes(StandardCharsets.UTF_8));
  }

  public ObjectNode create(Kind<?> kind, String text) {
    return now(user.create(kind, kind.namespaced() ? NAMESPACE : "", json(text)));
  }

  /** Defines the kind of a record, and waits until it is served. */
  public void define(Class<? extends Record> type) {
    ObjectNode definition = CustomDefinition.of(type);
    var _ = now(user.create(DEFINITIONS, "", definition));
    env.runFor(Duration.ofSeconds(5));
  }

  public void patch(Kind<?> kind, String name, String change) {
    perhaps(
        user.patch(
            kind,
            kind.namespaced() ? NAMESPACE : "",
            name,
            PatchType.MERGE,
            Bytes.utf8(change),
            new Query()));
  }

  public void patchStatus(Kind<?> kind, String name, String change) {
    perhaps(
        user.patch(
            kind,
            kind.namespaced() ? NAMESPACE : "",
            name,
            "status",
            PatchType.MERGE,
            Bytes.utf8(change),
            new Query()));
  }

  /**
   * @param options for example {@code {"gracePeriodSeconds":0}}
   */
  public void delete(Kind<?> kind, String name, String options) {
    perhaps(user.delete(kind, kind.namespaced() ? NAMESPACE : "", name, json(options)));
  }

  public ObjectNode get(Kind<?> kind, String name) {
    return now(user.get(kind, kind.namespaced() ? NAMESPACE : "", name));
  }

  public List<ObjectNode> list(Kind<?> kind) {
    List<ObjectNode> found = new ArrayList<>();
    JsonNode list = now(user.list(kind, kind.namespaced() ? NAMESPACE : "", new Query()));
    list.path("items").forEach(item -> found.add((ObjectNode) item));
    return found;
  }

  // ---- pods, which nobody runs here

  public List<ObjectNode> activePods() {
    return list(Kinds.PODS).stream().filter(Pods::isActive).toList();
  }

  public @Nullable ObjectNode oneOf(List<ObjectNode> objects) {
    return objects.isEmpty() ? null : objects.get(random.nextInt(objects.size()));
  }

  /** Has a pod run and be ready. */
  public void ready(ObjectNode pod) {
    patchStatus(
        Kinds.PODS,
        Meta.name(pod),
        """
        {"status":{"phase":"Running","podIP":"10.0.0.%d","conditions":[{"type":"Ready","status":"True",
         "lastTransitionTime":"%s"}]}}
        """
            .formatted(
                1 + random.nextInt(250),
                env.clock().now().truncatedTo(java.time.temporal.ChronoUnit.SECONDS)));
  }

  /** Has a pod end. */
  public void ended(ObjectNode pod, boolean well) {
    patchStatus(
        Kinds.PODS,
        Meta.name(pod),
        "{\"status\":{\"phase\":\"" + (well ? "Succeeded" : "Failed") + "\"}}");
  }

  /** What a node's agent does for pods that are asked to end. */
  public void endThoseAsked() {
    for (ObjectNode pod : list(Kinds.PODS)) {
      if (Pods.isEnding(pod)) {
        delete(Kinds.PODS, Meta.name(pod), "{\"gracePeriodSeconds\":0}");
      }
    }
  }

  @Override
  public void close() {
    stop();
    events.close();
    server.close();
    store.close();
  }
}
