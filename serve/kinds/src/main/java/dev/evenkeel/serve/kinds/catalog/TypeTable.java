package dev.evenkeel.serve.kinds.catalog;

import dev.evenkeel.kernel.schema.Field;
import dev.evenkeel.kernel.schema.MergeStrategy;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.serve.kinds.catalog.KindFile.VersionLine;
import dev.evenkeel.serve.kinds.catalog.TypeFile.TypeText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * All types by name.
 *
 * <p>Invariants: there is one struct for each name. A file is read when the first of its types is
 * asked for its fields, and a type's fields when it is asked for them itself: a server needs the
 * kinds to start, but their types only as objects come by. Threading: any.
 */
final class TypeTable {

  private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1";

  /** Package → file. */
  private final Map<String, String> fileNames = new HashMap<>();

  /** {@code core.v1} → {@code io.k8s.api.core.v1}: how files name each other's types. */
  private final Map<String, String> packages = new HashMap<>();

  private final Map<String, TypeFile> files = new ConcurrentHashMap<>();
  private final Map<String, Schema.Struct> structs = new ConcurrentHashMap<>();

  TypeTable(List<VersionLine> versions) {
    for (VersionLine version : versions) {
      fileNames.put(version.packageName(), version.file());
      packages.put(lastTwo(version.packageName()), version.packageName());
    }
  }

  /**
   * The type of a kind's objects. Its file is not read yet, so it is taken on trust that it is
   * there and a plain object.
   */
  Schema.Struct ofKind(String packageName, String kind) {
    return structs.computeIfAbsent(
        packageName + "." + kind,
        name ->
            new Schema.Struct(
                name,
                false,
                Schema.Struct.Traits.NONE,
                () -> fields(requireText(packageName, kind))));
  }

  /** The type of that published name, null if there is none. */
  Schema.@Nullable Struct find(String name) {
    int dot = name.lastIndexOf('.');
    return dot < 0 ? null : find(name.substring(0, dot), name.substring(dot + 1));
  }

  Schema.@Nullable Struct find(String packageName, String shortName) {
    TypeText text = text(packageName, shortName);
    return text == null ? null : structs.computeIfAbsent(text.name(), _ -> struct(text));
  }

  /** All published names, sorted. */
  Collection<String> names() {
    Set<String> names = new TreeSet<>();
    for (String packageName : fileNames.keySet()) {
      for (TypeText text : texts(packageName).values()) {
        names.add(text.name());
      }
    }
    return names;
  }

  private Map<String, TypeText> texts(String packageName) {
    String file = fileNames.get(packageName);
    if (file == null) {
      return Map.of();
    }
    return files
        .computeIfAbsent(file, TypeFile::read)
        .packages()
        .getOrDefault(packageName, Map.of());
  }

  private @Nullable TypeText text(String packageName, String shortName) {
    return texts(packageName).get(shortName);
  }

  private TypeText requireText(String packageName, String shortName) {
    TypeText text = text(packageName, shortName);
    if (text == null) {
      throw new IllegalStateException("no type is named " + packageName + "." + shortName);
    }
    return text;
  }

  private Schema.Struct require(String packageName, String shortName) {
    TypeText text = requireText(packageName, shortName);
    return structs.computeIfAbsent(text.name(), _ -> struct(text));
  }

  private Schema.Struct struct(TypeText text) {
    boolean open = text.words().has("open");
    boolean like = text.words().has("like");
    return new Schema.Struct(
        text.name(),
        open,
        new Schema.Struct.Traits(
            open || like, text.words().has("atomic"), null, text.words().list("union")),
        () -> fields(text));
  }

  private Collection<Field> fields(TypeText text) {
    if (text.words().has("like")) {
      String model = Objects.requireNonNull(text.words().value("like"));
      return require(text.packageName(), model).fields().values();
    }
    List<Field> fields = new ArrayList<>();
    if (text.isObject()) {
      fields.add(plain("apiVersion", Schema.Scalar.STRING));
      fields.add(plain("kind", Schema.Scalar.STRING));
      fields.add(
          new Field(
              "metadata",
              require(META, "ObjectMeta"),
              text.words().has("metadata!"),
              null,
              MergeStrategy.REPLACE));
    }
    for (String line : text.body()) {
      fields.add(field(text, Words.tokens(line)));
    }
    return fields;
  }

  private Field field(TypeText owner, String[] tokens) {
    try {
      return FieldLine.read(tokens, name -> resolve(owner, name));
    } catch (RuntimeException e) {
      throw new IllegalStateException(owner.name() + ", field " + tokens[0], e);
    }
  }

  /** A name without a dot is of the same package; others begin with group and version. */
  private Schema.Struct resolve(TypeText owner, String name) {
    int dot = name.lastIndexOf('.');
    if (dot < 0) {
      return require(owner.packageName(), name);
    }
    String packageName = packages.getOrDefault(name.substring(0, dot), "");
    return require(packageName, name.substring(dot + 1));
  }

  private static Field plain(String name, Schema schema) {
    return new Field(name, schema, false, null, MergeStrategy.REPLACE);
  }

  private static String lastTwo(String packageName) {
    int last = packageName.lastIndexOf('.');
    return packageName.substring(packageName.lastIndexOf('.', last - 1) + 1);
  }
}
