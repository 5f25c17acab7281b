package dev.evenkeel.decide.controllers.batch;

import dev.evenkeel.kernel.api.Meta;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a Job asks for.
 *
 * @param completions {@link #NONE} for a work queue, which is done when its pods say so
 * @param backoffLimitPerIndex {@link #NONE} if indexes do not fail one by one
 * @param maxFailedIndexes {@link #NONE} if there is no such limit
 * @param onlyReplaceFailed whether a pod is replaced only once it is over, and not while it ends
 * @param restartsInPlace whether containers are started again within their pod
 */
record JobSpec(
    int parallelism,
    int completions,
    boolean indexed,
    int backoffLimit,
    int backoffLimitPerIndex,
    int maxFailedIndexes,
    @Nullable Duration activeDeadline,
    boolean suspended,
    boolean onlyReplaceFailed,
    boolean restartsInPlace,
    FailurePolicy failurePolicy,
    SuccessPolicy successPolicy,
    JsonNode template) {

  static final int NONE = -1;

  private static final int BACKOFF_LIMIT = 6;
  private static final String OWN_CONTROLLER = "kubernetes.io/job-controller";

  static JobSpec of(JsonNode job) {
    JsonNode spec = job.path("spec");
    JsonNode deadline = spec.path("activeDeadlineSeconds");
    boolean indexed = Meta.text(spec.path("completionMode")).equals("Indexed");
    return new JobSpec(
        Math.max(0, spec.path("parallelism").asInt(1)),
        indexed ? spec.path("completions").asInt(0) : spec.path("completions").asInt(NONE),
        indexed,
        spec.path("backoffLimit").asInt(BACKOFF_LIMIT),
        indexed ? spec.path("backoffLimitPerIndex").asInt(NONE) : NONE,
        spec.path("maxFailedIndexes").asInt(NONE),
        deadline.isNumber() ? Duration.ofSeconds(deadline.asLong()) : null,
        spec.path("suspend").asBoolean(false),
        Meta.text(spec.path("podReplacementPolicy")).equals("Failed"),
        Meta.text(Meta.at(spec, "template", "spec", "restartPolicy")).equals("OnFailure"),
        new FailurePolicy(spec.path("podFailurePolicy").path("rules")),
        new SuccessPolicy(spec.path("successPolicy").path("rules")),
        spec.path("template"));
  }

  /** Whether somebody else looks after the job. */
  static boolean isManagedElsewhere(JsonNode job) {
    String manager = Meta.text(job.path("spec").path("managedBy"));
    return !manager.isEmpty() && !manager.equals(OWN_CONTROLLER);
  }

  boolean isWorkQueue() {
    return completions == NONE;
  }

  boolean failsPerIndex() {
    return backoffLimitPerIndex != NONE;
  }

  /** Whether a pod with that index counts. */
  boolean covers(int index) {
    return !indexed || (index >= 0 && index < completions);
  }
}
