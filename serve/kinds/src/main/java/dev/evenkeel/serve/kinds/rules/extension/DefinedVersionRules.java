package dev.evenkeel.serve.kinds.rules.extension;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.structural.StructuralSchema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The versions of a custom kind: their schemas, columns, subresources and selectable fields.
 *
 * <p>What all versions say alike is told of the definition as a whole, at the place where it stood
 * before there were versions: {@code spec.validation}, {@code spec.subresources}. Clients know these
 * paths.
 */
final class DefinedVersionRules {

  private static final Set<String> COLUMN_TYPES =
      new TreeSet<>(List.of("boolean", "date", "integer", "number", "string"));
  private static final Set<String> COLUMN_FORMATS =
      new TreeSet<>(
          List.of("byte", "date", "date-time", "double", "float", "int32", "int64", "password"));
  private static final int SELECTABLE_MAX = 8;
  private static final int WARNING_CHARS_MAX = 256;

  private static final String SCHEMA = "schema";
  private static final String SUBRESOURCES = "subresources";
  private static final String COLUMNS = "additionalPrinterColumns";
  private static final String SELECTABLE = "selectableFields";

  /** What a schema's root may say where a status of its own is cut out of it. */
  private static final List<String> FINE_AT_ROOT =
      List.of(
          "Description",
          "Type",
          "Format",
          "Title",
          "Maximum",
          "ExclusiveMaximum",
          "Minimum",
          "ExclusiveMinimum",
          "MaxLength",
          "MinLength",
          "Pattern",
          "MaxItems",
          "MinItems",
          "UniqueItems",
          "MultipleOf",
          "Required",
          "Items",
          "Properties",
          "ExternalDocs",
          "Example",
          "XPreserveUnknownFields",
          "XValidations");

  private DefinedVersionRules() {}

  /** The schemas, each at the place where its faults are told. */
  static List<Place> schemas(Place definition) {
    List<Place> schemas = new ArrayList<>();
    List<Place> versions = definition.at("spec", "versions").items();
    if (isCommon(versions, SCHEMA)) {
      if (!versions.isEmpty()) {
        schemas.add(commonPlace(definition, versions, SCHEMA, "validation").at("openAPIV3Schema"));
      }
    } else {
      versions.forEach(version -> schemas.add(version.at(SCHEMA, "openAPIV3Schema")));
    }
    return schemas;
  }

  static boolean hasDefaults(Place definition) {
    return schemas(definition).stream().anyMatch(schema -> hasDefaults(schema.node()));
  }

  private static boolean hasDefaults(JsonNode schema) {
    if (schema.isObject() && schema.has("default") && !schema.path("default").isNull()) {
      return true;
    }
    for (String one : List.of("items", "additionalProperties")) {
      if (schema.path(one).isObject() && hasDefaults(schema.path(one))) {
        return true;
      }
    }
    for (JsonNode property : schema.path("properties")) {
      if (hasDefaults(property)) {
        return true;
      }
    }
    return false;
  }

  /** Whether all versions say the same, which may be nothing. */
  private static boolean isCommon(List<Place> versions, String field) {
    return versions.stream()
        .map(version -> orMissing(version.at(field)))
        .distinct()
        .limit(2)
        .count()
        < 2;
  }

  private static JsonNode orMissing(Place place) {
    return place.isEmpty()
        ? tools.jackson.databind.node.MissingNode.getInstance()
        : place.node();
  }

  private static Place commonPlace(
      Place definition, List<Place> versions, String field, String shown) {
    return definition
        .at("spec", shown)
        .holding(versions.isEmpty() ? orMissing(definition.at("nothing")) : versions.getFirst().node().path(field));
  }

  // ---- what each version says

