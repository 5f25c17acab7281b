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
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The StatefulSet controller on the real server, while it is stopped and started anew, answers get
 * lost, pods fail and vanish, and the set is scaled and updated: a pod is made only after those
 * before it were ready, and in the end each wanted pod is there, up to date. A failing run is a
 * seed.
 */
final class StatefulSetSimulation {

  private static final int SEEDS = 60;

  /** What a controller may not know yet. */
  private static final Duration UNSEEN_MAX = Duration.ofMillis(250);

  private static final Kind<ObjectNode> BINDINGS = Kind.untyped("v1", "Binding", "bindings", true);

  private static World world(long seed, int lossPercent) {
    return new World(seed, lossPercent, List.of(StatefulSetReconciler.controller()));
  }

  /**
   * @param more fields of the spec, with a comma at the end
   */
  private static void create(World world, int replicas, String more) {
    world.create(
        Kinds.STATEFUL_SETS,
        """
        {"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"db"},
         "spec":{"replicas":%d,"serviceName":"peers",%s"selector":{"matchLabels":{"app":"db"}},
         "template":{"metadata":{"labels":{"app":"db"}},
         "spec":{"containers":[{"name":"c","image":"v0"}]}}}}
        """
            .formatted(replicas, more));
  }

  private static final String CLAIMS =
      """
      "volumeClaimTemplates":[{"metadata":{"name":"data"},"spec":{"accessModes":["ReadWriteOnce"],
       "resources":{"requests":{"storage":"1Gi"}}}}],
      """;

  // ---- pods' nodes

  private static void bind(World world, ObjectNode pod) {
    if (Meta.text(pod.path("spec").path("nodeName")).isEmpty() && !Pods.isEnding(pod)) {
      world.perhaps(
          world.user.create(
              BINDINGS,
              World.NAMESPACE,
              World.json(
                  "{\"metadata\":{\"name\":\"%s\"},\"target\":{\"kind\":\"Node\",\"name\":\"n1\"}}"
                      .formatted(Meta.name(pod)))));
    }
  }

  private static void start(World world, ObjectNode pod) {
    bind(world, pod);
    if (Pods.readySince(pod) == null) {
      world.ready(pod);
    }
  }

  /** Nodes do what they are asked, until nobody asks. */
  private static void serve(World world, int rounds) {
    for (int i = 0; i < rounds; i++) {
      world.endThoseAsked();
      world.activePods().forEach(pod -> start(world, pod));
      world.env.runFor(Duration.ofSeconds(3));
    }
  }

  // ---- the simulation

  /** Remembers what was ready when, to judge what is made after. */
  private static final class Watcher {
    private final World world;
    private final int start;
    private final boolean ordered;
    private final Duration minReady;
    private final Map<Integer, Instant> readyUntil = new HashMap<>();
    private final Set<String> known = new HashSet<>();

    Watcher(World world, int start, boolean ordered, Duration minReady) {
      this.world = world;
      this.start = start;
      this.ordered = ordered;
      this.minReady = minReady;
    }

    void look() {
      Instant now = world.env.clock().now();
      Set<Integer> ordinals = new HashSet<>();
      List<ObjectNode> pods = world.list(Kinds.PODS);
      for (ObjectNode pod : pods) {
        assertThat(ordinals.add(ordinal(pod))).as("one pod of " + Meta.name(pod)).isTrue();
        Instant since = Pods.readySince(pod);
        if (since != null && Pods.isActive(pod) && !since.plus(minReady).isAfter(now)) {
          readyUntil.put(ordinal(pod), now);
        }
      }
      for (ObjectNode pod : pods) {
        if (known.add(Meta.uid(pod)) && ordered && !world.isTroubled()) {
          for (int before = start; before < ordinal(pod); before++) {
            assertThat(readyUntil.getOrDefault(before, Instant.EPOCH))
                .as("db-%d was ready when %s was made", before, Meta.name(pod))
                .isAfter(now.minus(UNSEEN_MAX));
          }
        }
      }
    }
  }

