package dev.evenkeel.serve.object;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.quota.TenantQuotas;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the server itself notes on pods, as annotations: how they came to their node, and in which
 * zone that is. Quotas of tenants count by it, so clients neither set, change nor remove it; what
 * they say of it is passed over, as it is with a uid.
 */
public final class PodNotes {

  /** The operation that gave the pod its node. */
  public static final String BOUND_BY = "evenkeel.dev/bound-by";

  /** The zone of its node. */
  public static final String ZONE = TenantQuotas.ZONE_ANNOTATION;

  private static final List<String> ALL = List.of(BOUND_BY, ZONE);

  private PodNotes() {}

  public static boolean isPod(ResourceDefinition definition) {
    return definition.group().isEmpty() && definition.plural().equals("pods");
  }

  /** A new pod has none. */
  static void clear(ObjectNode pod) {
    if (pod.path("metadata").get("annotations") instanceof ObjectNode annotations) {
      annotations.remove(ALL);
      if (annotations.isEmpty()) {
        Meta.of(pod).remove("annotations");
      }
    }
  }

  /** They stay what they were. */
  static void keep(ObjectNode pod, ObjectNode old) {
    JsonNode before = old.path("metadata").path("annotations");
    JsonNode after = pod.path("metadata").path("annotations");
    for (String note : ALL) {
      JsonNode was = before.get(note);
      if (was == null) {
        if (after.has(note)) {
          annotations(pod).remove(note);
        }
      } else if (!was.equals(after.get(note))) {
        annotations(pod).set(note, was);
      }
    }
  }

  private static ObjectNode annotations(ObjectNode pod) {
    return pod.path("metadata").get("annotations") instanceof ObjectNode known
        ? known
        : Meta.of(pod).putObject("annotations");
  }

  /** Notes the zone of a pod that comes with its node. */
  public static void zone(ObjectNode pod, String zone) {
    if (zone.isEmpty()) {
      clear(pod);
    } else {
      annotations(pod).put(ZONE, zone);
    }
  }
}
