package dev.evenkeel.serve.kinds.custom;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.schema.Field;
import dev.evenkeel.kernel.schema.FieldError;
import dev.evenkeel.kernel.schema.MergeStrategy;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.kernel.schema.Shape;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.catalog.Catalog;
import dev.evenkeel.serve.kinds.structural.StructuralSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/** A custom kind follows its schema, and nothing else. */
final class CustomRules implements KindRules {

  /** What is known of every object whatever its schema says. */
  static final Field METADATA =
      new Field(
          "metadata",
          Objects.requireNonNull(
              Catalog.type("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"), "the catalog"),
          false,
          null,
          MergeStrategy.REPLACE);

  private static final Set<String> STANDARD_FINALIZERS =
      Set.of("foregroundDeletion", "orphan", "kubernetes");

  private final Schema.Struct metadataOnly;
  private final StructuralSchema schema;
  private final ScalePaths scalePaths;

  CustomRules(String typeName, StructuralSchema schema, @Nullable ScalePaths scalePaths) {
    this.metadataOnly = new Schema.Struct(typeName, true);
    metadataOnly.add(METADATA);
    this.schema = schema;
    this.scalePaths = scalePaths == null ? ScalePaths.COMMON : scalePaths;
  }

  @Override
  public boolean isCustom() {
    return true;
  }

  @Override
  public boolean finalizersNeedPath() {
    return false;
  }

  @Override
  public List<String> warnings(ObjectNode object) {
    List<String> warnings = new ArrayList<>(0);
    for (JsonNode finalizer : object.path("metadata").path("finalizers")) {
      String name = Meta.text(finalizer);
      if (name.indexOf('/') < 0 && !STANDARD_FINALIZERS.contains(name)) {
        warnings.add(
            "metadata.finalizers: \""
                + name
                + "\": prefer a domain-qualified finalizer name including a path (/) to avoid"
                + " accidental conflicts with other finalizer writers");
      }
    }
    return warnings;
  }

  @Override
  public ScalePaths scalePaths() {
    return scalePaths;
  }

  @Override
  public Shape.Report shape(ObjectNode object, Schema.Struct type) {
    Shape.Report report = Shape.apply(object, metadataOnly);
    List<String> unknown = new ArrayList<>(report.unknownFields());
    unknown.addAll(schema.prune(object));
    return unknown.isEmpty() && report.typeErrors().isEmpty()
        ? report
        : new Shape.Report(unknown, report.typeErrors());
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    schema.applyDefaults(object);
  }

  @Override
  public void validateCreate(ObjectNode object, Problems problems) {
    int before = problems.count();
    schema.validate(object, problems);
    if (problems.count() == before) {
      schema.validateRules(object, null, problems);
    }
  }

  @Override
  public void validateUpdate(ObjectNode object, ObjectNode old, Problems problems) {
    var found = new Problems();
    schema.validate(object, found);
    for (FieldError error : found.errors()) {
      if (!isOldAndUntouched(error, object, old)) {
        problems.add(error.reason(), error.field(), error.message());
      }
    }
    if (found.isEmpty()) {
      schema.validateRules(object, old, problems);
    }
  }

  @Override
  public void validateStatusUpdate(ObjectNode object, ObjectNode old, Problems problems) {
    validateUpdate(object, old, problems);
  }

  /** A schema that became stricter does not stand in the way of those who change something else. */
  private static boolean isOldAndUntouched(FieldError error, ObjectNode object, ObjectNode old) {
    String path = error.field();
    if (error.reason() == FieldError.Reason.REQUIRED) {
      path = path.substring(0, Math.max(0, path.lastIndexOf('.')));
    }
    if (path.isEmpty() || path.startsWith("<")) {
      return false;
    }
    JsonNode now = at(object, path);
    return !now.isMissingNode() && now.equals(at(old, path));
  }

  private static JsonNode at(JsonNode root, String path) {
    JsonNode here = root;
    for (String step : path.split("\\.", -1)) {
      int bracket = step.indexOf('[');
      here = here.path(bracket < 0 ? step : step.substring(0, bracket));
      while (bracket >= 0) {
        int end = step.indexOf(']', bracket);
        if (end < 0) {
          return MissingNode.getInstance();
        }
        String inside = step.substring(bracket + 1, end);
        if (!inside.chars().allMatch(Character::isDigit) || inside.length() > 9) {
          return MissingNode.getInstance();
        }
        here = here.path(Integer.parseInt(inside));
        bracket = step.indexOf('[', end);
      }
    }
    return here;
  }
}