  private static int ordinal(ObjectNode pod) {
    String label =
        Meta.text(pod.path("metadata").path("labels").path("apps.kubernetes.io/pod-index"));
    assertThat(Meta.name(pod)).isEqualTo("db-" + label);
    return Integer.parseInt(label);
  }

  @Test
  void pods_areMadeInOrder_andInTheEndAllAreThereAndUpToDate() {
    World.seeds("statefulset", SEEDS, StatefulSetSimulation::run);
  }

  private static void run(long seed) {
    try (var world = world(seed, 10)) {
      int replicas = world.random.nextInt(5);
      int start = world.random.nextInt(3) == 0 ? 3 : 0;
      boolean ordered = world.random.nextInt(3) > 0;
      int minReady = world.random.nextInt(3) == 0 ? 2 : 0;
      boolean claims = world.random.nextBoolean();
      create(
          world,
          replicas,
          "\"ordinals\":{\"start\":%d},\"minReadySeconds\":%d,\"revisionHistoryLimit\":2,%s%s"
              .formatted(
                  start,
                  minReady,
                  ordered ? "" : "\"podManagementPolicy\":\"Parallel\",",
                  claims ? CLAIMS : ""));
      var watcher = new Watcher(world, start, ordered, Duration.ofSeconds(minReady));
      String image = "v0";
      int partition = 0;
      for (int step = 0; step < 60; step++) {
        world.env.runFor(Duration.ofMillis(world.random.nextInt(step % 5 == 0 ? 2_500 : 60)));
        world.trouble();
        watcher.look();
        ObjectNode pod = world.oneOf(world.activePods());
        switch (world.random.nextInt(12)) {
          case 0 -> {
            replicas = world.random.nextInt(6);
            patch(world, "{\"spec\":{\"replicas\":" + replicas + "}}");
          }
          case 1 -> world.restart();
          case 2 -> {
            image = "v" + world.random.nextInt(6);
            patch(world, template(image));
          }
          case 3 -> {
            partition = world.random.nextInt(4);
            patch(
                world,
                "{\"spec\":{\"updateStrategy\":{\"rollingUpdate\":{\"partition\":"
                    + partition
                    + "}}}}");
          }
          case 4, 5 -> world.endThoseAsked();
          default -> {
            if (pod != null) {
              disturb(world, pod);
            }
          }
        }
        watcher.look();
      }
      partition = partition > 1 ? 0 : partition;
      patch(
          world,
          "{\"spec\":{\"updateStrategy\":{\"rollingUpdate\":{\"partition\":" + partition + "}}}}");
      serve(world, 30);
      world.settle();
      serve(world, 10);
      world.settle();
      check(world, replicas, start, partition, image, claims);
    }
  }

  private static void disturb(World world, ObjectNode pod) {
    switch (world.random.nextInt(10)) {
      case 0 -> world.ended(pod, world.random.nextBoolean());
      case 1 -> world.delete(Kinds.PODS, Meta.name(pod), "{\"gracePeriodSeconds\":0}");
      case 2 -> world.delete(Kinds.PODS, Meta.name(pod), "{}");
      case 3 ->
          world.patch(Kinds.PODS, Meta.name(pod), "{\"metadata\":{\"ownerReferences\":null}}");
      case 4 ->
          world.patchStatus(
              Kinds.PODS,
              Meta.name(pod),
              "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"False\"}]}}");
      default -> start(world, pod);
    }
  }

  private static void patch(World world, String change) {
    world.patch(Kinds.STATEFUL_SETS, "db", change);
  }

  private static String template(String image) {
    return "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\""
        + image
        + "\"}]}}}}";
  }

