package dev.evenkeel.serve.kinds.rules.workload;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.check.Selectors;
import dev.evenkeel.serve.kinds.rules.check.Shares;
import dev.evenkeel.serve.kinds.rules.pod.PodTemplates;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Deployments. */
public final class DeploymentRules implements KindRules {

  private static final String ROLLING = "RollingUpdate";

  @Override
  public void applyDefaults(ObjectNode deployment) {
    ObjectNode spec = Specs.of(deployment);
    ObjectNode strategy = Specs.child(spec, "strategy");
    if (strategy.path("type").asString("").equals(ROLLING)) {
      ObjectNode rolling = Specs.child(strategy, "rollingUpdate");
      Specs.putIfAbsent(rolling, "maxUnavailable", "25%");
      Specs.putIfAbsent(rolling, "maxSurge", "25%");
    }
    PodTemplates.applyDefaults(spec.path("template"));
  }

  @Override
  public void validate(ObjectNode deployment, Problems problems) {
    Place spec = Place.of(deployment, problems).at("spec");
    Specs.validateSelector(spec, "deployment");
    Place template = spec.at("template");
    if (Selectors.isWellFormed(spec.at("selector").node())) {
      PodTemplates.validateSelected(template, spec.at("selector").node());
      PodTemplates.validate(template);
      PodTemplates.validateForEver(template, "ReplicaSet");
    } else {
      spec.at("selector").invalid("invalid label selector");
    }
    strategy(spec.at("strategy"));
    Place deadline = spec.at("progressDeadlineSeconds");
    if (deadline.isThere() && deadline.number() <= spec.at("minReadySeconds").number()) {
      deadline.invalid("must be greater than minReadySeconds");
    }
  }

  private static void strategy(Place strategy) {
    Place rolling = strategy.at("rollingUpdate");
    switch (strategy.at("type").text()) {
      case "Recreate" -> {
        if (rolling.isThere()) {
          rolling.forbidden("may not be specified when strategy `type` is 'Recreate'");
        }
      }
      case ROLLING -> {
        Place unavailable = rolling.at("maxUnavailable");
        Place surge = rolling.at("maxSurge");
        Shares.validate(unavailable);
        Shares.validate(surge);
        if (Shares.value(unavailable) == 0 && Shares.value(surge) == 0) {
          unavailable.invalid("may not be 0 when `maxSurge` is 0");
        }
        Shares.atMostAll(unavailable);
      }
      default -> {
        // The schema knows no other.
      }
    }
  }

  @Override
  public void validateUpdate(ObjectNode deployment, ObjectNode old, Problems problems) {
    Place.of(deployment, problems)
        .at("spec", "selector")
        .immutable(old.path("spec").path("selector"));
  }

  @Override
  public void validateStatusUpdate(ObjectNode deployment, ObjectNode old, Problems problems) {
    Place status = Place.of(deployment, problems).at("status");
    Specs.validateCounts(
        status, List.of("updatedReplicas", "readyReplicas", "availableReplicas"), "readyReplicas");
    Specs.validateCollisions(status, old);
  }

  @Override
  public List<String> warnings(ObjectNode deployment) {
    return PodTemplates.warnings(Place.of(deployment, new Problems()).at("spec", "template"));
  }
}
