package dev.evenkeel.decide.controllers.workload;

import dev.evenkeel.kernel.api.Meta;
import tools.jackson.databind.JsonNode;

/**
 * How far a rollout may stray from the wanted number of pods.
 *
 * @param surge how many pods there may be beyond it
 * @param unavailable how many of it may be missing
 */
record Shares(int surge, int unavailable) {

  /** All of them end before others begin. */
  static final Shares NONE = new Shares(0, 0);

  /**
   * Of numbers, or of parts of the whole such as {@code 25%}: a surge is rounded up, what may be
   * missing is rounded down. If nothing is left of both, one may be missing, or a rollout could
   * never begin.
   */
  static Shares of(JsonNode rollingUpdate, int replicas) {
    int surge = part(rollingUpdate.path("maxSurge"), replicas, true);
    int unavailable = part(rollingUpdate.path("maxUnavailable"), replicas, false);
    if (surge == 0 && unavailable == 0) {
      unavailable = 1;
    }
    return new Shares(surge, Math.min(unavailable, replicas));
  }

  private static int part(JsonNode numberOrPercent, int replicas, boolean up) {
    if (numberOrPercent.isIntegralNumber()) {
      return Math.max(0, numberOrPercent.asInt(0));
    }
    String text = Meta.text(numberOrPercent);
    if (!text.endsWith("%")) {
      return 0;
    }
    try {
      long percent = Integer.parseInt(text.substring(0, text.length() - 1));
      long hundredfold = Math.max(0, percent * replicas);
      return (int) Math.min(Integer.MAX_VALUE, (hundredfold + (up ? 99 : 0)) / 100);
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
