package dev.evenkeel.decide.controllers.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.world.World;
import dev.evenkeel.explain.record.Decision;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Kinds;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The CronJob controller on the real server over hours and days, while it is stopped for a while
 * and started anew, answers get lost, jobs end and vanish, and the schedule is suspended: no time
 * gets two jobs, no time is left out while the controller is there, and jobs that must not run
 * together do not. A failing run is a seed.
 */
final class CronJobSimulation {

  private static final int SEEDS = 100;
  private static final String SCHEDULED = "batch.kubernetes.io/cronjob-scheduled-timestamp";
  private static final Duration BETWEEN = Duration.ofMinutes(10);

  private static World world(long seed, int lossPercent) {
    return new World(seed, lossPercent, List.of(CronJobReconciler.controller()));
  }

  private static void create(World world, String spec) {
    world.create(
        Kinds.CRON_JOBS,
        """
        {"apiVersion":"batch/v1","kind":"CronJob","metadata":{"name":"tick"},
         "spec":{%s,"jobTemplate":{"metadata":{"labels":{"app":"tick"},"annotations":{"note":"n"}},
         "spec":{"template":{"spec":{"restartPolicy":"Never",
         "containers":[{"name":"c","image":"i"}]}}}}}}
        """
            .formatted(spec));
  }

  private static JsonNode status(World world) {
    return world.get(Kinds.CRON_JOBS, "tick").path("status");
  }

  private static boolean is(ObjectNode job, String type) {
    for (JsonNode condition : job.path("status").path("conditions")) {
      if (condition.path("type").asString("").equals(type)) {
        return true;
      }
    }
    return false;
  }

  private static List<ObjectNode> unfinished(World world) {
    return world.list(Kinds.JOBS).stream()
        .filter(job -> !is(job, "Complete") && !is(job, "Failed"))
        .toList();
  }

  private static void end(World world, ObjectNode job, boolean well) {
    Instant now = world.env.clock().now().truncatedTo(ChronoUnit.SECONDS);
    String type = well ? "Complete" : "Failed";
    String before = well ? "SuccessCriteriaMet" : "FailureTarget";
    world.patchStatus(
        Kinds.JOBS,
        Meta.name(job),
        """
        {"status":{"startTime":"%s"%s,"conditions":[
         {"type":"%s","status":"True","lastTransitionTime":"%s"},
         {"type":"%s","status":"True","lastTransitionTime":"%s"}]}}
        """
            .formatted(
                now, well ? ",\"completionTime\":\"" + now + "\"" : "", before, now, type, now));
  }

  /** The newest time that a schedule of every ten minutes was due. */
  private static Instant newestDue(Instant now) {
    long seconds = BETWEEN.toSeconds();
    return Instant.ofEpochSecond(now.getEpochSecond() / seconds * seconds);
  }

  @Test
  void eachTime_getsOneJob() {
    World.seeds("cronjob", SEEDS, CronJobSimulation::run);
  }

  private static void run(long seed) {
    try (var world = world(seed, 10)) {
      String policy = List.of("Allow", "Forbid", "Replace").get((int) (seed % 3));
      create(
          world,
          """
          "schedule":"*/10 * * * *","concurrencyPolicy":"%s",
          "successfulJobsHistoryLimit":2,"failedJobsHistoryLimit":1
          """
              .formatted(policy));
      Map<String, String> made = new HashMap<>();
      Instant created =
          Instant.parse(
              Meta.text(
                  Meta.at(world.get(Kinds.CRON_JOBS, "tick"), "metadata", "creationTimestamp")));
      for (int step = 0; step < 15; step++) {
        world.env.runFor(Duration.ofMillis(world.random.nextInt(5) * 200_000L + 1));
        world.trouble();
        switch (world.random.nextInt(7)) {
          case 0 -> world.restart();
          case 1 -> {
            world.stop();
            world.env.runFor(Duration.ofMinutes(world.random.nextInt(90)));
            world.start();
          }
          case 2, 3 -> unfinished(world).forEach(job -> end(world, job, true));
          case 4 -> {
            ObjectNode job = world.oneOf(unfinished(world));
            if (job != null) {
              end(world, job, false);
            }
          }
          case 5 -> {
            ObjectNode job = world.oneOf(world.list(Kinds.JOBS));
            if (job != null) {
              world.delete(Kinds.JOBS, Meta.name(job), "{\"propagationPolicy\":\"Background\"}");
            }
          }
          default -> {}
        }
        for (ObjectNode job : world.list(Kinds.JOBS)) {
          assertThat(made.putIfAbsent(Meta.name(job), Meta.uid(job)))
              .as("an earlier " + Meta.name(job))
              .isIn(null, Meta.uid(job));
        }
        if (!policy.equals("Allow")) {
          assertThat(unfinished(world)).hasSizeLessThanOrEqualTo(1);
        }
        world.env.runFor(Duration.ofSeconds(20));
        Instant now = world.env.clock().now();
        Instant due = newestDue(now.minusSeconds(20));
        if (due.isAfter(created) && !policy.equals("Forbid") && !world.isTroubled()) {
          assertThat(status(world).path("lastScheduleTime").asString(""))
              .as("the last time that had its job")
              .isBetween(due.toString(), newestDue(now).toString());
        }
      }
      world.patch(Kinds.CRON_JOBS, "tick", "{\"spec\":{\"suspend\":true}}");
      // Until all is well again, the controller may not have seen that it is suspended.
      world.settle();
      check(world);
      int jobs = world.list(Kinds.JOBS).size();
      world.env.runFor(Duration.ofHours(1));
      assertThat(world.list(Kinds.JOBS)).hasSizeLessThanOrEqualTo(jobs);
    }
  }

