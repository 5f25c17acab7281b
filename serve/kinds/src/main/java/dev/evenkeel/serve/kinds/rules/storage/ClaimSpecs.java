package dev.evenkeel.serve.kinds.rules.storage;

import dev.evenkeel.kernel.quantity.Quantity;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.check.Selectors;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The spec of a claim, of its own or as a template in a pod or a stateful set. */
public final class ClaimSpecs {

  /** In the order of the alphabet, as they are listed in errors. */
  static final List<String> ACCESS_MODES =
      List.of("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod");

  private static final String ONCE_POD = "ReadWriteOncePod";

  private ClaimSpecs() {}

  /** Where a claim's contents come from has two fields, of which the newer says more. */
  public static void applyDefaults(ObjectNode spec) {
    JsonNode source = spec.path("dataSource");
    JsonNode reference = spec.path("dataSourceRef");
    if (source.isObject() && !reference.isObject()) {
      spec.set("dataSourceRef", source.deepCopy());
    } else if (reference.isObject()
        && !source.isObject()
        && reference.path("namespace").asString("").isEmpty()) {
      ObjectNode local = JsonNodeFactory.instance.objectNode();
      for (String field : List.of("apiGroup", "kind", "name")) {
        if (reference.has(field)) {
          local.set(field, reference.get(field));
        }
      }
      spec.set("dataSource", local);
    }
  }

  public static void validate(Place spec) {
    accessModes(spec.at("accessModes"), true);
    Selectors.validate(spec.at("selector"));
    storage(spec);
    for (String name : List.of("storageClassName", "volumeAttributesClassName")) {
      if (!spec.at(name).isEmpty()) {
        spec.at(name).invalid(Names.dnsSubdomain(spec.at(name).text()));
      }
    }
    source(spec.at("dataSource"));
    source(spec.at("dataSourceRef"));
    sourcesAgree(spec);
  }

  private static void storage(Place spec) {
    Place told = spec.at("resources").key("storage");
    Place request = told.holding(spec.at("resources", "requests", "storage").node());
    Quantity quantity = Quantity.tryRead(request.node());
    if (!request.isThere()) {
      request.required();
    } else if (quantity != null && quantity.signum() <= 0) {
      request.invalid(quantity.toString(), "must be greater than zero");
    }
  }

  static void accessModes(Place modes, boolean aloneOncePod) {
    if (modes.isEmpty()) {
      modes.required("at least 1 access mode is required");
      return;
    }
    boolean others = false;
    for (Place mode : modes.items()) {
      if (!ACCESS_MODES.contains(mode.text())) {
        modes.holding(mode.node()).notSupported(ACCESS_MODES);
      } else {
        others |= !mode.is(ONCE_POD);
      }
    }
    if (aloneOncePod && others && modes.strings().contains(ONCE_POD)) {
      modes.forbidden("may not use ReadWriteOncePod with other access modes");
    }
  }

  private static void source(Place source) {
    if (!source.isThere()) {
      return;
    }
    for (String field : List.of("name", "kind")) {
      if (source.at(field).isEmpty()) {
        source.at(field).required();
      }
    }
    String group = source.at("apiGroup").text();
    if (group.isEmpty() && !source.at("kind").is("PersistentVolumeClaim")) {
      source
          .holding(source.at("kind").node())
          .invalid("must be 'PersistentVolumeClaim' when referencing the default apiGroup");
    }
    if (!group.isEmpty()) {
      source.at("apiGroup").invalid(Names.dnsSubdomain(group));
    }
    if (!source.at("namespace").isEmpty()) {
      source.at("namespace").invalid(Names.dnsLabel(source.at("namespace").text()));
    }
  }

  private static void sourcesAgree(Place spec) {
    Place source = spec.at("dataSource");
    Place reference = spec.at("dataSourceRef");
    if (!source.isThere() || !reference.isThere()) {
      return;
    }
    if (!reference.at("namespace").isEmpty()) {
      spec.invalid(
          source.toString(), "may not be specified when dataSourceRef.namespace is specified");
      return;
    }
    for (String field : List.of("apiGroup", "kind", "name")) {
      if (!source.at(field).text().equals(reference.at(field).text())) {
        spec.invalid(source.toString(), "must match dataSourceRef");
        return;
      }
    }
  }
}
