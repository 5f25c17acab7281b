package dev.evenkeel.decide.controllers.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.controllers.workload.ReplicaSetReconciler;
import dev.evenkeel.decide.world.World;
import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.object.Kinds;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Disruption budgets on the real server, while pods are evicted as fast as the server lets them go,
 * answers get lost and controllers start anew: never are fewer pods left than the budget asks for.
 * And when everything else changes too, the numbers are right in the end. A failing run is a seed.
 */
final class DisruptionSimulation {

  private static final int SEEDS = 80;
  private static final int REPLICAS = 6;

  /**
   * A limit of a budget.
   *
   * @param field with its value, as JSON
   * @param healthy of six replicas, how many must be healthy
   */
  private record Limit(String field, int healthy) {}

  private static final List<Limit> LIMITS =
      List.of(
          new Limit("\"minAvailable\":4", 4),
          new Limit("\"minAvailable\":\"50%\"", 3),
          new Limit("\"minAvailable\":\"55%\"", 4),
          new Limit("\"maxUnavailable\":2", 4),
          new Limit("\"maxUnavailable\":\"20%\"", 4),
          new Limit("\"maxUnavailable\":0", 6));

  private static World world(long seed, int lossPercent) {
    return new World(
        seed,
        lossPercent,
        List.of(ReplicaSetReconciler.controller(), DisruptionReconciler.controller()));
  }

  private static void replicaSet(World world) {
    world.create(
        Kinds.REPLICA_SETS,
        """
        {"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"web"},
         "spec":{"replicas":%d,"selector":{"matchLabels":{"app":"web"}},
         "template":{"metadata":{"labels":{"app":"web"}},
         "spec":{"nodeName":"n","containers":[{"name":"c","image":"i"}]}}}}
        """
            .formatted(REPLICAS));
  }

  private static void budget(World world, String limit) {
    world.create(
        Kinds.DISRUPTION_BUDGETS,
        """
        {"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"web"},
         "spec":{%s,"selector":{"matchLabels":{"app":"web"}}}}
        """
            .formatted(limit));
  }

  /** Asks for a pod to be let go. */
  private static CompletableFuture<ObjectNode> evict(World world, ObjectNode pod) {
    return world.user.create(
        Kind.untyped("v1", "Eviction", "pods/" + Meta.name(pod) + "/eviction", true),
        World.NAMESPACE,
        World.json(
            """
            {"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"%s"}}
            """
                .formatted(Meta.name(pod))));
  }

  /** How many of some pods the server lets go, asked for at a time. */
  private static int evictSome(World world) {
    List<ObjectNode> ready =
        new ArrayList<>(
            world.activePods().stream().filter(it -> Pods.readySince(it) != null).toList());
    Collections.shuffle(ready, world.random);
    List<CompletableFuture<ObjectNode>> asked =
        ready.stream().limit(1 + world.random.nextInt(3)).map(pod -> evict(world, pod)).toList();
    int evicted = 0;
    for (CompletableFuture<ObjectNode> one : asked) {
      evicted += world.now(one.handle((_, failure) -> isLetGo(failure))) ? 1 : 0;
    }
    return evicted;
  }

  private static boolean isLetGo(@Nullable Throwable failure) {
    if (failure == null) {
      return true;
    }
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    int code = cause instanceof ApiException refused ? refused.status().code() : 0;
    assertThat(code).as(failure.toString()).isIn(404, 429);
    return false;
  }

  private static long healthy(World world) {
    return world.list(Kinds.PODS).stream()
        .filter(pod -> Meta.labels(pod).getOrDefault("app", "").equals("web"))
        .filter(pod -> !Pods.isEnding(pod) && Pods.readySince(pod) != null)
        .count();
  }

  private static void allReady(World world) {
    world.env.runFor(Duration.ofSeconds(1));
    world.activePods().forEach(world::ready);
    world.env.runFor(Duration.ofSeconds(1));
  }

  @Test
  void evictions_neverLeaveFewerThanTheBudgetAsksFor() {
    World.seeds("disruption", SEEDS, DisruptionSimulation::run);
  }

