package dev.evenkeel.decide.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.guard.Mishaps;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.Reconciler;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.explain.record.Decision;
import dev.evenkeel.explain.record.Decision.Outcome;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.object.Kinds;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reconcilers as none should be, on the real server: each is slowed down, and shows. */
final class ContainmentSimulation {

  private static final Kind<ObjectNode> MAPS = Kind.untyped("v1", "ConfigMap", "configmaps", true);
  private static final Kind<ObjectNode> EVENTS = Kind.untyped("v1", "Event", "events", true);

  private static Controller<ObjectNode> controller(String name, Reconciler<ObjectNode> reconciler) {
    return Controller.of(
        name,
        MAPS,
        (object, view) ->
            object.name().startsWith("x") ? reconciler.reconcile(object, view) : Plan.empty());
  }

  private static World world(Controller<?>... controllers) {
    var world = new World(1, 0, List.of(controllers));
    world.create(MAPS, "{\"metadata\":{\"name\":\"x\"},\"data\":{\"by\":\"nobody\"}}");
    return world;
  }

  /**
   * Differs from version to version. The time would not do: a write, its event and the next
   * reconcile may all come in the same instant of virtual time.
   */
  private static String nextTo(Cached<ObjectNode> object) {
    return "after-" + object.version();
  }

  /** A reconciler that has the map say something. */
  private static Reconciler<ObjectNode> saying(String who) {
    return (map, view) ->
        map.text("data", "by").equals(who)
            ? Plan.empty()
            : Plan.empty().patch(map, data("by", who), who + " was here");
  }

  private static ObjectNode data(String name, String value) {
    ObjectNode change = JsonNodeFactory.instance.objectNode();
    change.putObject("data").put(name, value);
    return change;
  }

  private static long acted(World world, Duration lately) {
    var since = world.env.clock().now().minus(lately);
    return world
        .log
        .newest(it -> it.begun().isAfter(since) && !it.actions().isEmpty(), 10_000)
        .size();
  }

  private static List<String> failures(World world) {
    return world.log.newest(it -> it.outcome().kind() == Outcome.Kind.FAILED, 10_000).stream()
        .map(it -> it.outcome().detail())
        .toList();
  }

  private static List<String> told(World world) {
    return world.list(EVENTS).stream().map(it -> Meta.text(it.path("reason"))).toList();
  }

  @Test
  void whoWakesItselfWithEachWrite_isLeftAlone_andLongerEachTime() {
    try (var world =
        world(
            controller(
                "counter",
                (map, view) ->
                    Plan.empty()
                        .patch(map, data("version", nextTo(map)), "there is a new version")))) {
      world.env.runFor(Duration.ofSeconds(10));
      assertThat(acted(world, Duration.ofSeconds(10))).isBetween(10L, 20L);
      assertThat(failures(world)).isNotEmpty().allMatch(it -> it.contains("round in circles"));
      assertThat(told(world)).contains("ReconcilerLoops");
      assertThat(world.mishaps(Mishaps.Kind.LOOPED)).isPositive();
      world.env.runFor(Duration.ofMinutes(10));
      assertThat(acted(world, Duration.ofMinutes(5))).isBetween(4L, 6L);
    }
  }

  @Test
  void whoFights_isLeftAlone() {
    try (var world = world(controller("one", saying("one")), controller("two", saying("two")))) {
      world.env.runFor(Duration.ofMinutes(10));
      assertThat(world.mishaps(Mishaps.Kind.LOOPED)).isGreaterThan(2);
      assertThat(acted(world, Duration.ofMinutes(5))).isBetween(2L, 30L);
    }
  }

  @Test
  void whoAsksToBeCalledAtOnce_isLeftAlone() {
    try (var world =
        world(
            controller(
                "eager", (map, view) -> Plan.empty().lookAgain(Duration.ZERO, "I want more")))) {
      world.env.runFor(Duration.ofMinutes(10));
      assertThat(world.mishaps(Mishaps.Kind.LOOPED)).isBetween(5L, 30L);
    }
  }

