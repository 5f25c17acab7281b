package dev.evenkeel.decide.controllers.sets;

import dev.evenkeel.kernel.api.Meta;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * How a daemon set's pods are brought up to date.
 *
 * @param rolling whether by themselves
 * @param surge as the set says it: how many nodes may have an old and a new pod
 * @param unavailable as the set says it: how many nodes may be without one
 */
record DaemonStrategy(boolean rolling, JsonNode surge, JsonNode unavailable, Duration minReady) {

  static DaemonStrategy of(ObjectNode set) {
    JsonNode strategy = set.path("spec").path("updateStrategy");
    return new DaemonStrategy(
        !Meta.text(strategy.path("type")).equals("OnDelete"),
        strategy.path("rollingUpdate").path("maxSurge"),
        strategy.path("rollingUpdate").path("maxUnavailable"),
        Duration.ofSeconds(set.path("spec").path("minReadySeconds").asLong(0)));
  }

  /** Whether a node may have two. */
  boolean surges() {
    return rolling && Share.of(surge, 1, true) > 0;
  }

  int surgeMax(int nodes) {
    return rolling ? Share.of(surge, nodes, true) : 0;
  }

  /** Something must be allowed, or nothing would ever be updated. */
  int unavailableMax(int nodes) {
    int max = Share.of(unavailable, nodes, true);
    return max == 0 && surgeMax(nodes) == 0 ? 1 : max;
  }
}
