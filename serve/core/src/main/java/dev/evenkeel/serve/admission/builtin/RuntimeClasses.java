package dev.evenkeel.serve.admission.builtin;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.quantity.Amounts;
import dev.evenkeel.serve.admission.AdmissionPlugin;
import dev.evenkeel.serve.admission.AdmissionRequest;
import dev.evenkeel.serve.admission.Interest;
import dev.evenkeel.serve.admission.Operation;
import dev.evenkeel.serve.admission.Resource;
import dev.evenkeel.serve.cache.CachedObject;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What it costs to run a pod in a certain way, and where that can be done, is its class's. */
final class RuntimeClasses implements AdmissionPlugin {

  private static final Resource CLASSES = new Resource("node.k8s.io", "runtimeclasses");

  @Override
  public String name() {
    return "RuntimeClass";
  }

  @Override
  public List<Interest> mutates() {
    return List.of(Interest.in(Resource.core("pods"), Operation.CREATE));
  }

  @Override
  public Set<Resource> reads() {
    return Set.of(CLASSES);
  }

  @Override
  public void mutate(AdmissionRequest request) {
    ObjectNode spec = request.spec();
    String name = Meta.text(spec.path("runtimeClassName"));
    JsonNode overhead = spec.path("overhead");
    if (name.isEmpty()) {
      if (overhead.isObject()) {
        throw withoutClass(request);
      }
      return;
    }
    CachedObject found = request.views().of(CLASSES).get(name);
    if (found == null) {
      throw request.forbidden("pod rejected: RuntimeClass \"" + name + "\" not found");
    }
    ObjectNode runtimeClass = Json.parseObject(found.json());
    JsonNode fixed = runtimeClass.path("overhead").path("podFixed");
    if (fixed.isObject()) {
      if (!overhead.isEmpty() && !Amounts.of(overhead).equals(Amounts.of(fixed))) {
        throw request.forbidden(
            "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
      }
      spec.set("overhead", fixed);
    } else if (overhead.isObject()) {
      throw withoutClass(request);
    }
    place(request, spec, runtimeClass.path("scheduling"));
  }

  private static RuntimeException withoutClass(AdmissionRequest request) {
    return request.forbidden(
        "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
  }

  private static void place(AdmissionRequest request, ObjectNode spec, JsonNode scheduling) {
    JsonNode wanted = scheduling.path("nodeSelector");
    if (!wanted.isEmpty()) {
      ObjectNode selector =
          spec.get("nodeSelector") instanceof ObjectNode known
              ? known
              : spec.putObject("nodeSelector");
      wanted.forEachEntry(
          (key, value) -> {
            if (selector.has(key) && !selector.get(key).equals(value)) {
              throw request.forbidden(
                  "conflict: runtimeClass.scheduling.nodeSelector[%1$s] = %2$s;"
                          .formatted(key, Meta.text(value))
                      + " pod.spec.nodeSelector[%1$s] = %2$s"
                          .formatted(key, Meta.text(selector.get(key))));
            }
            selector.set(key, value);
          });
    }
    for (JsonNode toleration : scheduling.path("tolerations")) {
      ArrayNode tolerations =
          spec.get("tolerations") instanceof ArrayNode known ? known : spec.putArray("tolerations");
      boolean isThere = false;
      for (JsonNode given : tolerations) {
        isThere |= given.equals(toleration);
      }
      if (!isThere) {
        tolerations.add(toleration);
      }
    }
  }
}