  private static void run(long seed) {
    try (var world = world(seed, 10)) {
      Limit limit = LIMITS.get(world.random.nextInt(LIMITS.size()));
      replicaSet(world);
      for (int i = 0; i < 30 && healthy(world) < REPLICAS; i++) {
        allReady(world);
      }
      assertThat(healthy(world)).isEqualTo(REPLICAS);
      budget(world, limit.field);
      int evicted = 0;
      for (int step = 0; step < 60; step++) {
        world.env.runFor(Duration.ofMillis(world.random.nextInt(30)));
        world.trouble();
        ObjectNode pod = world.oneOf(world.activePods());
        switch (world.random.nextInt(8)) {
          case 0 -> world.restart();
          case 1 -> world.endThoseAsked();
          case 2, 3, 4 -> {
            if (pod != null) {
              world.ready(pod);
            }
          }
          default -> evicted += evictSome(world);
        }
        assertThat(healthy(world)).isGreaterThanOrEqualTo(limit.healthy);
      }
      assertThat(evicted > 0).as("something was evicted").isEqualTo(limit.healthy < REPLICAS);
      meddle(world);
      if (world.random.nextBoolean()) {
        world.endThoseAsked();
      }
      world.settle();
      check(world);
    }
  }

  private static void meddle(World world) {
    for (int step = 0; step < 20; step++) {
      world.env.runFor(Duration.ofMillis(world.random.nextInt(30)));
      world.trouble();
      ObjectNode pod = world.oneOf(world.activePods());
      switch (world.random.nextInt(7)) {
        case 0 ->
            world.patch(
                Kinds.REPLICA_SETS,
                "web",
                "{\"spec\":{\"replicas\":" + world.random.nextInt(8) + "}}");
        case 1 -> {
          Limit limit = LIMITS.get(world.random.nextInt(LIMITS.size()));
          world.patch(
              Kinds.DISRUPTION_BUDGETS,
              "web",
              "{\"spec\":{%s,\"%s\":null}}"
                  .formatted(
                      limit.field,
                      limit.field.contains("min") ? "maxUnavailable" : "minAvailable"));
        }
        case 2 -> {
          if (pod != null) {
            world.delete(Kinds.PODS, Meta.name(pod), "{}");
          }
        }
        case 3 -> {
          var _ = evictSome(world);
        }
        case 4 -> {
          if (pod != null) {
            world.ended(pod, false);
          }
        }
        default -> {
          if (pod != null) {
            world.ready(pod);
          }
        }
      }
    }
  }

  private static void check(World world) {
    ObjectNode budget = world.get(Kinds.DISRUPTION_BUDGETS, "web");
    JsonNode spec = budget.path("spec");
    JsonNode status = budget.path("status");
    long replicas = world.get(Kinds.REPLICA_SETS, "web").path("spec").path("replicas").asLong();
    long pods = world.list(Kinds.PODS).size();
    long expected = spec.path("minAvailable").isNumber() || pods == 0 ? pods : replicas;
    long desired =
        spec.has("minAvailable")
            ? share(spec.path("minAvailable"), expected)
            : Math.max(0, expected - share(spec.path("maxUnavailable"), expected));
    long allowed = expected == 0 ? 0 : Math.max(0, healthy(world) - desired);
    assertThat(status.path("expectedPods").asLong()).isEqualTo(expected);
    assertThat(status.path("desiredHealthy").asLong()).isEqualTo(desired);
    assertThat(status.path("currentHealthy").asLong()).isEqualTo(healthy(world));
    assertThat(status.path("disruptionsAllowed").asLong()).isEqualTo(allowed);
    assertThat(status.has("disruptedPods")).isFalse();
    assertThat(status.path("observedGeneration").asLong())
        .isEqualTo(budget.path("metadata").path("generation").asLong());
    JsonNode condition = status.path("conditions").path(0);
    assertThat(condition.path("type").asString()).isEqualTo("DisruptionAllowed");
    assertThat(condition.path("status").asString()).isEqualTo(allowed > 0 ? "True" : "False");
    assertThat(condition.path("reason").asString())
        .isEqualTo(allowed > 0 ? "SufficientPods" : "InsufficientPods");
  }

  private static long share(JsonNode limit, long whole) {
    return limit.isNumber()
        ? limit.asLong()
        : (long) Math.ceil(Integer.parseInt(limit.asString().replace("%", "")) * whole / 100.0);
  }

  // ---- what users see

