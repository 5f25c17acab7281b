package dev.evenkeel.decide.controllers.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.world.World;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.observe.object.Kinds;
import dev.evenkeel.observe.transport.PatchType;
import dev.evenkeel.observe.transport.Query;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The Job controller on the real server, while it is stopped and started anew, answers get lost,
 * pods end and vanish, and the job is suspended, resumed and scaled: every pod that ended while it
 * was tracked is counted once, whatever happened between. A failing run is a seed.
 */
final class JobSimulation {

  private static final int SEEDS = 200;
  private static final String FINALIZER = "batch.kubernetes.io/job-tracking";

  private static World world(long seed, int lossPercent) {
    return new World(
        seed,
        lossPercent,
        List.of(JobReconciler.controller(), TtlAfterFinishedReconciler.controller()));
  }

  private static ObjectNode create(World world, String spec) {
    return world.create(
        Kinds.JOBS,
        """
        {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"sum"},
         "spec":{%s,"template":{"spec":{"restartPolicy":"Never",
         "containers":[{"name":"c","image":"i"}]}}}}
        """
            .formatted(spec));
  }

  private static JsonNode status(World world) {
    return world.get(Kinds.JOBS, "sum").path("status");
  }

  /** A condition that is true; nothing if it is not. */
  private static JsonNode condition(World world, String type) {
    for (JsonNode condition : status(world).path("conditions")) {
      if (condition.path("type").asString("").equals(type)
          && condition.path("status").asString("").equals("True")) {
        return condition;
      }
    }
    return MissingNode.getInstance();
  }

  private static boolean isTracked(ObjectNode pod) {
    return pod.path("metadata").path("finalizers").toString().contains(FINALIZER);
  }

  /** What became of pods, as their node's agent knows it: the first thing that counts for each. */
  private static final class Fates {

    private final World world;
    private final boolean endingCounts;
    private final Map<String, Boolean> succeeded = new HashMap<>();
    private final Map<String, String> indexes = new HashMap<>();

    Fates(World world, boolean endingCounts) {
      this.world = world;
      this.endingCounts = endingCounts;
    }

    /** What is there after a write; null if it was not done. */
    private @Nullable ObjectNode after(CompletableFuture<ObjectNode> write) {
      return world.now(write.<@Nullable ObjectNode>thenApply(it -> it).exceptionally(_ -> null));
    }

    void end(ObjectNode pod, boolean well) {
      ObjectNode now =
          after(
              world.user.patch(
                  Kinds.PODS,
                  World.NAMESPACE,
                  Meta.name(pod),
                  "status",
                  PatchType.MERGE,
                  Bytes.utf8(
                      """
                      {"metadata":{"resourceVersion":"%s"},"status":{"phase":"%s","containerStatuses":[{"name":"c",
                       "image":"i","imageID":"i","ready":false,"restartCount":0,
                       "state":{"terminated":{"exitCode":%d,"finishedAt":"%s"}}}]}}
                      """
                          .formatted(
                              Meta.resourceVersion(pod),
                              well ? "Succeeded" : "Failed",
                              well ? 0 : 1,
                              world
                                  .env
                                  .clock()
                                  .now()
                                  .truncatedTo(java.time.temporal.ChronoUnit.SECONDS))),
                  new Query()));
      if (now != null && isTracked(now)) {
        note(now, well);
      }
    }

    void delete(ObjectNode pod) {
      ObjectNode now =
          after(
              world.user.delete(
                  Kinds.PODS,
                  World.NAMESPACE,
                  Meta.name(pod),
                  World.json("{\"gracePeriodSeconds\":0}")));
      if (now != null && isTracked(now) && endingCounts && !Pods.phase(now).equals("Succeeded")) {
        note(now, false);
      }
    }