  private static void check(World world) {
    List<ObjectNode> jobs = world.list(Kinds.JOBS);
    assertThat(jobs.stream().filter(job -> is(job, "Complete")).count()).isLessThanOrEqualTo(2);
    assertThat(jobs.stream().filter(job -> is(job, "Failed")).count()).isLessThanOrEqualTo(1);
    JsonNode status = status(world);
    assertThat(
            status
                .path("active")
                .valueStream()
                .map(it -> it.path("uid").asString(""))
                .collect(Collectors.toSet()))
        .isEqualTo(unfinished(world).stream().map(Meta::uid).collect(Collectors.toSet()));
    jobs.stream()
        .map(job -> Meta.text(job.path("status").path("completionTime")))
        .filter(time -> !time.isEmpty())
        .max(String::compareTo)
        .ifPresent(
            newest ->
                assertThat(status.path("lastSuccessfulTime").asString(""))
                    .isGreaterThanOrEqualTo(newest));
    for (ObjectNode job : jobs) {
      Instant scheduled =
          Instant.parse(Meta.text(Meta.at(job, "metadata", "annotations", SCHEDULED)));
      assertThat(Meta.name(job)).isEqualTo("tick-" + scheduled.getEpochSecond() / 60);
      assertThat(scheduled.toString())
          .isLessThanOrEqualTo(status.path("lastScheduleTime").asString(""));
    }
  }

  // ---- what users see

  @Test
  void job_isMadeByTheTemplate_andNamedByItsTime() {
    try (var world = world(1, 0)) {
      create(world, "\"schedule\":\"@hourly\",\"timeZone\":\"Asia/Kolkata\"");
      world.env.runFor(Duration.ofHours(1));
      ObjectNode cronJob = world.get(Kinds.CRON_JOBS, "tick");
      assertThat(world.list(Kinds.JOBS)).hasSize(1);
      ObjectNode job = world.list(Kinds.JOBS).getFirst();
      Instant time = Instant.parse(cronJob.path("status").path("lastScheduleTime").asString(""));
      assertThat(Duration.between(Instant.EPOCH, time).toMinutes() % 60).isEqualTo(30);
      assertThat(Meta.name(job)).isEqualTo("tick-" + time.getEpochSecond() / 60);
      assertThat(Meta.labels(job)).containsEntry("app", "tick");
      JsonNode annotations = job.path("metadata").path("annotations");
      assertThat(annotations.path("note").asString("")).isEqualTo("n");
      assertThat(annotations.path(SCHEDULED).asString("")).endsWith(":00:00+05:30");
      JsonNode owner = job.path("metadata").path("ownerReferences").path(0);
      assertThat(owner.path("kind").asString("")).isEqualTo("CronJob");
      assertThat(owner.path("uid").asString("")).isEqualTo(Meta.uid(cronJob));
      assertThat(owner.path("controller").asBoolean(false)).isTrue();
      JsonNode active = cronJob.path("status").path("active");
      assertThat(active.size()).isEqualTo(1);
      assertThat(active.path(0).path("name").asString("")).isEqualTo(Meta.name(job));
      assertThat(active.path(0).path("kind").asString("")).isEqualTo("Job");
    }
  }

