package dev.evenkeel.decide.controllers.batch;

import dev.evenkeel.decide.controllers.object.Ownership;
import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.PlannedEvent;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The jobs of a cron job: those at work, and those that have ended.
 *
 * <p><b>Threading:</b> of one decision.
 */
final class CronRuns {

  private static final String SCHEDULED = "batch.kubernetes.io/cronjob-scheduled-timestamp";

  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ssXXX", java.util.Locale.ROOT);

  /** The one that began first; those that never did last. */
  private static final Comparator<Run> OLDEST_FIRST =
      Comparator.<Run, String>comparing(
              it -> {
                String started = Meta.text(it.tree.path("status").path("startTime"));
                return started.isEmpty() ? "~" : started;
              })
          .thenComparing(it -> it.seen.name());

  /** A job, with what was read of it. */
  private record Run(Cached<ObjectNode> seen, ObjectNode tree, @Nullable JsonNode end) {

    boolean isSuccess() {
      return end != null && Meta.text(end.path("type")).equals(JobConditions.COMPLETE);
    }

    /** For which time it was started; null if by somebody else. */
    @Nullable Instant scheduled() {
      String text = Meta.text(Meta.at(tree, "metadata", "annotations", SCHEDULED));
      try {
        return text.isEmpty() ? null : OffsetDateTime.parse(text).toInstant();
      } catch (DateTimeException e) {
        return null;
      }
    }
  }

  private final Cached<ObjectNode> cronJob;
  private final JsonNode spec;
  private final JsonNode status;
  private final List<Run> runs = new ArrayList<>();
  private final List<Run> active = new ArrayList<>();
  private final Set<String> replaced = new HashSet<>();

  CronRuns(Cached<ObjectNode> cronJob, ObjectNode tree, View view) {
    this.cronJob = cronJob;
    this.spec = tree.path("spec");
    this.status = tree.path("status");
    Set<String> known = new HashSet<>();
    status.path("active").forEach(it -> known.add(Meta.text(it.path("uid"))));
    for (Cached<ObjectNode> job : view.owned(cronJob, Kinds.JOBS)) {
      if (Ownership.isControlledBy(job, cronJob)) {
        ObjectNode read = job.tree();
        Run run = new Run(job, read, JobConditions.end(read));
        runs.add(run);
        // Jobs that people start by hand belong here too, and are in nobody's way.
        if (run.end == null && (run.scheduled() != null || known.contains(job.uid()))) {
          active.add(run);
        }
      }
    }
    active.sort(Comparator.comparing(it -> it.seen.name()));
  }

  boolean areActive() {
    return !active.isEmpty();
  }

  /** The latest time for which a job was started; null if there was none. */
  @Nullable Instant lastScheduled() {
    Instant last = Pods.time(status.path("lastScheduleTime"));
    for (Run run : runs) {
      Instant scheduled = run.scheduled();
      if (scheduled != null && (last == null || scheduled.isAfter(last))) {
        last = scheduled;
      }
    }
    return last;
  }

  /** Removes finished jobs beyond those that are to be kept. */
  void forgetOldest(Plan plan) {
    forgetOldest(true, spec.path("successfulJobsHistoryLimit"), plan);
    forgetOldest(false, spec.path("failedJobsHistoryLimit"), plan);
  }

  private void forgetOldest(boolean successful, JsonNode limit, Plan plan) {
    if (!limit.isNumber()) {
      return;
    }
    List<Run> finished =
        runs.stream()
            .filter(it -> it.end != null && it.isSuccess() == successful)
            .sorted(OLDEST_FIRST)
            .toList();
    finished.stream()
        .limit(Math.max(0, finished.size() - limit.asInt(0)))
        .filter(it -> !Pods.isEnding(it.tree))
        .forEach(
            it ->
                delete(
                    it,
                    "of the jobs that "
                        + (successful ? "succeeded" : "failed")
                        + ", the last "
                        + limit.asInt(0)
                        + " are kept",
                    plan));
  }

