package dev.evenkeel.serve.kinds.rules.extension;

import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.structural.JsonPath;
import dev.evenkeel.serve.kinds.structural.StructuralSchema;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** One version of a custom kind: its schema, columns, subresources and selectable fields. */
final class DefinedVersionRules {

  private static final List<String> COLUMN_TYPES =
      List.of("boolean", "date", "integer", "number", "string");
  private static final List<String> COLUMN_FORMATS =
      List.of("byte", "date", "date-time", "double", "float", "int32", "int64", "password");
  private static final int SELECTABLE_MAX = 8;

  private DefinedVersionRules() {}

  static void validate(Place version) {
    Place given = version.at("schema", "openAPIV3Schema");
    if (!given.isThere()) {
      given.required("schemas are required");
      return;
    }
    int before = version.problems().count();
    StructuralSchema schema =
        StructuralSchema.read(given.node(), given.toString(), version.problems());
    if (version.problems().count() == before) {
      schema.checkRules(given.toString(), version.problems());
    }
    version.at("additionalPrinterColumns").items().forEach(DefinedVersionRules::column);
    scale(version.at("subresources", "scale"));
    selectableFields(version.at("selectableFields"), schema);
  }

  private static void column(Place column) {
    if (column.at("name").isEmpty()) {
      column.at("name").required();
    }
    if (column.at("type").isEmpty()) {
      column.at("type").required("must be one of " + String.join(",", COLUMN_TYPES));
    } else {
      column.at("type").oneOf(COLUMN_TYPES);
    }
    if (!column.at("format").isEmpty()) {
      column.at("format").oneOf(COLUMN_FORMATS);
    }
    Place path = column.at("jsonPath");
    if (path.isEmpty()) {
      path.required();
    } else {
      try {
        JsonPath.parse(path.text());
      } catch (IllegalArgumentException e) {
        path.invalid("is an invalid JSON path: " + e.getMessage());
      }
    }
  }

  private static void scale(Place scale) {
    if (!scale.isThere()) {
      return;
    }
    path(scale.at("specReplicasPath"), ".spec.", true);
    path(scale.at("statusReplicasPath"), ".status.", true);
    Place selector = scale.at("labelSelectorPath");
    if (!selector.isEmpty() && !selector.text().startsWith(".spec.")) {
      path(selector, ".status.", false);
    }
  }

  private static void path(Place path, String head, boolean required) {
    if (path.isEmpty()) {
      if (required) {
        path.required();
      }
    } else if (!path.text().startsWith(head) || fields(path) == null) {
      path.invalid("should be a json path under " + head.substring(0, head.length() - 1));
    }
  }

  private static @org.jspecify.annotations.Nullable List<String> fields(Place path) {
    try {
      return JsonPath.parse(path.text()).fields();
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static void selectableFields(Place selectable, StructuralSchema schema) {
    if (selectable.size() > SELECTABLE_MAX) {
      selectable.tooMany(SELECTABLE_MAX);
    }
    Set<String> seen = new HashSet<>();
    for (Place field : selectable.items()) {
      Place path = field.at("jsonPath");
      List<String> steps = fields(path);
      if (path.isEmpty()) {
        path.required();
      } else if (steps == null || steps.isEmpty()) {
        path.invalid("is an invalid path: only fields of objects can be selected by");
      } else if (steps.getFirst().equals("metadata")) {
        path.invalid("must not point to fields in metadata");
      } else if (!List.of("string", "boolean", "integer").contains(schema.typeAt(steps))) {
        path.invalid(
            "must point to a field of type string, boolean or integer. Enum string fields and"
                + " strings with formats are allowed.");
      } else if (!seen.add(path.text())) {
        path.duplicate();
      }
    }
  }
}
