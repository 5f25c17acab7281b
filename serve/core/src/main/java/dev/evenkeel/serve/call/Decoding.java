package dev.evenkeel.serve.call;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.json.FieldOrder;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.json.JsonException;
import dev.evenkeel.kernel.schema.Defaults;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.kernel.schema.Shape;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.kinds.catalog.Catalog;
import dev.evenkeel.serve.kinds.wire.WireCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/** From a body's bytes to an object of its kind, with defaults filled in. */
public final class Decoding {

  private Decoding() {}

  /** What Go calls the part of an object that says what it is. */
  private static final String TYPE_META =
      "struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\";"
          + " Kind string \"json:\\\"kind,omitempty\\\"\" }";

  private static final String NO_KIND = "couldn't get version/kind; json parse error: ";

  /** Of a body that nobody can read, so much is shown. */
  private static final int SUMMARY_BYTES_MAX = 30;

  /** Reads a body that must be an object of the kind. */
  public static ObjectNode object(Call call, ResourceDefinition definition) {
    boolean custom = definition.rules().isCustom();
    Json.Decoded decoded = body(call, definition.gvk());
    ObjectNode object = asObject(call, decoded, definition.gvk(), !custom);
    checkOwnKind(call, object, definition.gvk());
    checkKind(object, definition);
    Shape.Report report = definition.rules().shape(object, definition.schema());
    report(call, object, report, definition.gvk().kind(), findings(call, decoded, report, !custom));
    return object;
  }

  /** Reads a body that must be of the type, though it is not that of a resource. */
  public static ObjectNode object(Call call, Gvk gvk, Schema.Struct type) {
    Json.Decoded decoded = body(call, gvk);
    ObjectNode object = asObject(call, decoded, gvk, true);
    checkOwnKind(call, object, gvk);
    checkKind(object, gvk.apiVersion(), gvk.kind());
    Shape.Report report = Shape.apply(object, type);
    report(call, object, report, gvk.kind(), findings(call, decoded, report, true));
    return object;
  }

  /**
   * @param intoStruct whether upstream reads it into a type, not into a map
   */
  private static ObjectNode asObject(
      Call call, Json.Decoded decoded, Gvk expected, boolean intoStruct) {
    byte[] body = call.request().body().bytes();
    if (intoStruct && !decoded.duplicates().isEmpty() && decoded.format() == Json.Format.JSON) {
      return (ObjectNode) Json.mergingDuplicates(body);
    }
    return switch (decoded.tree()) {
      case ObjectNode object -> object;
      // As upstream: nothing at all is an object that says nothing.
      case NullNode _ -> JsonNodeFactory.instance.objectNode();
      default ->
          throw unrecognized(
              expected,
              NO_KIND
                  + "json: cannot unmarshal "
                  + word(decoded.tree())
                  + " into Go value of type "
                  + TYPE_META,
              body);
    };
  }

  /** Go's word for what a value is. */
  static String word(JsonNode value) {
    return switch (value.getNodeType()) {
      case ARRAY -> "array";
      case STRING -> "string";
      case NUMBER -> "number";
      case BOOLEAN -> "bool";
      default -> "object";
    };
  }

  private static ApiException unrecognized(Gvk expected, String why, byte[] body) {
    return Status.badRequest(
            "the object provided is unrecognized (must be of type "
                + expected.kind()
                + "): "
                + why
                + " ("
                + summary(body)
                + ")")
        .asException();
  }

  private static String summary(byte[] body) {
    if (body.length == 0) {
      return "<empty>";
    }
    byte[] shown = Arrays.copyOf(body, Math.min(body.length, SUMMARY_BYTES_MAX));
    return (body[0] == '{'
            ? new String(shown, StandardCharsets.UTF_8)
            : HexFormat.of().formatHex(shown))
        + (shown.length < body.length ? " ..." : "");
  }

