package dev.evenkeel.serve.kinds.catalog;

import dev.evenkeel.kernel.schema.Field;
import dev.evenkeel.kernel.schema.MergeStrategy;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.serve.kinds.catalog.KindFile.TypeText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * All types by name.
 *
 * <p>Invariants: there is one struct for each name, and the set of names never changes after
 * construction; a struct reads its fields when it is first asked for them. Threading: any.
 */
final class TypeTable {

  private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1";

  private final Map<String, TypeText> texts = new HashMap<>();
  private final Map<String, Schema.Struct> structs = new HashMap<>();

  /** {@code core.v1} → {@code io.k8s.api.core.v1}: how files name each other's types. */
  private final Map<String, String> packages = new HashMap<>();

  TypeTable(List<KindFile> files) {
    for (KindFile file : files) {
      for (TypeText text : file.types()) {
        packages.putIfAbsent(lastTwo(text.packageName()), text.packageName());
        if (texts.put(text.name(), text) != null) {
          throw new IllegalStateException(text.name() + " is written twice");
        }
        structs.put(text.name(), struct(text));
      }
    }
  }

  /** The type of that published name, null if there is none. */
  Schema.@Nullable Struct find(String name) {
    return structs.get(name);
  }

  Schema.Struct require(String name) {
    Schema.Struct struct = structs.get(name);
    if (struct == null) {
      throw new IllegalStateException("no type is named " + name);
    }
    return struct;
  }

  Collection<String> names() {
    return new TreeSet<>(structs.keySet());
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
      return require(text.packageName() + "." + text.words().value("like")).fields().values();
    }
    List<Field> fields = new ArrayList<>();
    if (text.isObject()) {
      fields.add(plain("apiVersion", Schema.Scalar.STRING));
      fields.add(plain("kind", Schema.Scalar.STRING));
      fields.add(plain("metadata", require(META + ".ObjectMeta")));
    }
    for (String line : text.body()) {
      String[] tokens = KindFile.tokens(line);
      if (tokens.length > 0) {
        fields.add(field(text, tokens));
      }
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
      return require(owner.packageName() + "." + name);
    }
    String packageName = packages.get(name.substring(0, dot));
    return require(packageName + name.substring(dot));
  }

  private static Field plain(String name, Schema schema) {
    return new Field(name, schema, false, null, MergeStrategy.REPLACE);
  }

  private static String lastTwo(String packageName) {
    int last = packageName.lastIndexOf('.');
    return packageName.substring(packageName.lastIndexOf('.', last - 1) + 1);
  }
}
