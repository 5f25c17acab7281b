package dev.evenkeel.observe.object;

import java.util.AbstractMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A few pairs as a map that cannot be changed: looking one up is a short walk. */
final class Labels extends AbstractMap<String, String> {

  private final String[] pairs;

  Labels(List<String> pairs) {
    this.pairs = pairs.toArray(new String[0]);
  }

  @Override
  public int size() {
    return pairs.length / 2;
  }

  @Override
  public @Nullable String get(@Nullable Object key) {
    for (int i = 0; i < pairs.length; i += 2) {
      if (pairs[i].equals(key)) {
        return pairs[i + 1];
      }
    }
    return null;
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return get(key) != null;
  }

  @Override
  public Set<Entry<String, String>> entrySet() {
    Map<String, String> map = LinkedHashMap.newLinkedHashMap(pairs.length / 2);
    for (int i = 0; i < pairs.length; i += 2) {
      map.put(pairs[i], pairs[i + 1]);
    }
    return Map.copyOf(map).entrySet();
  }
}
