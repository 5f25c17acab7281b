package dev.evenkeel.prove.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.lead.Leadership;
import dev.evenkeel.decide.run.EventRecorder;
import dev.evenkeel.decide.schedule.metric.SchedulerMetrics;
import dev.evenkeel.decide.schedule.place.Profile;
import dev.evenkeel.decide.schedule.run.Scheduler;
import dev.evenkeel.explain.log.DecisionLog;
import dev.evenkeel.explain.record.Decision;
import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.env.SimulatedEnv;
import dev.evenkeel.kernel.fit.Demand;
import dev.evenkeel.kernel.fit.NodeLedger;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.metric.Meters;
import dev.evenkeel.observe.cache.Change;
import dev.evenkeel.observe.cache.Informers;
import dev.evenkeel.observe.feed.FeedLimits;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.transport.Client;
import dev.evenkeel.observe.transport.PatchType;
import dev.evenkeel.observe.transport.Query;
import dev.evenkeel.operate.inprocess.InProcessTransport;
import dev.evenkeel.serve.ApiServer;
import dev.evenkeel.serve.ServerSettings;
import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/** A server, a user, and schedulers that see it late. */
final class SchedulingWorld implements AutoCloseable {

  static final Kind<ObjectNode> PODS = Kind.untyped("v1", "Pod", "pods", true);
  static final Kind<ObjectNode> NODES = Kind.untyped("v1", "Node", "nodes", false);
  static final Kind<ObjectNode> ADMISSION_POLICIES =
      Kind.untyped(
          "admissionregistration.k8s.io/v1",
          "ValidatingAdmissionPolicy",
          "validatingadmissionpolicies",
          false);
  static final Kind<ObjectNode> ADMISSION_BINDINGS =
      Kind.untyped(
          "admissionregistration.k8s.io/v1",
          "ValidatingAdmissionPolicyBinding",
          "validatingadmissionpolicybindings",
          false);
  private static final Kind<ObjectNode> CLASSES =
      Kind.untyped("scheduling.k8s.io/v1", "PriorityClass", "priorityclasses", false);

  static final Kind<ObjectNode> GROUPS =
      Kind.untyped("evenkeel.dev/v1alpha1", "PodGroup", "podgroups", true);
  private static final Kind<ObjectNode> EVENTS = Kind.untyped("v1", "Event", "events", true);

  private static final ApiRequest.Peer ADMIN =
      new ApiRequest.Peer("kubernetes-admin", List.of("system:masters"));

  final SimulatedEnv env;
  final Random random;
  final Client user;
  final List<SchedulerProcess> processes = new ArrayList<>();
  private long placedByKilled;
  private long refusedByKilled;
  private final List<Informers> witnesses = new ArrayList<>();
  private final Store store;
  private final ApiServer server;

  SchedulingWorld(long seed) {
    env = new SimulatedEnv(seed);
    random = new Random(seed * 0x9E3779B97F4A7C15L);
    store = MemoryStore.open(env);
    server = ApiServer.open(env, store, ServerSettings.DEFAULTS);
    env.runFor(Duration.ofMillis(10));
    user = new Client(new InProcessTransport(env, server, ADMIN));
  }

  /** Placements that the server committed, those of schedulers that are gone included. */
  long placed() {
    return placedByKilled + processes.stream().mapToLong(it -> it.scheduler.placed()).sum();
  }

  /** Placements that it refused, since what they rested on was not so any more. */
  long refused() {
    return refusedByKilled + processes.stream().mapToLong(it -> it.scheduler.refused()).sum();
  }

  /** A process that runs a scheduler, until it is killed. */
  final class SchedulerProcess {
    final DecisionLog log = new DecisionLog(10_000, 10_000);
    final LaggingTransport network;
    private final Informers informers;
    private final EventRecorder events;
    final Scheduler scheduler;

    SchedulerProcess(Profile... profiles) {
      this(Leadership.ALONE, profiles);
    }

    SchedulerProcess(Leadership leadership, Profile... profiles) {
      Loop wire = env.loop("wire");
      network =
          new LaggingTransport(new InProcessTransport(env, server, ADMIN), wire, random, _ -> true);
      informers = new Informers(env, network, FeedLimits.DEFAULTS);
      var client = new Client(network);
      events = new EventRecorder(env, client);
      scheduler =
          Scheduler.start(
              env,
              informers,
              client,
              log,
              events,
              leadership,
              new SchedulerMetrics(new Meters()),
              List.of(profiles));
      processes.add(this);
    }

    void kill() {
      placedByKilled += scheduler.placed();
      refusedByKilled += scheduler.refused();
      scheduler.close();
      informers.close();
      events.close();
      processes.remove(this);
    }

    List<Decision> about(String pod) {
      return log.newest(it -> it.subject().name().equals(pod), 100).reversed();
    }
  }

  <R> R now(CompletableFuture<R> future) {
    for (int i = 0; !future.isDone() && i < 2_000; i++) {
      env.runFor(Duration.ofMillis(1));
    }
    assertThat(future).as("an answer within two seconds").isDone();
    return future.join();
  }

