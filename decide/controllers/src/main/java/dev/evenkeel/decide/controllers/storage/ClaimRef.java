package dev.evenkeel.decide.controllers.storage;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Cached;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Whom a volume says that it belongs to, in {@code spec.claimRef}. */
final class ClaimRef {

  private ClaimRef() {}

  /** Whether anybody is named. */
  static boolean isSet(JsonNode volume) {
    return volume.path("spec").path("claimRef").isObject();
  }

  /** Whether the volume names this very claim, or one of its name before there was one. */
  static boolean names(JsonNode volume, Cached<?> claim) {
    JsonNode reference = volume.path("spec").path("claimRef");
    String uid = Meta.text(reference.path("uid"));
    return Meta.text(reference.path("name")).equals(claim.name())
        && Meta.text(reference.path("namespace")).equals(claim.namespace())
        && (uid.isEmpty() || uid.equals(claim.uid()));
  }

  /** Whether the volume names this claim in full. */
  static boolean isComplete(JsonNode volume, Cached<?> claim) {
    return names(volume, claim)
        && !Meta.text(volume.path("spec").path("claimRef").path("uid")).isEmpty();
  }

  static ObjectNode to(Cached<?> claim) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("kind", "PersistentVolumeClaim")
        .put("namespace", claim.namespace())
        .put("name", claim.name())
        .put("uid", claim.uid())
        .put("apiVersion", "v1")
        .put("resourceVersion", Long.toString(claim.version()));
  }
}
