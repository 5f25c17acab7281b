package dev.evenkeel.serve.kinds.rules.pod;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.check.Same;
import dev.evenkeel.serve.kinds.rules.placement.TolerationValidation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What may change about a pod that is there: little, because most would mean another pod. */
final class PodUpdate {

  private static final String ALLOWED =
      "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,"
          + "`spec.tolerations` (only additions to existing tolerations),"
          + "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously"
          + " negative)";

  private static final List<String> CHECKED_APART =
      List.of("activeDeadlineSeconds", "tolerations", "schedulingGates");

  private PodUpdate() {}

  static void validate(ObjectNode pod, ObjectNode old, Problems problems) {
    Place whole = Place.of(pod, problems);
    Place spec = whole.at("spec");
    JsonNode oldSpec = old.path("spec");
    PodAnnotations.validateUpdate(
        whole.at("metadata", "annotations"), Meta.strings(Meta.at(old, "metadata", "annotations")));
    for (String list : List.of("containers", "initContainers")) {
      if (spec.at(list).size() != oldSpec.path(list).size()) {
        spec.at(list).forbidden("pod updates may not add or remove containers");
        return;
      }
    }
    deadline(spec.at("activeDeadlineSeconds"), oldSpec.path("activeDeadlineSeconds"));
    if (!TolerationValidation.onlyAdded(
        spec.at("tolerations").node(), oldSpec.path("tolerations"))) {
      spec.at("tolerations")
          .forbidden("existing toleration can not be modified except its tolerationSeconds");
    }
    gates(spec.at("schedulingGates"), oldSpec.path("schedulingGates"));
    rest(spec, oldSpec);
  }

  /** Containers for looking into a pod may be added; they are never changed and never leave. */
  static void validateDebuggers(ObjectNode pod, ObjectNode old, Problems problems) {
    Place spec = Place.of(pod, problems).at("spec");
    Place debuggers = spec.at("ephemeralContainers");
    if (spec.node().deepCopy() instanceof ObjectNode munged) {
      putBack(munged, old.path("spec"), "ephemeralContainers");
      List<String> others = changed(munged, old.path("spec"));
      if (!others.isEmpty()) {
        spec.forbidden(
            "only `spec.ephemeralContainers` may be changed here\n" + String.join(", ", others));
      }
    }
    for (JsonNode before : Meta.at(old, "spec", "ephemeralContainers")) {
      String name = Meta.text(before.path("name"));
      JsonNode now = null;
      for (JsonNode candidate : debuggers.node()) {
        now = Meta.text(candidate.path("name")).equals(name) ? candidate : now;
      }
      if (now == null) {
        debuggers.forbidden("existing ephemeral containers \"" + name + "\" may not be removed\n");
      } else if (!Same.same(now, before)) {
        debuggers.forbidden("existing ephemeral containers \"" + name + "\" may not be changed\n");
      }
    }
  }

  /** What is no container for debugging is as it was, whatever was sent. */
  static void keepAllButDebuggers(ObjectNode pod, ObjectNode old) {
    JsonNode debuggers = pod.path("spec").get("ephemeralContainers");
    ObjectNode spec = keepMetadata(pod, old);
    spec.remove("ephemeralContainers");
    if (debuggers != null) {
      spec.set("ephemeralContainers", debuggers);
    }
  }

  /**
   * What is no amount of a resource is as it was. Containers that were added, taken away, renamed
   * or put in another order stay as they were sent, to be refused.
   */
  static void keepAllButSizes(ObjectNode pod, ObjectNode old) {
    JsonNode sent = pod.path("spec");
    for (String list : SIZED_LISTS) {
      if (sent.path(list).size() != old.path("spec").path(list).size()) {
        return;
      }
    }
    JsonNode[] sized = new JsonNode[SIZED_LISTS.size()];
    for (int i = 0; i < sized.length; i++) {
      sized[i] = sized(sent.path(SIZED_LISTS.get(i)), old.path("spec").path(SIZED_LISTS.get(i)));
    }
    ObjectNode spec = keepMetadata(pod, old);
    for (int i = 0; i < sized.length; i++) {
      if (!sized[i].isEmpty()) {
        spec.set(SIZED_LISTS.get(i), sized[i]);
      }
    }
  }

  private static final List<String> SIZED_LISTS = List.of("containers", "initContainers");

  private static JsonNode sized(JsonNode sent, JsonNode old) {
    ArrayNode sized = JsonNodeFactory.instance.arrayNode();
    for (int i = 0; i < old.size(); i++) {
      JsonNode container = sent.path(i);
      if (!(old.path(i).deepCopy() instanceof ObjectNode kept)
          || !container.path("name").equals(kept.path("name"))) {
        return sent;
      }
      putBack(kept, container, "resources");
      putBack(kept, container, "resizePolicy");
      sized.add(kept);
    }
    return sized;
  }

  /** A copy of the old spec, in a pod whose metadata is the old one. */
  private static ObjectNode keepMetadata(ObjectNode pod, ObjectNode old) {
    for (String field : List.of("labels", "annotations", "finalizers", "ownerReferences")) {
      putBack(Meta.of(pod), old.path("metadata"), field);
    }
    ObjectNode spec = (ObjectNode) old.path("spec").deepCopy();
    pod.set("spec", spec);
    return spec;
  }