  @Test
  void whoIsLeftAlone_isAskedAtOnceWhenSomethingElseIsWanted() {
    Kind<ObjectNode> sets = Kinds.REPLICA_SETS;
    try (var world =
        new World(
            1,
            0,
            List.of(
                Controller.of(
                    "counter",
                    sets,
                    (set, view) ->
                        set.text("spec", "replicas").equals("0")
                            ? Plan.empty()
                            : Plan.empty()
                                .patch(set, label(nextTo(set)), "there is a new version"))))) {
      world.create(
          sets,
          """
          {"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"x"},
           "spec":{"replicas":1,"selector":{"matchLabels":{"app":"x"}},
           "template":{"metadata":{"labels":{"app":"x"}},
           "spec":{"containers":[{"name":"c","image":"i"}]}}}}
          """);
      world.env.runFor(Duration.ofMinutes(10));
      assertThat(world.mishaps(Mishaps.Kind.LOOPED)).isPositive();
      world.patch(sets, "x", "{\"spec\":{\"replicas\":0}}");
      world.env.runFor(Duration.ofMillis(500));
      Decision last = world.log.newest(_ -> true, 1).getFirst();
      assertThat(last.outcome().kind()).isEqualTo(Outcome.Kind.SETTLED);
      assertThat(last.subject().generation()).isEqualTo(2);
    }
  }

  private static ObjectNode label(String value) {
    ObjectNode change = JsonNodeFactory.instance.objectNode();
    change.putObject("metadata").putObject("annotations").put("time", value);
    return change;
  }

  @Test
  void whoThrows_isAskedAgainLaterEachTime_andOthersGoOn() {
    try (var world =
        world(
            controller(
                "thrower",
                (map, view) -> {
                  throw new IllegalStateException("no idea");
                }),
            controller("one", saying("one")))) {
      world.env.runFor(Duration.ofMinutes(10));
      assertThat(failures(world)).hasSizeBetween(5, 50).allMatch(it -> it.contains("no idea"));
      assertThat(world.mishaps(Mishaps.Kind.THREW)).isEqualTo(failures(world).size());
      assertThat(told(world)).contains("ReconcilerFailed");
      assertThat(world.get(MAPS, "x").path("data").path("by").asString("")).isEqualTo("one");
    }
  }

  @Test
  void whoPlansTooMuch_isCutShort_andSlowedDownIfNothingComesOfIt() {
    try (var world =
        world(
            controller(
                "planner",
                (map, view) -> {
                  Plan plan = Plan.empty();
                  for (int i = 0; i < 501; i++) {
                    plan.apply(MAPS, map("made"), "one can never have enough");
                  }
                  return plan;
                }))) {
      world.env.runFor(Duration.ofMinutes(2));
      assertThat(world.mishaps(Mishaps.Kind.PLANNED_TOO_MUCH)).isBetween(10L, 20L);
      assertThat(world.mishaps(Mishaps.Kind.LOOPED)).isPositive();
    }
  }

  private static ObjectNode map(String name) {
    ObjectNode map = JsonNodeFactory.instance.objectNode();
    map.put("apiVersion", "v1").put("kind", "ConfigMap");
    map.putObject("metadata").put("name", name).put("namespace", World.NAMESPACE);
    return map;
  }

  @Test
  void whoChangesWhatItWasGiven_harmsNobody() {
    Reconciler<ObjectNode> vandal =
        (map, view) -> {
          map.tree().removeAll();
          map.value().removeAll();
          for (Cached<ObjectNode> other : view.list(MAPS, World.NAMESPACE)) {
            other.tree().putObject("data").put("by", "a vandal");
            other.value().putObject("data").put("by", "a vandal");
          }
          return Plan.empty();
        };
    Reconciler<ObjectNode> witness =
        (map, view) ->
            map.tree().path("data").path("by").asString("").equals("a vandal")
                ? Plan.empty().delete(map, "it was changed behind the server's back")
                : Plan.empty();
    try (var world = world(controller("vandal", vandal), controller("witness", witness))) {
      world.patch(MAPS, "x", "{\"data\":{\"more\":\"yes\"}}");
      world.settle();
      assertThat(world.get(MAPS, "x").path("data").path("by").asString("")).isEqualTo("nobody");
      assertThat(failures(world)).isEmpty();
    }
  }
}
