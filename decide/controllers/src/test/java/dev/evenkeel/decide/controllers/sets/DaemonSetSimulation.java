package dev.evenkeel.decide.controllers.sets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.world.World;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.object.Kinds;
import dev.evenkeel.observe.transport.PatchType;
import dev.evenkeel.observe.transport.Query;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The DaemonSet controller on the real server, while it is stopped and started anew, answers get
 * lost, nodes come, go and change, pods fail and vanish, and the set is updated: no node has more
 * pods than it may, and in the end each node has what it should. A failing run is a seed.
 */
final class DaemonSetSimulation {

  private static final int SEEDS = 40;
  private static final int NODES_MAX = 6;

  private static final Kind<ObjectNode> BINDINGS = Kind.untyped("v1", "Binding", "bindings", true);

  private static final String TAINT =
      "{\"spec\":{\"taints\":[{\"key\":\"%s\",\"effect\":\"%s\"}]}}";

  private static World world(long seed, int lossPercent) {
    return new World(seed, lossPercent, List.of(DaemonSetReconciler.controller()));
  }

  /**
   * @param more fields of the spec, with a comma at the end
   * @param podSpec fields of the pods' spec, with a comma at the end
   */
  private static void create(World world, String more, String podSpec) {
    world.create(
        Kinds.DAEMON_SETS,
        """
        {"apiVersion":"apps/v1","kind":"DaemonSet","metadata":{"name":"agent"},
         "spec":{%s"selector":{"matchLabels":{"app":"agent"}},
         "template":{"metadata":{"labels":{"app":"agent"}},
         "spec":{%s"containers":[{"name":"c","image":"v0"}]}}}}
        """
            .formatted(more, podSpec));
  }

  private static String rolling(String surge, String unavailable) {
    return ("\"updateStrategy\":{\"type\":\"RollingUpdate\",\"rollingUpdate\":{\"maxSurge\":%s,"
            + "\"maxUnavailable\":%s}},")
        .formatted(surge, unavailable);
  }

  private static void node(World world, String name) {
    world.create(
        Kinds.NODES,
        "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"%s\",\"labels\":{\"disk\":\"ssd\"}}}"
            .formatted(name));
    // Nobody else takes off the taint that a new node has.
    world.patch(Kinds.NODES, name, "{\"spec\":{\"taints\":null}}");
  }

  // ---- the scheduler and the nodes' agents

  private static String target(ObjectNode pod) {
    String assigned = Meta.text(pod.path("spec").path("nodeName"));
    return assigned.isEmpty()
        ? Meta.text(
            pod.path("spec")
                .path("affinity")
                .path("nodeAffinity")
                .path("requiredDuringSchedulingIgnoredDuringExecution")
                .path("nodeSelectorTerms")
                .path(0)
                .path("matchFields")
                .path(0)
                .path("values")
                .path(0))
        : assigned;
  }

  private static void bind(World world, ObjectNode pod) {
    if (Meta.text(pod.path("spec").path("nodeName")).isEmpty() && !Pods.isEnding(pod)) {
      world.perhaps(
          world.user.create(
              BINDINGS,
              World.NAMESPACE,
              World.json(
                  "{\"metadata\":{\"name\":\"%s\"},\"target\":{\"kind\":\"Node\",\"name\":\"%s\"}}"
                      .formatted(Meta.name(pod), target(pod)))));
    }
  }

  private static void start(World world, ObjectNode pod) {
    bind(world, pod);
    if (Pods.readySince(pod) == null) {
      world.ready(pod);
    }
  }

  /** What the scheduler, the nodes and the collector of pods without nodes do. */
  private static void serve(World world, int rounds) {
    for (int i = 0; i < rounds; i++) {
      world.endThoseAsked();
      Set<String> nodes = names(world);
      for (ObjectNode pod : world.list(Kinds.PODS)) {
        if (!nodes.contains(Meta.text(pod.path("spec").path("nodeName")))
            && !Meta.text(pod.path("spec").path("nodeName")).isEmpty()) {
          world.delete(Kinds.PODS, Meta.name(pod), "{\"gracePeriodSeconds\":0}");
        } else if (Pods.isActive(pod) && nodes.contains(target(pod))) {
          start(world, pod);
        }
      }
      world.env.runFor(Duration.ofSeconds(4));
    }
  }

