package dev.evenkeel.serve.kinds.rules.storage;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.quantity.Quantity;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.check.Same;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Claims to volumes. */
public final class PersistentVolumeClaimRules implements KindRules {

  private static final String CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

  /** Not a default: who writes one of the two fields does not come to own the other. */
  private static void agreeOnSource(ObjectNode claim) {
    if (claim.path("spec") instanceof ObjectNode spec) {
      ClaimSpecs.applyDefaults(spec);
    }
  }

  @Override
  public void prepareForCreate(ObjectNode claim) {
    agreeOnSource(claim);
    claim.putObject("status").put("phase", "Pending");
  }

  @Override
  public void prepareForUpdate(ObjectNode claim, ObjectNode old) {
    agreeOnSource(claim);
  }

  @Override
  public void validate(ObjectNode claim, Problems problems) {
    ClaimSpecs.validate(Place.of(claim, problems).at("spec"));
  }

  @Override
  public void validateUpdate(ObjectNode claim, ObjectNode old, Problems problems) {
    Place whole = Place.of(claim, problems);
    Place spec = whole.at("spec");
    JsonNode before = old.path("spec");
    boolean bound = Meta.text(Meta.at(claim, "status", "phase")).equals("Bound");
    if (!Same.same(comparable(spec.node(), before, bound), before)) {
      spec.forbidden(
          "spec is immutable after creation except resources.requests and"
              + " volumeAttributesClassName for bound claims\n");
    }
    Place annotation = whole.at("metadata", "annotations", CLASS_ANNOTATION);
    String annotated = Meta.text(Meta.at(old, "metadata", "annotations").path(CLASS_ANNOTATION));
    if (!annotation.text().equals(annotated)) {
      annotation.invalid(annotation.text(), "field is immutable");
    }
    size(spec, old);
    Place.of("volumeMode", spec.at("volumeMode").node(), problems)
        .immutable(before.path("volumeMode"));
  }

  /** The new spec with what was allowed to change put back. */
  private static JsonNode comparable(JsonNode spec, JsonNode before, boolean bound) {
    JsonNode copy = spec.deepCopy();
    if (!(copy instanceof ObjectNode object)) {
      return copy;
    }
    if (Meta.text(before.path("volumeName")).isEmpty()) {
      object.remove("volumeName");
    }
    if (!before.path("storageClassName").isString()) {
      object.remove("storageClassName");
    }
    if (bound) {
      object.remove("volumeAttributesClassName");
      if (before.has("volumeAttributesClassName")) {
        object.set("volumeAttributesClassName", before.get("volumeAttributesClassName"));
      }
      JsonNode size = Meta.at(before, "resources", "requests", "storage");
      if (Meta.at(object, "resources", "requests") instanceof ObjectNode requests
          && size.isString()) {
        requests.set("storage", size);
      }
    }
    return object;
  }

  /** A claim may grow; it may shrink only back towards what it already has. */
  private static void size(Place spec, ObjectNode old) {
    Place request = spec.at("resources", "requests", "storage");
    Quantity now = Quantity.tryRead(request.node());
    Quantity before = Quantity.tryRead(Meta.at(old, "spec", "resources", "requests", "storage"));
    Quantity has = Quantity.tryRead(Meta.at(old, "status", "capacity", "storage"));
    if (now == null || before == null || now.compareTo(before) >= 0) {
      return;
    }
    if (now.compareTo(has == null ? Quantity.ZERO : has) <= 0) {
      request.forbidden("field can not be less than status.capacity");
    }
  }

  @Override
  public void validateStatusUpdate(ObjectNode claim, ObjectNode old, Problems problems) {
    for (Place entry : Place.of(claim, problems).at("status", "capacity").entries()) {
      Quantity quantity = Quantity.tryRead(entry.node());
      if (quantity != null && quantity.signum() < 0) {
        entry.invalid("must be a valid resource quantity");
      }
    }
  }

  @Override
  public List<String> warnings(ObjectNode claim) {
    Quantity size = Quantity.tryRead(Meta.at(claim, "spec", "resources", "requests", "storage"));
    if (size != null && !size.isWhole()) {
      return List.of(
          "spec.resources.requests[storage]: fractional byte value \""
              + size
              + "\" is invalid, must be an integer");
    }
    return List.of();
  }
}
