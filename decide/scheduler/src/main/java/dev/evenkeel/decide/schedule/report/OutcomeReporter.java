package dev.evenkeel.decide.schedule.report;

import dev.evenkeel.decide.lead.Term;
import dev.evenkeel.decide.plan.PlannedEvent;
import dev.evenkeel.decide.run.EventRecorder;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.place.Preemption;
import dev.evenkeel.decide.schedule.queue.Waiting;
import dev.evenkeel.explain.record.Decision.ActionRecord;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.WireTime;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import dev.evenkeel.observe.transport.Client;
import dev.evenkeel.observe.transport.PatchType;
import dev.evenkeel.observe.transport.Query;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells users what became of their pods, as events and as a condition of the pod; and makes room
 * for a pod by removing others. None of it holds up placing: what waits to be written is the newest
 * of each pod.
 *
 * <p><b>Invariants:</b> at most one write of a pod is on its way, so none overtakes another.
 *
 * <p><b>Threading:</b> of the scheduler's loop.
 */
public final class OutcomeReporter {

  private static final int WRITES_MAX = 128;

  private static final String WAITING_FOR_PERMIT = "WaitingForPermit";

  /** That a pod waits is tried to be written so often, if it changes meanwhile. */
  private static final int WAIT_TRIES_MAX = 5;

  private static final Duration WAIT_AGAIN_AFTER = Duration.ofSeconds(1);

  private final Env env;
  private final Loop loop;
  private final Client client;
  private final EventRecorder events;
  private final Map<String, Supplier<CompletableFuture<?>>> pending = new LinkedHashMap<>();

  /** Of what is on its way. */
  private final Set<String> writing = new HashSet<>();

  public OutcomeReporter(Env env, Loop loop, Client client, EventRecorder events) {
    this.env = env;
    this.loop = loop;
    this.client = client;
    this.events = events;
  }

  public void scheduled(Cached<ObjectNode> object, PodInfo pod, String node) {
    pending.remove(pod.uid());
    events.tell(
        object,
        pod.schedulerName(),
        new PlannedEvent(
            PlannedEvent.Type.NORMAL,
            "Scheduled",
            "Successfully assigned " + pod.key() + " to " + node));
  }

  public void unschedulable(Waiting waiting, PodInfo pod, String message, Term term) {
    unschedulable(waiting, pod, message, "", false, term);
  }

  /**
   * @param nominated where room is made for it; empty if nowhere
   * @param clears whether a node that it was promised earlier is so no more
   */
  public void unschedulable(
      Waiting waiting, PodInfo pod, String message, String nominated, boolean clears, Term term) {
    String reason = pod.gates().isEmpty() ? "Unschedulable" : "SchedulingGated";
    tell(waiting, pod, reason, message, nominated, clears, term);
  }

  /** The attempt failed, which says nothing about the nodes. */
  public void failed(Waiting waiting, PodInfo pod, String message, Term term) {
    tell(waiting, pod, "SchedulerError", message, "", false, term);
  }

  /** It has a node, and a plugin has it wait before it is bound. */
  public void waits(Waiting waiting, PodInfo pod, String message, Term term) {
    events.tell(
        waiting.object(),
        pod.schedulerName(),
        new PlannedEvent(PlannedEvent.Type.NORMAL, WAITING_FOR_PERMIT, message));
    writeThatItWaits(waiting, pod, message, term, waiting.attempts(), 1);
  }

  /**
   * What comes next may come at once, and must not be written over: so this is written on the
   * version that is known, and on a later one only if the pod still waits.
   */
  private void writeThatItWaits(
      Waiting waiting, PodInfo pod, String message, Term term, int attempt, int tries) {
    ObjectNode status = status(waiting.object());
    if (waiting.segment() != Waiting.Segment.PERMIT
        || waiting.attempts() != attempt
        || saysSo(status, WAITING_FOR_PERMIT, message)) {
      return;
    }
    waiting.toldAtVersion = waiting.object().version();
    ObjectNode change = change(pod, waiting.object(), WAITING_FOR_PERMIT, message);
    Meta.of(change).put("resourceVersion", Long.toString(waiting.toldAtVersion));
    Client fenced = term.fence(client);
    write(
        pod.uid(),
        () ->
            patch(fenced, pod, change)
                .whenComplete(
                    (_, failure) -> {
                      if (failure != null && tries < WAIT_TRIES_MAX) {
                        later(
                            () ->
                                writeThatItWaits(waiting, pod, message, term, attempt, tries + 1));
                      }
                    }));
  }

  private void later(Runnable task) {
    try {
      var _ = loop.runLater(WAIT_AGAIN_AFTER, task);
    } catch (RejectedExecutionException e) {
      // It is closed.
    }
  }

