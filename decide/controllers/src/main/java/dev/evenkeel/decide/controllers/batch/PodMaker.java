package dev.evenkeel.decide.controllers.batch;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Cached;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes a job's pods by its template. */
final class PodMaker {

  private static final String INDEX_VARIABLE = "JOB_COMPLETION_INDEX";

  /** What the server leaves of a name to which it adds. */
  private static final int NAME_PREFIX_MAX = 58;

  private final Cached<ObjectNode> job;
  private final JobSpec spec;

  PodMaker(Cached<ObjectNode> job, JobSpec spec) {
    this.job = job;
    this.spec = spec;
  }

  /** A pod that will be counted. */
  ObjectNode pod() {
    ObjectNode pod = Pods.fromTemplate(spec.template(), job);
    ObjectNode metadata = Meta.of(pod);
    if (!JobPod.isTracked(pod)) {
      ArrayNode finalizers =
          metadata.get("finalizers") instanceof ArrayNode given
              ? given
              : metadata.putArray("finalizers");
      finalizers.add(JobPod.FINALIZER);
    }
    return pod;
  }

  /**
   * One that knows its number.
   *
   * @param before the failed pod that it replaces; null if there is none
   */
  ObjectNode pod(int index, @Nullable JobPod before) {
    ObjectNode pod = pod();
    ObjectNode metadata = Meta.of(pod);
    String end = "-" + index + "-";
    String prefix = job.name();
    if (prefix.length() + end.length() > NAME_PREFIX_MAX) {
      prefix = prefix.substring(0, NAME_PREFIX_MAX - end.length());
    }
    metadata.put("generateName", prefix + end);
    map(metadata, "labels").put(JobPod.INDEX, Integer.toString(index));
    ObjectNode annotations = map(metadata, "annotations");
    annotations.put(JobPod.INDEX, Integer.toString(index));
    if (spec.failsPerIndex()) {
      failures(annotations, before);
    }
    if (pod.path("spec") instanceof ObjectNode podSpec) {
      podSpec.put("hostname", job.name() + "-" + index);
      podSpec.path("initContainers").forEach(PodMaker::variable);
      podSpec.path("containers").forEach(PodMaker::variable);
    }
    return pod;
  }

  private static ObjectNode map(ObjectNode metadata, String field) {
    return metadata.get(field) instanceof ObjectNode given ? given : metadata.putObject(field);
  }

  /** The new pod remembers how often its index failed: the old one may go. */
  private void failures(ObjectNode annotations, @Nullable JobPod before) {
    int failures = 0;
    int ignored = 0;
    if (before != null) {
      boolean counts = spec.failurePolicy().judge(before).counts();
      failures = before.failures() + (counts ? 1 : 0);
      ignored = before.ignoredFailures() + (counts ? 0 : 1);
    }
    annotations.put(JobPod.FAILURES, Integer.toString(failures));
    if (ignored > 0) {
      annotations.put(JobPod.IGNORED_FAILURES, Integer.toString(ignored));
    }
  }

  private static void variable(JsonNode container) {
    if (!(container instanceof ObjectNode known)) {
      return;
    }
    ArrayNode variables =
        known.get("env") instanceof ArrayNode given ? given : known.putArray("env");
    for (JsonNode variable : variables) {
      if (Meta.text(variable.path("name")).equals(INDEX_VARIABLE)) {
        return;
      }
    }
    variables
        .addObject()
        .put("name", INDEX_VARIABLE)
        .putObject("valueFrom")
        .putObject("fieldRef")
        .put("fieldPath", "metadata.labels['" + JobPod.INDEX + "']");
  }
}
