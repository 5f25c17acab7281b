package dev.evenkeel.serve.kinds.policy;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.selector.LabelSelector;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Which writes a policy, or a binding of it, is about. */
public final class Matching {

  /** For bindings that leave it to the policy. */
  public static final Matching ALL =
      new Matching(List.of(), List.of(), LabelSelector.EVERYTHING, LabelSelector.EVERYTHING, false);

  private final List<ResourceRule> rules;
  private final List<ResourceRule> excluded;
  private final LabelSelector namespaceSelector;
  private final LabelSelector objectSelector;
  private final boolean exact;

  private Matching(
      List<ResourceRule> rules,
      List<ResourceRule> excluded,
      LabelSelector namespaceSelector,
      LabelSelector objectSelector,
      boolean exact) {
    this.rules = rules;
    this.excluded = excluded;
    this.namespaceSelector = namespaceSelector;
    this.objectSelector = objectSelector;
    this.exact = exact;
  }

  /** Reads {@code matchConstraints} or {@code matchResources}. */
  static Matching read(JsonNode resources) {
    if (!resources.isObject()) {
      return ALL;
    }
    return new Matching(
        ResourceRule.read(resources.path("resourceRules")),
        ResourceRule.read(resources.path("excludeResourceRules")),
        selector(resources.path("namespaceSelector")),
        selector(resources.path("objectSelector")),
        Meta.text(resources.path("matchPolicy")).equals("Exact"));
  }

  /** Reads which writes a webhook is about. */
  public static Matching ofWebhook(JsonNode hook) {
    return new Matching(
        ResourceRule.read(hook.path("rules")),
        List.of(),
        selector(hook.path("namespaceSelector")),
        selector(hook.path("objectSelector")),
        Meta.text(hook.path("matchPolicy")).equals("Exact"));
  }

  private static LabelSelector selector(JsonNode selector) {
    if (!selector.isObject()) {
      return LabelSelector.EVERYTHING;
    }
    try {
      return LabelSelector.fromJson(selector);
    } catch (ApiException e) {
      // The kind's rules have said so to whoever wrote it.
      return LabelSelector.NOTHING;
    }
  }

  /**
   * As what the write matches: the version of the kind that a rule names. A write whose name is not
   * known yet matches if it would with some name.
   *
   * @param equivalents the same write in the other versions of the kind
   * @return null if it does not
   */
  public @Nullable Asked match(Asked asked, List<Asked> equivalents) {
    if (first(excluded, ResourceRule::matches, asked, equivalents) != null) {
      return null;
    }
    return rules.isEmpty() ? asked : first(rules, ResourceRule::mayMatch, asked, equivalents);
  }

  private @Nullable Asked first(
      List<ResourceRule> among,
      BiPredicate<ResourceRule, Asked> matches,
      Asked asked,
      List<Asked> equivalents) {
    for (ResourceRule rule : among) {
      if (matches.test(rule, asked)) {
        return asked;
      }
    }
    if (!exact) {
      for (ResourceRule rule : among) {
        for (Asked other : equivalents) {
          if (matches.test(rule, other)) {
            return other;
          }
        }
      }
    }
    return null;
  }

  /** Whether it looks at the labels of namespaces. */
  public boolean looksAtNamespaces() {
    return !namespaceSelector.isEverything();
  }

  /** Whether a namespace with such labels is meant. */
  public boolean matchesNamespace(Map<String, String> labels) {
    return namespaceSelector.matches(labels);
  }

  /** Whether it looks at the labels of objects. */
  public boolean looksAtObjects() {
    return !objectSelector.isEverything();
  }

  /** Whether the object, as it is or as it is to be, is meant. */
  public boolean matchesObject(@Nullable ObjectNode object, @Nullable ObjectNode old) {
    return objectSelector.isEverything()
        || (object != null && objectSelector.matches(Meta.labels(object)))
        || (old != null && objectSelector.matches(Meta.labels(old)));
  }

  List<ResourceRule> rules() {
    return rules;
  }
}
