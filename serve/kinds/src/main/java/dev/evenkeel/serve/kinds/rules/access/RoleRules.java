package dev.evenkeel.serve.kinds.rules.access;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.check.Selectors;
import tools.jackson.databind.node.ObjectNode;

/** Roles, of a namespace or of the cluster. */
public final class RoleRules implements KindRules {

  private final boolean namespaced;

  private RoleRules(boolean namespaced) {
    this.namespaced = namespaced;
  }

  public static RoleRules ofNamespace() {
    return new RoleRules(true);
  }

  public static RoleRules ofCluster() {
    return new RoleRules(false);
  }

  @Override
  public NameRule nameRule() {
    return NameRule.PATH_SEGMENT;
  }

  @Override
  public void validate(ObjectNode role, Problems problems) {
    Place whole = Place.of(role, problems);
    for (Place rule : whole.at("rules").items()) {
      rule(rule);
    }
    Place aggregation = whole.at("aggregationRule");
    if (aggregation.isThere()) {
      Place selectors = aggregation.at("clusterRoleSelectors");
      if (selectors.isEmpty()) {
        selectors.required(
            "at least one clusterRoleSelector required if aggregationRule is non-nil");
      }
      selectors.items().forEach(Selectors::validate);
    }
  }

  private void rule(Place rule) {
    if (rule.at("verbs").isEmpty()) {
      rule.at("verbs").required("verbs must contain at least one value");
    }
    Place urls = rule.at("nonResourceURLs");
    boolean ofResources =
        !rule.at("apiGroups").isEmpty()
            || !rule.at("resources").isEmpty()
            || !rule.at("resourceNames").isEmpty();
    if (!urls.isEmpty()) {
      if (namespaced) {
        urls.invalid("namespaced rules cannot apply to non-resource URLs");
      }
      if (ofResources) {
        urls.invalid("rules cannot apply to both regular resources and non-resource URLs");
      }
      return;
    }
    if (rule.at("apiGroups").isEmpty()) {
      rule.at("apiGroups").required("resource rules must supply at least one api group");
    }
    if (rule.at("resources").isEmpty()) {
      rule.at("resources").required("resource rules must supply at least one resource");
    }
  }
}