  private static void check(
      World world, int replicas, int start, int partition, String image, boolean claims) {
    List<ObjectNode> pods = pods(world);
    assertThat(pods).hasSize(replicas);
    ObjectNode set = world.get(Kinds.STATEFUL_SETS, "db");
    JsonNode status = set.path("status");
    for (int i = 0; i < replicas; i++) {
      ObjectNode pod = pods.get(i);
      assertThat(Meta.name(pod)).isEqualTo("db-" + (start + i));
      assertThat(Meta.text(pod.path("metadata").path("ownerReferences").path(0).path("uid")))
          .isEqualTo(Meta.uid(set));
      if (i >= partition) {
        assertThat(image(pod)).isEqualTo(image);
        assertThat(revision(pod)).isEqualTo(Meta.text(status.path("updateRevision")));
      }
      if (claims) {
        assertThat(world.get(Kinds.VOLUME_CLAIMS, "data-" + Meta.name(pod))).isNotNull();
      }
    }
    assertThat(status.path("replicas").asInt(-1)).isEqualTo(replicas);
    assertThat(status.path("readyReplicas").asInt(0)).isEqualTo(replicas);
    assertThat(status.path("availableReplicas").asInt(-1)).isEqualTo(replicas);
    assertThat(status.path("observedGeneration").asLong(-1))
        .isEqualTo(set.path("metadata").path("generation").asLong(0));
    if (partition == 0) {
      assertThat(status.path("updatedReplicas").asInt(0)).isEqualTo(replicas);
      assertThat(status.path("currentReplicas").asInt(0)).isEqualTo(replicas);
      assertThat(status.path("currentRevision")).isEqualTo(status.path("updateRevision"));
      assertThat(world.list(Kinds.CONTROLLER_REVISIONS).size()).isBetween(1, 3);
    }
    ObjectNode newest = revisions(world).getLast();
    assertThat(Meta.name(newest)).isEqualTo(Meta.text(status.path("updateRevision")));
    assertThat(image(newest.path("data").path("spec").path("template"))).isEqualTo(image);
  }

  private static List<ObjectNode> pods(World world) {
    return world.list(Kinds.PODS).stream()
        .sorted(Comparator.comparingInt(StatefulSetSimulation::ordinal))
        .toList();
  }

  private static List<ObjectNode> revisions(World world) {
    return world.list(Kinds.CONTROLLER_REVISIONS).stream()
        .sorted(Comparator.comparingLong(it -> it.path("revision").asLong(0)))
        .toList();
  }

  private static String image(JsonNode pod) {
    return Meta.text(pod.path("spec").path("containers").path(0).path("image"));
  }

  private static String revision(JsonNode pod) {
    return Meta.text(pod.path("metadata").path("labels").path("controller-revision-hash"));
  }

  // ---- scenarios

  @Test
  void setThatIsMadeAnew_hasTheRevisionOfItsTemplateUnderTheSameName() {
    try (var world = world(1, 0)) {
      create(world, 0, "");
      world.env.runFor(Duration.ofSeconds(1));
      String first = Meta.name(revisions(world).getFirst());
      world.delete(Kinds.STATEFUL_SETS, "db", "{}");
      create(world, 0, "");
      world.env.runFor(Duration.ofSeconds(3));
      JsonNode status = world.get(Kinds.STATEFUL_SETS, "db").path("status");
      assertThat(Meta.text(status.path("currentRevision"))).isEqualTo(first);
      assertThat(status.path("collisionCount").asLong(-1)).isZero();
      // As the collector does, which does not run here.
      world.delete(Kinds.CONTROLLER_REVISIONS, first, "{}");
      world.env.runFor(Duration.ofSeconds(3));
      ObjectNode revision = revisions(world).getFirst();
      assertThat(Meta.name(revision)).isEqualTo(first);
      assertThat(Meta.text(revision.path("metadata").path("ownerReferences").path(0).path("uid")))
          .isEqualTo(Meta.uid(world.get(Kinds.STATEFUL_SETS, "db")));
    }
  }

