package dev.evenkeel.serve.describe;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.resource.ResourceTable;
import dev.evenkeel.serve.resource.Served;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Which groups, versions and kinds there are, in the old form and in the aggregated one. */
public final class Discovery {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final ResourceTable resources;

  public Discovery(ResourceTable resources) {
    this.resources = resources;
  }

  /** {@code /api} */
  public ObjectNode legacyVersions() {
    ObjectNode json = NODES.objectNode().put("kind", "APIVersions");
    json.putArray("versions").add("v1");
    json.putArray("serverAddressByClientCIDRs");
    return json;
  }

  /** {@code /apis} */
  public ObjectNode groups() {
    ObjectNode json = NODES.objectNode().put("kind", "APIGroupList").put("apiVersion", "v1");
    ArrayNode groups = json.putArray("groups");
    groupVersions()
        .forEach(
            (group, versions) -> {
              if (!group.isEmpty()) {
                groups.add(group(group, versions));
              }
            });
    return json;
  }

  /** {@code /apis/GROUP}, null if there is no such group. */
  public @Nullable ObjectNode group(String name) {
    List<String> versions = groupVersions().get(name);
    if (versions == null || name.isEmpty()) {
      return null;
    }
    return group(name, versions).put("kind", "APIGroup").put("apiVersion", "v1");
  }

  private static ObjectNode group(String name, List<String> versions) {
    ObjectNode json = NODES.objectNode().put("name", name);
    ArrayNode all = json.putArray("versions");
    for (String version : versions) {
      all.add(groupVersion(name, version));
    }
    json.set("preferredVersion", groupVersion(name, versions.getFirst()));
    return json;
  }

  private static ObjectNode groupVersion(String group, String version) {
    return NODES
        .objectNode()
        .put("groupVersion", new Gvk(group, version, "").apiVersion())
        .put("version", version);
  }

  /** Newer versions first: {@code v2} before {@code v1} before {@code v1beta1}. */
  private Map<String, List<String>> groupVersions() {
    Map<String, List<String>> groups = resources.groups();
    groups.replaceAll(
        (_, versions) -> {
          List<String> sorted = new ArrayList<>(versions);
          sorted.sort(
              Comparator.comparingInt(
                      (String version) ->
                          version.contains("alpha") ? 0 : version.contains("beta") ? 1 : 2)
                  .thenComparing(Comparator.naturalOrder())
                  .reversed());
          return sorted;
        });
    return groups;
  }

  /** {@code /api/v1} and {@code /apis/GROUP/VERSION}, null if there is no such version. */
  public @Nullable ObjectNode resources(String group, String version) {
    ObjectNode json = NODES.objectNode().put("kind", "APIResourceList");
    if (!group.isEmpty()) {
      // Upstream's oldest group does not say it, and clients know it so.
      json.put("apiVersion", "v1");
    }
    json.put("groupVersion", new Gvk(group, version, "").apiVersion());
    ArrayNode list = json.putArray("resources");
    for (Served served : resources.all()) {
      if (served.gvk().group().equals(group) && served.gvk().version().equals(version)) {
        ResourceDefinition definition = served.definition();
        ObjectNode main =
            resource(definition, definition.plural(), definition.gvk(), definition.verbs());
        names(main, definition);
        list.add(main);
        for (ResourceDefinition.Subresource subresource : definition.subresources()) {
          Gvk kind = subresource.gvk() == null ? definition.gvk() : subresource.gvk();
          ObjectNode sub =
              resource(
                  definition,
                  definition.plural() + "/" + subresource.name(),
                  kind,
                  subresource.verbs());
          if (!sameVersion(kind, definition.gvk())) {
            sub.put("group", kind.group()).put("version", kind.version());
          }
          list.add(sub);
        }
      }
    }
    return list.isEmpty() ? null : json;
  }

  private static boolean sameVersion(Gvk one, Gvk other) {
    return one.group().equals(other.group()) && one.version().equals(other.version());
  }

  private static ObjectNode resource(
      ResourceDefinition definition, String name, Gvk gvk, java.util.Set<String> verbs) {
    ObjectNode json = NODES.objectNode();
    json.put("name", name);
    json.put("singularName", name.contains("/") ? "" : definition.names().singular());
    json.put("namespaced", definition.namespaced());
    json.put("kind", gvk.kind());
    ArrayNode all = json.putArray("verbs");
    verbs.stream().sorted().forEach(all::add);
    return json;
  }

  private static void names(ObjectNode json, ResourceDefinition definition) {
    if (!definition.names().shortNames().isEmpty()) {
      ArrayNode names = json.putArray("shortNames");
      definition.names().shortNames().forEach(names::add);
    }
    if (!definition.names().categories().isEmpty()) {
      ArrayNode categories = json.putArray("categories");
      definition.names().categories().forEach(categories::add);
    }
  }

  /** {@code /api} or {@code /apis} in the aggregated form. */
  ObjectNode aggregated(boolean core) {
    ObjectNode json =
        NODES
            .objectNode()
            .put("kind", "APIGroupDiscoveryList")
            .put("apiVersion", "apidiscovery.k8s.io/v2");
    json.putObject("metadata");
    ArrayNode items = json.putArray("items");
    groupVersions()
        .forEach(
            (group, versions) -> {
              if (group.isEmpty() == core) {
                ObjectNode item = items.addObject();
                ObjectNode metadata = item.putObject("metadata");
                if (!group.isEmpty()) {
                  metadata.put("name", group);
                }
                metadata.putNull("creationTimestamp");
                ArrayNode all = item.putArray("versions");
                versions.forEach(version -> all.add(aggregatedVersion(group, version)));
              }
            });
    return json;
  }

  private ObjectNode aggregatedVersion(String group, String version) {
    ObjectNode json = NODES.objectNode().put("version", version);
    ArrayNode list = json.putArray("resources");
    for (Served served : resources.all()) {
      if (served.gvk().group().equals(group) && served.gvk().version().equals(version)) {
        list.add(aggregatedResource(served.definition()));
      }
    }
    json.put("freshness", "Current");
    return json;
  }

  private static ObjectNode aggregatedResource(ResourceDefinition definition) {
    ObjectNode json = NODES.objectNode().put("resource", definition.plural());
    kind(json, definition.gvk());
    json.put("scope", definition.namespaced() ? "Namespaced" : "Cluster");
    json.put("singularResource", definition.names().singular());
    ArrayNode verbs = json.putArray("verbs");
    definition.verbs().stream().sorted().forEach(verbs::add);
    names(json, definition);
    if (!definition.subresources().isEmpty()) {
      ArrayNode subresources = json.putArray("subresources");
      for (ResourceDefinition.Subresource subresource : definition.subresources()) {
        ObjectNode sub = subresources.addObject().put("subresource", subresource.name());
        kind(sub, subresource.gvk() == null ? definition.gvk() : subresource.gvk());
        ArrayNode subverbs = sub.putArray("verbs");
        subresource.verbs().stream().sorted().forEach(subverbs::add);
      }
    }
    return json;
  }

  private static void kind(ObjectNode json, Gvk gvk) {
    json.putObject("responseKind")
        .put("group", gvk.group())
        .put("version", gvk.version())
        .put("kind", gvk.kind());
  }
}
