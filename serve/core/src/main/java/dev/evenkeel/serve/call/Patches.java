package dev.evenkeel.serve.call;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.json.FieldOrder;
import dev.evenkeel.kernel.json.GoText;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.json.JsonException;
import dev.evenkeel.kernel.patch.JsonPatch;
import dev.evenkeel.kernel.patch.MergePatch;
import dev.evenkeel.kernel.patch.StrategicMergePatch;
import dev.evenkeel.kernel.schema.FieldError;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.kernel.schema.Shape;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The patch that a call carries, by its content type. */
public final class Patches {

  private static final List<String> ACCEPTED_OF_CUSTOM_KINDS =
      List.of(
          "application/json-patch+json", "application/merge-patch+json", Configuration.MEDIA_TYPE);

  /** An object that does not fit its type is shown as far as that. */
  private static final int SHOWN_CHARS_MAX = 32 * 1024;

  private static final List<String> METADATA_ORDER =
      List.of(
          "name",
          "generateName",
          "namespace",
          "uid",
          "resourceVersion",
          "generation",
          "creationTimestamp",
          "deletionTimestamp",
          "deletionGracePeriodSeconds",
          "labels",
          "annotations",
          "ownerReferences",
          "finalizers",
          "managedFields");

  private enum Type {
    JSON,
    MERGE,
    STRATEGIC
  }

  /**
   * What is patched.
   *
   * @param custom whether users defined it: a strategic merge needs merge keys, which it has not
   */
  public record Patched(Gvk gvk, Schema.Struct schema, KindRules rules, boolean custom) {

    public static Patched of(ResourceDefinition definition) {
      return new Patched(
          definition.gvk(), definition.schema(), definition.rules(), definition.rules().isCustom());
    }
  }

  private final Type type;
  private final JsonNode patch;
  private final List<String> strictErrors;
  private final Patched patched;

  private Patches(Type type, JsonNode patch, List<String> strictErrors, Patched patched) {
    this.type = type;
    this.patch = patch;
    this.strictErrors = strictErrors;
    this.patched = patched;
  }

  public static Patches read(Call call, Patched patched) {
    Type type =
        switch (call.contentType()) {
          case "application/json-patch+json" -> Type.JSON;
          case "application/merge-patch+json" -> Type.MERGE;
          case "application/strategic-merge-patch+json" -> Type.STRATEGIC;
          default -> throw unsupported(patched);
        };
    if (type == Type.STRATEGIC && patched.custom()) {
      throw unsupported(patched);
    }
    Json.Decoded decoded;
    try {
      decoded = Json.decode(call.request().body().bytes(), Json.Format.JSON);
    } catch (JsonException e) {
      throw malformed(type, String.valueOf(e.getMessage()));
    }
    JsonNode tree = decoded.tree();
    if (type == Type.STRATEGIC && tree.isNull()) {
      tree = JsonNodeFactory.instance.objectNode();
    }
    if (type != Type.JSON && !tree.isObject() && !tree.isNull()) {
      throw malformed(
          type,
          "json: cannot unmarshal "
              + Decoding.word(tree)
              + " into Go value of type map[string]interface {}");
    }
    return new Patches(
        type,
        tree,
        type == Type.JSON
            ? JsonPatch.strictErrors(tree, decoded.duplicates())
            : decoded.strictErrors(),
        patched);
  }

  private static ApiException unsupported(Patched patched) {
    return (patched.custom()
            ? Status.unsupportedMediaType(ACCEPTED_OF_CUSTOM_KINDS)
            : Status.of(415, "UnsupportedMediaType", "415: Unsupported Media Type"))
        .asException();
  }

  private static ApiException malformed(Type type, String why) {
    return Status.badRequest((type == Type.STRATEGIC ? "" : "error decoding patch: ") + why)
        .asException();
  }

  /** The object with the patch applied, in the shape of its type. */
  public ObjectNode apply(Call call, ObjectNode current) {
    ObjectNode next = applied(current.deepCopy());
    String otherKind = Decoding.kindRefusal(next, patched.gvk().apiVersion(), patched.gvk().kind());
    if (otherKind != null) {
      // As upstream, which reads it as what it says it is before it looks whether that is so.
      String unfit = Decoding.ownKindRefusal(next);
      throw unfit(current, unfit == null ? otherKind : unfit);
    }
    Decoding.checkKind(next, patched.gvk().apiVersion(), patched.gvk().kind());
    Shape.Report report = patched.rules().shape(next, patched.schema());
    if (!report.typeErrors().isEmpty()) {
      throw unfit(current, report.typeErrors().getFirst());
    }
    if (report.keptEmptyLists()) {
      call.noteEmptyLists();
    }
    List<String> unknown = report.unknownFields();
    if (unknown.size() > 1 && type != Type.STRATEGIC && !patched.custom()) {
      unknown = FieldOrder.sorted(shown(current), unknown);
    }
    if (!unknown.isEmpty() || !strictErrors.isEmpty()) {
      List<String> findings = Decoding.joined(strictErrors, unknown);
      switch (call.fieldValidation()) {
        case IGNORE -> {}
        case WARN -> findings.forEach(call::warn);
        case STRICT ->
            throw unfit(current, "strict decoding error: " + String.join(", ", findings));
      }
    }
    return next;
  }

  private ObjectNode applied(ObjectNode current) {
    return switch (type) {
      case JSON -> JsonPatch.apply(patch, current);
      case MERGE -> MergePatch.apply(patch, current);
      case STRATEGIC -> StrategicMergePatch.apply((ObjectNode) patch, current, patched.schema());
    };
  }

  /** The patch makes something of the object that is none of its kind. */
  private ApiException unfit(ObjectNode current, String why) {
    byte[] value = type == Type.STRATEGIC ? Json.encode(patch) : shown(current);
    String text = new String(value, StandardCharsets.UTF_8);
    String cut =
        text.length() <= SHOWN_CHARS_MAX ? text : text.substring(0, SHOWN_CHARS_MAX) + "...";
    var error =
        new FieldError(
            FieldError.Reason.INVALID,
            "patch",
            "Invalid value: " + GoText.quoted(cut) + ": " + why);
    return Status.invalid("", "", "", List.of(error)).asException();
  }

  /** What the patch makes of the object, as upstream writes it: sorted wherever it was at work. */
  private byte[] shown(ObjectNode current) {
    return Json.encode(sorted(applied(current), current, true));
  }

  @SuppressWarnings("ReferenceEquality") // what was not touched is the same node
  private static JsonNode sorted(JsonNode node, @Nullable JsonNode before, boolean root) {
    if (!(node instanceof ObjectNode object)
        || !(before instanceof ObjectNode old)
        || (node == before && !root)) {
      return node;
    }
    ObjectNode sorted = JsonNodeFactory.instance.objectNode();
    for (String name : new TreeSet<>(object.propertyNames())) {
      JsonNode value = sorted(object.path(name), old.get(name), false);
      boolean metadata = root && name.equals("metadata") && value == old.get(name);
      sorted.set(name, metadata ? inOrder(value) : value);
    }
    return sorted;
  }

  /** Metadata as upstream writes it where nobody touched it. */
  private static JsonNode inOrder(JsonNode metadata) {
    ObjectNode ordered = JsonNodeFactory.instance.objectNode();
    for (String name : METADATA_ORDER) {
      if (metadata.has(name)) {
        ordered.set(name, metadata.get(name));
      }
    }
    metadata.properties().forEach(field -> ordered.putIfAbsent(field.getKey(), field.getValue()));
    return ordered;
  }
}
