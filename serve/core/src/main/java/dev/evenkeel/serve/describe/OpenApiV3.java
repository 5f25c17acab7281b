package dev.evenkeel.serve.describe;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.resource.Served;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The documents of OpenAPI 3: one for each version of each group, small ones for what lists them,
 * and an index.
 *
 * @param parts by path: {@code api/v1}, {@code apis}, {@code apis/apps}, {@code apis/apps/v1}, …
 * @param index where each of them is. It has their hashes, so all are made for it
 */
record OpenApiV3(Map<String, Part> parts, Document index) {

  private static final String GROUPS = "apis/";

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /**
   * The document of one version of a group.
   *
   * @param kinds what it was made from
   */
  private record Part(List<Served> kinds, Document document) {}

  @Nullable Document document(String path) {
    Part part = parts.get(path);
    return part == null ? null : part.document;
  }

  /** Makes the documents, except for those whose kinds are still the same. */
  static OpenApiV3 make(List<Served> table, @Nullable OpenApiV3 before, String serverVersion) {
    Map<String, List<Served>> kinds = new TreeMap<>();
    for (Served served : table) {
      kinds.computeIfAbsent(path(served), _ -> new ArrayList<>()).add(served);
    }
    Descriptions words = Descriptions.read();
    Map<String, Part> parts = new TreeMap<>();
    kinds.forEach(
        (path, of) -> {
          Part known = before == null ? null : before.parts.get(path);
          parts.put(
              path,
              known != null && known.kinds.equals(of)
                  ? known
                  : new Part(
                      List.copyOf(of), document(paths -> kinds(paths, of), words, serverVersion)));
        });
    Set<String> builtIn = new TreeSet<>();
    for (Served served : table) {
      if (!served.definition().rules().isCustom()) {
        builtIn.add(path(served));
      }
    }
    indexes(builtIn)
        .forEach(
            (path, content) -> {
              Part known = before == null ? null : before.parts.get(path);
              parts.put(
                  path,
                  known != null
                      ? known
                      : new Part(List.of(), document(content, words, serverVersion)));
            });
    return new OpenApiV3(parts, index(parts));
  }

  /** What tells of the server and of its groups, by path. */
  private static Map<String, Consumer<PathWriter>> indexes(Set<String> versions) {
    Map<String, Consumer<PathWriter>> indexes = new TreeMap<>();
    indexes.put("version", PathWriter::serverVersion);
    indexes.put("api", PathWriter::coreVersions);
    indexes.put("apis", PathWriter::groups);
    for (String path : versions) {
      if (path.startsWith(GROUPS)) {
        String group = path.substring(GROUPS.length(), path.lastIndexOf('/'));
        indexes.put(GROUPS + group, paths -> paths.group(group));
      }
    }
    return indexes;
  }

  private static String path(Served served) {
    String version = served.gvk().version();
    return served.group().isEmpty() ? "api/" + version : GROUPS + served.group() + "/" + version;
  }

  private static Document index(Map<String, Part> parts) {
    ObjectNode json = NODES.objectNode();
    ObjectNode paths = json.putObject("paths");
    parts.forEach(
        (path, part) ->
            paths
                .putObject(path)
                .put("serverRelativeURL", "/openapi/v3/" + path + "?hash=" + part.document.hash()));
    return Document.of(List.of(Chunk.of(List.of(Json.encode(json)), "")));
  }

  private static void kinds(PathWriter paths, List<Served> kinds) {
    Served first = kinds.getFirst();
    if (kinds.stream().anyMatch(served -> !served.definition().rules().isCustom())) {
      paths.discovery(first.group(), first.gvk().version());
    }
    kinds.forEach(served -> paths.resource(served.definition()));
  }

  private static Document document(
      Consumer<PathWriter> content, Descriptions words, String serverVersion) {
    var types = new TypeWriter(Dialect.V3, words, Form.JSON, Set.of());
    var paths = new PathWriter(Dialect.V3, types, Form.JSON);
    content.accept(paths);
    ObjectNode info = NODES.objectNode().put("title", "Evenkeel").put("version", serverVersion);
    return Document.of(
        List.of(
            Chunk.of("{\"openapi\":\"3.0.0\",\"info\":" + info + ",\"paths\":{"),
            Form.JSON.inARow(paths.finish().values()),
            Chunk.of("},\"components\":{\"schemas\":{"),
            Form.JSON.inARow(types.finish().values()),
            Chunk.of("},\"securitySchemes\":{\"BearerToken\":" + Dialect.bearerToken() + "}}}")));
  }
}
