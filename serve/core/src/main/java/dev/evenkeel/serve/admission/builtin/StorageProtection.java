package dev.evenkeel.serve.admission.builtin;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.serve.admission.AdmissionPlugin;
import dev.evenkeel.serve.admission.AdmissionRequest;
import dev.evenkeel.serve.admission.Interest;
import dev.evenkeel.serve.admission.Operation;
import dev.evenkeel.serve.admission.Resource;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Volumes, claims and their classes get a finalizer from the beginning, which a controller takes
 * off when nobody uses them: what is in use cannot vanish.
 */
final class StorageProtection implements AdmissionPlugin {

  private static final Map<Resource, String> FINALIZERS =
      Map.of(
          Resource.core("persistentvolumeclaims"),
          "kubernetes.io/pvc-protection",
          Resource.core("persistentvolumes"),
          "kubernetes.io/pv-protection",
          new Resource("storage.k8s.io", "volumeattributesclasses"),
          "kubernetes.io/vac-protection");

  @Override
  public String name() {
    return "StorageObjectInUseProtection";
  }

  @Override
  public List<Interest> mutates() {
    return FINALIZERS.keySet().stream()
        .map(resource -> Interest.in(resource, Operation.CREATE))
        .toList();
  }

  @Override
  public void mutate(AdmissionRequest request) {
    var resource = new Resource(request.definition().group(), request.definition().plural());
    String finalizer = FINALIZERS.get(resource);
    if (finalizer == null) {
      return;
    }
    ObjectNode metadata = Meta.of(request.wanted());
    ArrayNode finalizers =
        metadata.get("finalizers") instanceof ArrayNode there
            ? there
            : metadata.putArray("finalizers");
    for (JsonNode known : finalizers) {
      if (Meta.text(known).equals(finalizer)) {
        return;
      }
    }
    finalizers.add(finalizer);
  }
}
