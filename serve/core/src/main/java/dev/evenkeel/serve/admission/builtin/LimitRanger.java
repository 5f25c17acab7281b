package dev.evenkeel.serve.admission.builtin;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.fit.PodAmounts;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.quantity.Amounts;
import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.serve.admission.AdmissionPlugin;
import dev.evenkeel.serve.admission.AdmissionRequest;
import dev.evenkeel.serve.admission.Interest;
import dev.evenkeel.serve.admission.Operation;
import dev.evenkeel.serve.admission.Resource;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.cache.Scope;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What pods and claims may ask for in a namespace, and what they get if they ask for nothing. */
final class LimitRanger implements AdmissionPlugin {

  private static final Resource PODS = Resource.core("pods");
  private static final Resource CLAIMS = Resource.core("persistentvolumeclaims");
  private static final Resource LIMIT_RANGES = Resource.core("limitranges");
  private static final String ANNOTATION = "kubernetes.io/limit-ranger";

  @Override
  public String name() {
    return "LimitRanger";
  }

  @Override
  public List<Interest> mutates() {
    return List.of(
        Interest.in(PODS, Operation.CREATE), Interest.in(PODS, "resize", Operation.UPDATE));
  }

  @Override
  public List<Interest> validates() {
    return List.of(
        Interest.in(PODS, Operation.CREATE),
        Interest.in(PODS, "resize", Operation.UPDATE),
        Interest.in(CLAIMS, Operation.CREATE, Operation.UPDATE));
  }

  @Override
  public Set<Resource> reads() {
    return Set.of(LIMIT_RANGES);
  }

  private static List<ObjectNode> ranges(AdmissionRequest request) {
    if (request.old() != null && request.old().path("metadata").has("deletionTimestamp")) {
      return List.of();
    }
    Scope scope = Scope.of(request.namespace());
    SortedTree.Walk<CachedObject> walk = request.views().of(LIMIT_RANGES).from(scope.firstKey());
    CachedObject next = walk.next();
    if (next == null || scope.isPast(next)) {
      return List.of();
    }
    List<ObjectNode> ranges = new ArrayList<>();
    while (next != null && !scope.isPast(next)) {
      ranges.add(Json.parseObject(next.json()));
      next = walk.next();
    }
    return ranges;
  }

  // ---- what is filled in

  @Override
  public void mutate(AdmissionRequest request) {
    for (ObjectNode range : ranges(request)) {
      fillIn(request.wanted(), range);
    }
  }

  private static void fillIn(ObjectNode pod, ObjectNode range) {
    List<String> told = new ArrayList<>();
    for (JsonNode container : pod.path("spec").path("containers")) {
      fillIn(container, range, "container", told);
    }
    for (JsonNode container : pod.path("spec").path("initContainers")) {
      fillIn(container, range, "init container", told);
    }
    if (!told.isEmpty()) {
      ObjectNode metadata = Meta.of(pod);
      ObjectNode annotations =
          metadata.get("annotations") instanceof ObjectNode known
              ? known
              : metadata.putObject("annotations");
      annotations.put(ANNOTATION, "LimitRanger plugin set: " + String.join("; ", told));
    }
  }

  private static void fillIn(JsonNode container, ObjectNode range, String what, List<String> told) {
    if (!(container instanceof ObjectNode object)) {
      return;
    }
    ObjectNode resources =
        object.get("resources") instanceof ObjectNode known ? known : object.putObject("resources");
    String name = Meta.text(container.path("name"));
    fillIn(
        resources, "requests", range, "defaultRequest", " request for " + what + " " + name, told);
    fillIn(resources, "limits", range, "default", " limit for " + what + " " + name, told);
  }

  private static void fillIn(
      ObjectNode resources,
      String list,
      ObjectNode range,
      String from,
      String told,
      List<String> all) {
    Set<String> set = new TreeSet<>();
    for (JsonNode item : range.path("spec").path("limits")) {
      if (Meta.text(item.path("type")).equals("Container")) {
        item.path(from)
            .forEachEntry(
                (name, amount) -> {
                  // The last of several items counts, so one that was just set is set again.
                  if (set.contains(name) || !resources.path(list).has(name)) {
                    ObjectNode amounts =
                        resources.get(list) instanceof ObjectNode known
                            ? known
                            : resources.putObject(list);
                    amounts.set(name, amount);
                    set.add(name);
                  }
                });
      }
    }
    if (!set.isEmpty()) {
      all.add(String.join(", ", set) + told);
    }
  }

  // ---- what is refused

  @Override
  public void validate(AdmissionRequest request) {
    for (ObjectNode range : ranges(request)) {
      Set<String> faults = new LinkedHashSet<>();
      for (JsonNode item : range.path("spec").path("limits")) {
        if (request.resource().equals(PODS)) {
          checkPod(item, request.wanted().path("spec"), faults);
        } else {
          checkClaim(item, request.wanted().path("spec"), faults);
        }
      }
      if (!faults.isEmpty()) {
        throw request.forbidden(
            faults.size() == 1 ? faults.iterator().next() : "[" + String.join(", ", faults) + "]");
      }
    }
  }

  private static void checkPod(JsonNode item, JsonNode spec, Set<String> faults) {
    switch (Meta.text(item.path("type"))) {
      case "Container" -> {
        for (String list : List.of("containers", "initContainers")) {
          for (JsonNode container : spec.path(list)) {
            JsonNode resources = container.path("resources");
            new RangeCheck(
                    item,
                    Amounts.of(resources.path("requests")),
                    Amounts.of(resources.path("limits")),
                    faults)
                .run();
          }
        }
      }
      case "Pod" ->
          new RangeCheck(item, PodAmounts.requests(spec), PodAmounts.limits(spec), faults).run();
      default -> {}
    }
  }

  private static void checkClaim(JsonNode item, JsonNode spec, Set<String> faults) {
    if (Meta.text(item.path("type")).equals("PersistentVolumeClaim")) {
      new RangeCheck(
              item, Amounts.of(spec.path("resources").path("requests")), Amounts.NONE, faults)
          .runOnRequests();
    }
  }
}
