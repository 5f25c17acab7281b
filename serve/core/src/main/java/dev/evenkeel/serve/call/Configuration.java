package dev.evenkeel.serve.call;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.apply.TypeCheck;
import dev.evenkeel.kernel.apply.TypeException;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.json.JsonException;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.kernel.schema.Shape;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a client applies: the fields it wants, and only those.
 *
 * @param object in the shape of its schema, with what says nothing: that is owned too
 * @param sent as it was sent
 * @param unseen a field that the live object is seen without; null for none
 */
public record Configuration(ObjectNode object, ObjectNode sent, @Nullable List<String> unseen) {

  static final String MEDIA_TYPE = "application/apply-patch+yaml";

  private static final String MANAGED_FIELDS = "managedFields";

  /**
   * Reads the body of an apply; YAML, of which JSON is a part.
   *
   * @param custom whether users defined the type
   */
  public static Configuration read(Call call, Gvk expected, Schema.Struct schema, boolean custom) {
    Json.Decoded decoded = decode(call.request().body().bytes());
    JsonNode tree =
        decoded.tree().isNull() ? JsonNodeFactory.instance.objectNode() : decoded.tree();
    if (!(tree instanceof ObjectNode sent)) {
      throw Status.badRequest(
              "error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot"
                  + " unmarshal "
                  + Decoding.word(tree)
                  + " into Go value of type map[string]interface {}")
          .asException();
    }
    checkKind(sent, expected);
    JsonNode managers = sent.path("metadata").path(MANAGED_FIELDS);
    if (managers.isArray() && !managers.isEmpty()) {
      throw Status.badRequest("metadata.managedFields must be nil").asException();
    }
    ObjectNode object = sent.deepCopy();
    if (object.get("metadata") instanceof ObjectNode metadata) {
      metadata.remove(MANAGED_FIELDS);
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
                  + expected.group()
                  + "/"
                  + expected.version()
                  + ", Kind="
                  + expected.kind()
                  + "): "
                  + e.getMessage())
          .asException();
    }
    checkDuplicates(call, decoded);
    Shape.Report report = custom ? Shape.apply(object, schema) : Shape.ofApplied(object, schema);
    String refusal = report.refusal(expected.kind(), expected.version());
    if (refusal != null) {
      throw Status.badRequest(refusal).asException();
    }
    return new Configuration(object, sent, null);
  }

  /** Unknown fields were refused already: a configuration cannot have any. */
  private static void checkDuplicates(Call call, Json.Decoded decoded) {
    if (decoded.duplicates().isEmpty()) {
      return;
    }
    switch (call.fieldValidation()) {
      case IGNORE -> {}
      case WARN -> decoded.duplicates().forEach(call::warn);
      case STRICT ->
          throw Status.badRequest(
                  "error strict decoding YAML: error converting YAML to JSON: "
                      + String.join(", ", decoded.strictErrors()))
              .asException();
    }
  }

  private static Json.Decoded decode(byte[] body) {
    try {
      if (looksLikeJson(body)) {
        // Most clients send JSON, and its parser is the faster one.
        Json.Decoded decoded = Json.decode(body, Json.Format.JSON);
        if (decoded.duplicates().isEmpty()) {
          return decoded;
        }
      }
    } catch (JsonException e) {
      // Perhaps it is YAML that looks like it; else that parser says what is wrong.
    }
    try {
      return Json.decode(body, Json.Format.YAML);
    } catch (JsonException e) {
      throw Status.badRequest(
              "error decoding YAML: error converting YAML to JSON: " + e.getMessage())
          .asException();
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

  /**
   * The same for another object: what a scale says of what is scaled.
   *
   * @param number where the number of replicas is: a scale does not show it if it is zero, so to
   *     apply a zero adds it, whoever owns it already
   */
  public static Configuration ofScaled(ObjectNode object, List<String> number) {
    return new Configuration(object, object, number);
  }
}