  /**
   * Reads a body in whichever way the client wrote it.
   *
   * @param expected what it is if it does not say so itself
   */
  static Json.Decoded body(Call call, Gvk expected) {
    byte[] body = call.request().body().bytes();
    if (call.contentType().equals(WireCodec.MEDIA_TYPE)) {
      if (!WireCodec.speaks(expected)) {
        throw Status.unsupportedMediaType(List.of("application/json", "application/yaml"))
            .asException();
      }
      try {
        return Json.Decoded.of(WireCodec.decode(body, expected));
      } catch (JsonException e) {
        throw unrecognized(expected, String.valueOf(e.getMessage()), body);
      }
    }
    Json.Format format = call.bodyFormat();
    try {
      return Json.decode(body, format);
    } catch (JsonException e) {
      throw unrecognized(
          expected, (format == Json.Format.JSON ? NO_KIND : "") + e.getMessage(), body);
    }
  }

  /** As upstream, which reads a body as what it says it is before it looks whether that is so. */
  private static void checkOwnKind(Call call, ObjectNode object, Gvk expected) {
    String version = Meta.text(object.path("apiVersion"));
    if (version.indexOf('/') != version.lastIndexOf('/')) {
      throw unrecognized(
          expected, "unexpected GroupVersion string: " + version, call.request().body().bytes());
    }
    String kind = Meta.text(object.path("kind"));
    Gvk given =
        Gvk.of(
            version.isEmpty() ? expected.apiVersion() : version,
            kind.isEmpty() ? expected.kind() : kind);
    Schema.Struct type = given.equals(expected) ? null : Catalog.type(given);
    if (type == null) {
      return;
    }
    List<String> errors = Shape.apply(object.deepCopy(), type).typeErrors();
    if (!errors.isEmpty()) {
      throw Status.badRequest(
              "%s in version \"%s\" cannot be handled as a %s: %s"
                  .formatted(given.kind(), given.version(), expected.kind(), errors.getFirst()))
          .asException();
    }
  }

  /** What keeps an object from being of the kind that it says, first of all; null if nothing. */
  static @Nullable String ownKindRefusal(ObjectNode object) {
    Schema.Struct type =
        Catalog.type(Gvk.of(Meta.text(object.path("apiVersion")), Meta.text(object.path("kind"))));
    List<String> errors =
        type == null ? List.of() : Shape.apply(object.deepCopy(), type).typeErrors();
    return errors.isEmpty() ? null : errors.getFirst();
  }

  private static void checkKind(ObjectNode object, ResourceDefinition definition) {
    checkKind(object, definition.gvk().apiVersion(), definition.gvk().kind());
  }

  /** A body may leave out what it is; what it says must be right. */
  static void checkKind(ObjectNode object, String apiVersion, String kind) {
    for (String field : List.of("apiVersion", "kind")) {
      JsonNode given = object.path(field);
      if (!given.isMissingNode() && !given.isNull() && !given.isString()) {
        throw unrecognized(
            Gvk.of(apiVersion, kind),
            NO_KIND
                + "json: cannot unmarshal "
                + word(given)
                + " into Go struct field ."
                + field
                + " of type string",
            Json.encode(object));
      }
    }
    String refusal = kindRefusal(object, apiVersion, kind);
    if (refusal != null) {
      throw Status.badRequest(refusal).asException();
    }
    object.put("apiVersion", apiVersion);
    object.put("kind", kind);
  }

  /** What is wrong with what an object says that it is; null if nothing. */
  static @Nullable String kindRefusal(ObjectNode object, String apiVersion, String kind) {
    String givenVersion = Meta.text(object.path("apiVersion"));
    String givenKind = Meta.text(object.path("kind"));
    Gvk expected = Gvk.of(apiVersion, kind);
    Gvk given =
        Gvk.of(
            givenVersion.isEmpty() ? apiVersion : givenVersion,
            givenKind.isEmpty() ? kind : givenKind);
    if (given.equals(expected)) {
      return null;
    }
    if (given.kind().equals(kind) && given.group().equals(expected.group()) && isKnown(given)) {
      return "the API version in the data (%s) does not match the expected API version (%s)"
          .formatted(given.apiVersion(), apiVersion);
    }
    return "%s in version \"%s\" cannot be handled as a %s: %s"
        .formatted(
            given.kind(),
            given.version(),
            kind,
            isKnown(given)
                ? "converting (%s.%s) to (%s.%s): unknown conversion"
                    .formatted(given.version(), given.kind(), internal(expected), kind)
                : "no kind \"%s\" is registered for version \"%s\""
                    .formatted(given.kind(), given.apiVersion()));
  }