  @Test
  void podThatWasLetGoAndStays_countsAgainAfterTwoMinutes() {
    try (var world = world(1, 0)) {
      replicaSet(world);
      allReady(world);
      budget(world, "\"minAvailable\":4");
      world.env.runFor(Duration.ofSeconds(1));
      assertThat(status(world).path("disruptionsAllowed").asInt()).isEqualTo(2);
      String pod = Meta.name(world.activePods().getFirst());
      world.patchStatus(
          Kinds.DISRUPTION_BUDGETS,
          "web",
          "{\"status\":{\"disruptedPods\":{\"%s\":\"%s\",\"who\":\"2026-01-01T00:00:00Z\"}}}"
              .formatted(pod, world.env.clock().now().truncatedTo(ChronoUnit.SECONDS)));
      world.env.runFor(Duration.ofSeconds(90));
      assertThat(status(world).path("disruptionsAllowed").asInt()).isEqualTo(1);
      assertThat(status(world).path("currentHealthy").asInt()).isEqualTo(5);
      assertThat(status(world).path("disruptedPods").propertyNames()).containsOnly(pod);
      world.env.runFor(Duration.ofSeconds(31));
      assertThat(status(world).path("disruptionsAllowed").asInt()).isEqualTo(2);
      assertThat(status(world).has("disruptedPods")).isFalse();
    }
  }

  private static JsonNode status(World world) {
    return world.get(Kinds.DISRUPTION_BUDGETS, "web").path("status");
  }

  @Test
  void podsOfADeployment_areExpectedAsTheDeploymentSays() {
    try (var world = new World(1, 0, List.of(DisruptionReconciler.controller()))) {
      String template =
          """
          "selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},
          "spec":{"containers":[{"name":"c","image":"i"}]}}
          """;
      ObjectNode deployment =
          world.create(
              Kinds.DEPLOYMENTS,
              """
              {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},
               "spec":{"replicas":10,%s}}
              """
                  .formatted(template));
      ObjectNode set =
          world.create(
              Kinds.REPLICA_SETS,
              """
              {"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"web-1",
               "ownerReferences":[%s]},"spec":{"replicas":1,%s}}
              """
                  .formatted(owner(deployment, "apps/v1", "Deployment"), template));
      pod(world, "p", owner(set, "apps/v1", "ReplicaSet"));
      budget(world, "\"maxUnavailable\":\"25%\"");
      world.env.runFor(Duration.ofSeconds(1));
      assertThat(status(world).path("expectedPods").asInt()).isEqualTo(10);
      assertThat(status(world).path("desiredHealthy").asInt()).isEqualTo(7);
      world.patch(Kinds.DEPLOYMENTS, "web", "{\"spec\":{\"replicas\":4}}");
      world.settle();
      assertThat(status(world).path("desiredHealthy").asInt()).isEqualTo(3);
    }
  }

  private static String owner(ObjectNode owner, String version, String kind) {
    return """
    {"apiVersion":"%s","kind":"%s","name":"%s","uid":"%s","controller":true}
    """
        .formatted(version, kind, Meta.name(owner), Meta.uid(owner));
  }

  private static void pod(World world, String name, String owner) {
    world.create(
        Kinds.PODS,
        """
        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","labels":{"app":"web"},
         "ownerReferences":[%s]},"spec":{"containers":[{"name":"c","image":"i"}]}}
        """
            .formatted(name, owner));
  }

  @Test
  void podOfAControllerThatIsGone_keepsTheOthers() {
    try (var world = world(1, 0)) {
      replicaSet(world);
      allReady(world);
      budget(world, "\"maxUnavailable\":2");
      world.env.runFor(Duration.ofSeconds(1));
      assertThat(status(world).path("disruptionsAllowed").asInt()).isEqualTo(2);
      pod(
          world,
          "lost",
          """
          {"apiVersion":"apps/v1","kind":"ReplicaSet","name":"gone","uid":"u","controller":true}
          """);
      world.env.runFor(Duration.ofSeconds(1));
      JsonNode condition = status(world).path("conditions").path(0);
      assertThat(status(world).path("disruptionsAllowed").asInt()).isZero();
      assertThat(condition.path("reason").asString()).isEqualTo("SyncFailed");
      assertThat(condition.path("message").asString())
          .isEqualTo("found no controllers for pod \"lost\"");
      world.delete(Kinds.PODS, "lost", "{}");
      world.settle();
      assertThat(status(world).path("disruptionsAllowed").asInt()).isEqualTo(2);
    }
  }
}
