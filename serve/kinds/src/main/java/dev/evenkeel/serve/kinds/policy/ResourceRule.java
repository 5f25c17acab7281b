package dev.evenkeel.serve.kinds.policy;

import dev.evenkeel.kernel.api.Meta;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Which writes of which kinds are meant. A star stands for all.
 *
 * @param resources as {@code pods}, {@code pods/status}, {@code pods/*} or {@code *}{@code /scale}
 * @param scope {@code Cluster}, {@code Namespaced} or {@code *}
 * @param names empty for any
 */
record ResourceRule(
    Set<String> operations,
    Set<String> groups,
    Set<String> versions,
    List<String> resources,
    String scope,
    Set<String> names) {

  static List<ResourceRule> read(JsonNode rules) {
    List<ResourceRule> read = new ArrayList<>(rules.size());
    for (JsonNode rule : rules) {
      String scope = Meta.text(rule.path("scope"));
      read.add(
          new ResourceRule(
              texts(rule.path("operations")),
              texts(rule.path("apiGroups")),
              texts(rule.path("apiVersions")),
              List.copyOf(texts(rule.path("resources"))),
              scope.isEmpty() ? "*" : scope,
              texts(rule.path("resourceNames"))));
    }
    return List.copyOf(read);
  }

  private static Set<String> texts(JsonNode list) {
    Set<String> texts = new HashSet<>();
    list.forEach(text -> texts.add(Meta.text(text)));
    return texts;
  }

  boolean matches(Asked asked) {
    return hasOrAll(operations, asked.operation())
        && hasOrAll(groups, asked.group())
        && hasOrAll(versions, asked.version())
        && matchesScope(asked)
        && matchesResource(asked)
        && (names.isEmpty() || names.contains(asked.name()));
  }

  /** The same, of a write whose name is not known yet: whether there is a name it matches with. */
  boolean mayMatch(Asked asked) {
    return matches(asked) || (asked.isUnnamed() && withoutNames().matches(asked));
  }

  private ResourceRule withoutNames() {
    return new ResourceRule(operations, groups, versions, resources, scope, Set.of());
  }

  private static boolean hasOrAll(Set<String> words, String word) {
    return words.contains("*") || words.contains(word);
  }

  /** A namespace is in no namespace, whatever its path says. */
  private boolean matchesScope(Asked asked) {
    boolean inNamespace = !asked.namespace().isEmpty() && !asked.isNamespace();
    return switch (scope) {
      case "Namespaced" -> inNamespace;
      case "Cluster" -> !inNamespace;
      default -> true;
    };
  }

  private boolean matchesResource(Asked asked) {
    for (String resource : resources) {
      int slash = resource.indexOf('/');
      String plural = slash < 0 ? resource : resource.substring(0, slash);
      String subresource = slash < 0 ? "" : resource.substring(slash + 1);
      if ((plural.equals("*") || plural.equals(asked.plural()))
          && (subresource.equals("*") || subresource.equals(asked.subresource()))) {
        return true;
      }
    }
    return false;
  }

  boolean namesKinds() {
    return !groups.contains("*") && !versions.contains("*");
  }
}
