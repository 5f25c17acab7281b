package dev.evenkeel.serve.kinds.tables;

import static dev.evenkeel.serve.kinds.tables.Cells.NONE;
import static dev.evenkeel.serve.kinds.tables.Cells.at;
import static dev.evenkeel.serve.kinds.tables.Cells.number;
import static dev.evenkeel.serve.kinds.tables.Cells.orElse;
import static dev.evenkeel.serve.kinds.tables.Cells.text;
import static dev.evenkeel.serve.kinds.tables.TableColumn.age;
import static dev.evenkeel.serve.kinds.tables.TableColumn.computed;
import static dev.evenkeel.serve.kinds.tables.TableColumn.count;
import static dev.evenkeel.serve.kinds.tables.TableColumn.name;
import static dev.evenkeel.serve.kinds.tables.TableColumn.number;
import static dev.evenkeel.serve.kinds.tables.TableColumn.text;
import static dev.evenkeel.serve.kinds.tables.TableColumn.timed;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.serve.kinds.TablePrinter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What makes pods: workloads, jobs, templates and their revisions. */
final class WorkloadTables {

  /** In the order they outrank each other. */
  private static final List<String> JOB_ENDS = List.of("Complete", "Failed");

  private static final List<String> JOB_STATES =
      List.of("Suspended", "FailureTarget", "SuccessCriteriaMet");

  private WorkloadTables() {}

  static TablePrinter deployments() {
    return ColumnsPrinter.of(
        name(),
        ready(),
        number("Up-to-date", "status.updatedReplicas", "Pods of the newest template")
            .withType("string"),
        number("Available", "status.availableReplicas", "Pods that have been ready long enough")
            .withType("string"),
        age(),
        containers("spec.template"),
        images("spec.template"),
        computed("Selector", "Which pods belong to it", o -> Cells.selector(at(o, "spec.selector")))
            .wide());
  }

  static TablePrinter replicaSets() {
    return ColumnsPrinter.of(
        name(),
        number("Desired", "spec.replicas", "Pods wanted"),
        number("Current", "status.replicas", "Pods there are"),
        number("Ready", "status.readyReplicas", "Pods that are ready"),
        age(),
        containers("spec.template"),
        images("spec.template"),
        labelSelector("spec.selector"));
  }

  static TablePrinter replicationControllers() {
    return ColumnsPrinter.of(
        name(),
        number("Desired", "spec.replicas", "Pods wanted"),
        number("Current", "status.replicas", "Pods there are"),
        number("Ready", "status.readyReplicas", "Pods that are ready"),
        age(),
        containers("spec.template"),
        images("spec.template"),
        computed("Selector", "Which pods belong to it", o -> Cells.labels(at(o, "spec.selector")))
            .wide());
  }

  static TablePrinter statefulSets() {
    return ColumnsPrinter.of(
        name(), ready(), age(), containers("spec.template"), images("spec.template"));
  }

  static TablePrinter daemonSets() {
    return ColumnsPrinter.of(
        name(),
        number("Desired", "status.desiredNumberScheduled", "Nodes that should run its pod"),
        number("Current", "status.currentNumberScheduled", "Nodes that run its pod"),
        number("Ready", "status.numberReady", "Nodes whose pod is ready"),
        number("Up-to-date", "status.updatedNumberScheduled", "Nodes with the newest template"),
        number("Available", "status.numberAvailable", "Nodes whose pod is available"),
        computed(
            "Node Selector",
            "Labels a node must have",
            o -> Cells.labels(at(o, "spec.template.spec.nodeSelector"))),
        age(),
        containers("spec.template"),
        images("spec.template"),
        labelSelector("spec.selector"));
  }

  static TablePrinter jobs() {
    return ColumnsPrinter.of(
        name(),
        computed("Status", "How far the job is", WorkloadTables::jobStatus),
        computed(
            "Completions", "Pods that succeeded, of those needed", WorkloadTables::completions),
        timed("Duration", "Time the job took or has taken", WorkloadTables::jobDuration),
        age(),
        containers("spec.template"),
        images("spec.template"),
        labelSelector("spec.selector"));
  }

