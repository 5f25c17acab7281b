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

  private static final Set<FieldError.Reason> BLOCKING =
      Set.of(
          FieldError.Reason.NOT_SUPPORTED,
          FieldError.Reason.REQUIRED,
          FieldError.Reason.TOO_LONG,
          FieldError.Reason.TOO_MANY,
          FieldError.Reason.TYPE_INVALID);

  private final Schema.Struct metadataOnly;
  private final StructuralSchema schema;
  private final ScalePaths scalePaths;
  private final ScaledValues scale;
  private final String deprecation;

  CustomRules(
      String typeName,
      StructuralSchema schema,
      @Nullable ScalePaths scalePaths,
      String deprecation) {
    this.deprecation = deprecation;
    this.metadataOnly = new Schema.Struct(typeName, true);
    metadataOnly.add(METADATA);
    this.schema = schema;
    this.scalePaths = scalePaths == null ? ScalePaths.COMMON : scalePaths;
    this.scale = new ScaledValues(scalePaths);
  }

  @Override
  public boolean isCustom() {
    return true;
  }

  @Override
  public String deprecation() {
    return deprecation;
  }

  @Override
  public boolean finalizersNeedPath() {
    return false;
  }

  @Override
  public List<String> warnings(ObjectNode object, ObjectNode old) {
    List<String> warnings = new ArrayList<>(warnings(object));
    if (!warnings.isEmpty()) {
      warnings.removeAll(warnings(old));
    }
    return warnings;
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
                + "\": prefer a domain-qualified finalizer name "
                + (name.indexOf('.') < 0 ? "" : "including a path (/) ")
                + "to avoid accidental conflicts with other finalizer writers");
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
    schema.validate(object, null, problems);
    scale.validate(object, problems);
    schema.validateInvariants(object, null, problems);
    rules(object, null, problems);
  }

  @Override
  public void validateUpdate(ObjectNode object, ObjectNode old, Problems problems) {
    schema.validate(object, old, problems);
    scale.validate(object, problems);
    schema.validateInvariants(object, old, problems);
    rules(object, old, problems);
  }

  @Override
  public void validateStatusUpdate(ObjectNode object, ObjectNode old, Problems problems) {
    schema.validateStatus(object, old, problems);
    scale.validateStatus(object, problems);
    schema.validateInvariants(object, old, problems);
    rules(object, old, problems);
  }

  /** Rules count on types and limits: they are not asked about what does not keep to them. */
  private void rules(ObjectNode object, @Nullable ObjectNode old, Problems problems) {
    if (!schema.hasRules()) {
      return;
    }
    if (problems.errors().stream().anyMatch(error -> BLOCKING.contains(error.reason()))) {
      problems.add(
          FieldError.Reason.INVALID,
          "<nil>",
          "Invalid value: null: some validation rules were not checked because the object was"
              + " invalid; correct the existing errors to complete validation");
    } else {
      schema.validateRules(object, old, problems);
    }
  }
}