  private static Set<String> names(World world) {
    Set<String> names = new TreeSet<>();
    world.list(Kinds.NODES).forEach(node -> names.add(Meta.name(node)));
    return names;
  }

  /** Nodes as the sets of the simulation mean them: with the label, and without a taint. */
  private static Set<String> fit(World world) {
    Set<String> fit = new TreeSet<>();
    for (ObjectNode node : world.list(Kinds.NODES)) {
      boolean tolerated = true;
      for (JsonNode taint : node.path("spec").path("taints")) {
        tolerated &= !Meta.text(taint.path("key")).equals("gpu");
      }
      if (tolerated && Meta.text(node.path("metadata").path("labels").path("disk")).equals("ssd")) {
        fit.add(Meta.name(node));
      }
    }
    return fit;
  }

  private static Map<String, Integer> activeByNode(World world) {
    Map<String, Integer> active = new HashMap<>();
    world.activePods().forEach(pod -> active.merge(target(pod), 1, Integer::sum));
    return active;
  }

  // ---- the simulation

  @Test
  void nodes_neverHaveTooManyPods_andInTheEndWhatTheyShould() {
    World.seeds("daemonset", SEEDS, DaemonSetSimulation::run);
  }

  private static void run(long seed) {
    try (var world = world(seed, 10)) {
      boolean surge = world.random.nextInt(3) == 0;
      for (int i = 0; i < world.random.nextInt(NODES_MAX); i++) {
        node(world, "n" + i);
      }
      create(
          world,
          "\"minReadySeconds\":%d,\"revisionHistoryLimit\":2,".formatted(world.random.nextInt(2))
              + (surge ? rolling("\"40%\"", "0") : rolling("0", "\"40%\"")),
          world.random.nextBoolean()
              ? "\"nodeSelector\":{\"disk\":\"ssd\"},"
              : """
              "affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":
               {"nodeSelectorTerms":[{"matchExpressions":
               [{"key":"disk","operator":"NotIn","values":["hdd"]}]}]}}},
              """);
      String image = "v0";
      for (int step = 0; step < 60; step++) {
        world.env.runFor(Duration.ofMillis(world.random.nextInt(step % 5 == 0 ? 2_500 : 60)));
        world.trouble();
        int most = surge ? 2 : 1;
        assertThat(activeByNode(world).values()).allMatch(it -> it <= most);
        switch (world.random.nextInt(8)) {
          case 0 -> world.restart();
          case 1 -> {
            image = "v" + world.random.nextInt(6);
            world.patch(Kinds.DAEMON_SETS, "agent", template(image));
          }
          case 2 -> changeNodes(world);
          case 3 -> world.endThoseAsked();
          default -> {
            ObjectNode pod = world.oneOf(world.activePods());
            if (pod != null) {
              disturb(world, pod);
            }
          }
        }
      }
      serve(world, 30);
      world.settle();
      changeNodes(world);
      changeNodes(world);
      serve(world, 8);
      world.settle();
      check(world, image);
    }
  }

  private static void changeNodes(World world) {
    String name = "n" + world.random.nextInt(NODES_MAX);
    if (!names(world).contains(name)) {
      node(world, name);
      return;
    }
    switch (world.random.nextInt(6)) {
      case 0 -> world.delete(Kinds.NODES, name, "{}");
      case 1 -> world.patch(Kinds.NODES, name, TAINT.formatted("gpu", "NoSchedule"));
      case 2 -> world.patch(Kinds.NODES, name, TAINT.formatted("gpu", "NoExecute"));
      case 3 ->
          world.patch(
              Kinds.NODES, name, TAINT.formatted("node.kubernetes.io/unschedulable", "NoSchedule"));
      case 4 -> world.patch(Kinds.NODES, name, "{\"metadata\":{\"labels\":{\"disk\":\"hdd\"}}}");
      default ->
          world.patch(
              Kinds.NODES,
              name,
              "{\"metadata\":{\"labels\":{\"disk\":\"ssd\"}},\"spec\":{\"taints\":null}}");
    }
  }

