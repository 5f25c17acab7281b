package dev.evenkeel.decide.controllers.batch;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.plan.Action;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.Reconciler;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import java.time.Duration;
import java.time.Instant;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Removes finished jobs, with their pods, once they have been there as long as they asked for. */
public final class TtlAfterFinishedReconciler implements Reconciler<ObjectNode> {

  public static Controller<ObjectNode> controller() {
    return Controller.of("ttl-after-finished", Kinds.JOBS, new TtlAfterFinishedReconciler());
  }

  @Override
  public Plan reconcile(Cached<ObjectNode> seen, View view) {
    Plan plan = Plan.empty();
    ObjectNode job = seen.tree();
    JsonNode seconds = job.path("spec").path("ttlSecondsAfterFinished");
    JsonNode end = JobConditions.end(job);
    Instant ended = end == null ? null : Pods.time(end.path("lastTransitionTime"));
    if (ended == null || !seconds.isNumber() || Pods.isEnding(job)) {
      return plan;
    }
    Duration left = Duration.between(view.now(), ended.plusSeconds(seconds.asLong()));
    if (left.isPositive()) {
      return plan.lookAgain(left, "the finished job has been there long enough");
    }
    return plan.delete(
        seen,
        Action.Propagation.FOREGROUND,
        "it finished at " + ended + ", and was to stay for " + seconds.asLong() + " seconds");
  }
}
