package dev.evenkeel.serve.cel.type;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The type of a piece of data, with what estimates and lists need to know beside it.
 *
 * @param elementsMax the most elements, entries or characters there can be
 * @param serializedSizeMin the fewest bytes such a value takes in a request
 * @param element the type of a list's items or a map's values
 * @param fields an object's fields by their names in expressions
 * @param listKeys the fields that tell a list's items apart
 */
public record DeclaredType(
    Kind kind,
    CelType celType,
    long elementsMax,
    long serializedSizeMin,
    @Nullable DeclaredType element,
    Map<String, Field> fields,
    ListMerge listMerge,
    List<String> listKeys) {

  /** How JSON of the type is read. */
  public enum Kind {
    ANY,
    BOOLEAN,
    INTEGER,
    NUMBER,
    STRING,
    BYTES,
    DURATION,
    DATE,
    TIMESTAMP,
    LIST,
    MAP,
    OBJECT
  }

  /** What a list's order means, and what its sum is. */
  public enum ListMerge {
    ATOMIC,
    SET,
    KEYED
  }

  /**
   * A field of an object.
   *
   * @param name the name in JSON
   */
  public record Field(String name, DeclaredType type) {}

  /** Data without a schema. */
  public static final DeclaredType DYN = scalar(Kind.ANY, SimpleType.DYN, 0, 1);

  /** The key of a map, whose length no schema bounds: upstream takes it for empty. */
  public static final DeclaredType KEY = scalar(Kind.STRING, SimpleType.STRING, 0, 2);

  static DeclaredType scalar(Kind kind, CelType type, long elementsMax, long sizeMin) {
    return new DeclaredType(
        kind, type, elementsMax, sizeMin, null, Map.of(), ListMerge.ATOMIC, List.of());
  }

  static DeclaredType list(
      DeclaredType element, long elementsMax, ListMerge merge, List<String> keys) {
    return new DeclaredType(
        Kind.LIST,
        ListType.create(element.celType),
        elementsMax,
        2,
        element,
        Map.of(),
        merge,
        keys);
  }

  static DeclaredType map(DeclaredType element, long elementsMax) {
    return new DeclaredType(
        Kind.MAP,
        MapType.create(SimpleType.STRING, element.celType),
        elementsMax,
        2,
        element,
        Map.of(),
        ListMerge.ATOMIC,
        List.of());
  }

  static DeclaredType object(CelType type, long sizeMin, Map<String, Field> fields) {
    return new DeclaredType(
        Kind.OBJECT, type, 0, sizeMin, null, fields, ListMerge.ATOMIC, List.of());
  }
}