  private static void disturb(World world, ObjectNode pod) {
    switch (world.random.nextInt(9)) {
      case 0 -> world.ended(pod, world.random.nextBoolean());
      case 1 -> world.delete(Kinds.PODS, Meta.name(pod), "{\"gracePeriodSeconds\":0}");
      case 2 -> world.delete(Kinds.PODS, Meta.name(pod), "{}");
      case 3 ->
          world.patch(Kinds.PODS, Meta.name(pod), "{\"metadata\":{\"ownerReferences\":null}}");
      default -> start(world, pod);
    }
  }

  private static String template(String image) {
    return "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\""
        + image
        + "\"}]}}}}";
  }

  private static void check(World world, String image) {
    ObjectNode set = world.get(Kinds.DAEMON_SETS, "agent");
    JsonNode status = set.path("status");
    Map<String, ObjectNode> byNode = new TreeMap<>();
    for (ObjectNode pod : world.list(Kinds.PODS)) {
      assertThat(byNode.put(target(pod), pod)).as("a second pod on a node").isNull();
    }
    Set<String> fit = fit(world);
    assertThat(byNode.keySet()).containsAll(fit);
    int kept = 0;
    for (Map.Entry<String, ObjectNode> entry : byNode.entrySet()) {
      ObjectNode pod = entry.getValue();
      assertThat(Meta.text(pod.path("metadata").path("ownerReferences").path(0).path("uid")))
          .isEqualTo(Meta.uid(set));
      if (fit.contains(entry.getKey())) {
        assertThat(image(pod)).isEqualTo(image);
      } else {
        JsonNode taint = world.get(Kinds.NODES, entry.getKey()).path("spec").path("taints").path(0);
        assertThat(Meta.text(taint.path("effect"))).as("why it may stay").isEqualTo("NoSchedule");
        kept++;
      }
    }
    int desired = fit.size();
    assertThat(status.path("desiredNumberScheduled").asInt(-1)).isEqualTo(desired);
    assertThat(status.path("currentNumberScheduled").asInt(-1)).isEqualTo(desired);
    assertThat(status.path("numberMisscheduled").asInt(-1)).isEqualTo(kept);
    assertThat(status.path("numberReady").asInt(-1)).isEqualTo(desired);
    assertThat(status.path("numberAvailable").asInt(0)).isEqualTo(desired);
    assertThat(status.path("updatedNumberScheduled").asInt(0)).isEqualTo(desired);
    assertThat(status.has("numberUnavailable")).isFalse();
    assertThat(status.path("observedGeneration").asLong(-1))
        .isEqualTo(set.path("metadata").path("generation").asLong(0));
    assertThat(revisions(world).size()).isBetween(1, 3);
    assertThat(image(revisions(world).getLast().path("data").path("spec").path("template")))
        .isEqualTo(image);
  }

  private static List<ObjectNode> revisions(World world) {
    return world.list(Kinds.CONTROLLER_REVISIONS).stream()
        .sorted(Comparator.comparingLong(it -> it.path("revision").asLong(0)))
        .toList();
  }

  private static String image(JsonNode pod) {
    return Meta.text(pod.path("spec").path("containers").path(0).path("image"));
  }

  // ---- scenarios

  private static World withNodes(int count) {
    World world = world(1, 0);
    for (int i = 0; i < count; i++) {
      node(world, "n" + i);
    }
    return world;
  }