    private void note(ObjectNode pod, boolean well) {
      succeeded.putIfAbsent(Meta.uid(pod), well);
      if (well && Boolean.TRUE.equals(succeeded.get(Meta.uid(pod)))) {
        indexes.put(
            Meta.text(
                Meta.at(
                    pod, "metadata", "annotations", "batch.kubernetes.io/job-completion-index")),
            Meta.uid(pod));
      }
    }

    /** What an agent does with pods that are asked to end. */
    void endThoseAsked() {
      for (ObjectNode pod : world.list(Kinds.PODS)) {
        if (Pods.isEnding(pod)) {
          if (!Pods.phase(pod).equals("Succeeded") && !Pods.phase(pod).equals("Failed")) {
            end(pod, false);
          }
          delete(pod);
        }
      }
    }

    long successes() {
      return succeeded.values().stream().filter(it -> it).count();
    }

    long failures() {
      return succeeded.size() - successes();
    }
  }

  @Test
  void podsThatEnd_areCountedOnce() {
    World.seeds("job", SEEDS, seed -> run(seed, seed % 2 == 1, seed % 4 >= 2, seed % 8 >= 5));
  }

  private static void run(
      long seed, boolean indexed, boolean onlyReplaceFailed, boolean failsPerIndex) {
    try (var world = world(seed, 10)) {
      int completions = 1 + world.random.nextInt(5);
      int most = 1 + world.random.nextInt(3);
      create(
          world,
          """
          "completions":%d,"parallelism":%d,"backoffLimit":1000%s%s%s
          """
              .formatted(
                  completions,
                  most,
                  indexed ? ",\"completionMode\":\"Indexed\"" : "",
                  indexed && failsPerIndex ? ",\"backoffLimitPerIndex\":1000" : "",
                  onlyReplaceFailed ? ",\"podReplacementPolicy\":\"Failed\"" : ""));
      var fates = new Fates(world, !onlyReplaceFailed);
      int lastFailed = 0;
      for (int step = 0; step < 40; step++) {
        world.env.runFor(Duration.ofMillis(world.random.nextInt(40)));
        world.trouble();
        JsonNode status = status(world);
        assertThat(status.path("succeeded").asInt(0)).isLessThanOrEqualTo(completions);
        assertThat(status.path("failed").asInt(0)).isGreaterThanOrEqualTo(lastFailed);
        lastFailed = status.path("failed").asInt(0);
        List<ObjectNode> active = world.activePods();
        assertThat(active.size()).isLessThanOrEqualTo(most);
        ObjectNode pod = world.oneOf(active);
        switch (world.random.nextInt(12)) {
          case 0 -> {
            int parallelism = world.random.nextInt(4);
            most = Math.max(most, parallelism);
            world.patch(Kinds.JOBS, "sum", "{\"spec\":{\"parallelism\":" + parallelism + "}}");
          }
          case 1, 2 -> world.restart();
          case 3 ->
              world.patch(
                  Kinds.JOBS, "sum", "{\"spec\":{\"suspend\":" + world.random.nextBoolean() + "}}");
          case 4, 5 -> {
            if (pod != null) {
              fates.end(pod, false);
            }
          }
          case 6 -> {
            if (pod != null) {
              fates.end(pod, true);
            }
          }
          case 7 -> {
            if (pod != null) {
              fates.delete(pod);
            }
          }
          case 8 -> {
            if (pod != null) {
              world.ready(pod);
            }
          }
          case 9 -> fates.endThoseAsked();
          default -> world.env.runFor(Duration.ofSeconds(world.random.nextInt(30)));
        }
      }
      world.well();
      world.patch(Kinds.JOBS, "sum", "{\"spec\":{\"suspend\":false,\"parallelism\":2}}");
      for (int round = 0; round < 20 && condition(world, "Complete").isMissingNode(); round++) {
        world.env.runFor(Duration.ofMinutes(2));
        assertThat(world.activePods()).allMatch(JobSimulation::isTracked);
        fates.endThoseAsked();
        world.activePods().forEach(pod -> fates.end(pod, true));
      }
      world.env.runFor(Duration.ofSeconds(2));
      fates.endThoseAsked();
      world.settle();
      assertThat(condition(world, "SuccessCriteriaMet").isObject()).isTrue();
      assertThat(condition(world, "Complete").isObject()).isTrue();
      JsonNode status = status(world);
      assertThat(status.path("succeeded").asLong(0))
          .isEqualTo(indexed ? fates.indexes.size() : fates.successes())
          .isEqualTo(completions);
      assertThat(status.path("failed").asLong(0)).as("failed").isEqualTo(fates.failures());
      assertThat(status.path("active").asInt(0)).isZero();
      assertThat(status.path("terminating").asInt(0)).isZero();
      assertThat(status.path("uncountedTerminatedPods").isEmpty()).isTrue();
      assertThat(status.has("startTime")).isTrue();
      assertThat(status.has("completionTime")).isTrue();
      assertThat(status.path("completedIndexes").asString(""))
          .isEqualTo(
              switch (indexed ? completions : 0) {
                case 0 -> "";
                case 1 -> "0";
                case 2 -> "0,1";
                default -> "0-" + (completions - 1);
              });
      assertThat(world.list(Kinds.PODS)).noneMatch(JobSimulation::isTracked);
    }
  }