  private void tell(
      Waiting waiting,
      PodInfo pod,
      String reason,
      String message,
      String nominated,
      boolean clears,
      Term term) {
    Cached<ObjectNode> object = waiting.object();
    if (pod.gates().isEmpty()) {
      events.tell(
          object,
          pod.schedulerName(),
          new PlannedEvent(PlannedEvent.Type.WARNING, "FailedScheduling", message));
    }
    ObjectNode status = status(object);
    String promised = Meta.text(status.path("nominatedNodeName"));
    boolean sameNode =
        nominated.isEmpty() ? !clears || promised.isEmpty() : nominated.equals(promised);
    boolean shows = object.version() != waiting.toldAtVersion;
    if (shows && sameNode && saysSo(status, reason, message)) {
      return;
    }
    waiting.toldAtVersion = object.version();
    ObjectNode change = change(pod, object, reason, message);
    ObjectNode changed = status(change);
    if (!nominated.isEmpty()) {
      changed.put("nominatedNodeName", nominated);
    } else if (clears && !promised.isEmpty()) {
      changed.putNull("nominatedNodeName");
    }
    Client fenced = term.fence(client);
    write(pod.uid(), () -> patch(fenced, pod, change));
  }

  /** That the pod has no node, and why. */
  private ObjectNode change(PodInfo pod, Cached<ObjectNode> object, String reason, String message) {
    ObjectNode change = empty();
    // Its successor under the same name is another pod.
    change.putObject("metadata").put("uid", pod.uid());
    ObjectNode condition = change.putObject("status").putArray("conditions").addObject();
    condition
        .put("type", "PodScheduled")
        .put("status", "False")
        .put("reason", reason)
        .put("message", message)
        .putNull("lastProbeTime");
    String generation = object.text("metadata", "generation");
    if (!generation.isEmpty()) {
      condition.put("observedGeneration", Long.parseLong(generation));
    }
    if (!isFalse(status(object))) {
      condition.put("lastTransitionTime", now());
    }
    return change;
  }

  private static CompletableFuture<ObjectNode> patch(
      Client client, PodInfo pod, ObjectNode change) {
    return client.patch(
        Kinds.PODS,
        pod.namespace(),
        pod.name(),
        "status",
        PatchType.STRATEGIC,
        Bytes.wrap(Json.encode(change)),
        new Query());
  }

  private static ObjectNode status(Cached<ObjectNode> object) {
    return status(object.tree());
  }

  private static ObjectNode status(ObjectNode object) {
    return object.path("status") instanceof ObjectNode known ? known : empty();
  }

  private String now() {
    return WireTime.seconds(env.clock().now());
  }

  private static ObjectNode empty() {
    return JsonNodeFactory.instance.objectNode();
  }

  private static boolean isFalse(ObjectNode status) {
    for (JsonNode condition : status.path("conditions")) {
      if (Meta.text(condition.path("type")).equals("PodScheduled")) {
        return Meta.text(condition.path("status")).equals("False");
      }
    }
    return false;
  }

  private static boolean saysSo(ObjectNode status, String reason, String message) {
    for (JsonNode condition : status.path("conditions")) {
      if (Meta.text(condition.path("type")).equals("PodScheduled")) {
        return Meta.text(condition.path("status")).equals("False")
            && Meta.text(condition.path("reason")).equals(reason)
            && Meta.text(condition.path("message")).equals(message);
      }
    }
    return false;
  }

  /** Removes pods to make room for another: first it is written on them why, then they go. */
  public void preempt(Preemption preemption, PodInfo pod, Term term, List<ActionRecord> done) {
    Client fenced = term.fence(client);
    for (PodInfo victim : preemption.victims()) {
      done.add(
          new ActionRecord(
              "delete",
              "pods " + victim.key(),
              "it makes room for " + pod.key() + " on " + preemption.node(),
              "uid " + victim.uid(),
              // Nobody waits for it: what comes of it is seen.
              ActionRecord.Result.UNKNOWN,
              0,
              ""));
      ObjectNode change = empty();
      change.putObject("metadata").put("uid", victim.uid());
      change
          .putObject("status")
          .putArray("conditions")
          .addObject()
          .put("type", "DisruptionTarget")
          .put("status", "True")
          .put("reason", "PreemptionByScheduler")
          .put("message", pod.schedulerName() + ": preempting to accommodate a higher priority pod")
          .put("lastTransitionTime", now());
      ObjectNode options = empty();
      options.putObject("preconditions").put("uid", victim.uid());
      write(
          "preempt " + victim.uid(),
          () ->
              patch(fenced, victim, change)
                  .handle((_, _) -> null)
                  .thenCompose(
                      _ -> fenced.delete(Kinds.PODS, victim.namespace(), victim.name(), options)));
    }
  }

  /**
   * @param key of two writes that wait and have the same, the later is made; and not before one
   *     that is on its way has come to its end
   */
  void write(String key, Supplier<CompletableFuture<?>> write) {
    pending.put(key, write);
    writeMore();
  }

  /** What cannot even be sent has failed like any other: its place is free again. */
  private static CompletableFuture<?> begun(Supplier<CompletableFuture<?>> write) {
    try {
      return write.get();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void writeMore() {
    var each = pending.entrySet().iterator();
    while (writing.size() < WRITES_MAX && each.hasNext()) {
      Map.Entry<String, Supplier<CompletableFuture<?>>> next = each.next();
      String key = next.getKey();
      if (!writing.add(key)) {
        continue;
      }
      Supplier<CompletableFuture<?>> write = next.getValue();
      each.remove();
      var _ =
          begun(write)
              .whenComplete(
                  (_, _) -> {
                    try {
                      // What could not be told is told with the next attempt.
                      loop.execute(
                          () -> {
                            writing.remove(key);
                            writeMore();
                          });
                    } catch (RejectedExecutionException e) {
                      // It is closed.
                    }
                  });
    }
  }
}
