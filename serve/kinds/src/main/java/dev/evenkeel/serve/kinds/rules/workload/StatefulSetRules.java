package dev.evenkeel.serve.kinds.rules.workload;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.check.Same;
import dev.evenkeel.serve.kinds.rules.check.Selectors;
import dev.evenkeel.serve.kinds.rules.check.Shares;
import dev.evenkeel.serve.kinds.rules.pod.PodTemplates;
import dev.evenkeel.serve.kinds.rules.storage.ClaimSpecs;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Stateful sets. */
public final class StatefulSetRules implements KindRules {

  private static final String ROLLING = "RollingUpdate";

  private static final Set<String> CHANGEABLE =
      Set.of(
          "replicas",
          "ordinals",
          "template",
          "updateStrategy",
          "revisionHistoryLimit",
          "persistentVolumeClaimRetentionPolicy",
          "minReadySeconds");

  @Override
  public NameRule nameRule() {
    return NameRule.DNS_LABEL;
  }

  @Override
  public void applyDefaults(ObjectNode set) {
    ObjectNode spec = Specs.of(set);
    ObjectNode strategy = Specs.child(spec, "updateStrategy");
    if (Meta.text(strategy.path("type")).isEmpty()) {
      strategy.put("type", ROLLING);
      var _ = Specs.child(strategy, "rollingUpdate");
    }
    if (strategy.path("type").asString("").equals(ROLLING)
        && strategy.path("rollingUpdate") instanceof ObjectNode rolling) {
      Specs.putIfAbsent(rolling, "partition", 0);
    }
    for (JsonNode claim : spec.path("volumeClaimTemplates")) {
      applyToClaim(claim);
    }
    PodTemplates.applyDefaults(spec.path("template"));
  }

  /** Templates of claims are whole claims, with a status that says they are none yet. */
  private static void applyToClaim(JsonNode claim) {
    if (!(claim instanceof ObjectNode object)) {
      return;
    }
    Specs.putIfAbsent(object, "apiVersion", "v1");
    Specs.putIfAbsent(object, "kind", "PersistentVolumeClaim");
    if (object.path("spec") instanceof ObjectNode claimSpec) {
      ClaimSpecs.applyDefaults(claimSpec);
    }
    Specs.putIfAbsent(Specs.child(object, "status"), "phase", "Pending");
  }

  @Override
  public void prepareForCreate(ObjectNode set) {
    ObjectNode status = set.putObject("status");
    status.put("availableReplicas", 0L).put("replicas", 0L);
  }

  @Override
  public void validate(ObjectNode set, Problems problems) {
    Place spec = Place.of(set, problems).at("spec");
    Place management = spec.at("podManagementPolicy");
    if (!management.is("OrderedReady") && !management.is("Parallel")) {
      management.invalid("must be 'OrderedReady' or 'Parallel'");
    }
    strategy(spec.at("updateStrategy"));
    Specs.validateSelector(spec, "statefulset");
    Place template = spec.at("template");
    if (!Selectors.isWellFormed(spec.at("selector").node())) {
      spec.at("selector").invalid("");
      return;
    }
    PodTemplates.validateSelected(template, spec.at("selector").node());
    Set<String> claims = new HashSet<>();
    for (JsonNode claim : spec.at("volumeClaimTemplates").node()) {
      claims.add(Meta.text(claim.path("metadata").path("name")));
    }
    PodTemplates.validate(template, claims);
    PodTemplates.validateForEver(template, "StatefulSet");
  }

  private static void strategy(Place strategy) {
    Place rolling = strategy.at("rollingUpdate");
    if (strategy.at("type").is("OnDelete")) {
      if (rolling.isThere()) {
        rolling.invalid("only allowed for updateStrategy 'RollingUpdate'");
      }
    } else if (!strategy.at("type").is(ROLLING)) {
      strategy.invalid("must be 'RollingUpdate' or 'OnDelete'");
    } else if (rolling.at("maxUnavailable").isThere()) {
      Place unavailable = rolling.at("maxUnavailable");
      Shares.validate(unavailable);
      if (Shares.value(unavailable) == 0) {
        unavailable.invalid("cannot be 0");
      }
      Shares.atMostAll(unavailable);
    }
  }

  @Override
  public void validateCreate(ObjectNode set, Problems problems) {
    Place spec = Place.of(set, problems).at("spec");
    if (!spec.at("serviceName").isEmpty()) {
      spec.at("serviceName").invalid(Names.dnsLabel(spec.at("serviceName").text()));
    }
    for (Place claim : spec.at("volumeClaimTemplates").items()) {
      ClaimSpecs.validate(claim.at("spec"));
    }
  }

  @Override
  public void validateUpdate(ObjectNode set, ObjectNode old, Problems problems) {
    Place spec = Place.of(set, problems).at("spec");
    JsonNode before = old.path("spec");
    Set<String> fields = new LinkedHashSet<>(spec.node().propertyNames());
    fields.addAll(before.propertyNames());
    boolean changed = false;
    for (String field : fields) {
      if (!CHANGEABLE.contains(field) && !Same.same(spec.at(field).node(), before.path(field))) {
        changed = true;
      }
    }
    if (changed) {
      spec.forbidden(
          "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template',"
              + " 'updateStrategy', 'revisionHistoryLimit',"
              + " 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden");
    }
  }

  @Override
  public void validateStatusUpdate(ObjectNode set, ObjectNode old, Problems problems) {
    Place status = Place.of(set, problems).at("status");
    Specs.validateCounts(
        status,
        List.of("readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"),
        "status.readyReplicas");
    Specs.validateCollisions(status, old);
  }

  @Override
  public List<String> warnings(ObjectNode set) {
    return PodTemplates.warnings(Place.of(set, new Problems()).at("spec", "template"));
  }
}