  @Test
  void jobThatFails_endsItsPods_andSaysWhy() {
    World.seeds("job-failing", SEEDS / 2, JobSimulation::fail);
  }

  private static void fail(long seed) {
    try (var world = world(seed, 10)) {
      int limit = world.random.nextInt(3);
      create(world, "\"completions\":50,\"parallelism\":3,\"backoffLimit\":" + limit);
      var fates = new Fates(world, true);
      for (int step = 0; step < 60 && condition(world, "Failed").isMissingNode(); step++) {
        world.env.runFor(Duration.ofMillis(world.random.nextInt(40)));
        world.trouble();
        ObjectNode pod = world.oneOf(world.activePods());
        switch (world.random.nextInt(5)) {
          case 0 -> world.restart();
          case 1 -> world.env.runFor(Duration.ofSeconds(world.random.nextInt(60)));
          case 2 -> fates.endThoseAsked();
          default -> {
            if (pod != null) {
              fates.end(pod, world.random.nextInt(4) == 0);
            }
          }
        }
      }
      for (int round = 0; round < 20 && condition(world, "Failed").isMissingNode(); round++) {
        world.env.runFor(Duration.ofMinutes(1));
        world.activePods().forEach(pod -> fates.end(pod, false));
        fates.endThoseAsked();
      }
      world.settle();
      JsonNode failed = condition(world, "Failed");
      assertThat(failed.path("reason").asString("")).isEqualTo("BackoffLimitExceeded");
      assertThat(condition(world, "FailureTarget").isObject()).isTrue();
      JsonNode status = status(world);
      assertThat(status.path("failed").asInt(0)).isBetween(limit + 1, limit + 4);
      assertThat(status.path("succeeded").asLong(0)).isEqualTo(fates.successes());
      assertThat(status.has("completionTime")).isFalse();
      assertThat(world.activePods()).isEmpty();
      assertThat(world.list(Kinds.PODS)).noneMatch(JobSimulation::isTracked);
    }
  }

  @Test
  void deletedJob_leavesNoPodThatWaitsForIt() {
    World.seeds(
        "job-deleted",
        SEEDS / 3,
        seed -> {
          try (var world = world(seed, 10)) {
            create(world, "\"completions\":5,\"parallelism\":3");
            var fates = new Fates(world, true);
            for (int step = 0; step < 10; step++) {
              world.env.runFor(Duration.ofMillis(world.random.nextInt(40)));
              world.trouble();
              ObjectNode pod = world.oneOf(world.activePods());
              if (pod != null && world.random.nextInt(3) == 0) {
                fates.end(pod, world.random.nextBoolean());
              }
            }
            world.delete(
                Kinds.JOBS,
                "sum",
                "{\"propagationPolicy\":\""
                    + (world.random.nextBoolean() ? "Background" : "Foreground")
                    + "\"}");
            if (world.random.nextBoolean()) {
              world.restart();
            }
            world.settle();
            assertThat(world.list(Kinds.PODS)).noneMatch(JobSimulation::isTracked);
          }
        });
  }

