package dev.evenkeel.serve.describe;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.registry.Served;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The document of OpenAPI 2: one for all kinds, for clients that know no better. */
record SecondVersion(Document json, Document protobuf) {

  private record GroupVersion(String group, String version) {}

  static SecondVersion make(List<Served> table, String serverVersion) {
    var types = new TypeWriter(Dialect.V2, Descriptions.read());
    var paths = new PathWriter(Dialect.V2, types);
    Set<GroupVersion> versions = new LinkedHashSet<>();
    for (Served served : table) {
      versions.add(new GroupVersion(served.group(), served.gvk().version()));
      paths.resource(served.definition());
    }
    versions.forEach(version -> paths.discovery(version.group, version.version));
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("swagger", "2.0");
    json.putObject("info").put("title", "Evenkeel").put("version", serverVersion);
    json.set("paths", paths.finish());
    json.set("definitions", types.finish());
    json.putObject("securityDefinitions").set("BearerToken", Dialect.bearerToken());
    return new SecondVersion(
        Document.of(Json.encode(json)), Document.of(ProtobufForm.encode(json)));
  }
}
