package dev.evenkeel.decide.controllers.batch;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.PlannedEvent;
import dev.evenkeel.decide.plan.Reconciler;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Runs pods until as many have succeeded as a Job asks for, or too many have failed.
 *
 * <p>The status is written first, and has what was seen: what is done after it shows in the next.
 */
public final class JobReconciler implements Reconciler<ObjectNode> {

  public static Controller<ObjectNode> controller() {
    return Controller.of("job", Kinds.JOBS, new JobReconciler())
        .owning(Kinds.PODS)
        .watching(Kinds.PODS, JobPods::concerned)
        .indexing(Kinds.PODS, JobPods.BY_JOB);
  }

  @Override
  public Plan reconcile(Cached<ObjectNode> seen, View view) {
    ObjectNode job = seen.tree();
    Plan plan = Plan.empty();
    if (JobSpec.isManagedElsewhere(job)) {
      return plan;
    }
    List<JobPod> pods = JobPods.claim(seen, job, view, plan);
    if (!plan.actions().isEmpty()) {
      return plan;
    }
    if (JobConditions.end(job) == null) {
      work(seen, job, pods, view, plan);
    } else {
      pods.stream()
          .filter(JobPod::tracked)
          .forEach(pod -> plan.patch(pod.seen(), pod.untracking(), "the job is over"));
    }
    JobPods.free(seen.namespace(), seen.name(), seen.uid(), view, plan);
    return plan;
  }

  @Override
  public Plan gone(String namespace, String name, View view) {
    Plan plan = Plan.empty();
    JobPods.free(namespace, name, "", view, plan);
    return plan;
  }

  private static void work(
      Cached<ObjectNode> seen, ObjectNode job, List<JobPod> pods, View view, Plan plan) {
    JobSpec spec = JobSpec.of(job);
    JsonNode known = job.path("status");
    boolean ending = Pods.isEnding(job);
    JobTally tally = new JobTally(known, spec, pods);
    Verdict verdict = Verdict.of(known, spec, tally, view.now(), plan);
    // Asked before more is entered: what is entered now is not counted yet.
    boolean over = verdict.isEnd() && tally.isClosed();
    Accounts accounts = new Accounts(spec, tally, verdict, ending);
    ObjectNode status = status(known, spec, tally, verdict, over, view.now(), plan);
    accounts.write(status);
    plan.status(seen, status, summary(spec, tally, verdict, over));
    accounts.letGo(plan);
    Crew crew = new Crew(seen, spec, tally, view.now(), plan);
    if (ending || over) {
      return;
    }
    if (verdict.isEnd()) {
      crew.end("the job is about to end: " + verdict.message());
    } else {
      crew.keep();
    }
  }

  private static ObjectNode status(
      JsonNode known,
      JobSpec spec,
      JobTally tally,
      Verdict verdict,
      boolean over,
      Instant now,
      Plan plan) {
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    Accounts.count(status, "active", tally.active.size());
    status.put("ready", tally.ready);
    status.put("terminating", tally.terminating);
    ArrayNode conditions = JobConditions.copy(known);
    boolean suspends = spec.suspended() && !verdict.isEnd();
    boolean turned = false;
    if (verdict.isEnd()) {
      end(status, conditions, verdict, over, now, plan);
    } else if (spec.suspended()) {
      turned =
          JobConditions.set(
              conditions, JobConditions.SUSPENDED, true, "JobSuspended", "Job suspended", now);
    } else {
      turned =
          JobConditions.set(
              conditions, JobConditions.SUSPENDED, false, "JobResumed", "Job resumed", now);
    }
    if (turned) {
      plan.tell(
          PlannedEvent.Type.NORMAL,
          suspends ? "Suspended" : "Resumed",
          suspends ? "Job suspended" : "Job resumed");
    }
    if (suspends) {
      status.putNull("startTime");
    } else if (turned || !known.has("startTime")) {
      status.put("startTime", JobConditions.text(now));
    }
    if (!conditions.isEmpty()) {
      status.set("conditions", conditions);
    }
    return status;
  }

  private static void end(
      ObjectNode status,
      ArrayNode conditions,
      Verdict verdict,
      boolean over,
      Instant now,
      Plan plan) {
    JobConditions.set(
        conditions, verdict.interim(), true, verdict.reason(), verdict.message(), now);
    if (!over) {
      return;
    }
    JobConditions.set(
        conditions, verdict.terminal(), true, verdict.reason(), verdict.message(), now);
    if (verdict.isSuccess()) {
      status.put("completionTime", JobConditions.text(now));
      plan.tell(PlannedEvent.Type.NORMAL, "Completed", "Job completed");
    } else {
      plan.tell(PlannedEvent.Type.WARNING, verdict.reason(), verdict.message());
    }
  }

  private static String summary(JobSpec spec, JobTally tally, Verdict verdict, boolean over) {
    if (verdict.isEnd()) {
      return (over ? "the job has ended: " : "the job is about to end: ") + verdict.message();
    }
    String wanted = spec.isWorkQueue() ? "" : " of " + spec.completions();
    return tally.succeeded
        + wanted
        + " succeeded, "
        + tally.failed
        + " failed, "
        + tally.active.size()
        + " at work";
  }
}