  // ---- what users see

  @Test
  void newJob_startsPods_thatCarryItsLabelsAndAreTracked() {
    try (var world = world(1, 0)) {
      ObjectNode job = create(world, "\"completions\":3,\"parallelism\":2");
      world.env.runFor(Duration.ofSeconds(2));
      List<ObjectNode> pods = world.activePods();
      assertThat(pods).hasSize(2).allMatch(JobSimulation::isTracked);
      assertThat(Meta.labels(pods.getFirst()))
          .containsEntry("batch.kubernetes.io/controller-uid", Meta.uid(job))
          .containsEntry("batch.kubernetes.io/job-name", "sum")
          .containsEntry("controller-uid", Meta.uid(job))
          .containsEntry("job-name", "sum");
      world.ready(pods.getFirst());
      world.env.runFor(Duration.ofSeconds(2));
      JsonNode status = status(world);
      assertThat(status.path("active").asInt(0)).isEqualTo(2);
      assertThat(status.path("ready").asInt(0)).isEqualTo(1);
      assertThat(status.path("terminating").asInt(-1)).isZero();
      assertThat(status.has("startTime")).isTrue();
      assertThat(status.has("conditions")).isFalse();
    }
  }

  @Test
  void podsOfAnIndexedJob_knowTheirNumber() {
    try (var world = world(1, 0)) {
      create(world, "\"completions\":3,\"parallelism\":3,\"completionMode\":\"Indexed\"");
      world.env.runFor(Duration.ofSeconds(2));
      List<ObjectNode> pods = world.activePods();
      assertThat(pods).hasSize(3);
      ObjectNode second =
          pods.stream().filter(it -> Meta.name(it).startsWith("sum-1-")).findFirst().orElseThrow();
      String index = "batch.kubernetes.io/job-completion-index";
      assertThat(Meta.labels(second)).containsEntry(index, "1");
      assertThat(Meta.text(Meta.at(second, "metadata", "annotations", index))).isEqualTo("1");
      assertThat(Meta.text(Meta.at(second, "spec", "hostname"))).isEqualTo("sum-1");
      JsonNode variable = second.path("spec").path("containers").path(0).path("env").path(0);
      assertThat(variable.path("name").asString("")).isEqualTo("JOB_COMPLETION_INDEX");
      assertThat(Meta.text(Meta.at(variable, "valueFrom", "fieldRef", "fieldPath")))
          .isEqualTo("metadata.labels['" + index + "']");
      new Fates(world, true).end(second, true);
      world.env.runFor(Duration.ofSeconds(2));
      assertThat(status(world).path("completedIndexes").asString("")).isEqualTo("1");
      assertThat(status(world).path("succeeded").asInt(0)).isEqualTo(1);
    }
  }

  @Test
  void failures_delayNewPods_longerEachTime() {
    try (var world = world(1, 0)) {
      create(world, "\"completions\":1,\"backoffLimit\":6");
      var fates = new Fates(world, true);
      for (int seconds : List.of(10, 20, 40)) {
        world.env.runFor(Duration.ofSeconds(2));
        assertThat(world.activePods()).hasSize(1);
        fates.end(world.activePods().getFirst(), false);
        world.env.runFor(Duration.ofSeconds(seconds - 2));
        assertThat(world.activePods()).as("within " + seconds + " s").isEmpty();
        world.env.runFor(Duration.ofSeconds(3));
        assertThat(world.activePods()).as("after " + seconds + " s").hasSize(1);
      }
      assertThat(status(world).path("failed").asInt(0)).isEqualTo(3);
    }
  }

