package dev.evenkeel.serve.registry;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is served, by path.
 *
 * <p><b>Threading:</b> read by anyone; changed by replacing the whole, so a reader sees one state.
 */
public final class ResourceTable {

  private record Path(String group, String version, String plural) {}

  /**
   * @param caches by path without a version
   */
  private record State(Map<Path, Served> byPath, List<Served> all, Map<Path, KindCache> caches) {}

  private final AtomicReference<State> state =
      new AtomicReference<>(new State(Map.of(), List.of(), Map.of()));

  /** Serves the definitions, in their order. */
  public void add(
      Collection<ResourceDefinition> definitions, Function<ResourceDefinition, Served> make) {
    State before = state.get();
    Map<Path, Served> byPath = new HashMap<>(before.byPath);
    List<Served> all = new ArrayList<>(before.all);
    for (ResourceDefinition definition : definitions) {
      Served served = make.apply(definition);
      byPath.put(
          new Path(definition.group(), definition.gvk().version(), definition.plural()), served);
      all.add(served);
    }
    Map<Path, KindCache> caches = new HashMap<>();
    for (Served served : all) {
      caches.putIfAbsent(new Path(served.group(), "", served.plural()), served.cache());
    }
    state.set(new State(byPath, List.copyOf(all), caches));
  }

  public List<Served> all() {
    return state.get().all;
  }

  public @Nullable Served find(String group, String version, String plural) {
    return state.get().byPath.get(new Path(group, version, plural));
  }

  /** The kind at a path; not found is the client's error. */
  public Served at(String group, String version, String plural) {
    Served served = find(group, version, plural);
    if (served == null) {
      throw Status.noSuchPath().asException();
    }
    return served;
  }

  /** The cache of a kind's objects, in whichever version it is served; null if in none. */
  @Nullable KindCache cacheOf(String group, String plural) {
    return state.get().caches.get(new Path(group, "", plural));
  }

  public @Nullable Served byKind(Gvk gvk) {
    for (Served served : all()) {
      if (served.gvk().equals(gvk)) {
        return served;
      }
    }
    return null;
  }

  /** Groups with their versions, in the order they were added. */
  public Map<String, List<String>> groups() {
    Map<String, List<String>> groups = new LinkedHashMap<>();
    for (Served served : all()) {
      List<String> versions = groups.computeIfAbsent(served.group(), _ -> new ArrayList<>());
      if (!versions.contains(served.gvk().version())) {
        versions.add(served.gvk().version());
      }
    }
    return groups;
  }
}
