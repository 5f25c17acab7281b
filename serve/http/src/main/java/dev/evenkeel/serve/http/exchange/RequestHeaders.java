package dev.evenkeel.serve.http.exchange;

import io.vertx.core.MultiMap;
import java.util.AbstractMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A request's headers as the core wants them, the first value of each by its lower case name, and
 * all values of those that say whom to act as. A view: most requests are asked for a few of them,
 * and a map of all would be made for nothing.
 */
final class RequestHeaders extends AbstractMap<String, String> {

  private static final String SEVERAL = "impersonate-";

  private final MultiMap headers;
  private volatile @Nullable Map<String, String> all;

  RequestHeaders(MultiMap headers) {
    this.headers = headers;
  }

  @Override
  public @Nullable String get(@Nullable Object name) {
    if (!(name instanceof String text)) {
      return null;
    }
    String first = headers.get(text);
    return first != null && hasSeveral(text) ? String.join("\n", headers.getAll(text)) : first;
  }

  private static boolean hasSeveral(String name) {
    return name.regionMatches(true, 0, SEVERAL, 0, SEVERAL.length());
  }

  /** As the headers came, so one with several values comes several times: without any copy. */
  @Override
  public void forEach(BiConsumer<? super String, ? super String> action) {
    headers.forEach(action::accept);
  }

  @Override
  public boolean containsKey(@Nullable Object name) {
    return get(name) != null;
  }

  @Override
  public Set<Entry<String, String>> entrySet() {
    return all().entrySet();
  }

  private Map<String, String> all() {
    Map<String, String> known = all;
    if (known == null) {
      var made = new LinkedHashMap<String, String>();
      headers.forEach(
          (name, value) ->
              made.merge(
                  name.toLowerCase(Locale.ROOT),
                  value,
                  (before, more) -> hasSeveral(name) ? before + "\n" + more : before));
      known = Map.copyOf(made);
      all = known;
    }
    return known;
  }
}