  @Test
  void indexes_failOneByOne_andTheJobInTheEnd() {
    try (var world = world(1, 0)) {
      create(
          world,
          "\"completions\":3,\"parallelism\":3,\"completionMode\":\"Indexed\","
              + "\"backoffLimitPerIndex\":1");
      var fates = new Fates(world, true);
      List<String> counts = new ArrayList<>();
      for (int round = 0; round < 2; round++) {
        world.env.runFor(Duration.ofSeconds(30));
        for (ObjectNode pod : world.activePods()) {
          boolean first = Meta.name(pod).startsWith("sum-0-");
          if (first) {
            counts.add(
                Meta.text(
                    Meta.at(
                        pod,
                        "metadata",
                        "annotations",
                        "batch.kubernetes.io/job-index-failure-count")));
          }
          fates.end(pod, !first);
        }
      }
      world.settle();
      assertThat(counts).containsExactly("0", "1");
      JsonNode status = status(world);
      assertThat(status.path("failedIndexes").asString("")).isEqualTo("0");
      assertThat(status.path("completedIndexes").asString("")).isEqualTo("1,2");
      assertThat(status.path("failed").asInt(0)).isEqualTo(2);
      JsonNode failed = condition(world, "Failed");
      assertThat(failed.path("reason").asString("")).isEqualTo("FailedIndexes");
    }
  }

  @Test
  void tooManyFailedIndexes_failTheJob() {
    try (var world = world(1, 0)) {
      create(
          world,
          "\"completions\":4,\"parallelism\":4,\"completionMode\":\"Indexed\","
              + "\"backoffLimitPerIndex\":0,\"maxFailedIndexes\":1");
      var fates = new Fates(world, true);
      world.env.runFor(Duration.ofSeconds(2));
      world.activePods().subList(0, 2).forEach(pod -> fates.end(pod, false));
      world.settle();
      JsonNode failed = condition(world, "Failed");
      assertThat(failed.path("reason").asString("")).isEqualTo("MaxFailedIndexesExceeded");
      assertThat(world.activePods()).isEmpty();
      assertThat(status(world).path("failed").asInt(0)).isEqualTo(4);
    }
  }

  @Test
  void failurePolicy_failsTheJobAtOnce_orIgnores() {
    try (var world = world(1, 0)) {
      create(
          world,
          """
          "completions":2,"parallelism":1,"backoffLimit":0,"podFailurePolicy":{"rules":[
           {"action":"Ignore","onPodConditions":[{"type":"DisruptionTarget","status":"True"}]},
           {"action":"FailJob","onExitCodes":{"operator":"In","values":[1]}}]}
          """);
      world.env.runFor(Duration.ofSeconds(2));
      world.patchStatus(
          Kinds.PODS,
          Meta.name(world.activePods().getFirst()),
          """
          {"status":{"phase":"Failed","conditions":[{"type":"DisruptionTarget","status":"True"}]}}
          """);
      world.env.runFor(Duration.ofSeconds(30));
      assertThat(condition(world, "FailureTarget").isMissingNode()).isTrue();
      assertThat(status(world).path("failed").asInt(0)).isZero();
      ObjectNode pod = world.activePods().getFirst();
      new Fates(world, true).end(pod, false);
      world.settle();
      JsonNode failed = condition(world, "Failed");
      assertThat(failed.path("reason").asString("")).isEqualTo("PodFailurePolicy");
      assertThat(failed.path("message").asString(""))
          .isEqualTo(
              "Container c for pod default/"
                  + Meta.name(pod)
                  + " failed with exit code 1 matching FailJob rule at index 1");
      assertThat(status(world).path("failed").asInt(0)).isEqualTo(1);
    }
  }

