package dev.evenkeel.kernel.schema;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What a value may be. */
public sealed interface Schema {

  /** A value without parts. */
  enum Scalar implements Schema {
    STRING,
    INT32,
    INT64,
    DOUBLE,
    BOOLEAN,
    /** A whole number or a string, such as a port's number or name. */
    INT_OR_STRING,
    /** A resource quantity such as {@code 500m}: a string, or a number that is read as one. */
    QUANTITY,
    /** RFC 3339 with seconds. */
    TIME,
    /** RFC 3339 with microseconds. */
    MICRO_TIME,
    /** Base64 of bytes. */
    BYTES,
    /** Anything at all, kept as it is. */
    ANY
  }

  /** A map from strings to values of one schema. */
  record MapOf(Schema values) implements Schema {}

  /**
   * A list of values of one schema.
   *
   * @param keys for {@link ListType#MAP}, the fields that tell items apart
   */
  record ListOf(Schema items, ListType type, List<String> keys) implements Schema {
    public ListOf {
      keys = List.copyOf(keys);
    }
  }

  /** Who owns what in a list, for server-side apply. */
  enum ListType {
    ATOMIC,
    SET,
    MAP
  }

  /**
   * An object with named fields. A class, not a record: types may contain themselves, so fields are
   * added after it is made. Once its catalog is loaded nothing changes any more.
   *
   * <p>Invariants: fields never change once they were read. Threading: fields may be read by any
   * thread, {@link #add} only before the struct is handed to others.
   */
  final class Struct implements Schema {

    private final String name;
    private final boolean keepsUnknown;
    private final Traits traits;

    /** Null until first read, if {@link #source} is to make them. */
    private volatile @Nullable Map<String, Field> fields;

    /** Null until first asked for. Two threads may both make it, and make the same. */
    private volatile @Nullable Selected selected;

    /** Null once it was called. */
    @GuardedBy("this")
    private @Nullable Supplier<Collection<Field>> source;

    /**
     * What is unusual about a struct.
     *
     * @param admitsOthers values that are no objects are taken as they are
     * @param atomic server-side apply owns an object of it as one value
     * @param published how OpenAPI describes it, if that is given and not made from its fields
     * @param union the field that says which of some others is set, and then those others; empty
     *     where there is no such field
     */
    public record Traits(
        boolean admitsOthers, boolean atomic, @Nullable JsonNode published, List<String> union) {
      public static final Traits NONE = new Traits(false, false);

      public Traits {
        union = List.copyOf(union);
      }

      public Traits(boolean admitsOthers, boolean atomic) {
        this(admitsOthers, atomic, null, List.of());
      }

      public Traits(boolean admitsOthers, boolean atomic, @Nullable JsonNode published) {
        this(admitsOthers, atomic, published, List.of());
      }
    }

    /**
     * @param name the published name of the type, for example {@code io.k8s.api.core.v1.PodSpec}
     * @param keepsUnknown whether fields without a schema are kept instead of dropped
     */
    public Struct(String name, boolean keepsUnknown) {
      this.name = name;
      this.keepsUnknown = keepsUnknown;
      this.traits = Traits.NONE;
      this.fields = new LinkedHashMap<>();
    }

    /**
     * A struct whose fields are made when they are first asked for.
     *
     * @param source called at most once; may refer to any struct but must not read the fields of
     *     one that refers back to this
     */
    public Struct(
        String name, boolean keepsUnknown, Traits traits, Supplier<Collection<Field>> source) {
      this.name = name;
      this.keepsUnknown = keepsUnknown;
      this.traits = traits;
      this.source = source;
    }

    public String name() {
      return name;
    }

    public boolean keepsUnknown() {
      return keepsUnknown;
    }

    public boolean admitsOthers() {
      return traits.admitsOthers();
    }

    public boolean atomic() {
      return traits.atomic();
    }

    /** How OpenAPI describes it; null if that is made from its fields. */
    public @Nullable JsonNode published() {
      return traits.published();
    }

    /** See {@link Traits#union}. */
    public List<String> union() {
      return traits.union();
    }

    public Map<String, Field> fields() {
      return Collections.unmodifiableMap(loaded());
    }

    public @Nullable Field field(String fieldName) {
      return loaded().get(fieldName);
    }

    public void add(Field field) {
      loaded().put(field.name(), field);
      selected = null;
    }

    /** The fields that have a default. */
    List<Field> defaulted() {
      return selected().defaulted;
    }

    /** The fields whose values are limited. */
    List<Field> limited() {
      return selected().limited;
    }

    private Selected selected() {
      Selected known = selected;
      if (known == null) {
        known = Selected.of(loaded().values());
        selected = known;
      }
      return known;
    }

    /** Fields that walks look for, so that they need not look at all. */
    private record Selected(List<Field> defaulted, List<Field> limited) {
      static Selected of(Collection<Field> fields) {
        return new Selected(
            fields.stream().filter(field -> field.defaultValue() != null).toList(),
            fields.stream().filter(field -> !field.limits().equals(Limits.NONE)).toList());
      }
    }

    private Map<String, Field> loaded() {
      Map<String, Field> known = fields;
      return known != null ? known : load();
    }

    private synchronized Map<String, Field> load() {
      Map<String, Field> known = fields;
      if (known != null) {
        return known;
      }
      Map<String, Field> made = new LinkedHashMap<>();
      if (source != null) {
        for (Field field : source.get()) {
          made.put(field.name(), field);
        }
      }
      fields = made;
      source = null;
      return made;
    }

    @Override
    public String toString() {
      return name;
    }
  }
}
