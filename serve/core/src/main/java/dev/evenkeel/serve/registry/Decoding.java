package dev.evenkeel.serve.registry;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.json.JsonException;
import dev.evenkeel.kernel.schema.Defaults;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.kernel.schema.Shape;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.kinds.wire.WireCodec;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** From a body's bytes to an object of its kind, with defaults filled in. */
final class Decoding {

  private Decoding() {}

  /** Reads a body that must be an object of the kind. */
  static ObjectNode object(Call call, ResourceDefinition definition) {
    Json.Decoded decoded = body(call, definition.gvk());
    if (!(decoded.tree() instanceof ObjectNode object)) {
      throw Status.badRequest(
              "couldn't get version/kind; json parse error: the body is not an object")
          .asException();
    }
    checkKind(object, definition);
    shape(call, object, definition, decoded.duplicateFields());
    return object;
  }

  /**
   * Reads a body in whichever way the client wrote it.
   *
   * @param expected what it is if it does not say so itself
   */
  static Json.Decoded body(Call call, Gvk expected) {
    byte[] body = call.request().body().bytes();
    if (!call.contentType().equals(WireCodec.MEDIA_TYPE)) {
      return decode(body, call.bodyFormat());
    }
    if (!WireCodec.speaks(expected)) {
      throw Status.unsupportedMediaType(List.of("application/json", "application/yaml"))
          .asException();
    }
    try {
      return new Json.Decoded(WireCodec.decode(body, expected), List.of());
    } catch (JsonException e) {
      throw Status.badRequest(
              "the object provided is unrecognized (must be of type "
                  + expected.kind()
                  + "): "
                  + e.getMessage())
          .asException();
    }
  }

  static Json.Decoded decode(byte[] body, Json.Format format) {
    try {
      return Json.decode(body, format);
    } catch (JsonException e) {
      throw Status.badRequest(
              "the object provided is unrecognized (must be of type "
                  + (format == Json.Format.JSON ? "JSON" : "YAML")
                  + "): "
                  + e.getMessage())
          .asException();
    }
  }

  private static void checkKind(ObjectNode object, ResourceDefinition definition) {
    checkKind(object, definition.gvk().apiVersion(), definition.gvk().kind());
  }

  /** A body may leave out what it is; what it says must be right. */
  static void checkKind(ObjectNode object, String apiVersion, String kind) {
    for (String field : List.of("apiVersion", "kind")) {
      JsonNode given = object.path(field);
      if (!given.isMissingNode() && !given.isNull() && !given.isString()) {
        throw Status.badRequest(
                "couldn't get version/kind; json parse error: " + field + " is not a string")
            .asException();
      }
    }
    String givenVersion = Meta.text(object.path("apiVersion"));
    String givenKind = Meta.text(object.path("kind"));
    if (!givenVersion.isEmpty() && !givenVersion.equals(apiVersion)) {
      throw Status.badRequest(
              "the API version in the data ("
                  + givenVersion
                  + ") does not match the expected API version ("
                  + apiVersion
                  + ")")
          .asException();
    }
    if (!givenKind.isEmpty() && !givenKind.equals(kind)) {
      throw Status.badRequest(
              "the kind in the data ("
                  + givenKind
                  + ") does not match the expected kind ("
                  + kind
                  + ")")
          .asException();
    }
    object.put("apiVersion", apiVersion);
    object.put("kind", kind);
  }

  /** Drops unknown fields, telling the client as it wished, and refuses wrong types. */
  static void shape(
      Call call, ObjectNode object, ResourceDefinition definition, List<String> duplicateFields) {
    report(
        call,
        object,
        definition.rules().shape(object, definition.schema()),
        definition.gvk().kind(),
        duplicateFields);
  }

  static void shape(
      Call call,
      ObjectNode object,
      Schema.Struct schema,
      String kind,
      List<String> duplicateFields) {
    report(call, object, Shape.apply(object, schema), kind, duplicateFields);
  }

  private static void report(
      Call call,
      ObjectNode object,
      Shape.Report report,
      String kind,
      List<String> duplicateFields) {
    String version = Meta.text(object.path("apiVersion"));
    String refusal = report.refusal(kind, version.substring(version.indexOf('/') + 1));
    if (refusal != null) {
      throw Status.badRequest(refusal).asException();
    }
    List<String> findings = new ArrayList<>(0);
    for (String field : duplicateFields) {
      findings.add("duplicate field \"" + field + "\"");
    }
    findings.addAll(report.unknownFields());
    if (findings.isEmpty()) {
      return;
    }
    switch (call.fieldValidation()) {
      case IGNORE -> {}
      case WARN -> findings.forEach(call::warn);
      case STRICT ->
          throw Status.badRequest("strict decoding error: " + String.join(", ", findings))
              .asException();
    }
  }

  /** Fills in what the user left out. */
  static void defaults(ObjectNode object, ResourceDefinition definition) {
    if (!definition.rules().isCustom()) {
      Defaults.apply(object, definition.schema());
    }
    definition.rules().applyDefaults(object);
  }

  /** A body that may be left out, such as a delete's options. */
  static ObjectNode optional(Call call, Gvk expected) {
    String kind = expected.kind();
    byte[] body = call.request().body().bytes();
    if (body.length == 0) {
      return tools.jackson.databind.node.JsonNodeFactory.instance.objectNode();
    }
    JsonNode tree = body(call, expected).tree();
    if (!(tree instanceof ObjectNode object)) {
      throw Status.badRequest("the body is not a " + kind).asException();
    }
    String given = Meta.text(object.path("kind"));
    if (!given.isEmpty() && !given.equals(kind)) {
      throw Status.badRequest(
              "the kind in the data ("
                  + given
                  + ") does not match the expected kind ("
                  + kind
                  + ")")
          .asException();
    }
    return object;
  }
}
