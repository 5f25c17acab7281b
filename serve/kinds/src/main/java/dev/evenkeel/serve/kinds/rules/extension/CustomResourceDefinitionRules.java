package dev.evenkeel.serve.kinds.rules.extension;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.structural.StructuralSchema;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.NullNode;
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
    ObjectNode status = definition.putObject("status");
    status.putObject("acceptedNames").put("kind", "").put("plural", "");
    status.putArray("storedVersions");
    storeIn(definition, status);
  }

  @Override
  public void prepareForUpdate(ObjectNode definition, ObjectNode old) {
    if (definition.get("status") instanceof ObjectNode status) {
      storeIn(definition, status);
    }
  }

  private static void storeIn(ObjectNode definition, ObjectNode status) {
    for (JsonNode version : Meta.at(definition, "spec", "versions")) {
      if (version.path("storage").asBoolean(false)) {
        String name = Meta.text(version.path("name"));
        ArrayNode stored =
            status.get("storedVersions") instanceof ArrayNode known
                ? known
                : status.putArray("storedVersions");
        for (JsonNode known : stored) {
          if (Meta.text(known).equals(name)) {
            return;
          }
        }
        stored.add(name);
        return;
      }
    }
  }

  /** Its objects go before it does. */
  @Override
  public void prepareForDelete(ObjectNode definition) {
    ArrayNode finalizers = Meta.of(definition).withArray("finalizers");
    for (JsonNode finalizer : finalizers) {
      if (Meta.text(finalizer).equals(CLEANUP)) {
        return;
      }
    }
    finalizers.add(CLEANUP);
  }

  @Override
  public List<String> warnings(ObjectNode object, ObjectNode old) {
    List<String> warnings = new ArrayList<>(warnings(object));
    if (!warnings.isEmpty()) {
      warnings.removeAll(warnings(old));
    }
    return warnings;
  }

  @Override
  public List<String> warnings(ObjectNode definition) {
    List<String> warnings = new ArrayList<>(0);
    for (Place schema : DefinedVersionRules.schemas(Place.of(definition, new Problems()))) {
      for (String format : StructuralSchema.unknownFormats(schema.node())) {
        String warning = "unrecognized format \"" + format + "\"";
        if (!warnings.contains(warning)) {
          warnings.add(warning);
        }
      }
    }
    return warnings;
  }

  @Override
  public void validate(ObjectNode definition, Problems problems) {
    Place whole = Place.of(definition, problems);
    Place spec = whole.at("spec");
    // Of one that has a version already the names are said to be immutable, and nothing else.
    if (Meta.resourceVersion(definition).isEmpty()) {
      Place name = whole.at("metadata", "name");
      String expected = spec.at("names", "plural").text() + "." + spec.at("group").text();
      if (!name.is(expected)) {
        name.invalid("must be spec.names.plural+\".\"+spec.group");
      }
    }
    Place group = spec.at("group");
    if (!group.isEmpty()) {
      List<String> faults = Names.dnsSubdomain(group.text());
      if (!faults.isEmpty()) {
        group.invalid(String.join(",", faults));
      } else if (group.text().indexOf('.') < 0) {
        group.invalid("should be a domain with at least one dot");
      }
    }
    boolean openEnded = spec.at("preserveUnknownFields").flag();
    if (openEnded && DefinedVersionRules.hasDefaults(whole)) {
      spec.at("preserveUnknownFields")
          .invalid("must be false in order to use defaults in the schema");
    }
    versions(spec.at("versions"));
  }

  @Override
  public void validateCreate(ObjectNode definition, Problems problems) {
    rest(definition, null, problems);
    storedVersions(definition, problems);
    approved(Place.of(definition, problems), null);
  }

  /**
   * What follows the versions, in the order in which it is told.
   *
   * @param old what it replaces: a schema that did not change was accepted before; null if it is
   *     new
   */
  private static void rest(ObjectNode definition, @Nullable ObjectNode old, Problems problems) {
    Place whole = Place.of(definition, problems);
    Place spec = whole.at("spec");
    DefinedVersionRules.perVersion(whole, old);
    counts(spec.at("versions"));
    names(spec.at("names"));
    DefinedVersionRules.common(whole, old);
    if (spec.at("preserveUnknownFields").flag()) {
      spec.at("preserveUnknownFields")
          .invalid(
              "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in"
                  + " spec.versions[*].schema instead");
    }
    conversion(spec.at("conversion"));
  }

  private static void conversion(Place conversion) {
    Problems problems = conversion.problems();
    int before = problems.count();
    if (conversion.at("strategy").is("Webhook")) {
      WebhookConfigurationRules.converter(conversion);
      if (problems.count() == before) {
        // To be converted by a webhook is not served yet, and must not seem to be.
        conversion.at("strategy").notSupported(List.of("None"));
      }
    } else if (conversion.at("strategy").is("None")) {
      if (conversion.at("webhook", "clientConfig").isThere()) {
        Place.of(conversion + ".webhookClientConfig", conversion.node(), conversion.problems())
            .forbidden("should not be set when strategy is not set to Webhook");
      }
      if (!conversion.at("webhook", "conversionReviewVersions").isEmpty()) {
        Place.of(conversion + ".conversionReviewVersions", conversion.node(), conversion.problems())
            .forbidden("should not be set when strategy is not set to Webhook");
      }
    }
  }

  /** Groups that are Kubernetes' own need its approval; what was let through stays. */
  private static void approved(Place whole, @Nullable ObjectNode old) {
    String group = whole.at("spec", "group").text();
    boolean guarded =
        group.equals("k8s.io")
            || group.endsWith(".k8s.io")
            || group.equals("kubernetes.io")
            || group.endsWith(".kubernetes.io");
    Place approval = whole.at("metadata", "annotations").key(APPROVED);
    Approval now = approval(approval.text());
    if (!guarded
        || (old != null
            && approval(Meta.text(Meta.at(old, "metadata", "annotations", APPROVED))) == now)) {
      return;
    }
    String head = "protected groups must have approval annotation \"" + APPROVED + "\"";
    String see = ", see https://github.com/kubernetes/enhancements/pull/1111";
    if (now == Approval.MISSING) {
      approval.required(head + see);
    } else if (now == Approval.INVALID) {
      approval.invalid(head + " with either a URL or a reason starting with \"unapproved\"" + see);
    }
  }

  private enum Approval {
    MISSING,
    BYPASSED,
    GIVEN,
    INVALID
  }

  private static Approval approval(String text) {
    if (text.isEmpty()) {
      return Approval.MISSING;
    }
    if (text.startsWith("unapproved")) {
      return Approval.BYPASSED;
    }
    try {
      var uri = new URI(text);
      return uri.getScheme() != null && uri.getHost() != null ? Approval.GIVEN : Approval.INVALID;
    } catch (URISyntaxException e) {
      return Approval.INVALID;
    }
  }

  private static void names(Place names) {
    for (String field : List.of("plural", "singular", "kind", "listKind")) {
      if (names.at(field).isEmpty()) {
        names.at(field).required();
      }
    }
    lowerCaseLabel(names.at("plural"));
    lowerCaseLabel(names.at("singular"));
    for (String field : List.of("kind", "listKind")) {
      Place kind = names.at(field);
      List<String> faults = Names.dns1035Label(kind.text().toLowerCase(Locale.ROOT));
      if (!kind.isEmpty() && !faults.isEmpty()) {
        kind.invalid(
            "may have mixed case, but should otherwise match: " + String.join(",", faults));
      }
    }
    names.at("shortNames").items().forEach(CustomResourceDefinitionRules::label);
    Place list = names.at("listKind");
    if (!list.isEmpty() && list.is(names.at("kind").text())) {
      list.invalid("kind and listKind may not be the same");
    }
    names.at("categories").items().forEach(CustomResourceDefinitionRules::label);
  }

  private static void label(Place name) {
    List<String> faults = Names.dns1035Label(name.text());
    if (!faults.isEmpty()) {
      name.invalid(String.join(",", faults));
    }
  }

  private static void lowerCaseLabel(Place name) {
    if (!name.isEmpty()) {
      label(name);
    }
  }

  private static void versions(Place versions) {
    for (Place version : versions.items()) {
      label(version.at("name"));
    }
  }

  private static void counts(Place versions) {
    Set<String> names = new HashSet<>();
    boolean unique = true;
    int stored = 0;
    for (Place version : versions.items()) {
      unique &= names.add(version.at("name").text());
      stored += version.at("storage").flag() ? 1 : 0;
    }
    if (!unique) {
      versions.invalid("must contain unique version names");
    }
    if (stored != 1) {
      versions.invalid("must have exactly one version marked as storage version");
    }
  }

  @Override
  public void validateUpdate(ObjectNode definition, ObjectNode old, Problems problems) {
    rest(definition, old, problems);
    Place spec = Place.of(definition, problems).at("spec");
    JsonNode before = old.path("spec");
    if (isEstablished(old)) {
      spec.at("scope").immutable(before.path("scope"));
      spec.at("names", "kind").immutable(Meta.at(before, "names", "kind"));
    }
    spec.at("group").immutable(before.path("group"));
    spec.at("names", "plural").immutable(Meta.at(before, "names", "plural"));
    storedVersions(definition, problems);
    approved(Place.of(definition, problems), old);
  }

  /**
   * The version that objects are stored in is remembered, and one that they were stored in must
   * stay until none is.
   */
  private static void storedVersions(ObjectNode definition, Problems problems) {
    Place all = Place.of(definition, problems).at("status", "storedVersions");
    if (all.isEmpty()) {
      problems.invalid(
          all.toString(), NullNode.getInstance(), "must have at least one stored version");
      return;
    }
    Set<String> remembered = new HashSet<>();
    all.items().forEach(stored -> remembered.add(stored.text()));
    Set<String> versions = new HashSet<>();
    for (JsonNode version : Meta.at(definition, "spec", "versions")) {
      String name = Meta.text(version.path("name"));
      versions.add(name);
      if (version.path("storage").asBoolean(false) && !remembered.contains(name)) {
        all.invalid("must have the storage version " + name);
      }
    }
    for (Place stored : all.items()) {
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
