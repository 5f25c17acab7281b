package dev.evenkeel.serve.kinds.tables;

import static dev.evenkeel.serve.kinds.tables.Cells.at;
import static dev.evenkeel.serve.kinds.tables.Cells.number;
import static dev.evenkeel.serve.kinds.tables.Cells.orElse;
import static dev.evenkeel.serve.kinds.tables.Cells.text;

import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a pod's many statuses come to in one line.
 *
 * @param containers those that are meant to keep running: the containers and the sidecars among the
 *     init containers
 * @param reason one word for the pod: its phase, unless a container has something worse to say
 * @param lastRestart when a container last ended and was started again
 */
record PodSummary(
    long readyContainers,
    long containers,
    String reason,
    long restarts,
    @Nullable Instant lastRestart) {

  static PodSummary of(ObjectNode pod) {
    return new Reading(pod).summary();
  }

  /** Owned by one call of {@link #of}; reads init containers, then containers, then deletion. */
  private static final class Reading {

    private final ObjectNode pod;
    private final Set<String> sidecars = new HashSet<>();
    private final Restarts ofInit = new Restarts();
    private final Restarts ofSidecars = new Restarts();
    private Restarts counted = ofInit;
    private String reason;
    private long readyContainers;

    Reading(ObjectNode pod) {
      this.pod = pod;
      this.reason = orElse(text(pod, "status.reason"), text(pod, "status.phase"));
    }

    PodSummary summary() {
      if (text(Cells.condition(pod, "PodScheduled"), "reason").equals("SchedulingGated")) {
        reason = "SchedulingGated";
      }
      for (JsonNode container : at(pod, "spec.initContainers")) {
        if (text(container, "restartPolicy").equals("Always")) {
          sidecars.add(text(container, "name"));
        }
      }
      boolean initializing = readInitContainers();
      if (!initializing || Cells.isTrue(Cells.condition(pod, "Initialized"))) {
        counted = ofSidecars;
        readContainers();
      }
      readDeletion();
      return new PodSummary(
          readyContainers,
          at(pod, "spec.containers").size() + sidecars.size(),
          reason,
          counted.count,
          counted.last);
    }

    /** Whether one of them is still to finish: the first such decides the reason. */
    private boolean readInitContainers() {
      int index = 0;
      for (JsonNode status : at(pod, "status.initContainerStatuses")) {
        boolean sidecar = sidecars.contains(text(status, "name"));
        ofInit.add(status);
        if (sidecar) {
          ofSidecars.add(status);
        }
        JsonNode terminated = at(status, "state.terminated");
        if (Cells.isThere(terminated) && number(terminated, "exitCode") == 0) {
          index++;
          continue;
        }
        if (sidecar && status.path("started").asBoolean(false)) {
          if (status.path("ready").asBoolean(false)) {
            readyContainers++;
          }
          index++;
          continue;
        }
        reason = "Init:" + initReason(status, terminated, index);
        return true;
      }
      return false;
    }

    private String initReason(JsonNode status, JsonNode terminated, int index) {
      if (Cells.isThere(terminated)) {
        return ended(terminated);
      }
      String waiting = text(status, "state.waiting.reason");
      if (!waiting.isEmpty() && !waiting.equals("PodInitializing")) {
        return waiting;
      }
      return index + "/" + at(pod, "spec.initContainers").size();
    }

    private void readContainers() {
      JsonNode statuses = at(pod, "status.containerStatuses");
      boolean running = false;
      // Backwards, so that the first container with something to say has the last word.
      for (int i = statuses.size() - 1; i >= 0; i--) {
        JsonNode status = statuses.path(i);
        ofSidecars.add(status);
        String waiting = text(status, "state.waiting.reason");
        JsonNode terminated = at(status, "state.terminated");
        if (!waiting.isEmpty()) {
          reason = waiting;
        } else if (Cells.isThere(terminated)) {
          reason = ended(terminated);
        } else if (status.path("ready").asBoolean(false)
            && Cells.isThere(at(status, "state.running"))) {
          running = true;
          readyContainers++;
        }
      }
      if (reason.equals("Completed") && running) {
        reason = Cells.isTrue(Cells.condition(pod, "Ready")) ? "Running" : "NotReady";
      }
    }

    private void readDeletion() {
      if (!Cells.isBeingDeleted(pod)) {
        return;
      }
      String phase = text(pod, "status.phase");
      if (text(pod, "status.reason").equals("NodeLost")) {
        reason = "Unknown";
      } else if (!phase.equals("Succeeded") && !phase.equals("Failed")) {
        reason = "Terminating";
      }
    }

    private static String ended(JsonNode terminated) {
      String why = text(terminated, "reason");
      if (!why.isEmpty()) {
        return why;
      }
      long signal = number(terminated, "signal");
      return signal != 0 ? "Signal:" + signal : "ExitCode:" + number(terminated, "exitCode");
    }
  }

  private static final class Restarts {

    private long count;
    private @Nullable Instant last;

    void add(JsonNode containerStatus) {
      count += number(containerStatus, "restartCount");
      Instant finished = Cells.instant(at(containerStatus, "lastState.terminated.finishedAt"));
      if (finished != null && (last == null || finished.isAfter(last))) {
        last = finished;
      }
    }
  }
}
