package dev.evenkeel.operate.control;

import dev.evenkeel.decide.controllers.batch.CronJobReconciler;
import dev.evenkeel.decide.controllers.batch.JobReconciler;
import dev.evenkeel.decide.controllers.batch.TtlAfterFinishedReconciler;
import dev.evenkeel.decide.controllers.cluster.DisruptionReconciler;
import dev.evenkeel.decide.controllers.cluster.NodeLifecycleReconciler;
import dev.evenkeel.decide.controllers.cluster.PodGarbageReconciler;
import dev.evenkeel.decide.controllers.cluster.RootCaReconciler;
import dev.evenkeel.decide.controllers.cluster.StaleDisruptionReconciler;
import dev.evenkeel.decide.controllers.collect.GarbageCollector;
import dev.evenkeel.decide.controllers.collect.NamespaceCollector;
import dev.evenkeel.decide.controllers.network.EndpointSliceReconciler;
import dev.evenkeel.decide.controllers.network.EndpointsReconciler;
import dev.evenkeel.decide.controllers.network.ServiceCidrReconciler;
import dev.evenkeel.decide.controllers.sets.DaemonSetReconciler;
import dev.evenkeel.decide.controllers.sets.StatefulSetReconciler;
import dev.evenkeel.decide.controllers.storage.ClaimBindingReconciler;
import dev.evenkeel.decide.controllers.storage.ClaimProtectionReconciler;
import dev.evenkeel.decide.controllers.storage.VolumeClassProtectionReconciler;
import dev.evenkeel.decide.controllers.storage.VolumePhaseReconciler;
import dev.evenkeel.decide.controllers.storage.VolumeProtectionReconciler;
import dev.evenkeel.decide.controllers.workload.DeploymentReconciler;
import dev.evenkeel.decide.controllers.workload.ReplicaSetReconciler;
import dev.evenkeel.decide.controllers.workload.ReplicationControllerReconciler;
import dev.evenkeel.decide.lead.LateView;
import dev.evenkeel.decide.lead.Leadership;
import dev.evenkeel.decide.lead.LeaseElection;
import dev.evenkeel.decide.metric.ControllerMetrics;
import dev.evenkeel.decide.queue.WorkQueue;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.decide.run.ControllerRunner;
import dev.evenkeel.decide.run.EventRecorder;
import dev.evenkeel.decide.run.Operator;
import dev.evenkeel.decide.schedule.metric.SchedulerMetrics;
import dev.evenkeel.decide.schedule.place.Profile;
import dev.evenkeel.decide.schedule.run.Scheduler;
import dev.evenkeel.explain.log.DecisionLog;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.metric.Meters;
import dev.evenkeel.observe.transport.Client;
import dev.evenkeel.observe.transport.Transport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The controllers of a server. They see it through a transport, as if they were somewhere else. */
public final class Controllers implements AutoCloseable {

  private final Env env;
  private final Operator operator;
  private final GarbageCollector collector;
  private final NamespaceCollector namespaces;
  private final @Nullable Scheduler scheduler;
  private volatile @Nullable UserControllers users;

  private final SchedulerPlugins plugins;
  private final ControllerMetrics metrics;

  private Controllers(
      Env env,
      Transport transport,
      String authorityPem,
      List<String> schedulers,
      SchedulerPlugins plugins,
      boolean elect,
      Meters meters) {
    this.env = env;
    this.metrics = new ControllerMetrics(meters);
    this.plugins = plugins;
    DecisionLog log = DecisionLog.ofServer();
    this.operator = Operator.over(env, transport, log, metrics);
    Leadership leadership =
        elect ? operator.elect("kube-system", "evenkeel-controllers") : Leadership.ALONE;
    all(authorityPem).forEach(controller -> operator.run(controller, leadership));
    this.collector = GarbageCollector.start(env, transport, log, leadership, metrics);
    this.namespaces =
        NamespaceCollector.start(
            env, operator.informers(), operator.client(), log, leadership, metrics);
    this.scheduler =
        schedulers.isEmpty()
            ? null
            : Scheduler.start(
                env,
                operator.informers(),
                new Client(new NamedTransport(transport, "kube-scheduler")),
                log,
                operator.events(),
                leadership,
                new SchedulerMetrics(meters),
                schedulers.stream()
                    .map(name -> Profile.DEFAULT.named(name).withPlugins(plugins.all()))
                    .toList());
  }

