package dev.evenkeel.kernel.schema;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
   */
  final class Struct implements Schema {

    private final String name;
    private final boolean keepsUnknown;
    private final Map<String, Field> fields = new LinkedHashMap<>();

    /**
     * @param name the published name of the type, for example {@code io.k8s.api.core.v1.PodSpec}
     * @param keepsUnknown whether fields without a schema are kept instead of dropped
     */
    public Struct(String name, boolean keepsUnknown) {
      this.name = name;
      this.keepsUnknown = keepsUnknown;
    }

    public String name() {
      return name;
    }

    public boolean keepsUnknown() {
      return keepsUnknown;
    }

    public Map<String, Field> fields() {
      return Collections.unmodifiableMap(fields);
    }

    public @Nullable Field field(String fieldName) {
      return fields.get(fieldName);
    }

    public void add(Field field) {
      fields.put(field.name(), field);
    }

    @Override
    public String toString() {
      return name;
    }
  }
}