  @Test
  void successPolicy_isMetBySomeIndexes_andTheOthersEndUncounted() {
    try (var world = world(1, 0)) {
      create(
          world,
          """
          "completions":3,"parallelism":3,"completionMode":"Indexed",
          "successPolicy":{"rules":[{"succeededIndexes":"0-1","succeededCount":1}]}
          """);
      world.env.runFor(Duration.ofSeconds(2));
      ObjectNode leader =
          world.activePods().stream()
              .filter(it -> Meta.name(it).startsWith("sum-1-"))
              .findFirst()
              .orElseThrow();
      new Fates(world, true).end(leader, true);
      world.settle();
      JsonNode complete = condition(world, "Complete");
      assertThat(complete.path("reason").asString("")).isEqualTo("SuccessPolicy");
      assertThat(world.activePods()).isEmpty();
      assertThat(status(world).path("failed").asInt(0)).isZero();
      assertThat(status(world).path("succeeded").asInt(0)).isEqualTo(1);
    }
  }

  @Test
  void deadline_failsTheJob_andCountsFromTheLastResumption() {
    try (var world = world(1, 0)) {
      create(world, "\"completions\":1,\"activeDeadlineSeconds\":60");
      world.env.runFor(Duration.ofSeconds(40));
      world.patch(Kinds.JOBS, "sum", "{\"spec\":{\"suspend\":true}}");
      world.env.runFor(Duration.ofSeconds(2));
      JsonNode suspended = condition(world, "Suspended");
      assertThat(suspended.path("reason").asString("")).isEqualTo("JobSuspended");
      assertThat(world.activePods()).isEmpty();
      assertThat(status(world).has("startTime")).isFalse();
      assertThat(status(world).path("failed").asInt(0)).isZero();
      world.env.runFor(Duration.ofMinutes(5));
      world.patch(Kinds.JOBS, "sum", "{\"spec\":{\"suspend\":false}}");
      world.env.runFor(Duration.ofSeconds(50));
      assertThat(condition(world, "Suspended").isMissingNode()).isTrue();
      assertThat(world.activePods()).hasSize(1);
      assertThat(condition(world, "FailureTarget").isMissingNode()).isTrue();
      world.settle();
      JsonNode failed = condition(world, "Failed");
      assertThat(failed.path("reason").asString("")).isEqualTo("DeadlineExceeded");
      assertThat(world.activePods()).isEmpty();
    }
  }

  @Test
  void podThatCannotBeCountedAnyMore_isReplaced() {
    try (var world = world(1, 0)) {
      create(world, "\"completions\":1");
      world.env.runFor(Duration.ofSeconds(2));
      ObjectNode pod = world.activePods().getFirst();
      world.patch(Kinds.PODS, Meta.name(pod), "{\"metadata\":{\"finalizers\":null}}");
      world.settle();
      assertThat(world.activePods()).hasSize(1).allMatch(JobSimulation::isTracked);
      assertThat(Meta.uid(world.activePods().getFirst())).isNotEqualTo(Meta.uid(pod));
      assertThat(status(world).path("failed").asInt(0)).isZero();
    }
  }

  @Test
  void podWithoutOwner_isTakenIn_orFreedWhereNoJobIsLeft() {
    try (var world = world(1, 0)) {
      ObjectNode job = create(world, "\"completions\":1");
      world.env.runFor(Duration.ofSeconds(2));
      String pod = Meta.name(world.activePods().getFirst());
      world.patch(Kinds.PODS, pod, "{\"metadata\":{\"ownerReferences\":null,\"finalizers\":null}}");
      world.env.runFor(Duration.ofSeconds(2));
      assertThat(world.activePods()).hasSize(1).allMatch(JobSimulation::isTracked);
      JsonNode owner = world.get(Kinds.PODS, pod).path("metadata").path("ownerReferences").path(0);
      assertThat(owner.path("uid").asString("")).isEqualTo(Meta.uid(job));
      world.stop();
      world.delete(Kinds.JOBS, "sum", "{\"propagationPolicy\":\"Background\"}");
      world.patch(Kinds.PODS, pod, "{\"metadata\":{\"ownerReferences\":null}}");
      world.start();
      world.settle();
      assertThat(world.activePods()).hasSize(1).noneMatch(JobSimulation::isTracked);
    }
  }

