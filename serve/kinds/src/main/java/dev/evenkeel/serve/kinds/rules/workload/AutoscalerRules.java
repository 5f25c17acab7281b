package dev.evenkeel.serve.kinds.rules.workload;

import dev.evenkeel.kernel.quantity.Quantity;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Horizontal pod autoscalers, of either version: what one lacks is simply not there. */
public final class AutoscalerRules implements KindRules {

  private static final long CPU_PERCENT = 80;
  private static final long PERIOD_SECONDS = 15;
  private static final long PERIOD_SECONDS_MAX = 1800;
  private static final long WINDOW_SECONDS_MAX = 3600;

  private static final Map<String, String> SOURCES =
      Map.of(
          "Object", "object",
          "Pods", "pods",
          "Resource", "resource",
          "External", "external",
          "ContainerResource", "containerResource");

  private final boolean manyMetrics;

  private AutoscalerRules(boolean manyMetrics) {
    this.manyMetrics = manyMetrics;
  }

  /** For the version with one target, the share of CPU. */
  public static AutoscalerRules v1() {
    return new AutoscalerRules(false);
  }

  public static AutoscalerRules v2() {
    return new AutoscalerRules(true);
  }

  @Override
  public void applyDefaults(ObjectNode autoscaler) {
    ObjectNode spec = Specs.of(autoscaler);
    if (!manyMetrics) {
      return;
    }
    if (spec.path("metrics").isEmpty()) {
      ObjectNode metric = spec.putArray("metrics").addObject();
      metric.put("type", "Resource");
      ObjectNode resource = metric.putObject("resource");
      resource.put("name", "cpu");
      resource
          .putObject("target")
          .put("averageUtilization", CPU_PERCENT)
          .put("type", "Utilization");
    }
    if (spec.path("behavior") instanceof ObjectNode behavior) {
      applyToRules(Specs.child(behavior, "scaleUp"), true);
      applyToRules(Specs.child(behavior, "scaleDown"), false);
    }
  }

  private static void applyToRules(ObjectNode rules, boolean up) {
    if (up) {
      Specs.putIfAbsent(rules, "stabilizationWindowSeconds", 0);
    }
    Specs.putIfAbsent(rules, "selectPolicy", "Max");
    if (Specs.isAbsent(rules.path("policies"))) {
      ArrayNode policies = rules.putArray("policies");
      if (up) {
        policy(policies, "Pods", 4);
      }
      policy(policies, "Percent", 100);
    }
  }

  private static void policy(ArrayNode policies, String type, long value) {
    policies.addObject().put("type", type).put("value", value).put("periodSeconds", PERIOD_SECONDS);
  }

  /** Nothing is known yet; these fields are shown all the same. */
  @Override
  public void prepareForCreate(ObjectNode autoscaler) {
    ObjectNode status = autoscaler.putObject("status");
    if (!manyMetrics) {
      status.put("currentReplicas", 0L);
    }
    status.put("desiredReplicas", 0L);
  }

  @Override
  public void validate(ObjectNode autoscaler, Problems problems) {
    Place spec = Place.of(autoscaler, problems).at("spec");
    Place least = spec.at("minReplicas");
    Place most = spec.at("maxReplicas");
    if (most.number() < 1) {
      most.invalid("must be greater than 0");
    }
    if (least.isThere() && most.number() < least.number()) {
      most.invalid("must be greater than or equal to `minReplicas`");
    }
    Place target = spec.at("scaleTargetRef");
    reference(target, target.at("kind").is("ReplicationController"));
    for (Place metric : spec.at("metrics").items()) {
      metric(metric);
    }
    for (String direction : List.of("scaleUp", "scaleDown")) {
      if (spec.at("behavior", direction).isThere()) {
        rules(spec.at("behavior", direction));
      }
    }
  }

  /**
   * @param mayBeOfCore whether it may be of the group without a name
   */
  private static void reference(Place reference, boolean mayBeOfCore) {
    for (String field : List.of("kind", "name")) {
      Place value = reference.at(field);
      value.invalid(Names.pathSegment(value.text()));
    }
    String version = reference.at("apiVersion").text();
    int slash = version.indexOf('/');
    if (slash != version.lastIndexOf('/')) {
      reference.at("apiVersion").invalid(version, "unexpected GroupVersion string: " + version);
    } else if (slash <= 0 && !mayBeOfCore) {
      reference.at("apiVersion").invalid(version, "apiVersion must specify API group");
    }
  }

  private static void metric(Place metric) {
    String expected = SOURCES.get(metric.at("type").text());
    if (expected == null) {
      return;
    }
    Place source = metric.at(expected);
    if (!source.isThere()) {
      source.required("must populate information for the given metric source");
    } else {
      source(expected, source);
    }
    for (String other : SOURCES.values()) {
      if (!other.equals(expected) && metric.at(other).isThere()) {
        metric.at(other).forbidden("must populate the given metric source only");
      }
    }
  }

  private static void source(String kind, Place source) {
    Place target = source.at("target");
    target(target);
    switch (kind) {
      case "object" -> {
        reference(source.at("describedObject"), true);
        eitherValue(target, "must set either a target value or averageValue");
      }
      case "external" -> {
        eitherValue(target, "must set either a target value for metric or a per-pod target");
        if (target.at("value").isThere() && target.at("averageValue").isThere()) {
          target
              .at("value")
              .forbidden("may not set both a target value for metric and a per-pod target");
        }
      }
      case "pods" -> {
        if (!target.at("averageValue").isThere()) {
          target.at("averageValue").required("must specify a positive target averageValue");
        }
      }
      default -> {
        boolean share = target.at("averageUtilization").isThere();
        boolean amount = target.at("averageValue").isThere();
        if (!share && !amount) {
          target
              .at("averageUtilization")
              .required("must set either a target raw value or a target utilization");
        } else if (share && amount) {
          target
              .at("averageValue")
              .forbidden("may not set both a target raw value and a target utilization");
        }
      }
    }
  }

  private static void eitherValue(Place target, String detail) {
    if (!target.at("value").isThere() && !target.at("averageValue").isThere()) {
      target.at("averageValue").required(detail);
    }
  }

  private static void target(Place target) {
    if (!List.of("Utilization", "Value", "AverageValue").contains(target.at("type").text())) {
      target.at("type").invalid("must be either Utilization, Value, or AverageValue");
    }
    for (String field : List.of("value", "averageValue")) {
      Quantity quantity = Quantity.tryRead(target.at(field).node());
      if (quantity != null && quantity.signum() <= 0) {
        target.at(field).invalid("must be positive");
      }
    }
    Place share = target.at("averageUtilization");
    if (share.isThere() && share.number() < 1) {
      share.invalid("must be greater than 0");
    }
  }

  private static void rules(Place rules) {
    Place window = rules.at("stabilizationWindowSeconds");
    if (window.number() < 0) {
      window.invalid("must be greater than or equal to zero");
    }
    if (window.number() > WINDOW_SECONDS_MAX) {
      window.invalid("must be less than or equal to " + WINDOW_SECONDS_MAX);
    }
    if (rules.at("policies").isEmpty()) {
      rules.at("policies").required("must specify at least one Policy");
    }
    for (Place policy : rules.at("policies").items()) {
      for (String field : List.of("value", "periodSeconds")) {
        if (policy.at(field).number() <= 0) {
          policy.at(field).invalid("must be greater than zero");
        }
      }
      if (policy.at("periodSeconds").number() > PERIOD_SECONDS_MAX) {
        policy.at("periodSeconds").invalid("must be less than or equal to " + PERIOD_SECONDS_MAX);
      }
    }
  }
}