  /**
   * Begins to follow the server and to work.
   *
   * @param transport closed with this
   * @param authorityPem whom the server's clients trust
   * @param schedulers the names under which pods are scheduled
   * @param plugins of the schedulers; closed with this
   * @param elect whether others may run controllers on the same store: then one of them leads, and
   *     the others are ready to
   * @param meters to which they add what they measure
   */
  public static Controllers start(
      Env env,
      Transport transport,
      String authorityPem,
      List<String> schedulers,
      SchedulerPlugins plugins,
      boolean elect,
      Meters meters) {
    var started = new Controllers(env, transport, authorityPem, schedulers, plugins, elect, meters);
    ControlFigures.register(meters, started);
    return started;
  }

  private static List<Controller<?>> all(String authorityPem) {
    return List.of(
        DeploymentReconciler.controller(),
        ReplicaSetReconciler.controller(),
        ReplicationControllerReconciler.controller(),
        StatefulSetReconciler.controller(),
        DaemonSetReconciler.controller(),
        JobReconciler.controller(),
        CronJobReconciler.controller(),
        TtlAfterFinishedReconciler.controller(),
        EndpointsReconciler.controller(),
        EndpointSliceReconciler.controller(),
        DisruptionReconciler.controller(),
        StaleDisruptionReconciler.controller(),
        PodGarbageReconciler.controller(),
        RootCaReconciler.controller(authorityPem),
        ClaimProtectionReconciler.controller(),
        VolumeProtectionReconciler.controller(),
        VolumeClassProtectionReconciler.controller(),
        ClaimBindingReconciler.controller(),
        VolumePhaseReconciler.controller(),
        NodeLifecycleReconciler.controller(),
        ServiceCidrReconciler.controller());
  }

  /** Has users' controllers shown with its own, and closed before them. */
  public void with(UserControllers others) {
    users = others;
  }

  /** What controllers are measured by. */
  public ControllerMetrics metrics() {
    return metrics;
  }

  public DecisionLog log() {
    return operator.decisions();
  }

  /** The leases that are stood for; none where nobody else can act. */
  public List<LeaseElection> elections() {
    List<LeaseElection> elections = new ArrayList<>(operator.elections());
    UserControllers others = users;
    if (others != null) {
      elections.addAll(others.elections());
    }
    return elections;
  }

  /** What became of what was told to users. */
  public EventRecorder.Figures events() {
    UserControllers others = users;
    EventRecorder.Figures own = operator.events().figures();
    return others == null ? own : own.plus(others.events());
  }

  /** The names of all that run. */
  public Set<String> names() {
    Set<String> names = new HashSet<>(Set.of("scheduler"));
    queues().forEach(queue -> names.add(queue.figures().name()));
    return names;
  }

  /** Those that plan, and what their reconcilers did that none should. */
  public List<ControllerRunner<?>> running() {
    List<ControllerRunner<?>> all = new ArrayList<>(operator.running());
    UserControllers others = users;
    if (others != null) {
      all.addAll(others.running());
    }
    return all;
  }

  /**
   * What is not planned for now, because what is known of the server is too old.
   *
   * @param waits in words
   */
  public record Late(String controller, LateView view, Duration lasts, String waits) {}

  /** What is not planned for now, by controller; those that wait longest first. */
  public List<Late> late() {
    Instant now = env.clock().now();
    List<Late> late = new ArrayList<>();
    running()
        .forEach(
            runner -> runner.waiting().forEach(view -> late.add(late(runner.name(), view, now))));
    LateView scheduling = scheduler == null ? null : scheduler.lateView();
    if (scheduling != null) {
      late.add(late("scheduler", scheduling, now));
    }
    late.sort(Comparator.comparing(Late::lasts).reversed());
    return late;
  }

  private static Late late(String controller, LateView view, Instant now) {
    return new Late(controller, view, view.lasted(now), view.text(now));
  }

  /** Null where others schedule. */
  public @Nullable Scheduler scheduler() {
    return scheduler;
  }

  public List<WorkQueue> queues() {
    List<WorkQueue> queues = new ArrayList<>();
    operator.running().forEach(runner -> queues.add(runner.queue()));
    queues.add(collector.queue());
    queues.add(namespaces.queue());
    UserControllers others = users;
    if (others != null) {
      queues.addAll(others.queues());
    }
    return queues;
  }

  @Override
  public void close() {
    UserControllers others = users;
    if (others != null) {
      others.close();
    }
    if (scheduler != null) {
      scheduler.close();
    }
    plugins.close();
    collector.close();
    namespaces.close();
    operator.close();
  }
}
