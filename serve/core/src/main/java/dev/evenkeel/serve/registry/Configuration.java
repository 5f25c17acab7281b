package dev.evenkeel.serve.registry;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.apply.TypeCheck;
import dev.evenkeel.kernel.apply.TypeException;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.json.JsonException;
import dev.evenkeel.kernel.schema.Schema;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a client applies: the fields it wants, and only those.
 *
 * @param object in the shape of its schema
 * @param sent as it was sent
 */
record Configuration(ObjectNode object, ObjectNode sent) {

  static final String MEDIA_TYPE = "application/apply-patch+yaml";

  /** Reads the body of an apply; YAML, of which JSON is a part. */
  static Configuration read(Call call, Gvk expected, Schema.Struct schema) {
    Json.Decoded decoded = decode(call.request().body().bytes());
    if (!(decoded.tree() instanceof ObjectNode sent)) {
      throw Status.badRequest("error decoding patch: the patch is not an object").asException();
    }
    checkKind(sent, expected);
    JsonNode managers = sent.path("metadata").path(Managers.FIELD);
    if (managers.isArray() && !managers.isEmpty()) {
      throw Status.badRequest("metadata.managedFields must be nil").asException();
    }
    ObjectNode object = sent.deepCopy();
    if (object.get("metadata") instanceof ObjectNode metadata) {
      metadata.remove(Managers.FIELD);
    }
    try {
      TypeCheck.check(object, schema);
    } catch (TypeException e) {
      throw Status.badRequest(
              "failed to create typed patch object ("
                  + Meta.namespace(sent)
                  + "/"
                  + Meta.name(sent)
                  + "; "
                  + expected.apiVersion()
                  + ", Kind="
                  + expected.kind()
                  + "): "
                  + e.getMessage())
          .asException();
    }
    Decoding.shape(call, object, schema, expected.kind(), decoded.duplicateFields());
    return new Configuration(object, sent);
  }

  private static Json.Decoded decode(byte[] body) {
    try {
      // Most clients send JSON, and its parser is the faster one.
      return Json.decode(body, looksLikeJson(body) ? Json.Format.JSON : Json.Format.YAML);
    } catch (JsonException e) {
      throw Status.badRequest("error decoding patch: " + e.getMessage()).asException();
    }
  }

  private static boolean looksLikeJson(byte[] body) {
    int last = body.length - 1;
    while (last > 0 && body[last] <= ' ') {
      last--;
    }
    return body.length > 1 && body[0] == '{' && body[1] == '"' && body[last] == '}';
  }

  private static void checkKind(ObjectNode sent, Gvk expected) {
    String apiVersion = Meta.text(sent.path("apiVersion"));
    String kind = Meta.text(sent.path("kind"));
    if (!apiVersion.equals(expected.apiVersion()) || !kind.equals(expected.kind())) {
      Gvk given = Gvk.of(apiVersion, kind);
      throw Status.badRequest(
              "invalid object type: " + given.group() + "/" + given.version() + ", Kind=" + kind)
          .asException();
    }
  }

  /** The same for another object: what a scale says of what is scaled. */
  static Configuration of(ObjectNode object) {
    return new Configuration(object, object);
  }
}
