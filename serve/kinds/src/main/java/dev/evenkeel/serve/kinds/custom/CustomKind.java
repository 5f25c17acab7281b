package dev.evenkeel.serve.kinds.custom;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.schema.Field;
import dev.evenkeel.kernel.schema.MergeStrategy;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.kinds.structural.StructuralSchema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes of a CustomResourceDefinition what the server needs of its kind, version by version. */
public final class CustomKind {

  private static final Set<String> VERBS =
      Set.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

  private static final Set<String> SUBRESOURCE_VERBS = Set.of("get", "patch", "update");

  private CustomKind() {}

  /**
   * The served versions.
   *
   * @param definition one that its own kind's rules accept
   * @param names the words it may use
   */
  public static List<ResourceDefinition> definitions(
      ObjectNode definition, ResourceDefinition.Names names) {
    JsonNode spec = definition.path("spec");
    String group = Meta.text(spec.path("group"));
    String kind = Meta.text(spec.path("names").path("kind"));
    Gvk stored = storedVersion(spec, group, kind);
    // What was written by another schema shows that one's fields, and lacks this one's defaults.
    boolean mixed =
        spec.path("versions").size() > 1
            || definition.path("metadata").path("generation").asLong(1) > 1;
    boolean ending = definition.path("metadata").has("deletionTimestamp");
    List<ResourceDefinition> made = new ArrayList<>();
    for (JsonNode version : spec.path("versions")) {
      if (isServed(version, ending)) {
        var gvk = new Gvk(group, Meta.text(version.path("name")), kind);
        made.add(
            definition(
                version,
                gvk,
                stored,
                names,
                new Circumstances(
                    isNamespaced(spec), mixed, ending, Deprecation.of(version, spec))));
      }
    }
    return made;
  }

  /** The words a definition asks for. */
  public static ResourceDefinition.Names names(JsonNode names) {
    return new ResourceDefinition.Names(
        Meta.text(names.path("plural")),
        Meta.text(names.path("singular")),
        Meta.text(names.path("listKind")),
        texts(names.path("shortNames")),
        texts(names.path("categories")));
  }

  /** The paths of the fields that watchers of any version may select by. */
  public static List<String> selectableFields(ObjectNode definition) {
    Set<String> paths = new LinkedHashSet<>();
    for (JsonNode version : definition.path("spec").path("versions")) {
      paths.addAll(selectable(version));
    }
    return List.copyOf(paths);
  }

  /** What ends is served in its stored version at least, so that its objects can be deleted. */
  private static boolean isServed(JsonNode version, boolean ending) {
    return version.path("served").asBoolean(false)
        || (ending && version.path("storage").asBoolean(false));
  }

  private static boolean isNamespaced(JsonNode spec) {
    return Meta.text(spec.path("scope")).equals("Namespaced");
  }

  private static Gvk storedVersion(JsonNode spec, String group, String kind) {
    for (JsonNode version : spec.path("versions")) {
      if (version.path("storage").asBoolean(false)) {
        return new Gvk(group, Meta.text(version.path("name")), kind);
      }
    }
    throw new IllegalArgumentException("no version is stored");
  }

  /**
   * What else there is to know of a version.
   *
   * @param mixed whether objects may have been stored by another schema
   * @param ending whether the kind is going
   * @param deprecation empty if it is none
   */
  private record Circumstances(
      boolean namespaced, boolean mixed, boolean ending, String deprecation) {}

  private static ResourceDefinition definition(
      JsonNode version,
      Gvk gvk,
      Gvk stored,
      ResourceDefinition.Names names,
      Circumstances circumstances) {
    JsonNode published = version.path("schema").path("openAPIV3Schema");
    StructuralSchema schema = StructuralSchema.compile(published);
    String typeName = typeName(gvk);
    var storage =
        new ResourceDefinition.Storage(
            gvk.group(), names.plural(), stored, new CustomConversion(gvk, stored, schema));
    return new ResourceDefinition(
        gvk,
        names,
        circumstances.namespaced,
        circumstances.ending ? without("create") : VERBS,
        subresources(version.path("subresources")),
        schema.struct(
            typeName,
            new Schema.Struct.Traits(true, false, published),
            List.of(text("apiVersion"), text("kind"), CustomRules.METADATA)),
        new CustomRules(typeName, schema, scalePaths(version), circumstances.deprecation),
        new CustomTable(version.path("additionalPrinterColumns")),
        selectable(version),
        storage,
        new ResourceDefinition.Traits(true, false, circumstances.mixed));
  }

  private static Set<String> without(String verb) {
    Set<String> verbs = new HashSet<>(VERBS);
    verbs.remove(verb);
    return verbs;
  }

  private static Field text(String name) {
    return new Field(name, Schema.Scalar.STRING, false, null, MergeStrategy.REPLACE);
  }

  /** {@code com.example.v1.Widget}, as published descriptions call it. */
  private static String typeName(Gvk gvk) {
    List<String> parts = Arrays.asList(gvk.group().split("\\.", -1));
    Collections.reverse(parts);
    return String.join(".", parts) + "." + gvk.version() + "." + gvk.kind();
  }

  private static List<ResourceDefinition.Subresource> subresources(JsonNode given) {
    List<ResourceDefinition.Subresource> made = new ArrayList<>();
    if (given.path("status").isObject()) {
      made.add(new ResourceDefinition.Subresource("status", null, SUBRESOURCE_VERBS));
    }
    if (given.path("scale").isObject()) {
      made.add(
          new ResourceDefinition.Subresource(
              "scale", Gvk.of("autoscaling/v1", "Scale"), SUBRESOURCE_VERBS));
    }
    return made;
  }

  private static KindRules.@Nullable ScalePaths scalePaths(JsonNode version) {
    JsonNode scale = version.path("subresources").path("scale");
    return scale.isObject()
        ? new KindRules.ScalePaths(
            plainPath(scale.path("specReplicasPath")),
            plainPath(scale.path("statusReplicasPath")),
            plainPath(scale.path("labelSelectorPath")),
            true)
        : null;
  }

  private static List<String> selectable(JsonNode version) {
    List<String> paths = new ArrayList<>();
    for (JsonNode field : version.path("selectableFields")) {
      paths.add(plainPath(field.path("jsonPath")));
    }
    return paths;
  }

  /** {@code .spec.replicas} without its first dot. */
  private static String plainPath(JsonNode path) {
    String text = Meta.text(path);
    return text.startsWith(".") ? text.substring(1) : text;
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>(0);
    for (JsonNode item : list) {
      texts.add(Meta.text(item));
    }
    return texts;
  }
}