  private static boolean isKnown(Gvk gvk) {
    String item =
        gvk.kind().endsWith("List") ? gvk.kind().substring(0, gvk.kind().length() - 4) : gvk.kind();
    return Catalog.type(Gvk.of(gvk.apiVersion(), item)) != null;
  }

  /** What upstream calls the package of a group's types. */
  private static String internal(Gvk gvk) {
    int dot = gvk.group().indexOf('.');
    return gvk.group().isEmpty() ? "core" : dot < 0 ? gvk.group() : gvk.group().substring(0, dot);
  }

  /** What a strict reader refuses, in the order in which the body has it. */
  private static Findings findings(
      Call call, Json.Decoded decoded, Shape.Report report, boolean intoStruct) {
    List<String> duplicates = decoded.duplicates();
    List<String> unknown = report.unknownFields();
    if (duplicates.isEmpty() || unknown.isEmpty()) {
      return duplicates.isEmpty()
          ? new Findings(unknown, unknown)
          : new Findings(duplicates, decoded.strictErrors());
    }
    List<String> warnings = joined(duplicates, unknown);
    if (decoded.format() == Json.Format.YAML) {
      return new Findings(warnings, joined(decoded.strictErrors(), unknown));
    }
    List<String> sorted =
        intoStruct ? FieldOrder.sorted(call.request().body().bytes(), warnings) : warnings;
    return new Findings(sorted, sorted);
  }

  static List<String> joined(List<String> some, List<String> more) {
    List<String> all = new ArrayList<>(some);
    all.addAll(more);
    return all;
  }

  /**
   * What is wrong with a body, though it can be read.
   *
   * @param warnings for clients that want to be told
   * @param errors for those that want it refused
   */
  record Findings(List<String> warnings, List<String> errors) {}

  private static void report(
      Call call, ObjectNode object, Shape.Report report, String kind, Findings findings) {
    if (report.keptEmptyLists()) {
      call.noteEmptyLists();
    }
    String version = version(object);
    String refusal = report.refusal(kind, version);
    if (refusal != null) {
      throw Status.badRequest(refusal).asException();
    }
    if (findings.errors().isEmpty()) {
      return;
    }
    switch (call.fieldValidation()) {
      case IGNORE -> {}
      case WARN -> findings.warnings().forEach(call::warn);
      case STRICT ->
          throw Status.badRequest(
                  "%s in version \"%s\" cannot be handled as a %s: strict decoding error: %s"
                      .formatted(kind, version, kind, String.join(", ", findings.errors())))
              .asException();
    }
  }

  static String version(ObjectNode object) {
    String version = Meta.text(object.path("apiVersion"));
    return version.substring(version.indexOf('/') + 1);
  }

  /** Brings what an application came to into the shape of its type, with defaults. */
  public static void settle(ObjectNode object, ResourceDefinition definition) {
    if (!definition.rules().isCustom()) {
      var _ = Shape.apply(object, definition.schema());
    }
    defaults(object, definition);
  }

  /** Fills in what the user left out. */
  public static void defaults(ObjectNode object, ResourceDefinition definition) {
    if (!definition.rules().isCustom()) {
      Defaults.apply(object, definition.schema());
    }
    definition.rules().applyDefaults(object);
  }

  /** A body that may be left out, such as a delete's options. */
  public static ObjectNode optional(Call call, Gvk expected) {
    String kind = expected.kind();
    byte[] body = call.request().body().bytes();
    if (body.length == 0) {
      return JsonNodeFactory.instance.objectNode();
    }
    ObjectNode object = asObject(call, body(call, expected), expected, true);
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
