package dev.evenkeel.operate.up;

import dev.evenkeel.decide.lead.Leadership;
import dev.evenkeel.decide.run.Operator;
import dev.evenkeel.decide.schedule.place.Profile;
import dev.evenkeel.decide.schedule.run.Scheduler;
import dev.evenkeel.explain.log.DecisionLog;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.operate.inprocess.InProcessTransport;
import dev.evenkeel.serve.ApiServer;
import dev.evenkeel.serve.ServerSettings;
import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * A server in memory with a scheduler, which nobody sees and which is thrown away: pods are
 * scheduled on it, so that this process has done that before somebody asks for it.
 *
 * <p><b>Threading:</b> for one caller, but for {@link #close}.
 */
final class Shadow implements AutoCloseable {

  private static final int NODES = 64;
  private static final int DECISIONS_MAX = 100;
  private static final Kind<ObjectNode> NODE_KIND = Kind.untyped("v1", "Node", "nodes", false);
  private static final Kind<ObjectNode> POD_KIND = Kind.untyped("v1", "Pod", "pods", true);
  private final Store store;
  private final ApiServer core;
  private final Operator operator;
  private final Scheduler scheduler;
  private boolean closed;
  private int made;

  private Shadow(Env env) {
    this.store = MemoryStore.open(env);
    this.core = ApiServer.open(env, store, ServerSettings.DEFAULTS);
    var identity = new ApiRequest.Peer("system:evenkeel-warm-up", List.of("system:masters"));
    this.operator =
        Operator.over(
            env,
            new InProcessTransport(env, core, identity),
            new DecisionLog(DECISIONS_MAX, DECISIONS_MAX));
    this.scheduler =
        Scheduler.start(
            env,
            operator.informers(),
            operator.client(),
            operator.decisions(),
            operator.events(),
            Leadership.ALONE,
            List.of(Profile.DEFAULT));
  }

  static Shadow open(Env env) {
    var shadow = new Shadow(env);
    for (int i = 0; i < NODES; i++) {
      var _ = shadow.operator.client().create(NODE_KIND, "", node(i));
    }
    return shadow;
  }

  private static ObjectNode node(int number) {
    return json(
        """
        {"apiVersion":"v1","kind":"Node","metadata":{"name":"node-%d","labels":
         {"topology.kubernetes.io/zone":"zone-a"}},
         "status":{"allocatable":{"cpu":"1k","memory":"1Ti","pods":"1k"},
         "capacity":{"cpu":"1k","memory":"1Ti","pods":"1k"}}}
        """
            .formatted(number));
  }

  private static ObjectNode json(String text) {
    return Json.parseObject(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Makes so many pods more. */
  void schedule(String pod, int count) {
    for (int i = 0; i < count; i++) {
      made++;
      var _ = operator.client().create(POD_KIND, "default", json(pod));
    }
  }

  /** Whether all pods that were made have their nodes. */
  boolean isDone() {
    return scheduler.placed() >= made;
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    scheduler.close();
    operator.close();
    core.close();
    store.close();
  }
}