  /** What stands in the versions themselves. */
  static void perVersion(Place definition, @Nullable ObjectNode old) {
    List<Place> versions = definition.at("spec", "versions").items();
    if (!isCommon(versions, SCHEMA) || !hasSchema(versions)) {
      for (Place version : versions) {
        if (!version.at(SCHEMA, "openAPIV3Schema").isThere()) {
          version.at(SCHEMA, "openAPIV3Schema").required();
        }
      }
    }
    for (Place version : versions) {
      deprecation(version);
      if (!isCommon(versions, SCHEMA)) {
        schema(
            version.at(SCHEMA),
            version.at(SUBRESOURCES, "status").isThere(),
            before(old, version.at("name").text()));
      }
      if (!isCommon(versions, SUBRESOURCES)) {
        scale(version.at(SUBRESOURCES));
      }
      if (!isCommon(versions, COLUMNS)) {
        version.at(COLUMNS).items().forEach(DefinedVersionRules::column);
      }
      if (!isCommon(versions, SELECTABLE)) {
        selectableFields(version.at(SELECTABLE), version.at(SCHEMA, "openAPIV3Schema").node());
      }
    }
  }

  private static boolean hasSchema(List<Place> versions) {
    return versions.stream()
        .anyMatch(version -> version.at(SCHEMA, "openAPIV3Schema").isThere());
  }

  /** What all versions say alike. */
  static void common(Place definition, @Nullable ObjectNode old) {
    List<Place> versions = definition.at("spec", "versions").items();
    if (versions.isEmpty()) {
      return;
    }
    JsonNode schema = versions.getFirst().at(SCHEMA, "openAPIV3Schema").node();
    if (isCommon(versions, SCHEMA)) {
      schema(
          commonPlace(definition, versions, SCHEMA, "validation"),
          versions.stream().anyMatch(version -> version.at(SUBRESOURCES, "status").isThere()),
          before(old, versions.getFirst().at("name").text()));
    }
    if (isCommon(versions, SUBRESOURCES)) {
      scale(commonPlace(definition, versions, SUBRESOURCES, SUBRESOURCES));
    }
    if (isCommon(versions, COLUMNS)) {
      commonPlace(definition, versions, COLUMNS, COLUMNS)
          .items()
          .forEach(DefinedVersionRules::column);
    }
    if (isCommon(versions, SELECTABLE)) {
      Place selectable = commonPlace(definition, versions, SELECTABLE, SELECTABLE);
      if (!selectable.isEmpty() && !isCommon(versions, SCHEMA)) {
        selectable.invalid("", "may only be set when validations.schema is included");
      } else {
        selectableFields(selectable, schema);
      }
    }
  }

  private static @Nullable JsonNode before(@Nullable ObjectNode old, String version) {
    if (old != null) {
      for (JsonNode known : Meta.at(old, "spec", "versions")) {
        if (Meta.text(known.path("name")).equals(version)) {
          return known.path(SCHEMA).path("openAPIV3Schema");
        }
      }
    }
    return null;
  }

