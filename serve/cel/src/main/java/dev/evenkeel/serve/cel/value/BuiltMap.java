package dev.evenkeel.serve.cel.value;

import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A map that an expression made. Keys that are equal numbers of different types are one key. */
public final class BuiltMap extends MapValue {

  private final Map<Object, Object> entries;
  private final String typeName;

  private BuiltMap(Map<Object, Object> entries, String typeName) {
    this.entries = entries;
    this.typeName = typeName;
  }

  /** Takes over the entries, whose keys came from {@link #key}. */
  public static BuiltMap of(Map<Object, Object> entries) {
    return new BuiltMap(entries, "map");
  }

  /** An object of a named type. */
  public static BuiltMap object(String typeName, Map<Object, Object> fields) {
    return new BuiltMap(fields, typeName);
  }

  /**
   * Adds an entry to this very map: only for one that nobody else can see yet, as the result of a
   * loop while the loop runs.
   */
  public void insert(Object key, Object value) {
    if (entries.putIfAbsent(key(key), value) != null) {
      throw new EvaluationError("insert failed: key " + Values.display(key) + " already exists");
    }
  }

  /**
   * The key as it is kept.
   *
   * @throws EvaluationError if such a value cannot be a key
   */
  public static Object key(Object key) {
    return switch (key) {
      case Long number -> number;
      case Uint number -> number.bits() >= 0 ? (Object) number.bits() : number;
      case Double number when number == Math.rint(number) && Math.abs(number) < 0x1p63 ->
          number.longValue();
      case Double number -> number;
      case String text -> text;
      case Boolean value -> value;
      default -> throw new EvaluationError("unsupported key type: " + Values.typeName(key));
    };
  }

  @Override
  public int size() {
    return entries.size();
  }

  @Override
  public @Nullable Object find(Object key) {
    return switch (key) {
      case Long _, Uint _, Double _, String _, Boolean _ -> entries.get(key(key));
      default -> null;
    };
  }

  @Override
  public Collection<Object> keys() {
    return entries.keySet();
  }

  @Override
  public String typeName() {
    return typeName;
  }
}