  /** A running pod's containers may be given more or less of what can be shared. */
  static void validateResize(ObjectNode pod, ObjectNode old, Problems problems) {
    Place spec = Place.of(pod, problems).at("spec");
    JsonNode before = old.path("spec");
    if (!(spec.node().deepCopy() instanceof ObjectNode munged)) {
      return;
    }
    for (String list : List.of("containers", "initContainers")) {
      for (int i = 0; i < munged.path(list).size(); i++) {
        if (munged.path(list).path(i) instanceof ObjectNode container) {
          putBack(container, before.path(list).path(i), "resources");
        }
      }
    }
    if (!changed(munged, before).isEmpty()) {
      spec.forbidden("only cpu and memory resources are mutable\n");
    }
    String quality = Meta.text(Meta.at(old, "status", "qosClass"));
    if (!quality.isEmpty() && !PodQuality.of(spec.node()).equals(quality)) {
      spec.invalid("Pod QOS Class may not change as a result of resizing");
    }
  }

  private static void deadline(Place now, JsonNode old) {
    if (!old.isNumber()) {
      return;
    }
    if (!now.isThere()) {
      now.invalid("must not update from a positive integer to nil value");
    } else if (now.number() > old.asLong(0)) {
      now.invalid("must be less than or equal to previous value");
    }
  }

  private static void gates(Place now, JsonNode old) {
    Set<String> before = new HashSet<>();
    old.forEach(gate -> before.add(Meta.text(gate.path("name"))));
    for (Place gate : now.items()) {
      String name = gate.at("name").text();
      if (!before.contains(name)) {
        gate.at("name")
            .forbidden("only deletion is allowed, but found new scheduling gate '" + name + "'");
      }
    }
  }

  /** Puts back what was allowed to change: then nothing else may differ. */
  private static void rest(Place spec, JsonNode old) {
    if (Same.same(spec.node(), old)) {
      return;
    }
    if (!(spec.node().deepCopy() instanceof ObjectNode munged)) {
      // A pod without a spec is refused for that.
      return;
    }
    for (String list : List.of("containers", "initContainers")) {
      for (int i = 0; i < munged.path(list).size(); i++) {
        if (munged.path(list).path(i) instanceof ObjectNode container) {
          putBack(container, old.path(list).path(i), "image");
        }
      }
    }
    CHECKED_APART.forEach(field -> putBack(munged, old, field));
    if (old.path("terminationGracePeriodSeconds").asLong(0) < 0
        && munged.path("terminationGracePeriodSeconds").asLong(0) == 1) {
      putBack(munged, old, "terminationGracePeriodSeconds");
    }
    if (!old.path("schedulingGates").isEmpty()) {
      gatedPlacement(spec, munged, old);
    }
    List<String> changed = changed(munged, old);
    if (!changed.isEmpty()) {
      spec.forbidden(
          "pod updates may not change fields other than "
              + ALLOWED
              + "\n"
              + String.join(", ", changed));
    }
  }

  private static void putBack(ObjectNode object, JsonNode old, String field) {
    object.remove(field);
    if (old.has(field)) {
      object.set(field, old.get(field));
    }
  }

  private static List<String> changed(JsonNode now, JsonNode old) {
    Set<String> fields = new LinkedHashSet<>(now.propertyNames());
    fields.addAll(old.propertyNames());
    List<String> changed = new ArrayList<>();
    for (String field : fields) {
      if (!Same.same(now.path(field), old.path(field))) {
        changed.add("spec." + field);
      }
    }
    return changed;
  }

  /** While gates keep a pod from being placed, where it may go can still be narrowed. */
  private static void gatedPlacement(Place spec, ObjectNode munged, JsonNode old) {
    Map<String, String> selector = spec.at("nodeSelector").stringMap();
    boolean kept =
        selector.entrySet().containsAll(Meta.strings(old.path("nodeSelector")).entrySet());
    if (!kept) {
      spec.at("nodeSelector")
          .invalid("only additions to spec.nodeSelector are allowed (no mutations or deletions)");
    }
    putBack(munged, old, "nodeSelector");
    nodeAffinity(spec.at("affinity", "nodeAffinity"), Meta.at(old, "affinity", "nodeAffinity"));
    if (munged.path("affinity") instanceof ObjectNode affinity) {
      putBack(affinity, old.path("affinity"), "nodeAffinity");
    } else if (old.path("affinity").has("nodeAffinity")) {
      munged.putObject("affinity").set("nodeAffinity", old.path("affinity").get("nodeAffinity"));
    }
  }

  private static void nodeAffinity(Place now, JsonNode old) {
    String required = "requiredDuringSchedulingIgnoredDuringExecution";
    JsonNode oldTerms = old.path(required).path("nodeSelectorTerms");
    Place terms = now.at(required, "nodeSelectorTerms");
    if (oldTerms.isEmpty()) {
      return;
    }
    if (terms.size() != oldTerms.size()) {
      terms.invalid("no additions/deletions to non-empty NodeSelectorTerms list are allowed");
      return;
    }
    for (int i = 0; i < oldTerms.size(); i++) {
      Place term = terms.item(i);
      if (!onlyAdded(term.node(), oldTerms.path(i), "matchExpressions")
          || !onlyAdded(term.node(), oldTerms.path(i), "matchFields")) {
        term.invalid("only additions are allowed (no mutations or deletions)");
      }
    }
  }

  private static boolean onlyAdded(JsonNode term, JsonNode oldTerm, String list) {
    JsonNode before = oldTerm.path(list);
    boolean wasEmpty =
        oldTerm.path("matchExpressions").isEmpty() && oldTerm.path("matchFields").isEmpty();
    if (wasEmpty) {
      return term.path(list).isEmpty();
    }
    for (int i = 0; i < before.size(); i++) {
      if (!Same.same(term.path(list).path(i), before.path(i))) {
        return false;
      }
    }
    return true;
  }
}
