package dev.evenkeel.decide.controllers.object;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.WireTime;
import dev.evenkeel.observe.object.Cached;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What controllers ask of pods. */
public final class Pods {

  private static final String DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";

  private Pods() {}

  /** Whether it works, or will: not over, and nobody has asked it to end. */
  public static boolean isActive(ObjectNode pod) {
    String phase = phase(pod);
    return !phase.equals("Succeeded") && !phase.equals("Failed") && !isEnding(pod);
  }

  public static boolean isEnding(ObjectNode object) {
    return object.path("metadata").has("deletionTimestamp");
  }

  public static String phase(ObjectNode pod) {
    return Meta.text(pod.path("status").path("phase"));
  }

  /** Since when it is ready; null if it is not. */
  public static @Nullable Instant readySince(ObjectNode pod) {
    for (JsonNode condition : pod.path("status").path("conditions")) {
      if (Meta.text(condition.path("type")).equals("Ready")
          && Meta.text(condition.path("status")).equals("True")) {
        Instant since = time(condition.path("lastTransitionTime"));
        return since == null ? Instant.EPOCH : since;
      }
    }
    return null;
  }

  /**
   * How long until it counts as available; zero if it does, null if that is not up to time.
   *
   * @param minReady how long it must have been ready
   */
  public static @Nullable Duration untilAvailable(ObjectNode pod, Duration minReady, Instant now) {
    Instant since = readySince(pod);
    if (since == null) {
      return null;
    }
    Duration left = Duration.between(now, since.plus(minReady));
    return left.isNegative() ? Duration.ZERO : left;
  }

  /** A time as the API writes it; null if it is none. */
  public static @Nullable Instant time(JsonNode text) {
    return WireTime.parse(Meta.text(text));
  }

  /** What its author says losing it costs, compared with others. */
  public static long deletionCost(ObjectNode pod) {
    String text = Meta.text(pod.path("metadata").path("annotations").path(DELETION_COST));
    try {
      return text.isEmpty() ? 0 : Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** A pod by a template, named by the server after its owner, who is in charge of it. */
  public static ObjectNode fromTemplate(JsonNode template, Cached<?> owner) {
    ObjectNode pod = JsonNodeFactory.instance.objectNode();
    pod.put("apiVersion", "v1").put("kind", "Pod");
    ObjectNode metadata = pod.putObject("metadata");
    metadata.put("generateName", owner.name() + "-").put("namespace", owner.namespace());
    for (String field : new String[] {"labels", "annotations", "finalizers"}) {
      JsonNode given = template.path("metadata").get(field);
      if (given != null) {
        metadata.set(field, given.deepCopy());
      }
    }
    Ownership.take(pod, owner);
    pod.set("spec", template.path("spec").deepCopy());
    return pod;
  }
}
