package dev.evenkeel.serve.quota;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.quantity.Amounts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a quota limits, for which objects.
 *
 * @param name in the register
 * @param spec as the ResourceQuota has it, or would have it
 */
record QuotaSpec(
    String name, String uid, JsonNode spec, Amounts hard, List<ScopeRequirement> scopes) {

  static QuotaSpec of(String name, String uid, JsonNode spec) {
    return new QuotaSpec(name, uid, spec, Amounts.of(spec.path("hard")), ScopeRequirement.of(spec));
  }

  /**
   * @param isTenant whether the object is a TenantQuota
   */
  static QuotaSpec of(ObjectNode quota, boolean isTenant) {
    return isTenant
        ? of(
            TenantQuotas.registered(Meta.name(quota)),
            Meta.uid(quota),
            TenantQuotas.spec(quota.path("spec")))
        : of(Meta.name(quota), Meta.uid(quota), quota.path("spec"));
  }

  boolean isTenant() {
    return TenantQuotas.isRegistered(name);
  }

  ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("uid", uid);
    json.set("spec", spec.isObject() ? spec : JsonNodeFactory.instance.objectNode());
    return json;
  }

  /** Whether the object is one that this quota is about. */
  boolean isAbout(Evaluator evaluator, JsonNode object) {
    return scopes.stream().allMatch(scope -> evaluator.isIn(scope, object));
  }

  /** What the object uses of what is limited, which is nothing if the quota is not about it. */
  Amounts usage(Evaluator evaluator, JsonNode object) {
    return isAbout(evaluator, object)
        ? evaluator.usage(object).only(name -> hard.get(name) != null && evaluator.tracks(name))
        : Amounts.NONE;
  }

  boolean limitsAny(Evaluator evaluator) {
    return hard.names().stream().anyMatch(evaluator::tracks);
  }

  /** Whether what was counted for the other one is right for this one too. */
  boolean countsLike(QuotaSpec other) {
    return uid.equals(other.uid)
        && hard.names().equals(other.hard.names())
        && scopes.equals(other.scopes);
  }

  /** Those whose objects must be counted. */
  List<Evaluator> evaluators() {
    Map<String, Evaluator> byResource = new LinkedHashMap<>();
    for (String core : List.of("pods", "services", "persistentvolumeclaims")) {
      Evaluator evaluator = Evaluator.of("", core);
      if (limitsAny(evaluator)) {
        byResource.put(core, evaluator);
      }
    }
    for (String name : hard.names()) {
      if (name.startsWith("count/")) {
        String resource = name.substring("count/".length());
        int dot = resource.indexOf('.');
        byResource.putIfAbsent(
            resource,
            dot < 0
                ? Evaluator.of("", resource)
                : Evaluator.of(resource.substring(dot + 1), resource.substring(0, dot)));
      } else if (CountEvaluator.ALIASES.contains(name)) {
        byResource.putIfAbsent(name, Evaluator.of("", name));
      }
    }
    return new ArrayList<>(byResource.values());
  }
}
