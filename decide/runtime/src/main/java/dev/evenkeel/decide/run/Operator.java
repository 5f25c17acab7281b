package dev.evenkeel.decide.run;

import dev.evenkeel.decide.lead.Leadership;
import dev.evenkeel.decide.lead.LeaseElection;
import dev.evenkeel.decide.lead.LeaseSettings;
import dev.evenkeel.decide.metric.ControllerMetrics;
import dev.evenkeel.explain.log.DecisionLog;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.define.CustomDefinition;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.kernel.invariant.Invariants;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.observe.cache.Informers;
import dev.evenkeel.observe.feed.FeedLimits;
import dev.evenkeel.observe.http.HttpTransport;
import dev.evenkeel.observe.http.Kubeconfig;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.transport.Client;
import dev.evenkeel.observe.transport.PatchType;
import dev.evenkeel.observe.transport.Query;
import dev.evenkeel.observe.transport.Transport;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * Runs controllers against a server: any that speaks the Kubernetes API, near or far. They share
 * caches, a log of decisions and a teller of events.
 *
 * <p><b>Threading:</b> for any thread.
 */
public final class Operator implements AutoCloseable {

  private static final Kind<ObjectNode> DEFINITIONS =
      Kind.untyped(
          "apiextensions.k8s.io/v1",
          "CustomResourceDefinition",
          "customresourcedefinitions",
          false);

  private final Env env;
  private final Transport transport;
  private final Client client;
  private final Informers informers;
  private final DecisionLog log;
  private final EventRecorder events;
  private final Transport leaseTransport;
  private final List<ControllerRunner<?>> runners = new ArrayList<>();
  private final List<LeaseElection> elections = new ArrayList<>();
  private final Watchdog watchdog;
  private final ControllerMetrics metrics;

  private Operator(
      Env env,
      Transport transport,
      Transport leaseTransport,
      DecisionLog log,
      ControllerMetrics metrics) {
    this.metrics = metrics;
    this.leaseTransport = leaseTransport;
    this.env = env;
    this.transport = transport;
    this.client = new Client(transport);
    this.informers = new Informers(env, transport, FeedLimits.DEFAULTS);
    this.log = log;
    this.events = new EventRecorder(env, client);
    this.watchdog = new Watchdog(env, this::running);
  }

  /** One for the server that a kubeconfig names. */
  public static Operator connect(Kubeconfig kubeconfig) {
    Env env = new RealEnv();
    Transport work = HttpTransport.open(env, kubeconfig.settings());
    // Renewals have connections of their own: what the work sends must not delay them.
    Transport leases = HttpTransport.open(env, kubeconfig.settings());
    return new Operator(env, work, leases, DecisionLog.ofServer(), ControllerMetrics.unseen());
  }

  /**
   * One over any transport.
   *
   * @param transport closed with this
   */
  public static Operator over(Env env, Transport transport, DecisionLog log) {
    return over(env, transport, log, ControllerMetrics.unseen());
  }

  /**
   * One over any transport.
   *
   * @param transport closed with this
   * @param metrics what its controllers are measured by
   */
  public static Operator over(
      Env env, Transport transport, DecisionLog log, ControllerMetrics metrics) {
    return new Operator(env, transport, transport, log, metrics);
  }

  /** Defines the kind of a record, or brings its definition up to date. */
  public Operator define(Class<? extends Record> type) {
    ObjectNode definition = CustomDefinition.of(type);
    String name = definition.path("metadata").path("name").asString("");
    client
        .patch(
            DEFINITIONS,
            "",
            name,
            PatchType.APPLY,
            Bytes.wrap(Json.encode(definition)),
            new Query().with("fieldManager", "evenkeel-operator").with("force", "true"))
        .join();
    return this;
  }

  /** Begins to run a controller. A kind that is not there yet is waited for. */
  public Operator run(Controller<?> controller) {
    return run(controller, Leadership.ALONE);
  }

  /** Begins to run a controller that acts only while this process leads. */
  public Operator run(Controller<?> controller, Leadership leadership) {
    synchronized (runners) {
      runners.add(
          ControllerRunner.start(
              controller, env, informers, client, log, events, leadership, metrics));
    }
    return this;
  }

  /**
   * Stands for election through a lease, for as long as this is open: for one controller, for one
   * shard of one, or for all that this process runs.
   */
  public Leadership elect(String namespace, String lease) {
    String identity = host() + "_" + HexFormat.of().toHexDigits(env.random().nextLong());
    var election =
        LeaseElection.stand(
            env, new Client(leaseTransport), LeaseSettings.of(namespace, lease, identity));
    synchronized (runners) {
      elections.add(election);
    }
    election.listen(this::checkLeaders);
    return election;
  }

  /** Of those that stand for one lease here, one leads at most. */
  private void checkLeaders() {
    List<String> led =
        elections().stream()
            .filter(election -> election.term() != null)
            .map(LeaseElection::lease)
            .toList();
    Invariants.hold(
        led.stream().distinct().count() == led.size(),
        "lease_one_leader",
        () -> "leases that are led here: " + led);
  }

  private static String host() {
    String host = System.getenv("HOSTNAME");
    return host == null || host.isBlank() ? "evenkeel" : host;
  }

  /** The leases that this process stands for. */
  public List<LeaseElection> elections() {
    synchronized (runners) {
      return List.copyOf(elections);
    }
  }

  /** Whom to tell what users should know. */
  public EventRecorder events() {
    return events;
  }

  /** What was decided, and why. */
  public DecisionLog decisions() {
    return log;
  }

  /** What runs, with its queues. */
  public List<ControllerRunner<?>> running() {
    synchronized (runners) {
      return List.copyOf(runners);
    }
  }

  public Client client() {
    return client;
  }

  public Informers informers() {
    return informers;
  }

  @Override
  public void close() {
    watchdog.close();
    running().forEach(ControllerRunner::close);
    // After the work has ended, or else another would begin while it still goes on.
    elections().forEach(LeaseElection::close);
    informers.close();
    events.close();
    transport.close();
    leaseTransport.close();
  }
}