  @Test
  void pods_areMeantForTheirNode_andPutUpWithItsTroubles() {
    try (var world = withNodes(1)) {
      world.patch(Kinds.NODES, "n0", TAINT.formatted("node.kubernetes.io/not-ready", "NoExecute"));
      create(world, "", "\"hostNetwork\":true,");
      world.env.runFor(Duration.ofSeconds(1));
      ObjectNode pod = world.activePods().getFirst();
      assertThat(Meta.name(pod)).startsWith("agent-");
      assertThat(Meta.text(pod.path("spec").path("nodeName"))).isEmpty();
      assertThat(target(pod)).isEqualTo("n0");
      assertThat(pod.path("spec").path("tolerations"))
          .extracting(it -> Meta.text(it.path("key")))
          .contains(
              "node.kubernetes.io/not-ready",
              "node.kubernetes.io/unreachable",
              "node.kubernetes.io/disk-pressure",
              "node.kubernetes.io/memory-pressure",
              "node.kubernetes.io/pid-pressure",
              "node.kubernetes.io/unschedulable",
              "node.kubernetes.io/network-unavailable");
      String revision = Meta.name(revisions(world).getFirst());
      assertThat(
              "agent-"
                  + Meta.text(pod.path("metadata").path("labels").path("controller-revision-hash")))
          .isEqualTo(revision);
    }
  }

  @Test
  void update_leavesNoMoreNodesWithoutAPodThanAllowed() {
    try (var world = withNodes(5)) {
      create(world, rolling("0", "2"), "");
      serve(world, 4);
      world.patch(Kinds.DAEMON_SETS, "agent", template("v1"));
      int least = 5;
      for (int i = 0; i < 60; i++) {
        world.env.runFor(Duration.ofMillis(200));
        int ready = ready(world);
        least = Math.min(least, ready);
        assertThat(ready).isGreaterThanOrEqualTo(3);
        if (i % 4 == 0) {
          world.endThoseAsked();
          world.activePods().forEach(pod -> start(world, pod));
        }
      }
      assertThat(least).as("two at a time").isEqualTo(3);
      world.settle();
      check(world, "v1");
    }
  }

  @Test
  void surge_hasTheNewPodReadyBeforeTheOldOneGoes() {
    try (var world = withNodes(4)) {
      create(world, rolling("1", "0"), "");
      serve(world, 4);
      world.patch(Kinds.DAEMON_SETS, "agent", template("v1"));
      int most = 0;
      for (int i = 0; i < 80; i++) {
        world.env.runFor(Duration.ofMillis(200));
        assertThat(ready(world)).isGreaterThanOrEqualTo(4);
        most = Math.max(most, world.activePods().size());
        if (i % 4 == 0) {
          world.endThoseAsked();
          world.activePods().forEach(pod -> start(world, pod));
        }
      }
      assertThat(most).as("one node at a time has two").isEqualTo(5);
      world.settle();
      check(world, "v1");
    }
  }

  private static int ready(World world) {
    return (int) world.activePods().stream().filter(it -> Pods.readySince(it) != null).count();
  }

  @Test
  void onDelete_leavesPodsUntilTheyAreDeleted() {
    try (var world = withNodes(2)) {
      create(world, "\"updateStrategy\":{\"type\":\"OnDelete\"},", "");
      serve(world, 3);
      world.patch(Kinds.DAEMON_SETS, "agent", template("v1"));
      serve(world, 3);
      assertThat(world.activePods()).extracting(DaemonSetSimulation::image).containsOnly("v0");
      world.delete(
          Kinds.PODS, Meta.name(world.activePods().getFirst()), "{\"gracePeriodSeconds\":0}");
      serve(world, 3);
      assertThat(world.activePods())
          .extracting(DaemonSetSimulation::image)
          .containsExactlyInAnyOrder("v0", "v1");
      JsonNode status = world.get(Kinds.DAEMON_SETS, "agent").path("status");
      assertThat(status.path("updatedNumberScheduled").asInt(0)).isEqualTo(1);
    }
  }