  @Test
  void missedTimes_giveOneJob_forTheNewest() {
    try (var world = world(1, 0)) {
      create(world, "\"schedule\":\"0 * * * *\"");
      world.env.runFor(Duration.ofSeconds(5));
      world.stop();
      world.env.runFor(Duration.ofHours(30));
      world.start();
      world.env.runFor(Duration.ofSeconds(5));
      assertThat(world.list(Kinds.JOBS)).hasSize(1);
      Instant time = Instant.parse(status(world).path("lastScheduleTime").asString(""));
      assertThat(Duration.between(time, world.env.clock().now())).isLessThan(Duration.ofHours(1));
    }
  }

  @Test
  void timeThatIsPastItsDeadline_isLeftOut() {
    try (var world = world(1, 0)) {
      create(world, "\"schedule\":\"0 * * * *\",\"startingDeadlineSeconds\":60");
      world.env.runFor(Duration.ofSeconds(5));
      world.stop();
      Instant next =
          world.env.clock().now().truncatedTo(ChronoUnit.HOURS).plus(3, ChronoUnit.HOURS);
      world.env.runFor(Duration.between(world.env.clock().now(), next.plusSeconds(90)));
      world.start();
      world.env.runFor(Duration.ofMinutes(5));
      assertThat(world.list(Kinds.JOBS)).isEmpty();
      world.env.runFor(Duration.ofHours(1));
      assertThat(world.list(Kinds.JOBS)).hasSize(1);
    }
  }

  @Test
  void jobStartedByHand_keepsNothingFromBeingStarted() {
    try (var world = world(1, 0)) {
      create(world, "\"schedule\":\"0 * * * *\",\"concurrencyPolicy\":\"Forbid\"");
      ObjectNode cronJob = world.get(Kinds.CRON_JOBS, "tick");
      world.create(
          Kinds.JOBS,
          """
          {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"by-hand",
           "annotations":{"cronjob.kubernetes.io/instantiate":"manual"},
           "ownerReferences":[{"apiVersion":"batch/v1","kind":"CronJob","name":"tick","uid":"%s",
           "controller":true}]},
           "spec":{"template":{"spec":{"restartPolicy":"Never",
           "containers":[{"name":"c","image":"i"}]}}}}
          """
              .formatted(Meta.uid(cronJob)));
      world.env.runFor(Duration.ofHours(1));
      assertThat(world.list(Kinds.JOBS)).hasSize(2);
      assertThat(status(world).path("active").size()).isEqualTo(1);
    }
  }

  @Test
  void nameThatIsTaken_doesNotKeepTheControllerBusy() {
    try (var world = world(1, 0)) {
      create(world, "\"schedule\":\"0 * * * *\"");
      Instant next =
          world.env.clock().now().truncatedTo(ChronoUnit.HOURS).plus(1, ChronoUnit.HOURS);
      world.create(
          Kinds.JOBS,
          """
          {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"tick-%d"},
           "spec":{"template":{"spec":{"restartPolicy":"Never",
           "containers":[{"name":"c","image":"i"}]}}}}
          """
              .formatted(next.getEpochSecond() / 60));
      world.env.runFor(Duration.ofHours(1));
      assertThat(world.list(Kinds.JOBS)).hasSize(1);
      assertThat(world.log.newest(_ -> true, 1_000)).hasSizeLessThan(20);
      world.env.runFor(Duration.ofHours(1));
      assertThat(world.list(Kinds.JOBS)).hasSize(2);
    }
  }

  @Test
  void withTheJobController_jobsRunAndEnd_dayAfterDay() {
    try (var world =
        new World(1, 0, List.of(CronJobReconciler.controller(), JobReconciler.controller()))) {
      create(world, "\"schedule\":\"30 2 * * *\"");
      for (int day = 0; day < 5; day++) {
        world.env.runFor(Duration.ofHours(24));
        assertThat(world.activePods()).hasSize(1);
        world.ended(Objects.requireNonNull(world.oneOf(world.activePods())), true);
        world.env.runFor(Duration.ofSeconds(5));
      }
      assertThat(world.list(Kinds.JOBS)).hasSize(3).allMatch(job -> is(job, "Complete"));
      assertThat(status(world).has("active")).isFalse();
      assertThat(status(world).has("lastSuccessfulTime")).isTrue();
      List<Decision> failed =
          world.log.newest(it -> it.outcome().kind() == Decision.Outcome.Kind.FAILED, 3);
      assertThat(failed).isEmpty();
    }
  }
}