  static TablePrinter cronJobs() {
    return ColumnsPrinter.of(
        name(),
        text("Schedule", "spec.schedule", "When jobs are started"),
        text("Timezone", "spec.timeZone", NONE, "Zone the schedule is read in"),
        computed("Suspend", "Whether no jobs are started", WorkloadTables::suspend)
            .withType("boolean"),
        count("Active", "status.active", "Jobs that are running"),
        timed("Last Schedule", "Time since a job was started", WorkloadTables::lastSchedule),
        age(),
        containers("spec.jobTemplate.spec.template"),
        images("spec.jobTemplate.spec.template"),
        labelSelector("spec.jobTemplate.spec.selector"));
  }

  static TablePrinter podTemplates() {
    return ColumnsPrinter.of(
        name(),
        computed(
            "Containers",
            "Names of the containers",
            o -> Cells.joined(at(o, "template.spec.containers"), "name")),
        computed(
            "Images",
            "Images of the containers",
            o -> Cells.joined(at(o, "template.spec.containers"), "image")),
        computed(
            "Pod Labels",
            "Labels its pods will have",
            o -> Cells.labels(at(o, "template.metadata.labels"))));
  }

  static TablePrinter controllerRevisions() {
    return ColumnsPrinter.of(
        name(),
        computed("Controller", "Whose revision it is", WorkloadTables::controller),
        number("Revision", "revision", "Number of the revision").withType("string"),
        age());
  }

  static TablePrinter scales() {
    return ColumnsPrinter.of(
        name().withFormat(""),
        number("Desired", "spec.replicas", "Pods wanted"),
        number("Available", "status.replicas", "Pods there are"),
        age());
  }

  private static TableColumn ready() {
    return computed(
        "Ready",
        "Pods that are ready, of those wanted",
        o -> number(o, "status.readyReplicas") + "/" + number(o, "spec.replicas"));
  }

  private static TableColumn containers(String template) {
    String path = template + ".spec.containers";
    return computed("Containers", "Names of the containers", o -> Cells.joined(at(o, path), "name"))
        .wide();
  }

  private static TableColumn images(String template) {
    String path = template + ".spec.containers";
    return computed("Images", "Images of the containers", o -> Cells.joined(at(o, path), "image"))
        .wide();
  }

  private static TableColumn labelSelector(String path) {
    return computed(
            "Selector", "Which pods belong to it", o -> orElse(Cells.selector(at(o, path)), NONE))
        .wide();
  }

  private static String jobStatus(ObjectNode job) {
    for (String end : JOB_ENDS) {
      if (Cells.isTrue(Cells.condition(job, end))) {
        return end;
      }
    }
    if (Cells.isBeingDeleted(job)) {
      return "Terminating";
    }
    for (String state : JOB_STATES) {
      if (Cells.isTrue(Cells.condition(job, state))) {
        return state;
      }
    }
    return "Running";
  }

  private static String completions(ObjectNode job) {
    long succeeded = number(job, "status.succeeded");
    JsonNode wanted = at(job, "spec.completions");
    if (wanted.isIntegralNumber()) {
      return succeeded + "/" + wanted.asLong(0);
    }
    long parallelism = number(job, "spec.parallelism");
    return parallelism > 1 ? succeeded + "/1 of " + parallelism : succeeded + "/1";
  }

  private static String jobDuration(ObjectNode job, Instant now) {
    Instant start = Cells.instant(at(job, "status.startTime"));
    if (start == null) {
      return "";
    }
    Instant end = Cells.instant(at(job, "status.completionTime"));
    return HumanDuration.of(Duration.between(start, end == null ? now : end));
  }

  private static String suspend(ObjectNode cronJob) {
    JsonNode suspend = at(cronJob, "spec.suspend");
    if (!suspend.isBoolean()) {
      return Cells.UNSET;
    }
    return suspend.asBoolean() ? "True" : "False";
  }

  private static String lastSchedule(ObjectNode cronJob, Instant now) {
    Instant last = Cells.instant(at(cronJob, "status.lastScheduleTime"));
    return last == null ? NONE : Cells.since(last, now);
  }

  private static String controller(ObjectNode revision) {
    for (JsonNode owner : at(revision, "metadata.ownerReferences")) {
      if (owner.path("controller").asBoolean(false)) {
        Gvk gvk = Gvk.of(text(owner, "apiVersion"), text(owner, "kind"));
        String kind = gvk.group().isEmpty() ? gvk.kind() : gvk.kind() + "." + gvk.group();
        return kind.toLowerCase(Locale.ROOT) + "/" + text(owner, "name");
      }
    }
    return NONE;
  }
}
