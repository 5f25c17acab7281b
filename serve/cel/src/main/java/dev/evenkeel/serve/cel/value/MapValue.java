package dev.evenkeel.serve.cel.value;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** A map, or an object with fields. */
public abstract class MapValue {

  public abstract int size();

  /** The value, or null if there is none. */
  public abstract @Nullable Object find(Object key);

  public abstract Collection<?> keys();

  /** The name of the type; objects have one of their own. */
  public String typeName() {
    return "map";
  }
}
