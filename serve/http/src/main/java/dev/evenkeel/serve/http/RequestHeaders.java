package dev.evenkeel.serve.http;

import io.vertx.core.MultiMap;
import java.util.AbstractMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request's headers as the core wants them, the first value of each by its lower case name. A
 * view: most requests are asked for three of them, and a map of all would be made for nothing.
 */
final class RequestHeaders extends AbstractMap<String, String> {

  private final MultiMap headers;
  private volatile @Nullable Map<String, String> all;

  RequestHeaders(MultiMap headers) {
    this.headers = headers;
  }

  @Override
  public @Nullable String get(@Nullable Object name) {
    return name instanceof String text ? headers.get(text) : null;
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
      headers.forEach((name, value) -> made.putIfAbsent(name.toLowerCase(Locale.ROOT), value));
      known = Map.copyOf(made);
      all = known;
    }
    return known;
  }
}
