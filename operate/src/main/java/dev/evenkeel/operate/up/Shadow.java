package dev.evenkeel.operate.up;

import dev.evenkeel.decide.schedule.place.Profile;
import dev.evenkeel.decide.schedule.run.Scheduler;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.transport.Client;
import dev.evenkeel.observe.transport.Transport;
import dev.evenkeel.operate.control.Controllers;
import dev.evenkeel.operate.control.SchedulerPlugins;
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
 * A server in memory with its controllers and scheduler, which nobody sees and which is thrown
 * away: pods are scheduled on it, so that this process has done that before somebody asks for it.
 *
 * <p><b>Threading:</b> for one caller, but for {@link #close}.
 */
final class Shadow implements AutoCloseable {

  private static final int NODES = 64;
  private static final ApiRequest.Peer IDENTITY =
      new ApiRequest.Peer("system:evenkeel-warm-up", List.of("system:masters"));
  private static final Kind<ObjectNode> NODE_KIND = Kind.untyped("v1", "Node", "nodes", false);
  private static final Kind<ObjectNode> POD_KIND = Kind.untyped("v1", "Pod", "pods", true);
  private final Store store;
  private final ApiServer core;
  private final Controllers controllers;
  private final Transport transport;
  private final Client client;
  private boolean closed;
  private int made;

  private Shadow(Env env) {
    this.store = MemoryStore.open(env);
    this.core = ApiServer.open(env, store, ServerSettings.DEFAULTS);
    this.controllers =
        Controllers.start(
            env,
            new InProcessTransport(env, core, IDENTITY),
            "",
            List.of(Profile.DEFAULT.name()),
            SchedulerPlugins.none(),
            false);
    this.transport = new InProcessTransport(env, core, IDENTITY);
    this.client = new Client(transport);
  }

  static Shadow open(Env env) {
    var shadow = new Shadow(env);
    for (int i = 0; i < NODES; i++) {
      var _ = shadow.client.create(NODE_KIND, "", node(i));
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
      var _ = client.create(POD_KIND, "default", json(pod));
    }
  }

  /** Whether all pods that were made have their nodes. */
  boolean isDone() {
    Scheduler scheduler = controllers.scheduler();
    return scheduler != null && scheduler.placed() >= made;
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    controllers.close();
    transport.close();
    core.close();
    store.close();
  }
}
