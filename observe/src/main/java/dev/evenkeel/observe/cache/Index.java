package dev.evenkeel.observe.cache;

import dev.evenkeel.observe.object.Cached;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds objects by something other than their name: the function says under which keys an object is
 * found, of which there may be none or several. It is called on the informer's loop and must depend
 * on nothing but the object.
 *
 * <p>An index is known by its name: two of the same name are taken for the same.
 */
public final class Index<T> {

  private static final System.Logger LOG = System.getLogger(Index.class.getName());

  private final String name;
  private final Function<Cached<T>, ? extends Collection<String>> keys;

  public Index(String name, Function<Cached<T>, ? extends Collection<String>> keys) {
    this.name = name;
    this.keys = keys;
  }

  public String name() {
    return name;
  }

  /** The object's keys; none if the function fails, so that one odd object does not stop all. */
  Collection<String> keys(Cached<T> object) {
    try {
      return keys.apply(object);
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, () -> "the index " + name + " failed for " + object, e);
      return List.of();
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Index<?> index && name.equals(index.name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name;
  }
}