  @Test
  void namesake_letsGoOfThePodsBeforeIt_andCountsItsOwn() {
    try (var world = world(1, 0)) {
      create(world, "\"completions\":1");
      world.env.runFor(Duration.ofSeconds(2));
      world.stop();
      ObjectNode old = world.activePods().getFirst();
      world.delete(Kinds.JOBS, "sum", "{\"propagationPolicy\":\"Background\"}");
      create(world, "\"completions\":1");
      world.start();
      world.settle();
      assertThat(world.activePods()).hasSize(2);
      assertThat(isTracked(world.get(Kinds.PODS, Meta.name(old)))).isFalse();
      assertThat(status(world).path("active").asInt(0)).isEqualTo(1);
    }
  }

  @Test
  void podThatIsEnding_isReplacedAtOnce_unlessOnlyFailedOnesAre() {
    for (String policy : List.of("TerminatingOrFailed", "Failed")) {
      try (var world = world(1, 0)) {
        create(world, "\"completions\":1,\"podReplacementPolicy\":\"" + policy + "\"");
        world.env.runFor(Duration.ofSeconds(2));
        ObjectNode pod = world.activePods().getFirst();
        world.patch(
            Kinds.PODS,
            Meta.name(pod),
            "{\"metadata\":{\"finalizers\":[\"a.b/hold\",\"" + FINALIZER + "\"]}}");
        world.delete(Kinds.PODS, Meta.name(pod), "{\"gracePeriodSeconds\":0}");
        world.env.runFor(Duration.ofSeconds(30));
        boolean waits = policy.equals("Failed");
        assertThat(world.activePods()).hasSize(waits ? 0 : 1);
        assertThat(status(world).path("terminating").asInt(0)).isEqualTo(1);
        assertThat(status(world).path("failed").asInt(0)).isEqualTo(waits ? 0 : 1);
        new Fates(world, false).end(world.get(Kinds.PODS, Meta.name(pod)), false);
        world.env.runFor(Duration.ofSeconds(30));
        assertThat(world.activePods()).hasSize(1);
        assertThat(status(world).path("failed").asInt(0)).isEqualTo(1);
      }
    }
  }

  @Test
  void workQueue_isDoneWhenOneSucceededAndAllHaveEnded() {
    try (var world = world(1, 0)) {
      create(world, "\"parallelism\":2");
      var fates = new Fates(world, true);
      world.env.runFor(Duration.ofSeconds(2));
      fates.end(world.activePods().getFirst(), true);
      world.env.runFor(Duration.ofSeconds(30));
      assertThat(world.activePods()).hasSize(1);
      assertThat(condition(world, "Complete").isMissingNode()).isTrue();
      fates.end(world.activePods().getFirst(), true);
      world.settle();
      assertThat(condition(world, "Complete").isObject()).isTrue();
      assertThat(status(world).path("succeeded").asInt(0)).isEqualTo(2);
    }
  }

  @Test
  void finishedJob_goesWhenItsTimeIsOver() {
    try (var world = world(1, 0)) {
      create(world, "\"completions\":1,\"ttlSecondsAfterFinished\":60");
      world.env.runFor(Duration.ofSeconds(2));
      new Fates(world, true).end(world.activePods().getFirst(), true);
      world.env.runFor(Duration.ofSeconds(50));
      assertThat(condition(world, "Complete").isObject()).isTrue();
      assertThat(Pods.isEnding(world.get(Kinds.JOBS, "sum"))).isFalse();
      world.env.runFor(Duration.ofSeconds(20));
      ObjectNode job = world.get(Kinds.JOBS, "sum");
      assertThat(Pods.isEnding(job)).isTrue();
      assertThat(job.path("metadata").path("finalizers").toString()).contains("foregroundDeletion");
    }
  }
}