  @Test
  void podsHaveNamesHostnamesAndClaims() {
    try (var world = world(1, 0)) {
      create(world, 1, CLAIMS);
      world.env.runFor(Duration.ofSeconds(1));
      ObjectNode pod = world.get(Kinds.PODS, "db-0");
      assertThat(Meta.text(pod.path("spec").path("hostname"))).isEqualTo("db-0");
      assertThat(Meta.text(pod.path("spec").path("subdomain"))).isEqualTo("peers");
      JsonNode labels = pod.path("metadata").path("labels");
      assertThat(Meta.text(labels.path("statefulset.kubernetes.io/pod-name"))).isEqualTo("db-0");
      assertThat(Meta.text(labels.path("apps.kubernetes.io/pod-index"))).isEqualTo("0");
      assertThat(revision(pod)).isEqualTo(Meta.name(revisions(world).getFirst()));
      JsonNode volume = pod.path("spec").path("volumes").path(0);
      assertThat(Meta.text(volume.path("name"))).isEqualTo("data");
      assertThat(Meta.text(volume.path("persistentVolumeClaim").path("claimName")))
          .isEqualTo("data-db-0");
      ObjectNode claim = world.get(Kinds.VOLUME_CLAIMS, "data-db-0");
      assertThat(Meta.text(claim.path("metadata").path("labels").path("app"))).isEqualTo("db");
      assertThat(claim.path("metadata").has("ownerReferences")).isFalse();
    }
  }

  @Test
  void update_replacesOneAtATime_fromTheLastToThePartition() {
    try (var world = world(1, 0)) {
      create(world, 4, "");
      serve(world, 8);
      patch(
          world,
          "{\"spec\":{\"updateStrategy\":{\"rollingUpdate\":{\"partition\":2}},"
              + template("v1").substring("{\"spec\":{".length()));
      Set<Integer> updated = new HashSet<>();
      for (int i = 0; i < 40; i++) {
        world.env.runFor(Duration.ofMillis(500));
        List<ObjectNode> ready =
            world.activePods().stream().filter(it -> Pods.readySince(it) != null).toList();
        assertThat(ready.size()).isGreaterThanOrEqualTo(3);
        for (ObjectNode pod : ready) {
          if (image(pod).equals("v1") && updated.add(ordinal(pod))) {
            assertThat(ordinal(pod)).isEqualTo(4 - updated.size());
          }
        }
        if (i % 3 == 0) {
          world.endThoseAsked();
          world.activePods().forEach(pod -> start(world, pod));
        }
      }
      assertThat(updated).containsExactlyInAnyOrder(2, 3);
      JsonNode status = world.get(Kinds.STATEFUL_SETS, "db").path("status");
      assertThat(status.path("updatedReplicas").asInt(0)).isEqualTo(2);
      assertThat(status.path("currentReplicas").asInt(0)).isEqualTo(2);
      assertThat(status.path("currentRevision")).isNotEqualTo(status.path("updateRevision"));
      world.delete(Kinds.PODS, "db-0", "{\"gracePeriodSeconds\":0}");
      world.env.runFor(Duration.ofSeconds(1));
      assertThat(image(world.get(Kinds.PODS, "db-0"))).as("below the partition").isEqualTo("v0");
    }
  }

  @Test
  void onDelete_leavesPodsUntilTheyAreDeleted() {
    try (var world = world(1, 0)) {
      create(world, 2, "\"updateStrategy\":{\"type\":\"OnDelete\"},");
      serve(world, 5);
      patch(world, template("v1"));
      serve(world, 5);
      assertThat(pods(world)).extracting(StatefulSetSimulation::image).containsExactly("v0", "v0");
      world.delete(Kinds.PODS, "db-1", "{\"gracePeriodSeconds\":0}");
      serve(world, 3);
      assertThat(pods(world)).extracting(StatefulSetSimulation::image).containsExactly("v0", "v1");
    }
  }

  @Test
  void scaleDown_endsTheLast_andWaitsForItsEnd() {
    try (var world = world(1, 0)) {
      create(world, 3, "");
      serve(world, 6);
      patch(world, "{\"spec\":{\"replicas\":0}}");
      for (int last = 2; last >= 0; last--) {
        world.env.runFor(Duration.ofSeconds(2));
        assertThat(pods(world)).hasSize(last + 1);
        for (ObjectNode pod : pods(world)) {
          assertThat(Pods.isEnding(pod)).isEqualTo(ordinal(pod) == last);
        }
        world.endThoseAsked();
      }
      world.settle();
      assertThat(pods(world)).isEmpty();
    }
  }

