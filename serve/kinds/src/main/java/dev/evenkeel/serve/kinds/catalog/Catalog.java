package dev.evenkeel.serve.kinds.catalog;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.schema.Field;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.serve.kinds.Conversion;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.kinds.catalog.KindFile.KindLine;
import dev.evenkeel.serve.kinds.catalog.KindFile.SelectableLine;
import dev.evenkeel.serve.kinds.catalog.KindFile.SubresourceLine;
import dev.evenkeel.serve.kinds.catalog.KindFile.VersionLine;
import dev.evenkeel.serve.kinds.rules.BuiltInRules;
import dev.evenkeel.serve.kinds.tables.BuiltInTables;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The built-in kinds and types. Read once, then unchanging. */
public final class Catalog {

  private static final Set<String> ALL_VERBS =
      Set.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

  private static final Set<String> SUBRESOURCE_VERBS = Set.of("get", "patch", "update");

  private final TypeTable types;
  private final Map<String, String> packages = new HashMap<>();
  private final Map<Gvk, List<SelectableLine>> selectable = new HashMap<>();
  private final List<ResourceDefinition> definitions;

  /** Made when first used, so that a test of one type need not wait for all. */
  private static final class Holder {
    static final Catalog CATALOG = new Catalog();
  }

  private Catalog() {
    KindFile file = KindFile.read();
    types = new TypeTable(file.versions());
    for (VersionLine version : file.versions()) {
      packages.put(version.group() + "/" + version.version(), version.packageName());
    }
    List<ResourceDefinition> made = new ArrayList<>();
    for (KindLine kind : file.kinds()) {
      ResourceDefinition definition = definition(kind);
      selectable.put(definition.gvk(), kind.selectable());
      made.add(definition);
    }
    definitions = List.copyOf(made);
  }

  /**
   * All built-in kinds in all their versions, groups and versions in order of preference, the core
   * group first.
   */
  public static List<ResourceDefinition> builtIn() {
    return Holder.CATALOG.definitions;
  }

  /**
   * The type of the bodies of a kind, also of those that are no resources of their own, such as
   * {@code autoscaling/v1 Scale}. Null if there is none.
   */
  public static Schema.@Nullable Struct type(Gvk gvk) {
    String packageName = Holder.CATALOG.packages.get(gvk.group() + "/" + gvk.version());
    return packageName == null ? null : Holder.CATALOG.types.find(packageName, gvk.kind());
  }

  /** The type of a published name such as {@code io.k8s.api.core.v1.PodSpec}, null if unknown. */
  public static Schema.@Nullable Struct type(String publishedName) {
    return Holder.CATALOG.types.find(publishedName);
  }

  /** The published names of all types, sorted. */
  public static Collection<String> typeNames() {
    return Holder.CATALOG.types.names();
  }

  /** The stored paths of a kind's selectable fields: all that a cache must look at. */
  public static List<String> storedPaths(ResourceDefinition definition) {
    return Holder.CATALOG.selectable.getOrDefault(definition.gvk(), List.of()).stream()
        .flatMap(line -> line.storedPaths().stream())
        .distinct()
        .toList();
  }

  /** Where the selectable fields of a kind are found; in the order of its definition. */
  public static List<SelectableField> selectableFields(ResourceDefinition definition) {
    List<SelectableField> fields = new ArrayList<>();
    if (definition.rules().isCustom()) {
      for (String path : definition.selectableFields()) {
        fields.add(new SelectableField(path, List.of(path), ""));
      }
      return fields;
    }
    Schema.Struct stored = type(definition.storage().version());
    for (SelectableLine line :
        Holder.CATALOG.selectable.getOrDefault(definition.gvk(), List.of())) {
      String absent = stored == null ? "" : absent(stored, line.storedPaths().getFirst());
      fields.add(new SelectableField(line.path(), line.storedPaths(), absent));
    }
    return fields;
  }

  private static String absent(Schema.Struct type, String path) {
    Schema here = type;
    for (String step : path.split("\\.", -1)) {
      Field field = here instanceof Schema.Struct struct ? struct.field(step) : null;
      if (field == null) {
        return "";
      }
      here = field.schema();
    }
    if (here == Schema.Scalar.BOOLEAN) {
      return "false";
    }
    return here == Schema.Scalar.INT32 || here == Schema.Scalar.INT64 ? "0" : "";
  }

  private ResourceDefinition definition(KindLine line) {
    var gvk = new Gvk(line.group(), line.version(), line.kind());
    var words = line.words();
    return new ResourceDefinition(
        gvk,
        new ResourceDefinition.Names(
            line.plural(),
            line.kind().toLowerCase(Locale.ROOT),
            line.kind() + "List",
            words.list("short"),
            words.list("categories")),
        words.has("namespaced"),
        words.has("verbs") ? Set.copyOf(words.list("verbs")) : ALL_VERBS,
        subresources(line),
        types.ofKind(line.packageName(), line.kind()),
        BuiltInRules.of(gvk),
        BuiltInTables.of(gvk),
        selectablePaths(line),
        storage(gvk, line),
        new ResourceDefinition.Traits(words.has("generation"), words.has("put-creates"), false));
  }

  private static List<String> selectablePaths(KindLine line) {
    List<String> paths = new ArrayList<>();
    for (SelectableLine selectable : line.selectable()) {
      paths.add(selectable.path());
    }
    return paths;
  }

  private static List<ResourceDefinition.Subresource> subresources(KindLine line) {
    List<ResourceDefinition.Subresource> subresources = new ArrayList<>();
    for (SubresourceLine subresource : line.subresources()) {
      subresources.add(subresource(subresource));
    }
    return subresources;
  }

  private static ResourceDefinition.Subresource subresource(SubresourceLine line) {
    String kind = line.words().value("kind");
    return new ResourceDefinition.Subresource(
        line.name(),
        kind == null ? null : gvk(kind),
        line.words().has("verbs") ? Set.copyOf(line.words().list("verbs")) : SUBRESOURCE_VERBS);
  }

  private static ResourceDefinition.Storage storage(Gvk gvk, KindLine line) {
    String stored = line.words().value("stored");
    if (stored == null) {
      return new ResourceDefinition.Storage(gvk.group(), line.plural(), gvk, Conversion.NONE);
    }
    String[] parts = stored.split("/", -1);
    var version = new Gvk(parts[0].equals("core") ? "" : parts[0], parts[1], gvk.kind());
    return new ResourceDefinition.Storage(
        version.group(), line.plural(), version, Conversions.between(gvk, version));
  }

  /** {@code v1/Binding}, {@code autoscaling/v1/Scale}. */
  private static Gvk gvk(String text) {
    int slash = text.lastIndexOf('/');
    return Gvk.of(text.substring(0, slash), text.substring(slash + 1));
  }
}