  private static void deprecation(Place version) {
    Place warning = version.at("deprecationWarning");
    if (!warning.isThere()) {
      return;
    }
    if (!version.at("deprecated").flag()) {
      warning.invalid("can only be set for deprecated versions");
      return;
    }
    String text = warning.text();
    if (text.length() > WARNING_CHARS_MAX) {
      warning.invalid("must be <= " + WARNING_CHARS_MAX + " characters long");
    }
    if (text.isEmpty()) {
      warning.invalid("must not be an empty string");
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isISOControl(c) || (c != ' ' && Character.isWhitespace(c))) {
        warning.invalid(
            "must only contain printable UTF-8 characters; non-printable character found at index "
                + i);
        return;
      }
    }
  }

  // ---- schemas

  /**
   * @param validation what holds the schema
   * @param statusApart whether the status is written through a subresource of its own
   * @param before the schema that was accepted before, null if there was none
   */
  private static void schema(Place validation, boolean statusApart, @Nullable JsonNode before) {
    Place schema = validation.at("openAPIV3Schema");
    if (!schema.isThere() || schema.node().equals(before)) {
      return;
    }
    if (statusApart) {
      root(schema);
    }
    if (schema.at("nullable").flag()) {
      schema.at("nullable").forbidden("nullable cannot be true at the root");
    }
    StructuralSchema.check(schema.node(), schema.toString(), schema.problems());
  }

  private static void root(Place schema) {
    for (Map.Entry<String, JsonNode> field : schema.node().properties()) {
      Place place = schema.at(field.getKey());
      String word = word(field.getKey());
      if (word.equals("Type") && !place.is("object")) {
        place.invalid(
            "only \"object\" is allowed as the type at the root of the schema if the status"
                + " subresource is enabled");
      } else if (!place.isEmpty() && !isFalse(place.node()) && !FINE_AT_ROOT.contains(word)) {
        schema.invalid(
            "only ["
                + String.join(" ", FINE_AT_ROOT)
                + "] fields are allowed at the root of the schema if the status subresource is"
                + " enabled");
        return;
      }
    }
  }

  private static boolean isFalse(JsonNode value) {
    return value.isBoolean() && !value.booleanValue();
  }

  /** A field of a schema as messages call it: {@code x-kubernetes-list-type} is XListType. */
  private static String word(String field) {
    if (!field.startsWith("x-kubernetes-")) {
      return Character.toUpperCase(field.charAt(0)) + field.substring(1);
    }
    var word = new StringBuilder("X");
    for (String part : field.substring("x-kubernetes-".length()).split("-", -1)) {
      word.append(part.isEmpty() ? "" : Character.toUpperCase(part.charAt(0)) + part.substring(1));
    }
    return word.toString();
  }

  // ---- columns and subresources

  private static void column(Place column) {
    if (column.at("name").isEmpty()) {
      column.at("name").required();
    }
    Place type = column.at("type");
    String types = "must be one of " + String.join(",", COLUMN_TYPES);
    if (type.isEmpty()) {
      type.required(types);
    } else if (!COLUMN_TYPES.contains(type.text())) {
      type.invalid(types);
    }
    Place format = column.at("format");
    if (!format.isEmpty() && !COLUMN_FORMATS.contains(format.text())) {
      format.invalid("must be one of " + String.join(",", COLUMN_FORMATS));
    }
    Place path = column.at("JSONPath").holding(column.node().path("jsonPath"));
    if (path.isEmpty()) {
      path.required();
    } else {
      isSimplePath(path);
    }
  }

  private static boolean isSimplePath(Place path) {
    boolean simple = path.text().startsWith(".");
    if (!simple) {
      path.invalid("must be a simple json path starting with .");
    }
    return simple;
  }

  private static void scale(Place subresources) {
    Place scale = subresources.at("scale");
    if (!scale.isThere()) {
      return;
    }
    path(scale.at("specReplicasPath"), ".spec");
    path(scale.at("statusReplicasPath"), ".status");
    Place selector = scale.at("labelSelectorPath");
    if (!selector.isEmpty()
        && isSimplePath(selector)
        && !selector.text().startsWith(".spec.")
        && !selector.text().startsWith(".status.")) {
      selector.invalid("should be a json path under either .spec or .status");
    }
  }

  private static void path(Place path, String head) {
    if (path.isEmpty()) {
      path.required();
    } else if (isSimplePath(path) && !path.text().startsWith(head + ".")) {
      path.invalid("should be a json path under " + head);
    }
  }

  private static void selectableFields(Place selectable, JsonNode schema) {
    if (!selectable.isEmpty() && !schema.isObject()) {
      selectable.invalid(
          "", "may only be set when `version.schema.openAPIV3Schema` is not included");
      return;
    }
    Set<String> seen = new HashSet<>();
    for (Place field : selectable.items()) {
      Place path = field.at("jsonPath");
      if (path.isEmpty()) {
        path.required();
        continue;
      }
      String type;
      try {
        type = StructuralSchema.typeAt(schema, path.text());
      } catch (IllegalArgumentException e) {
        path.invalid("is an invalid path: " + e.getMessage());
        continue;
      }
      if (path.text().startsWith(".metadata")) {
        path.invalid("must not point to fields in metadata");
      }
      if (!List.of("string", "boolean", "integer").contains(type)) {
        path.invalid(
            "must point to a field of type string, boolean or integer. Enum string fields and"
                + " strings with formats are allowed.");
      }
      if (!seen.add(path.text())) {
        path.duplicate();
      }
    }
    if (seen.size() > SELECTABLE_MAX) {
      selectable.problems().tooMany(selectable.toString(), seen.size(), SELECTABLE_MAX);
    }
  }
}
