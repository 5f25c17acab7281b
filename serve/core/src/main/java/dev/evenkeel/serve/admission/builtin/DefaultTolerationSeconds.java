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

/** Pods stay for five minutes on a node that is lost, unless they say otherwise. */
final class DefaultTolerationSeconds implements AdmissionPlugin {

  private static final List<String> TAINTS =
      List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");

  private static final long STAY_SECONDS = 300;

  @Override
  public String name() {
    return "DefaultTolerationSeconds";
  }

  @Override
  public List<Interest> mutates() {
    return List.of(Interest.in(Resource.core("pods"), Operation.CREATE, Operation.UPDATE));
  }

  @Override
  public void mutate(AdmissionRequest request) {
    ObjectNode spec = request.spec();
    for (String taint : TAINTS) {
      if (!tolerates(spec.path("tolerations"), taint)) {
        ArrayNode tolerations =
            spec.get("tolerations") instanceof ArrayNode known
                ? known
                : spec.putArray("tolerations");
        tolerations
            .addObject()
            .put("key", taint)
            .put("operator", "Exists")
            .put("effect", "NoExecute")
            .put("tolerationSeconds", STAY_SECONDS);
      }
    }
  }

  private static boolean tolerates(JsonNode tolerations, String taint) {
    for (JsonNode toleration : tolerations) {
      String key = Meta.text(toleration.path("key"));
      String effect = Meta.text(toleration.path("effect"));
      if ((key.isEmpty() || key.equals(taint))
          && (effect.isEmpty() || effect.equals("NoExecute"))) {
        return true;
      }
    }
    return false;
  }
}
