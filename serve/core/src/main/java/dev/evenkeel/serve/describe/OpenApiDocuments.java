package dev.evenkeel.serve.describe;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.registry.Served;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The documents of the third version: one for each version of each group, and an index.
 *
 * @param table what they were made from
 * @param byPath {@code api/v1}, {@code apis/apps/v1}, …
 * @param index where each of them is
 */
record OpenApiDocuments(List<Served> table, Map<String, Part> byPath, Document index) {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /**
   * The document of one version of a group.
   *
   * @param kinds what it was made from
   */
  record Part(List<Served> kinds, Document document) {}

  /** Makes the documents, except for those that can be taken over from the ones before. */
  static OpenApiDocuments make(List<Served> table, Map<String, Part> before, String serverVersion) {
    Map<String, List<Served>> kinds = new TreeMap<>();
    for (Served served : table) {
      kinds.computeIfAbsent(pathOf(served), _ -> new java.util.ArrayList<>()).add(served);
    }
    Map<String, Part> byPath = new TreeMap<>();
    kinds.forEach(
        (path, of) -> {
          Part known = before.get(path);
          byPath.put(
              path,
              known != null && known.kinds.equals(of)
                  ? known
                  : new Part(List.copyOf(of), document(of, serverVersion)));
        });
    return new OpenApiDocuments(table, byPath, index(byPath));
  }

  private static String pathOf(Served served) {
    String version = served.gvk().version();
    return served.group().isEmpty() ? "api/" + version : "apis/" + served.group() + "/" + version;
  }

  private static Document index(Map<String, Part> byPath) {
    ObjectNode json = NODES.objectNode();
    ObjectNode paths = json.putObject("paths");
    byPath.forEach(
        (path, part) ->
            paths
                .putObject(path)
                .put("serverRelativeURL", "/openapi/v3/" + path + "?hash=" + part.document.hash()));
    return Document.of(Json.encode(json));
  }

  private static Document document(List<Served> kinds, String serverVersion) {
    var types = new TypeWriter(Dialect.V3);
    var paths = new PathWriter(Dialect.V3, types);
    Served first = kinds.getFirst();
    paths.discovery(first.group(), first.gvk().version());
    kinds.forEach(served -> paths.resource(served.definition()));
    ObjectNode json = NODES.objectNode().put("openapi", "3.0.0");
    json.putObject("info").put("title", "Evenkeel").put("version", serverVersion);
    json.set("paths", paths.finish());
    ObjectNode components = json.putObject("components");
    components.set("schemas", types.finish());
    components
        .putObject("securitySchemes")
        .putObject("BearerToken")
        .put("description", "Bearer token")
        .put("in", "header")
        .put("name", "authorization")
        .put("type", "apiKey");
    return Document.of(Json.encode(json));
  }
}
