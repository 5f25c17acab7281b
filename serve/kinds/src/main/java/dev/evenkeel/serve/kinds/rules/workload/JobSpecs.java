package dev.evenkeel.serve.kinds.rules.workload;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.pod.PodTemplates;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** The spec of a job, of its own or as a template in a cron job. */
final class JobSpecs {

  private static final long INDEXED_PARALLELISM_MAX = 100_000;
  private static final long FAILED_INDEXES_MAX = 100_000;
  private static final int MANAGED_BY_LENGTH_MAX = 63;
  private static final int RULES_MAX = 20;
  private static final int EXIT_CODES_MAX = 255;

  private JobSpecs() {}

  static void validate(Place spec) {
    Place template = spec.at("template");
    if (spec.at("maxFailedIndexes").isThere() && !spec.at("backoffLimitPerIndex").isThere()) {
      spec.at("backoffLimitPerIndex").required("when maxFailedIndexes is specified");
    }
    Place manager = spec.at("managedBy");
    if (manager.isThere()) {
      manager.invalid(Names.domainPrefixedPath(manager.text()));
      if (manager.text().length() > MANAGED_BY_LENGTH_MAX) {
        manager.tooLong(MANAGED_BY_LENGTH_MAX);
      }
    }
    if (spec.at("completionMode").is("Indexed")) {
      indexed(spec);
    } else {
      for (String field : List.of("backoffLimitPerIndex", "maxFailedIndexes", "successPolicy")) {
        if (spec.at(field).isThere()) {
          spec.at(field).invalid("requires indexed completion mode");
        }
      }
    }
    if (spec.at("podFailurePolicy").isThere()) {
      failurePolicy(spec);
    }
    PodTemplates.validate(template);
    restartPolicy(template.at("spec", "restartPolicy"), spec.at("podFailurePolicy").isThere());
  }

  private static void restartPolicy(Place policy, boolean hasFailurePolicy) {
    if (policy.isEmpty() || policy.is("Always")) {
      policy.required("valid values: \"OnFailure\", \"Never\"");
    } else if (!policy.is("OnFailure") && !policy.is("Never")) {
      policy.notSupported(List.of("OnFailure", "Never"));
    } else if (hasFailurePolicy && !policy.is("Never")) {
      policy.invalid("only \"Never\" is supported when podFailurePolicy is specified");
    }
  }

  private static void indexed(Place spec) {
    Place completions = spec.at("completions");
    Place parallelism = spec.at("parallelism");
    Place failed = spec.at("maxFailedIndexes");
    if (!completions.isThere()) {
      completions.required("when completion mode is Indexed");
    }
    if (parallelism.number() > INDEXED_PARALLELISM_MAX) {
      parallelism.invalid(
          "must be less than or equal to "
              + INDEXED_PARALLELISM_MAX
              + " when completion mode is Indexed");
    }
    if (completions.isThere() && failed.number() > completions.number()) {
      failed.invalid("must be less than or equal to completions");
    }
    if (failed.number() > FAILED_INDEXES_MAX) {
      failed.invalid("must be less than or equal to " + FAILED_INDEXES_MAX);
    }
    Place policy = spec.at("successPolicy");
    if (policy.isThere() && policy.at("rules").isEmpty()) {
      policy
          .at("rules")
          .required("at least one rules must be specified when the successPolicy is specified");
    }
  }

  private static void failurePolicy(Place spec) {
    Place rules = spec.at("podFailurePolicy", "rules");
    if (rules.size() > RULES_MAX) {
      rules.tooMany(RULES_MAX);
    }
    Place replacement = spec.at("podReplacementPolicy");
    replacement.oneOf(List.of("Failed"));
    Set<String> containers = new HashSet<>();
    for (String list : List.of("containers", "initContainers")) {
      for (JsonNode container : spec.at("template", "spec", list).node()) {
        containers.add(Meta.text(container.path("name")));
      }
    }
    for (Place rule : rules.items()) {
      Place action = rule.at("action");
      if (action.is("FailIndex") && !spec.at("backoffLimitPerIndex").isThere()) {
        action.invalid("requires the backoffLimitPerIndex to be set");
      }
      boolean byCode = rule.at("onExitCodes").isThere();
      boolean byCondition = !rule.at("onPodConditions").isEmpty();
      if (byCode) {
        exitCodes(rule.at("onExitCodes"), containers);
      }
      for (Place pattern : rule.at("onPodConditions").items()) {
        pattern.at("type").invalid(Names.qualifiedName(pattern.at("type").text()));
      }
      if (byCode == byCondition) {
        rule.problems()
            .invalid(
                rule.toString(),
                byCode
                    ? "specifying both OnExitCodes and OnPodConditions is not supported"
                    : "specifying one of OnExitCodes and OnPodConditions is required");
      }
    }
  }

  private static void exitCodes(Place codes, Set<String> containers) {
    Place container = codes.at("containerName");
    if (container.isThere() && !containers.contains(container.text())) {
      container.invalid("must be one of the container or initContainer names in the pod template");
    }
    Place values = codes.at("values");
    if (values.isEmpty()) {
      values.invalid("at least one value is required");
    } else if (values.size() > EXIT_CODES_MAX) {
      values.tooMany(EXIT_CODES_MAX);
    }
    Set<Long> seen = new HashSet<>();
    long before = Long.MIN_VALUE;
    boolean ordered = true;
    for (Place value : values.items()) {
      if (codes.at("operator").is("In") && value.number() == 0) {
        value.invalid("must not be 0 for the In operator");
      }
      if (!seen.add(value.number())) {
        value.duplicate();
      }
      ordered &= before <= value.number();
      before = value.number();
    }
    if (!ordered) {
      values.invalid("must be ordered");
    }
  }
}
