package dev.evenkeel.serve.admission.builtin;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.serve.admission.AdmissionPlugin;
import dev.evenkeel.serve.admission.AdmissionRequest;
import dev.evenkeel.serve.admission.Interest;
import dev.evenkeel.serve.admission.Operation;
import dev.evenkeel.serve.admission.Resource;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * New nodes are not ready: no pod is placed on one before a controller has seen that it is, and has
 * taken the taint off.
 */
final class NotReadyTaint implements AdmissionPlugin {

  private static final String KEY = "node.kubernetes.io/not-ready";
  private static final String EFFECT = "NoSchedule";

  @Override
  public String name() {
    return "TaintNodesByCondition";
  }

  @Override
  public List<Interest> mutates() {
    return List.of(Interest.in(Resource.core("nodes"), Operation.CREATE));
  }

  @Override
  public void mutate(AdmissionRequest request) {
    ObjectNode spec = request.spec();
    ArrayNode taints =
        spec.get("taints") instanceof ArrayNode there ? there : spec.putArray("taints");
    for (JsonNode taint : taints) {
      if (Meta.text(taint.path("key")).equals(KEY)
          && Meta.text(taint.path("effect")).equals(EFFECT)) {
        return;
      }
    }
    taints.addObject().put("key", KEY).put("effect", EFFECT);
  }
}
