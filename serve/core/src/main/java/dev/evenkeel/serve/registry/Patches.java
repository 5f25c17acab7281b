package dev.evenkeel.serve.registry;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.patch.JsonPatch;
import dev.evenkeel.kernel.patch.MergePatch;
import dev.evenkeel.kernel.patch.StrategicMergePatch;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The patch that a call carries, by its content type. */
final class Patches {

  private static final List<String> ACCEPTED =
      List.of(
          "application/json-patch+json",
          "application/merge-patch+json",
          "application/strategic-merge-patch+json",
          Configuration.MEDIA_TYPE);

  private enum Type {
    JSON,
    MERGE,
    STRATEGIC
  }

  private final Type type;
  private final JsonNode patch;
  private final List<String> duplicateFields;
  private final ResourceDefinition definition;

  private Patches(
      Type type, JsonNode patch, List<String> duplicateFields, ResourceDefinition definition) {
    this.type = type;
    this.patch = patch;
    this.duplicateFields = duplicateFields;
    this.definition = definition;
  }

  static Patches read(Call call, ResourceDefinition definition) {
    Type type =
        switch (call.contentType()) {
          case "application/json-patch+json" -> Type.JSON;
          case "application/merge-patch+json" -> Type.MERGE;
          case "application/strategic-merge-patch+json" -> Type.STRATEGIC;
          default -> throw Status.unsupportedMediaType(accepted(definition)).asException();
        };
    if (type == Type.STRATEGIC && definition.rules().isCustom()) {
      throw Status.unsupportedMediaType(accepted(definition)).asException();
    }
    Json.Decoded decoded = Decoding.decode(call.request().body().bytes(), Json.Format.JSON);
    if (type != Type.JSON && !decoded.tree().isObject()) {
      throw Status.badRequest("the patch is not an object").asException();
    }
    return new Patches(type, decoded.tree(), decoded.duplicateFields(), definition);
  }

  /** A strategic merge needs merge keys, which users' kinds do not have. */
  private static List<String> accepted(ResourceDefinition definition) {
    return definition.rules().isCustom()
        ? ACCEPTED.stream().filter(type -> !type.contains("strategic")).toList()
        : ACCEPTED;
  }

  List<String> duplicateFields() {
    return type == Type.JSON ? List.of() : duplicateFields;
  }

  ObjectNode apply(ObjectNode current) {
    return switch (type) {
      case JSON -> JsonPatch.apply(patch, current.deepCopy());
      case MERGE -> MergePatch.apply(patch, current.deepCopy());
      case STRATEGIC ->
          StrategicMergePatch.apply((ObjectNode) patch, current.deepCopy(), definition.schema());
    };
  }
}
