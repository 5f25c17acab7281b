package dev.evenkeel.decide.controllers.cluster;

import dev.evenkeel.decide.plan.View;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Cached;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a budget asks for, in pods.
 *
 * @param expected how many pods there should be
 * @param desiredHealthy how many of them must be healthy
 * @param unmanaged pods that nobody is in charge of, so that they are in no number
 * @param failure why it cannot be known; null if it can
 */
record DisruptionTerms(
    long expected, long desiredHealthy, List<String> unmanaged, @Nullable String failure) {

  static DisruptionTerms of(JsonNode spec, List<Cached<ObjectNode>> pods, View view) {
    JsonNode most = spec.path("maxUnavailable");
    JsonNode least = spec.path("minAvailable");
    boolean limitsLoss = !most.isMissingNode() && !most.isNull();
    JsonNode limit = limitsLoss ? most : least;
    if (!limitsLoss && (least.isMissingNode() || least.isNull())) {
      return new DisruptionTerms(0, 0, List.of(), null);
    }
    if (!limitsLoss && least.isIntegralNumber()) {
      return new DisruptionTerms(pods.size(), least.longValue(), List.of(), null);
    }
    Scales.Scale scale = Scales.of(pods, view);
    Long share = share(limit, scale.pods());
    if (scale.failure() != null || share == null) {
      String failure =
          scale.failure() != null
              ? scale.failure()
              : "invalid value for IntOrString: " + limit.toString();
      return new DisruptionTerms(0, 0, scale.unmanaged(), failure);
    }
    long desired = limitsLoss ? Math.max(0, scale.pods() - share) : share;
    return new DisruptionTerms(scale.pods(), desired, scale.unmanaged(), null);
  }

  /** A number, or a percentage of the whole, rounded up; null if it is neither. */
  private static @Nullable Long share(JsonNode limit, long whole) {
    if (limit.isIntegralNumber()) {
      return limit.longValue();
    }
    String text = Meta.text(limit);
    try {
      return text.endsWith("%")
          ? Math.ceilDiv(Long.parseLong(text.substring(0, text.length() - 1)) * whole, 100L)
          : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