  @Test
  void taints_keepNewPodsAway_andOnlySomeEndThoseThatAreThere() {
    try (var world = withNodes(1)) {
      create(world, "", "");
      serve(world, 2);
      ObjectNode pod = world.activePods().getFirst();
      world.patch(Kinds.NODES, "n0", TAINT.formatted("gpu", "NoSchedule"));
      serve(world, 2);
      assertThat(world.activePods()).extracting(Meta::uid).containsExactly(Meta.uid(pod));
      JsonNode status = world.get(Kinds.DAEMON_SETS, "agent").path("status");
      assertThat(status.path("desiredNumberScheduled").asInt(-1)).isZero();
      assertThat(status.path("numberMisscheduled").asInt(-1)).isEqualTo(1);
      world.delete(Kinds.PODS, Meta.name(pod), "{\"gracePeriodSeconds\":0}");
      serve(world, 2);
      assertThat(world.activePods()).isEmpty();
      world.patch(Kinds.NODES, "n0", "{\"spec\":{\"taints\":null}}");
      serve(world, 2);
      assertThat(world.activePods()).hasSize(1);
      world.patch(Kinds.NODES, "n0", TAINT.formatted("gpu", "NoExecute"));
      serve(world, 2);
      assertThat(world.activePods()).isEmpty();
    }
  }

  @Test
  void secondPodOnANode_goes() {
    try (var world = withNodes(1)) {
      create(world, "", "");
      serve(world, 2);
      ObjectNode first = world.activePods().getFirst();
      world.create(
          Kinds.PODS,
          """
          {"apiVersion":"v1","kind":"Pod","metadata":{"name":"stray","labels":{"app":"agent"}},
           "spec":{"nodeName":"n0","containers":[{"name":"c","image":"v0"}]}}
          """);
      serve(world, 3);
      assertThat(world.list(Kinds.PODS)).extracting(Meta::uid).containsExactly(Meta.uid(first));
    }
  }

  @Test
  void podThatFailsAtOnce_isReplacedAfterAWhile() {
    try (var world = withNodes(1)) {
      create(world, "", "");
      world.env.runFor(Duration.ofSeconds(1));
      ObjectNode first = world.activePods().getFirst();
      bind(world, first);
      world.ended(first, false);
      world.env.runFor(Duration.ofSeconds(10));
      world.endThoseAsked();
      assertThat(world.list(Kinds.PODS)).hasSize(1);
      assertThat(world.activePods()).isEmpty();
      world.env.runFor(Duration.ofSeconds(25));
      world.endThoseAsked();
      world.env.runFor(Duration.ofSeconds(1));
      assertThat(world.activePods()).hasSize(1);
      assertThat(Meta.uid(world.activePods().getFirst())).isNotEqualTo(Meta.uid(first));
    }
  }

  @Test
  void revision_appliedAsAPatch_bringsTheTemplateBack_withANewNumber() {
    try (var world = withNodes(2)) {
      create(world, "", "");
      serve(world, 3);
      world.patch(Kinds.DAEMON_SETS, "agent", template("v1"));
      serve(world, 6);
      ObjectNode first = revisions(world).getFirst();
      world.perhaps(
          world.user.patch(
              Kinds.DAEMON_SETS,
              World.NAMESPACE,
              "agent",
              PatchType.STRATEGIC,
              Bytes.wrap(Json.encode(first.path("data"))),
              new Query()));
      serve(world, 6);
      check(world, "v0");
      assertThat(revisions(world)).hasSize(2);
      assertThat(Meta.name(revisions(world).getLast())).isEqualTo(Meta.name(first));
      assertThat(revisions(world).getLast().path("revision").asLong(0)).isEqualTo(3);
    }
  }

  @Test
  void heartbeatsOfNodes_wakeNobody() {
    try (var world = withNodes(3)) {
      create(world, "", "");
      serve(world, 3);
      world.settle();
      int before = world.log.newest(_ -> true, 10_000).size();
      for (int i = 0; i < 20; i++) {
        world.patchStatus(
            Kinds.NODES,
            "n" + i % 3,
            "{\"status\":{\"phase\":\"" + (i % 2 == 0 ? "Running" : "Pending") + "\"}}");
      }
      world.env.runFor(Duration.ofSeconds(5));
      assertThat(world.log.newest(_ -> true, 10_000)).hasSize(before);
    }
  }
}
