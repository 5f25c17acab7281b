package dev.evenkeel.serve.kinds.catalog;

import dev.evenkeel.kernel.schema.Field;
import dev.evenkeel.kernel.schema.MergeStrategy;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.serve.kinds.catalog.KindFile.TypeText;
import dev.evenkeel.serve.kinds.catalog.KindFile.VersionLine;
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
 * <p>Invariants: the set of names never changes after construction; a struct is made when it is
 * first asked for, once, and reads its fields when it is first asked for them. Threading: any.
 */
final class TypeTable {

  private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1";

  /** Package, then short name. */
  private final Map<String, Map<String, TypeText>> texts = new HashMap<>();

  private final Map<String, Schema.Struct> structs = new ConcurrentHashMap<>();

  /** {@code core.v1} → {@code io.k8s.api.core.v1}: how files name each other's types. */
  private final Map<String, String> packages = new HashMap<>();

  TypeTable(List<KindFile> files) {
    for (KindFile file : files) {
      for (VersionLine version : file.versions()) {
        packages.put(lastTwo(version.packageName()), version.packageName());
        texts.put(version.packageName(), new HashMap<>());
      }
      for (TypeText text : file.types()) {
        if (texts.getOrDefault(text.packageName(), Map.of()).put(text.shortName(), text) != null) {
          throw new IllegalStateException(text.name() + " is written twice");
        }
      }
    }
  }

  /** The type of that published name, null if there is none. */
  Schema.@Nullable Struct find(String name) {
    int dot = name.lastIndexOf('.');
    return dot < 0 ? null : find(name.substring(0, dot), name.substring(dot + 1));
  }

  Schema.@Nullable Struct find(String packageName, String shortName) {
    TypeText text = texts.getOrDefault(packageName, Map.of()).get(shortName);
    return text == null ? null : structs.computeIfAbsent(text.name(), _ -> struct(text));
  }

  Schema.Struct require(String packageName, String shortName) {
    Schema.Struct struct = find(packageName, shortName);
    if (struct == null) {
      throw new IllegalStateException("no type is named " + packageName + "." + shortName);
    }
    return struct;
  }

  /** All published names, sorted. */
  Collection<String> names() {
    Set<String> names = new TreeSet<>();
    for (Map<String, TypeText> ofPackage : texts.values()) {
      ofPackage.values().forEach(text -> names.add(text.name()));
    }
    return names;
  }

  private Schema.Struct struct(TypeText text) {
    boolean open = text.words().has("open");
    boolean like = text.words().has("like");
    return new Schema.Struct(
        text.name(),
        open,
        new Schema.Struct.Traits(open || like, text.words().has("atomic")),
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
      fields.add(plain("metadata", require(META, "ObjectMeta")));
    }
    String body = text.body();
    int from = 0;
    while (from < body.length()) {
      int end = body.indexOf('\n', from);
      int to = end < 0 ? body.length() : end;
      String[] tokens = KindFile.tokens(body.substring(from, to));
      if (tokens.length > 0) {
        fields.add(field(text, tokens));
      }
      from = to + 1;
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
