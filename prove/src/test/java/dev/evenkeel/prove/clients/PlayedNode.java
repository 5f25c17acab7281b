package dev.evenkeel.prove.clients;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.observe.http.HttpTransport;
import dev.evenkeel.observe.http.Kubeconfig;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.transport.Client;
import dev.evenkeel.observe.transport.PatchType;
import dev.evenkeel.observe.transport.Query;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Does with the pods of a namespace what a node's agent does, as far as others can see it: writes
 * their status, and lets go of those that are asked to end.
 *
 * <p><b>Threading:</b> works on a thread of its own until it is closed.
 */
final class PlayedNode implements AutoCloseable {

  private static final Kind<ObjectNode> PODS = Kind.untyped("v1", "Pod", "pods", true);
  private static final long LOOK_EVERY_MILLIS = 30;

  private final RealEnv env = new RealEnv();
  private final HttpTransport transport;
  private final Client client;
  private final String namespace;
  private final Function<ObjectNode, String> play;
  private final Thread thread;
  private int addresses = 1;
  private volatile boolean closed;

  private PlayedNode(Path kubeconfig, String namespace, Function<ObjectNode, String> play) {
    this.transport = HttpTransport.open(env, Kubeconfig.read(kubeconfig).settings());
    this.client = new Client(transport);
    this.namespace = namespace;
    this.play = play;
    this.thread = Thread.ofPlatform().name("played-node").start(this::run);
  }

  /** Pods run and are ready. */
  static PlayedNode running(Path kubeconfig, String namespace) {
    return new PlayedNode(kubeconfig, namespace, _ -> "Running");
  }

  /** Pods run to their end at once. */
  static PlayedNode ending(Path kubeconfig, String namespace, boolean well) {
    return new PlayedNode(kubeconfig, namespace, _ -> well ? "Succeeded" : "Failed");
  }

  private void run() {
    while (!closed) {
      try {
        client
            .list(PODS, namespace, new Query())
            .join()
            .path("items")
            .forEach(pod -> look((ObjectNode) pod));
      } catch (RuntimeException e) {
        // The server may be on its way down, or the namespace: the next look will tell.
      }
      Await.pause(LOOK_EVERY_MILLIS);
    }
  }

  private void look(ObjectNode pod) {
    String phase = pod.path("status").path("phase").asString("");
    if (pod.path("metadata").has("deletionTimestamp")) {
      ignoring(client.delete(PODS, namespace, Meta.name(pod), json("{\"gracePeriodSeconds\":0}")));
    } else if (phase.equals("Pending") || phase.isEmpty()) {
      String next = play.apply(pod);
      ignoring(
          client.patch(
              PODS,
              namespace,
              Meta.name(pod),
              "status",
              PatchType.MERGE,
              Bytes.wrap(Json.encode(status(pod, next))),
              new Query()));
    }
  }

  private ObjectNode status(ObjectNode pod, String phase) {
    boolean ready = phase.equals("Running");
    String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    ObjectNode change =
        json(
            """
            {"status":{"phase":"%1$s","startTime":"%2$s","podIP":"10.1.0.%3$d",
             "podIPs":[{"ip":"10.1.0.%3$d"}],
             "conditions":[
              {"type":"Ready","status":"%4$s","lastTransitionTime":"%2$s"},
              {"type":"ContainersReady","status":"%4$s","lastTransitionTime":"%2$s"}]}}
            """
                .formatted(phase, now, addresses++, ready ? "True" : "False"));
    ObjectNode status = (ObjectNode) change.path("status");
    var containers = status.putArray("containerStatuses");
    for (JsonNode container : pod.path("spec").path("containers")) {
      ObjectNode one = containers.addObject();
      one.put("name", container.path("name").asString(""))
          .put("image", container.path("image").asString(""))
          .put("imageID", "")
          .put("ready", ready)
          .put("started", ready)
          .put("restartCount", 0);
      ObjectNode state = one.putObject("state");
      if (ready) {
        state.putObject("running").put("startedAt", now);
      } else {
        state
            .putObject("terminated")
            .put("exitCode", phase.equals("Succeeded") ? 0 : 1)
            .put("startedAt", now)
            .put("finishedAt", now);
      }
    }
    return change;
  }

  private static ObjectNode json(String text) {
    return Json.parseObject(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Others change and delete the same pods: whoever comes too late looks again. */
  private static void ignoring(CompletableFuture<ObjectNode> answer) {
    var _ = answer.handle((_, _) -> "").join();
  }

  @Override
  public void close() {
    closed = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    transport.close();
  }
}
