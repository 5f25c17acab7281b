package dev.evenkeel.decide.schedule.run;

import dev.evenkeel.decide.lead.Term;
import dev.evenkeel.decide.schedule.group.KnownGroup;
import dev.evenkeel.decide.schedule.metric.SchedulerMetrics;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.place.Cluster;
import dev.evenkeel.decide.schedule.policy.SchedulingPolicy;
import dev.evenkeel.decide.schedule.queue.Waiting;
import dev.evenkeel.explain.log.DecisionLog;
import dev.evenkeel.explain.record.Decision;
import dev.evenkeel.explain.record.Decision.ActionRecord;
import dev.evenkeel.explain.record.Decision.Outcome;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.observe.object.Cached;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * One attempt to place one pod, until it is written down.
 *
 * <p><b>Invariants:</b> the versions are those of the picture that it was decided on.
 *
 * <p><b>Threading:</b> of the scheduler's loop.
 */
final class SchedulingAttempt {

  private static final String CONTROLLER = "scheduler";

  private final Env env;
  private final Cluster cluster;
  private final DecisionLog log;
  private final SchedulerMetrics metrics;
  final Waiting waiting;
  final Term term;
  final PodInfo pod;
  private final Cached<ObjectNode> object;
  final long podsVersion;
  private final long nodesVersion;
  private final long quotasVersion;
  private final Decision.Waking waking;
  private final Instant begun;
  private final long begunNanos;
  final List<ActionRecord> done = new ArrayList<>(1);
  Decision.@Nullable Evaluation evaluation;

  /** The group that it was placed with; null if it was placed by itself. */
  @Nullable KnownGroup group;

  /** The policy that it was placed by; null if by none. */
  @Nullable SchedulingPolicy policy;

  SchedulingAttempt(
      Env env,
      Cluster cluster,
      Follower follower,
      DecisionLog log,
      SchedulerMetrics metrics,
      Waiting waiting,
      Term term) {
    this.env = env;
    this.metrics = metrics;
    this.cluster = cluster;
    this.log = log;
    this.begun = env.clock().now();
    this.begunNanos = env.clock().nanoTime();
    this.waiting = waiting;
    this.term = term;
    this.pod = waiting.pod();
    this.object = waiting.object();
    this.podsVersion = follower.podsVersion();
    this.nodesVersion = follower.nodesVersion();
    this.quotasVersion = follower.quotasVersion();
    this.waking = waiting.attempt();
  }

  private List<Decision.Read> reads() {
    List<Decision.Read> reads = new ArrayList<>(3);
    reads.add(new Decision.Read("nodes", "all", nodesVersion, cluster.nodes(), false));
    reads.add(new Decision.Read("pods", "all", podsVersion, cluster.pods(), false));
    int quotas = cluster.tenants().quotas(pod.namespace());
    if (quotas > 0) {
      reads.add(
          new Decision.Read(
              "tenantquotas.evenkeel.dev",
              "in namespace " + pod.namespace(),
              quotasVersion,
              quotas,
              false));
    }
    if (group != null) {
      reads.add(
          new Decision.Read("podgroups.evenkeel.dev", group.key(), group.version(), 1, false));
    }
    if (policy != null) {
      reads.add(
          new Decision.Read(
              "schedulingpolicies.evenkeel.dev",
              policy.name() + " " + policy.policyVersion(),
              policy.version(),
              1,
              false));
    }
    return reads;
  }

  void end(Outcome.Kind kind, String detail, Decision.@Nullable Next next) {
    long now = env.clock().nanoTime();
    metrics.ended(pod.schedulerName(), kind, now - begunNanos);
    if (kind == Outcome.Kind.ACTED) {
      metrics.placed(waiting.attempts(), now - waiting.queuedNanos());
    }
    log.write(
        new Decision(
            log.nextId(),
            CONTROLLER,
            new Decision.Subject(
                "v1", "Pod", pod.namespace(), pod.name(), pod.uid(), 0, object.version()),
            begun,
            Duration.ofNanos(now - begunNanos),
            waking,
            reads(),
            evaluation,
            done,
            new Outcome(kind, detail),
            next));
  }
}
