package dev.evenkeel.prove.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.controllers.collect.GarbageCollector;
import dev.evenkeel.decide.controllers.object.Kinds;
import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.guard.Mishaps;
import dev.evenkeel.decide.lead.Leadership;
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
import dev.evenkeel.kernel.env.SimulatedEnv;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.observe.cache.Informers;
import dev.evenkeel.observe.feed.FeedLimits;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.transport.Client;
import dev.evenkeel.observe.transport.PatchType;
import dev.evenkeel.observe.transport.Query;
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
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The real server with controllers, in virtual time: controllers are stopped and started anew,
 * answers to their writes get lost, and pods do what pods do. Every reconcile is asked twice and
 * must answer the same, and must leave what it was given as it was.
 */
final class World implements AutoCloseable {

  static final String NAMESPACE = "default";

  private static final Kind<ObjectNode> DEFINITIONS =
      Kind.untyped(
          "apiextensions.k8s.io/v1",
          "CustomResourceDefinition",
          "customresourcedefinitions",
          false);

  final SimulatedEnv env;
  final Random random;
  final Client user;
  final DecisionLog log = new DecisionLog(10_000, 10_000);

  private final Store store;
  private final ApiServer server;
  private final LossyTransport lossy;
  private final EventRecorder events;
  private final List<Controller<?>> controllers;
  private final List<ControllerRunner<?>> runners = new ArrayList<>();
  private final boolean collects;
  private @Nullable Informers informers;
  private @Nullable GarbageCollector collector;

  World(long seed, int lossPercent, List<Controller<?>> controllers) {
    this(seed, lossPercent, controllers, false);
  }

  /**
   * @param collects whether what belongs to what is gone is collected
   */
  World(long seed, int lossPercent, List<Controller<?>> controllers, boolean collects) {
    this.collects = collects;
    this.env = new SimulatedEnv(seed);
    this.random = random(seed);
    this.controllers = new ArrayList<>(controllers);
    store = MemoryStore.open(env);
    server = ApiServer.open(env, store, ServerSettings.DEFAULTS);
    env.runFor(Duration.ofMillis(10));
    var admin = new ApiRequest.Peer("kubernetes-admin", List.of("system:masters"));
    user = new Client(new InProcessTransport(env, server, admin));
    lossy = new LossyTransport(new InProcessTransport(env, server, admin), random, lossPercent);
    events = new EventRecorder(env, new Client(lossy));
    start();
  }

  /** The first draws of small seeds are alike: they are spread out before. */
  static Random random(long seed) {
    long mixed = (seed + 1) * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    return new Random(mixed ^ (mixed >>> 27));
  }

  /** Runs a scenario with many seeds; a failing one is named. */
  static void seeds(String name, int count, Consumer<Long> scenario) {
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
  EventRecorder.Figures told() {
    return events.figures();
  }

  // ---- the controllers' process

  void start() {
    informers = new Informers(env, lossy, FeedLimits.DEFAULTS);
    controllers.forEach(this::start);
    if (collects) {
      collector = GarbageCollector.start(env, lossy, log, Leadership.ALONE);
    }
  }

  /** Runs another one, from now on. */
  void run(Controller<?> controller) {
    controllers.add(controller);
    start(controller);
  }

  private <T> void start(Controller<T> controller) {
    Informers caches = Objects.requireNonNull(informers);
    runners.add(
        ControllerRunner.start(
            checked(controller), env, caches, new Client(lossy), log, events, Leadership.ALONE));
  }

  private static <T> Controller<T> checked(Controller<T> controller) {
    Reconciler<T> asked = controller.reconciler();
    Reconciler<T> checking =
        new Reconciler<>() {
          @Override
          public Plan reconcile(Cached<T> object, View view) {
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

  /** How often reconcilers misbehaved since the controllers were last started. */
  long mishaps(Mishaps.Kind kind) {
    return runners.stream().mapToLong(runner -> runner.mishaps().number(kind)).sum();
  }

  void stop() {
    runners.forEach(ControllerRunner::close);
    runners.clear();
    if (collector != null) {
      collector.close();
      collector = null;
    }
    if (informers != null) {
      informers.close();
      informers = null;
    }
  }

  /** As after a crash: whatever was under way is forgotten. */
  void restart() {
    stop();
    env.runFor(Duration.ofMillis(random.nextInt(20)));
    start();
  }

  /** Lets everything come to rest, without faults, and says that it did. */
  void settle() {
    lossy.percent = 0;
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
  }

  // ---- the user

  <R extends @Nullable Object> R now(CompletableFuture<R> future) {
    for (int i = 0; !future.isDone() && i < 1_000; i++) {
      env.runFor(Duration.ofMillis(1));
    }
    assertThat(future).as("an answer within a second").isDone();
    return future.join();
  }

  /** Somebody may have been faster: what is gone, or has changed meanwhile, is left alone. */
  void perhaps(CompletableFuture<ObjectNode> future) {
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

  static ObjectNode json(String text) {
    return Json.parseObject(text.getBytes(StandardCharsets.UTF_8));
  }

  ObjectNode create(Kind<?> kind, String text) {
    return now(user.create(kind, kind.namespaced() ? NAMESPACE : "", json(text)));
  }

  /** Defines the kind of a record, and waits until it is served. */
  void define(Class<? extends Record> type) {
    ObjectNode definition = CustomDefinition.of(type);
    var _ = now(user.create(DEFINITIONS, "", definition));
    env.runFor(Duration.ofSeconds(5));
  }

  void patch(Kind<?> kind, String name, String change) {
    perhaps(
        user.patch(
            kind,
            kind.namespaced() ? NAMESPACE : "",
            name,
            PatchType.MERGE,
            Bytes.utf8(change),
            new Query()));
  }

  void patchStatus(Kind<?> kind, String name, String change) {
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
  void delete(Kind<?> kind, String name, String options) {
    perhaps(user.delete(kind, kind.namespaced() ? NAMESPACE : "", name, json(options)));
  }

  ObjectNode get(Kind<?> kind, String name) {
    return now(user.get(kind, kind.namespaced() ? NAMESPACE : "", name));
  }

  List<ObjectNode> list(Kind<?> kind) {
    List<ObjectNode> found = new ArrayList<>();
    JsonNode list = now(user.list(kind, kind.namespaced() ? NAMESPACE : "", new Query()));
    list.path("items").forEach(item -> found.add((ObjectNode) item));
    return found;
  }

  // ---- pods, which nobody runs here

  List<ObjectNode> activePods() {
    return list(Kinds.PODS).stream().filter(Pods::isActive).toList();
  }

  @Nullable ObjectNode oneOf(List<ObjectNode> objects) {
    return objects.isEmpty() ? null : objects.get(random.nextInt(objects.size()));
  }

  /** Has a pod run and be ready. */
  void ready(ObjectNode pod) {
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
  void ended(ObjectNode pod, boolean well) {
    patchStatus(
        Kinds.PODS,
        Meta.name(pod),
        "{\"status\":{\"phase\":\"" + (well ? "Succeeded" : "Failed") + "\"}}");
  }

  /** What a node's agent does for pods that are asked to end. */
  void endThoseAsked() {
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