  @Test
  void revision_appliedAsAPatch_bringsTheTemplateBack_withANewNumber() {
    try (var world = world(1, 0)) {
      create(world, 1, "");
      serve(world, 3);
      patch(world, template("v1"));
      serve(world, 5);
      ObjectNode first = revisions(world).getFirst();
      assertThat(first.path("revision").asLong(0)).isEqualTo(1);
      world.perhaps(
          world.user.patch(
              Kinds.STATEFUL_SETS,
              World.NAMESPACE,
              "db",
              PatchType.STRATEGIC,
              Bytes.wrap(Json.encode(first.path("data"))),
              new Query()));
      serve(world, 5);
      assertThat(image(pods(world).getFirst())).isEqualTo("v0");
      assertThat(revisions(world)).hasSize(2);
      assertThat(Meta.name(revisions(world).getLast())).isEqualTo(Meta.name(first));
      assertThat(revisions(world).getLast().path("revision").asLong(0)).isEqualTo(3);
    }
  }

  @Test
  void claims_belongToWhatTheyGoWith() {
    try (var world = world(1, 0)) {
      create(
          world,
          2,
          CLAIMS
              + "\"persistentVolumeClaimRetentionPolicy\":"
              + "{\"whenDeleted\":\"Delete\",\"whenScaled\":\"Delete\"},");
      serve(world, 5);
      ObjectNode set = world.get(Kinds.STATEFUL_SETS, "db");
      assertThat(owner(world, "data-db-1")).isEqualTo(Meta.uid(set));
      String pod = Meta.uid(world.get(Kinds.PODS, "db-1"));
      patch(world, "{\"spec\":{\"replicas\":1}}");
      world.env.runFor(Duration.ofSeconds(2));
      assertThat(owner(world, "data-db-1")).isEqualTo(pod);
      assertThat(owner(world, "data-db-0")).isEqualTo(Meta.uid(set));
      serve(world, 2);
      patch(world, "{\"spec\":{\"replicas\":2}}");
      serve(world, 2);
      assertThat(pods(world)).as("the claim goes with the pod before").hasSize(1);
      world.delete(Kinds.VOLUME_CLAIMS, "data-db-1", "{}");
      world.patch(Kinds.VOLUME_CLAIMS, "data-db-1", "{\"metadata\":{\"finalizers\":null}}");
      serve(world, 2);
      assertThat(pods(world)).hasSize(2);
      assertThat(owner(world, "data-db-1")).isEqualTo(Meta.uid(set));
      patch(
          world,
          "{\"spec\":{\"persistentVolumeClaimRetentionPolicy\":"
              + "{\"whenDeleted\":\"Retain\",\"whenScaled\":\"Retain\"}}}");
      world.settle();
      assertThat(owner(world, "data-db-0")).isEmpty();
    }
  }

  private static String owner(World world, String claim) {
    JsonNode owners =
        world.get(Kinds.VOLUME_CLAIMS, claim).path("metadata").path("ownerReferences");
    assertThat(owners.size()).isLessThan(2);
    return Meta.text(owners.path(0).path("uid"));
  }

  @Test
  void podOfSomebodyElse_isWaitedFor() {
    try (var world = world(1, 0)) {
      world.create(
          Kinds.PODS,
          """
          {"apiVersion":"v1","kind":"Pod","metadata":{"name":"db-0","labels":{"app":"other"}},
           "spec":{"containers":[{"name":"c","image":"i"}]}}
          """);
      create(world, 2, "");
      world.settle();
      assertThat(world.list(Kinds.PODS)).hasSize(1);
      world.delete(Kinds.PODS, "db-0", "{\"gracePeriodSeconds\":0}");
      world.env.runFor(Duration.ofSeconds(1));
      assertThat(image(world.get(Kinds.PODS, "db-0"))).isEqualTo("v0");
    }
  }
}
