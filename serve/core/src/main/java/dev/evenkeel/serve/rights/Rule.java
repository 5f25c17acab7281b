package dev.evenkeel.serve.rights;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.json.GoText;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a role allows: verbs on resources, or on paths that are no resources.
 *
 * @param names of the objects it is limited to; empty for all of them
 * @param paths may end in a star
 */
public record Rule(
    List<String> verbs,
    List<String> groups,
    List<String> resources,
    List<String> names,
    List<String> paths) {

  private static final String ALL = "*";

  public Rule {
    verbs = List.copyOf(verbs);
    groups = List.copyOf(groups);
    resources = List.copyOf(resources);
    names = List.copyOf(names);
    paths = List.copyOf(paths);
  }

  /** All rules of a role, as its object has them. */
  public static List<Rule> of(JsonNode rules) {
    List<Rule> all = new ArrayList<>(rules.size());
    for (JsonNode rule : rules) {
      all.add(
          new Rule(
              texts(rule.path("verbs")),
              texts(rule.path("apiGroups")),
              texts(rule.path("resources")),
              texts(rule.path("resourceNames")),
              texts(rule.path("nonResourceURLs"))));
    }
    return all;
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>(array.size());
    for (JsonNode text : array) {
      texts.add(Meta.text(text));
    }
    return texts;
  }

  /** As a role's object has them. */
  public static ArrayNode toJson(List<Rule> rules) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    for (Rule rule : rules) {
      ObjectNode object = array.addObject();
      put(object, "verbs", rule.verbs);
      put(object, "apiGroups", rule.groups);
      put(object, "resources", rule.resources);
      put(object, "resourceNames", rule.names);
      put(object, "nonResourceURLs", rule.paths);
    }
    return array;
  }

  private static void put(ObjectNode object, String field, List<String> texts) {
    if (!texts.isEmpty()) {
      texts.forEach(object.putArray(field)::add);
    }
  }

  /**
   * Whether it allows this.
   *
   * @param resource the resource with its subresource, made once for all rules
   */
  boolean allows(Attributes wanted, String resource) {
    return hasVerb(wanted.verb())
        && (wanted.path() == null
            ? hasGroup(wanted.group())
                && hasResource(resource, wanted.subresource())
                && hasName(wanted.name())
            : hasPath(wanted.path()));
  }

  boolean hasVerb(String verb) {
    return verbs.contains(ALL) || verbs.contains(verb);
  }

  boolean hasGroup(String group) {
    return groups.contains(ALL) || groups.contains(group);
  }

  /** A star before a subresource stands for every resource that has it. */
  boolean hasResource(String resource, String subresource) {
    for (String mine : resources) {
      if (mine.equals(ALL)
          || mine.equals(resource)
          || (!subresource.isEmpty()
              && mine.length() == subresource.length() + 2
              && mine.startsWith("*/")
              && mine.endsWith(subresource))) {
        return true;
      }
    }
    return false;
  }

  boolean hasName(String name) {
    return names.isEmpty() || names.contains(name);
  }

  boolean hasPath(String path) {
    for (String mine : paths) {
      if (mine.equals(path) || (mine.endsWith(ALL) && path.startsWith(stem(mine)))) {
        return true;
      }
    }
    return false;
  }

  private static String stem(String pattern) {
    int end = pattern.length();
    while (end > 0 && pattern.charAt(end - 1) == '*') {
      end--;
    }
    return pattern.substring(0, end);
  }

  /** Whether it allows everything that another one does, which has one of each at most. */
  boolean covers(Rule atom) {
    return (verbs.contains(ALL) || verbs.containsAll(atom.verbs))
        && (groups.contains(ALL) || groups.containsAll(atom.groups))
        && coversResources(atom.resources)
        && (names.isEmpty() || (!atom.names.isEmpty() && names.containsAll(atom.names)))
        && atom.paths.stream().allMatch(this::hasPath);
  }

  private boolean coversResources(List<String> others) {
    for (String other : others) {
      int slash = other.indexOf('/');
      if (!resources.contains(ALL)
          && !resources.contains(other)
          && (slash < 0 || !resources.contains("*" + other.substring(slash)))) {
        return false;
      }
    }
    return true;
  }

  /** In upstream's words, which are Go's. */
  @Override
  public String toString() {
    List<String> parts = new ArrayList<>(5);
    part(parts, "APIGroups", groups);
    part(parts, "Resources", resources);
    part(parts, "NonResourceURLs", paths);
    part(parts, "ResourceNames", names);
    part(parts, "Verbs", verbs);
    return "{" + String.join(", ", parts) + "}";
  }

  private static void part(List<String> parts, String name, List<String> texts) {
    if (!texts.isEmpty()) {
      parts.add(name + ":" + quoted(texts));
    }
  }

  static String quoted(List<String> texts) {
    return texts.stream().map(GoText::quoted).collect(Collectors.joining(" ", "[", "]"));
  }
}
