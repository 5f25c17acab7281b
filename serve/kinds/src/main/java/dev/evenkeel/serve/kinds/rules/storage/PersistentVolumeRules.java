package dev.evenkeel.serve.kinds.rules.storage;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.quantity.Quantity;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Paths;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.check.Same;
import dev.evenkeel.serve.kinds.rules.placement.NodeSelectors;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/** Volumes. */
public final class PersistentVolumeRules implements KindRules {

  /** What a volume's spec says besides where the volume is. */
  private static final Set<String> NO_SOURCE =
      Set.of(
          "accessModes",
          "capacity",
          "claimRef",
          "mountOptions",
          "nodeAffinity",
          "persistentVolumeReclaimPolicy",
          "storageClassName",
          "volumeAttributesClassName",
          "volumeMode");

  @Override
  public void prepareForCreate(ObjectNode volume) {
    ObjectNode status = volume.putObject("status");
    JsonNode created = Meta.of(volume).path("creationTimestamp");
    if (created.isString()) {
      status.set("lastPhaseTransitionTime", created);
    }
    status.put("phase", "Pending");
  }

  @Override
  public void validate(ObjectNode volume, Problems problems) {
    Place spec = Place.of(volume, problems).at("spec");
    if (spec.at("accessModes").isEmpty()) {
      spec.at("accessModes").required();
    } else {
      ClaimSpecs.accessModes(spec.at("accessModes"), true);
    }
    capacity(spec.at("capacity"));
    source(spec);
    Place affinity = spec.at("nodeAffinity");
    if (affinity.isThere()) {
      if (affinity.at("required").isThere()) {
        NodeSelectors.validate(affinity.at("required"));
      } else {
        affinity.at("required").required("must specify required node constraints");
      }
    }
    if (spec.at("local").isThere() && !affinity.isThere()) {
      affinity.required("Local volume requires node affinity");
    }
    if (!spec.at("storageClassName").isEmpty()) {
      spec.at("storageClassName").invalid(Names.dnsSubdomain(spec.at("storageClassName").text()));
    }
  }

  private static void capacity(Place capacity) {
    if (capacity.isEmpty()) {
      capacity.required();
    }
    if (!capacity.key("storage").isThere() || capacity.size() > 1) {
      (capacity.isThere() ? capacity : capacity.holding(NullNode.getInstance()))
          .notSupported(List.of("storage"));
    }
    for (Place entry : capacity.entries()) {
      Quantity quantity = Quantity.tryRead(entry.node());
      if (quantity != null && quantity.signum() <= 0) {
        entry.invalid(quantity.toString(), "must be greater than zero");
      }
    }
  }

  private static void source(Place spec) {
    boolean found = false;
    for (String field : spec.node().propertyNames()) {
      Place source = spec.at(field);
      if (NO_SOURCE.contains(field) || !source.isThere()) {
        continue;
      }
      if (found) {
        source.forbidden("may not specify more than 1 volume type");
      } else {
        found = true;
        source(field, source, spec);
      }
    }
    if (!found) {
      spec.required("must specify a volume type");
    }
  }

  private static void source(String kind, Place source, Place spec) {
    switch (kind) {
      case "hostPath" -> {
        Paths.noBacksteps(source.at("path"));
        if (source.at("path").is("/") && spec.at("persistentVolumeReclaimPolicy").is("Recycle")) {
          spec.at("persistentVolumeReclaimPolicy")
              .forbidden("may not be 'recycle' for a hostPath mount of '/'");
        }
      }
      case "local" -> Paths.noBacksteps(source.at("path"));
      case "nfs" -> {
        if (!source.at("path").text().startsWith("/")) {
          source.at("path").invalid("must be an absolute path");
        }
      }
      case "csi" -> {
        if (!source.at("driver").isEmpty()) {
          source.at("driver").invalid(Names.csiDriver(source.at("driver").text()));
        }
      }
      default -> {
        // The others have nothing that the schema could not say.
      }
    }
  }

  @Override
  public void validateUpdate(ObjectNode volume, ObjectNode old, Problems problems) {
    Place spec = Place.of(volume, problems).at("spec");
    JsonNode before = old.path("spec");
    if (!Same.same(sourceOf(spec.node(), before), sourceOf(before, before))) {
      spec.at("persistentvolumesource")
          .forbidden("spec.persistentvolumesource is immutable after creation\n");
    }
    Place.of("volumeMode", spec.at("volumeMode").node(), problems)
        .immutable(before.path("volumeMode"));
    if (before.path("nodeAffinity").isObject()
        && !Same.same(spec.at("nodeAffinity").node(), before.path("nodeAffinity"))) {
      Place.of("nodeAffinity", spec.at("nodeAffinity").node(), problems)
          .invalid("field is immutable, except for updating from beta label to GA");
    }
  }

  /** Where the volume is; a secret for growing it may be added later. */
  private static ObjectNode sourceOf(JsonNode spec, JsonNode before) {
    ObjectNode source = JsonNodeFactory.instance.objectNode();
    spec.forEachEntry(
        (field, value) -> {
          if (!NO_SOURCE.contains(field)) {
            source.set(field, value.deepCopy());
          }
        });
    String secret = "controllerExpandSecretRef";
    if (source.path("csi") instanceof ObjectNode csi && !before.path("csi").has(secret)) {
      csi.remove(secret);
    }
    return source;
  }

  @Override
  public List<String> warnings(ObjectNode volume) {
    return Meta.text(Meta.at(volume, "spec", "persistentVolumeReclaimPolicy")).equals("Recycle")
        ? List.of(
            "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead,"
                + " the recommended approach is to use dynamic provisioning.")
        : List.of();
  }
}
