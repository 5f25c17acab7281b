package dev.evenkeel.serve.kinds.rules.workload;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.check.Selectors;
import dev.evenkeel.serve.kinds.rules.check.Shares;
import dev.evenkeel.serve.kinds.rules.pod.PodTemplates;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Daemon sets. */
public final class DaemonSetRules implements KindRules {

  /** In older versions a field of the spec. */
  private static final String TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

  private static final String ROLLING = "RollingUpdate";

  private static final List<String> COUNTS =
      List.of(
          "currentNumberScheduled", "desiredNumberScheduled", "numberMisscheduled", "numberReady");

  @Override
  public void applyDefaults(ObjectNode set) {
    ObjectNode spec = Specs.of(set);
    ObjectNode strategy = Specs.child(spec, "updateStrategy");
    if (strategy.path("type").asString("").equals(ROLLING)) {
      ObjectNode rolling = Specs.child(strategy, "rollingUpdate");
      Specs.putIfAbsent(rolling, "maxSurge", 0);
      Specs.putIfAbsent(rolling, "maxUnavailable", 1);
    }
    PodTemplates.applyDefaults(spec.path("template"));
    // Whoever writes a set comes to own the annotation, though it is the server that counts.
    ObjectNode annotations = Specs.child(Meta.of(set), "annotations");
    if (!annotations.has(TEMPLATE_GENERATION)) {
      annotations.put(TEMPLATE_GENERATION, "0");
    }
  }

  @Override
  public List<String> annotationsOfSpec() {
    return List.of(TEMPLATE_GENERATION);
  }

  @Override
  public void prepareForCreate(ObjectNode set) {
    ObjectNode status = set.putObject("status");
    COUNTS.forEach(count -> status.put(count, 0L));
    if (templateGeneration(set) < 1) {
      setTemplateGeneration(set, 1);
    }
  }

  /** It counts the templates, and nobody else may set it back. */
  @Override
  public void prepareForUpdate(ObjectNode set, ObjectNode old) {
    boolean same = set.path("spec").path("template").equals(old.path("spec").path("template"));
    setTemplateGeneration(set, templateGeneration(old) + (same ? 0 : 1));
  }

  private static long templateGeneration(ObjectNode set) {
    String text = Meta.text(Meta.at(set, "metadata", "annotations").path(TEMPLATE_GENERATION));
    try {
      return text.isEmpty() ? 0 : Long.parseLong(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static void setTemplateGeneration(ObjectNode set, long generation) {
    Specs.child(Meta.of(set), "annotations").put(TEMPLATE_GENERATION, Long.toString(generation));
  }

  @Override
  public void validate(ObjectNode set, Problems problems) {
    Place spec = Place.of(set, problems).at("spec");
    Specs.validateSelector(spec, "daemonset");
    Place template = spec.at("template");
    if (Selectors.isWellFormed(spec.at("selector").node())) {
      PodTemplates.validateSelected(template, spec.at("selector").node());
    }
    PodTemplates.validate(template);
    PodTemplates.validateForEver(template, "DaemonSet");
    strategy(spec.at("updateStrategy"));
  }

  private static void strategy(Place strategy) {
    if (!strategy.at("type").is(ROLLING)) {
      return;
    }
    Place unavailable = strategy.at("rollingUpdate", "maxUnavailable");
    Place surge = strategy.at("rollingUpdate", "maxSurge");
    for (Place share : List.of(unavailable, surge)) {
      Shares.validate(share);
      Shares.atMostAll(share);
    }
    boolean mayMiss = Shares.value(unavailable) != 0;
    boolean mayDouble = Shares.value(surge) != 0;
    if (mayMiss && mayDouble) {
      surge.invalid("may not be set when maxUnavailable is non-zero");
    } else if (!mayMiss && !mayDouble) {
      unavailable.required("cannot be 0 when maxSurge is 0");
    }
  }

  @Override
  public void validateUpdate(ObjectNode set, ObjectNode old, Problems problems) {
    Place.of(set, problems).at("spec", "selector").immutable(old.path("spec").path("selector"));
  }

  @Override
  public void validateStatusUpdate(ObjectNode set, ObjectNode old, Problems problems) {
    Specs.validateCollisions(Place.of(set, problems).at("status"), old);
  }

  @Override
  public List<String> warnings(ObjectNode set) {
    return PodTemplates.warnings(Place.of(set, new Problems()).at("spec", "template"));
  }
}
