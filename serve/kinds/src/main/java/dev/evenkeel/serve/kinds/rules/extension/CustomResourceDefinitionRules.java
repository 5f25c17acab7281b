package dev.evenkeel.serve.kinds.rules.extension;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Definitions of custom kinds: their names, versions and schemas. */
public final class CustomResourceDefinitionRules implements KindRules {

  /** Holds a definition until its objects are gone. */
  public static final String CLEANUP = "customresourcecleanup.apiextensions.k8s.io";

  private static final String APPROVED = "api-approved.kubernetes.io";

  @Override
  public boolean finalizersNeedPath() {
    return false;
  }

  @Override
  public void applyDefaults(ObjectNode definition) {
    if (!(definition.path("spec") instanceof ObjectNode spec)) {
      return;
    }
    if (spec.path("names") instanceof ObjectNode names) {
      String kind = Meta.text(names.path("kind"));
      if (Meta.text(names.path("singular")).isEmpty() && !kind.isEmpty()) {
        names.put("singular", kind.toLowerCase(Locale.ROOT));
      }
      if (Meta.text(names.path("listKind")).isEmpty() && !kind.isEmpty()) {
        names.put("listKind", kind + "List");
      }
    }
    if (!spec.path("conversion").isObject()) {
      spec.putObject("conversion").put("strategy", "None");
    }
  }

  /** Which versions objects may be stored in is remembered from the first. */
  @Override
  public void prepareForCreate(ObjectNode definition) {
    ArrayNode stored = definition.putObject("status").putArray("storedVersions");
    for (JsonNode version : Meta.at(definition, "spec", "versions")) {
      if (version.path("storage").asBoolean(false)) {
        stored.add(Meta.text(version.path("name")));
      }
    }
    ArrayNode finalizers = Meta.of(definition).withArray("finalizers");
    for (JsonNode finalizer : finalizers) {
      if (Meta.text(finalizer).equals(CLEANUP)) {
        return;
      }
    }
    finalizers.add(CLEANUP);
  }

  @Override
  public void validate(ObjectNode definition, Problems problems) {
    Place whole = Place.of(definition, problems);
    Place spec = whole.at("spec");
    Place name = whole.at("metadata", "name");
    String expected = spec.at("names", "plural").text() + "." + spec.at("group").text();
    if (!name.is(expected)) {
      name.invalid("must be spec.names.plural+\".\"+spec.group");
    }
    Place group = spec.at("group");
    if (!group.isEmpty()) {
      group.invalid(Names.dnsSubdomain(group.text()));
      if (group.text().indexOf('.') < 0) {
        group.invalid("should be a domain with at least one dot");
      }
      approved(whole, group.text());
    }
    names(spec.at("names"));
    versions(spec.at("versions"));
    if (spec.at("preserveUnknownFields").flag()) {
      spec.at("preserveUnknownFields")
          .invalid("must be false: use x-kubernetes-preserve-unknown-fields in the schema");
    }
    // To be converted by a webhook is not served yet, and must not seem to be.
    spec.at("conversion", "strategy").oneOf(List.of("None"));
  }

  /** Groups that are Kubernetes' own need its approval. */
  private static void approved(Place whole, String group) {
    boolean guarded =
        group.equals("k8s.io")
            || group.endsWith(".k8s.io")
            || group.equals("kubernetes.io")
            || group.endsWith(".kubernetes.io");
    if (guarded && whole.at("metadata", "annotations").key(APPROVED).isEmpty()) {
      whole
          .at("metadata", "annotations")
          .key(APPROVED)
          .required(
              "protected groups must have approval annotation \""
                  + APPROVED
                  + "\", see"
                  + " https://github.com/kubernetes/enhancements/pull/1111");
    }
  }

  private static void names(Place names) {
    lowerCaseLabel(names.at("plural"));
    lowerCaseLabel(names.at("singular"));
    names.at("shortNames").items().forEach(CustomResourceDefinitionRules::lowerCaseLabel);
    names.at("categories").items().forEach(CustomResourceDefinitionRules::lowerCaseLabel);
    for (String field : List.of("kind", "listKind")) {
      Place kind = names.at(field);
      if (!kind.isEmpty()) {
        for (String fault : Names.dns1035Label(kind.text().toLowerCase(Locale.ROOT))) {
          kind.invalid("may have mixed case, but should otherwise match: " + fault);
        }
      }
    }
    Place list = names.at("listKind");
    if (!list.isEmpty() && list.is(names.at("kind").text())) {
      list.invalid("kind and listKind may not be the same");
    }
  }

  private static void lowerCaseLabel(Place name) {
    if (!name.isEmpty()) {
      name.invalid(Names.dns1035Label(name.text()));
    }
  }

  private static void versions(Place versions) {
    if (versions.isEmpty()) {
      versions.invalid("must have exactly one version marked as storage version");
      return;
    }
    Set<String> names = new HashSet<>();
    int stored = 0;
    for (Place version : versions.items()) {
      Place name = version.at("name");
      name.invalid(Names.dns1035Label(name.text()));
      if (!names.add(name.text())) {
        versions.invalid("must contain unique version names");
      }
      if (version.at("storage").flag()) {
        stored++;
      }
      DefinedVersionRules.validate(version);
    }
    if (stored != 1) {
      versions.invalid("must have exactly one version marked as storage version");
    }
  }

  @Override
  public void validateUpdate(ObjectNode definition, ObjectNode old, Problems problems) {
    Place spec = Place.of(definition, problems).at("spec");
    JsonNode before = old.path("spec");
    spec.at("group").immutable(before.path("group"));
    spec.at("names", "plural").immutable(Meta.at(before, "names", "plural"));
    if (isEstablished(old)) {
      spec.at("scope").immutable(before.path("scope"));
      spec.at("names", "kind").immutable(Meta.at(before, "names", "kind"));
    }
    storedVersions(definition, problems);
  }

  /** A version that objects are stored in must stay until none is. */
  private static void storedVersions(ObjectNode definition, Problems problems) {
    Set<String> versions = new HashSet<>();
    for (JsonNode version : Meta.at(definition, "spec", "versions")) {
      versions.add(Meta.text(version.path("name")));
    }
    for (Place stored : Place.of(definition, problems).at("status", "storedVersions").items()) {
      if (!versions.contains(stored.text())) {
        stored.invalid(
            "missing from spec.versions; "
                + stored.text()
                + " was previously a storage version, and must remain in spec.versions until a"
                + " storage migration ensures no data remains persisted in "
                + stored.text()
                + " and removes "
                + stored.text()
                + " from status.storedVersions");
      }
    }
  }

  private static boolean isEstablished(ObjectNode definition) {
    for (JsonNode condition : Meta.at(definition, "status", "conditions")) {
      if (Meta.text(condition.path("type")).equals("Established")) {
        return Meta.text(condition.path("status")).equals("True");
      }
    }
    return false;
  }
}