  /** Ends those at work, to make place for the next. */
  void replace(Plan plan) {
    active.stream()
        .filter(it -> !Pods.isEnding(it.tree))
        .forEach(
            it -> {
              replaced.add(it.seen.uid());
              delete(it, "the next job is due, and replaces it", plan);
            });
  }

  private static void delete(Run run, String why, Plan plan) {
    plan.delete(run.seen, why).telling("SuccessfulDelete", "Deleted job {}");
  }

  /**
   * Plans the status.
   *
   * @param started for which time a job is started by this plan; null if for none
   */
  void write(@Nullable Instant started, Plan plan) {
    ObjectNode written = JsonNodeFactory.instance.objectNode();
    ArrayNode references = references(plan);
    if (references.isEmpty()) {
      written.putNull("active");
    } else {
      written.set("active", references);
    }
    Instant last = started != null ? started : lastScheduled();
    if (last != null) {
      written.put("lastScheduleTime", JobConditions.text(last));
    }
    Instant success = lastSuccess();
    if (success != null) {
      written.put("lastSuccessfulTime", JobConditions.text(success));
    }
    plan.status(cronJob, written, active.size() + " of its jobs are at work");
  }

  /** Those that are known keep their entry; whatever is new comes after them. */
  private ArrayNode references(Plan plan) {
    ArrayNode references = JsonNodeFactory.instance.arrayNode();
    Set<String> known = new HashSet<>();
    for (JsonNode reference : status.path("active")) {
      String uid = Meta.text(reference.path("uid"));
      known.add(uid);
      Run run = runs.stream().filter(it -> it.seen.uid().equals(uid)).findFirst().orElse(null);
      String name = Meta.text(reference.path("name"));
      if (replaced.contains(uid)) {
        continue;
      }
      if (run == null) {
        plan.tell(PlannedEvent.Type.NORMAL, "MissingJob", "Active job went missing: " + name);
      } else if (run.end != null) {
        plan.tell(
            PlannedEvent.Type.NORMAL,
            "SawCompletedJob",
            "Saw completed job: " + name + ", condition: " + Meta.text(run.end.path("type")));
      } else {
        references.add(reference);
      }
    }
    for (Run run : active) {
      if (!known.contains(run.seen.uid()) && !replaced.contains(run.seen.uid())) {
        references
            .addObject()
            .put("apiVersion", Kinds.JOBS.gvk().apiVersion())
            .put("kind", Kinds.JOBS.gvk().kind())
            .put("name", run.seen.name())
            .put("namespace", run.seen.namespace())
            .put("resourceVersion", Long.toString(run.seen.version()))
            .put("uid", run.seen.uid());
      }
    }
    return references;
  }

  private @Nullable Instant lastSuccess() {
    Instant last = Pods.time(status.path("lastSuccessfulTime"));
    for (Run run : runs) {
      Instant completed = Pods.time(run.tree.path("status").path("completionTime"));
      if (run.isSuccess() && completed != null && (last == null || completed.isAfter(last))) {
        last = completed;
      }
    }
    return last;
  }

  /** A job by the template. */
  static ObjectNode job(
      Cached<ObjectNode> cronJob, JsonNode template, String name, Instant due, ZoneId zone) {
    ObjectNode job = JsonNodeFactory.instance.objectNode();
    job.put("apiVersion", Kinds.JOBS.gvk().apiVersion()).put("kind", Kinds.JOBS.gvk().kind());
    ObjectNode metadata = job.putObject("metadata");
    metadata.put("name", name).put("namespace", cronJob.namespace());
    JsonNode given = template.path("metadata");
    if (given.path("labels") instanceof ObjectNode labels) {
      metadata.set("labels", labels.deepCopy());
    }
    ObjectNode annotations =
        given.path("annotations") instanceof ObjectNode some
            ? some.deepCopy()
            : JsonNodeFactory.instance.objectNode();
    metadata.set("annotations", annotations.put(SCHEDULED, SECONDS.format(due.atZone(zone))));
    Ownership.take(job, cronJob);
    job.set("spec", template.path("spec").deepCopy());
    return job;
  }
}
