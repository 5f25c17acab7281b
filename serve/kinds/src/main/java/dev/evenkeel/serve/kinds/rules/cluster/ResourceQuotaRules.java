package dev.evenkeel.serve.kinds.rules.cluster;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.check.Resources;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** Quotas. */
public final class ResourceQuotaRules implements KindRules {

  private static final Set<String> OF_PODS =
      Set.of(
          "pods",
          "cpu",
          "memory",
          "limits.cpu",
          "limits.memory",
          "requests.cpu",
          "requests.memory");

  private static final Set<String> OF_CLAIMS = Set.of("persistentvolumeclaims", "requests.storage");

  private static final Set<String> SCOPES =
      Set.of(
          "Terminating",
          "NotTerminating",
          "BestEffort",
          "NotBestEffort",
          "PriorityClass",
          "VolumeAttributesClass",
          "CrossNamespacePodAffinity");

  private static final Set<String> WITHOUT_VALUES =
      Set.of(
          "Terminating",
          "NotTerminating",
          "BestEffort",
          "NotBestEffort",
          "CrossNamespacePodAffinity");

  private static final List<List<String>> CONFLICTS =
      List.of(List.of("BestEffort", "NotBestEffort"), List.of("Terminating", "NotTerminating"));

  @Override
  public void prepareForCreate(ObjectNode quota) {
    quota.putObject("status");
  }

  @Override
  public void validate(ObjectNode quota, Problems problems) {
    Place spec = Place.of(quota, problems).at("spec");
    amounts(spec.at("hard"));
    scopes(spec);
    selector(spec);
  }

  private static void amounts(Place amounts) {
    for (Place entry : amounts.entries()) {
      Resources.quotaName(entry);
      Resources.amount(entry);
    }
  }

  private static void scopes(Place spec) {
    Place scopes = spec.at("scopes");
    for (String scope : scopes.strings()) {
      if (!SCOPES.contains(scope)) {
        scopes.invalid("unsupported scope");
      }
      if (!fits(scope, spec.at("hard"))) {
        scopes.invalid("unsupported scope applied to resource");
      }
    }
    conflicts(scopes, new HashSet<>(scopes.strings()));
  }

  private static void conflicts(Place told, Set<String> scopes) {
    for (List<String> conflict : CONFLICTS) {
      if (scopes.containsAll(conflict)) {
        told.invalid("conflicting scopes");
      }
    }
  }

  private static boolean fits(String scope, Place hard) {
    for (Place entry : hard.entries()) {
      String resource = entry.entryKey();
      boolean fits =
          switch (scope) {
            case "BestEffort" -> resource.equals("pods");
            case "VolumeAttributesClass" -> OF_CLAIMS.contains(resource);
            default -> OF_PODS.contains(resource);
          };
      if (!fits && SCOPES.contains(scope) && resource.indexOf('/') < 0) {
        return false;
      }
    }
    return true;
  }

  private static void selector(Place spec) {
    Place expressions = spec.at("scopeSelector", "matchExpressions");
    Set<String> scopes = new HashSet<>();
    for (Place expression : expressions.items()) {
      Place scope = expressions.at("scopeName").holding(expression.at("scopeName").node());
      Place operator = expressions.at("operator").holding(expression.at("operator").node());
      Place values = expressions.at("values").holding(expression.at("values").node());
      if (!SCOPES.contains(scope.text())) {
        scope.invalid("unsupported scope");
      }
      if (!fits(scope.text(), spec.at("hard"))) {
        expressions
            .holding(spec.at("scopeSelector").node())
            .invalid("unsupported scope applied to resource");
      }
      if (WITHOUT_VALUES.contains(scope.text()) && !operator.is("Exists")) {
        operator.invalid(
            "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating,"
                + " ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort,"
                + " ResourceQuotaScopeNotBestEffort or"
                + " ResourceQuotaScopeCrossNamespacePodAffinity");
      }
      operator(operator, values);
      scopes.add(scope.text());
    }
    conflicts(expressions, scopes);
  }

  private static void operator(Place operator, Place values) {
    switch (operator.text()) {
      case "In", "NotIn" -> {
        if (values.isEmpty()) {
          values.required(
              "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector");
        }
      }
      case "Exists", "DoesNotExist" -> {
        if (!values.isEmpty()) {
          values.invalid(
              "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector");
        }
      }
      default -> operator.invalid("not a valid selector operator");
    }
  }

  @Override
  public void validateUpdate(ObjectNode quota, ObjectNode old, Problems problems) {
    Place scopes = Place.of(quota, problems).at("spec", "scopes");
    Place before = Place.of(old, problems).at("spec", "scopes");
    if (!new HashSet<>(scopes.strings()).equals(new HashSet<>(before.strings()))) {
      scopes.invalid("field is immutable");
    }
  }

  @Override
  public void validateStatusUpdate(ObjectNode quota, ObjectNode old, Problems problems) {
    Place status = Place.of(quota, problems).at("status");
    amounts(status.at("hard"));
    amounts(status.at("used"));
  }
}