  static ObjectNode json(String text) {
    return Json.parseObject(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Pods that name it are worth so much. */
  void priorityClass(String name, int value) {
    var _ =
        now(
            user.create(
                CLASSES,
                "",
                json("{\"metadata\":{\"name\":\"%s\"},\"value\":%d}".formatted(name, value))));
  }

  void node(String name, String zone, String allocatable) {
    var _ =
        now(
            user.create(
                NODES,
                "",
                json(
                    "{\"metadata\":{\"name\":\"%s\",\"labels\":{\"topology.kubernetes.io/zone\":\"%s\",\"kubernetes.io/hostname\":\"%s\"}},\"status\":{\"allocatable\":{%s}}}"
                        .formatted(name, zone, name, allocatable))));
    ready(name);
  }

  /** Nobody else takes off the taint that a new node has. */
  private void ready(String node) {
    var _ =
        now(
            user.patch(
                NODES,
                "",
                node,
                PatchType.MERGE,
                Bytes.utf8("{\"spec\":{\"taints\":null}}"),
                new Query()));
  }

  ObjectNode pod(String name, String more, String requests) {
    String limits = requests.contains("/") ? requests : "";
    return now(
        user.create(
            PODS,
            "default",
            json(
                "{\"metadata\":{\"name\":\"%s\",\"labels\":{\"app\":\"risk-api\"}},\"spec\":{%s\"containers\":[{\"name\":\"c\",\"image\":\"i\",\"resources\":{\"requests\":{%s},\"limits\":{%s}}}]}}"
                    .formatted(name, more, requests, limits))));
  }

  /** Pods of which so many are of use together. */
  void group(String name, int minimum, int holdsForSeconds) {
    var _ =
        now(
            user.create(
                GROUPS,
                "default",
                json(
                    "{\"metadata\":{\"name\":\"%s\"},\"spec\":{\"minMember\":%d,\"scheduleTimeoutSeconds\":%d}}"
                        .formatted(name, minimum, holdsForSeconds))));
  }

  void patchGroup(String name, String patch) {
    var _ =
        now(user.patch(GROUPS, "default", name, PatchType.MERGE, Bytes.utf8(patch), new Query()));
  }

  /** A pod of a group. */
  void member(String group, String name, String more, String requests) {
    var _ =
        now(
            user.create(
                PODS,
                "default",
                json(
                    "{\"metadata\":{\"name\":\"%s\",\"labels\":{\"evenkeel.dev/pod-group\":\"%s\"}},\"spec\":{%s\"containers\":[{\"name\":\"c\",\"image\":\"i\",\"resources\":{\"requests\":{%s}}}]}}"
                        .formatted(name, group, more, requests))));
  }

  static String groupOf(ObjectNode pod) {
    return Meta.text(pod.path("metadata").path("labels").path("evenkeel.dev/pod-group"));
  }

  /** Shows every change of a kind, in order and without delay. */
  void witness(Kind<ObjectNode> kind, Consumer<Change<ObjectNode>> sees) {
    var caches =
        new Informers(env, new InProcessTransport(env, server, ADMIN), FeedLimits.DEFAULTS);
    witnesses.add(caches);
    var _ = caches.informer(kind).listen(sees::accept);
  }

  /** What users were told. */
  List<String> events() {
    return list(EVENTS).stream().map(it -> Meta.text(it.path("message"))).toList();
  }

  /** As kubectl would; empty if it was done, or else what the server says. */
  String bind(String pod, String node) {
    return now(
        user.create(
                PODS,
                "default",
                pod,
                "binding",
                json(
                    "{\"metadata\":{\"name\":\"%s\"},\"target\":{\"name\":\"%s\"}}"
                        .formatted(pod, node)))
            .handle((_, failure) -> failure == null ? "" : text(failure)));
  }

  private static String text(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause instanceof ApiException refused ? refused.status().message() : cause.toString();
  }

  void ungate(String pod) {
    var _ =
        now(
            user.patch(
                PODS,
                "default",
                pod,
                PatchType.MERGE,
                Bytes.utf8("{\"spec\":{\"schedulingGates\":null}}"),
                new Query()));
  }

  void status(String pod, String phase) {
    var _ =
        now(
            user.patch(
                    PODS,
                    "default",
                    pod,
                    "status",
                    PatchType.MERGE,
                    Bytes.utf8("{\"status\":{\"phase\":\"" + phase + "\"}}"),
                    new Query())
                .handle((_, _) -> ""));
  }

  void delete(String pod) {
    var _ =
        now(
            user.delete(PODS, "default", pod, json("{\"gracePeriodSeconds\":0}"))
                .handle((_, _) -> ""));
  }

  ObjectNode pod(String name) {
    return now(user.get(PODS, "default", name));
  }

  String nodeOf(String pod) {
    return Meta.text(pod(pod).path("spec").path("nodeName"));
  }

  List<ObjectNode> list(Kind<ObjectNode> kind) {
    List<ObjectNode> found = new ArrayList<>();
    now(user.list(kind, "", new Query()))
        .path("items")
        .forEach(item -> found.add((ObjectNode) item));
    return found;
  }

  /** No node has more on it than it has. */
  void checkThatNothingIsOvercommitted() {
    Map<String, List<Demand>> demands = new HashMap<>();
    for (ObjectNode pod : list(PODS)) {
      String node = Meta.text(pod.path("spec").path("nodeName"));
      if (!node.isEmpty()) {
        demands.computeIfAbsent(node, _ -> new ArrayList<>()).add(Demand.of(pod));
      }
    }
    for (ObjectNode node : list(NODES)) {
      NodeLedger taken =
          NodeLedger.uncounted(node).counted(demands.getOrDefault(Meta.name(node), List.of()));
      taken
          .used()
          .forEach(
              (resource, used) ->
                  assertThat(used)
                      .as(resource + " of " + Meta.name(node))
                      .isLessThanOrEqualTo(taken.capacity().getOrDefault(resource, 0L)));
    }
  }

  @Override
  public void close() {
    List.copyOf(processes).forEach(SchedulerProcess::kill);
    witnesses.forEach(Informers::close);
    server.close();
    store.close();
  }
}
