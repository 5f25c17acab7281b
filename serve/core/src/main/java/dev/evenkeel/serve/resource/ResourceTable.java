package dev.evenkeel.serve.resource;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.serve.api.PlainAnswer;
import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
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
   * @param builtIn what is always there
   * @param builtInGroups the groups of that
   * @param defined what users defined, by the name of the definition
   * @param all both, in this order
   * @param caches by path without a version
   * @param byKind likewise by group, version and kind
   * @param sharing those that are stored under the same path
   */
  private record State(
      List<Served> builtIn,
      Set<String> builtInGroups,
      SortedMap<String, List<Served>> defined,
      Map<Path, Served> byPath,
      List<Served> all,
      Map<Path, KindCache> caches,
      Map<Gvk, Served> byKind,
      Map<Path, List<Served>> sharing) {

    static State of(List<Served> builtIn, SortedMap<String, List<Served>> defined) {
      List<Served> all = new ArrayList<>(builtIn);
      defined.values().forEach(all::addAll);
      Map<Path, Served> byPath = new HashMap<>();
      Map<Path, KindCache> caches = new HashMap<>();
      Map<Gvk, Served> byKind = new HashMap<>();
      Map<Path, List<Served>> sharing = new HashMap<>();
      for (Served served : all) {
        byPath.putIfAbsent(
            new Path(served.group(), served.gvk().version(), served.plural()), served);
        caches.putIfAbsent(new Path(served.group(), "", served.plural()), served.cache());
        byKind.putIfAbsent(served.gvk(), served);
        ResourceDefinition.Storage storage = served.definition().storage();
        sharing
            .computeIfAbsent(
                new Path(storage.group(), "", storage.resource()), _ -> new ArrayList<>(1))
            .add(served);
      }
      return new State(
          builtIn, groupsOf(builtIn), defined, byPath, List.copyOf(all), caches, byKind, sharing);
    }
  }

  private static Set<String> groupsOf(List<Served> builtIn) {
    Set<String> groups = new HashSet<>();
    builtIn.forEach(served -> groups.add(served.group()));
    return groups;
  }

  private final AtomicReference<State> state =
      new AtomicReference<>(State.of(List.of(), Collections.emptySortedMap()));

  /** Serves the definitions, in their order. */
  public void add(
      Collection<ResourceDefinition> definitions, Function<ResourceDefinition, Served> make) {
    State before = state.get();
    List<Served> builtIn = new ArrayList<>(before.builtIn);
    for (ResourceDefinition definition : definitions) {
      builtIn.add(make.apply(definition));
    }
    state.set(State.of(List.copyOf(builtIn), before.defined));
  }

  /** Serves what a user's definition says, in place of what it said before; or nothing more. */
  public void define(String definition, List<Served> served) {
    State before = state.get();
    SortedMap<String, List<Served>> defined = new TreeMap<>(before.defined);
    if (served.isEmpty()) {
      defined.remove(definition);
    } else {
      defined.put(definition, List.copyOf(served));
    }
    state.set(State.of(before.builtIn, defined));
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
      throw noSuchPath(group);
    }
    return served;
  }

  /** What to say of a path below a group that leads nowhere. */
  public RuntimeException noSuchPath(String group) {
    return isBuiltIn(group) ? Status.noSuchPath().asException() : PlainAnswer.noSuchPage();
  }

  /** Whether a group has kinds that are always there; others come and go with definitions. */
  public boolean isBuiltIn(String group) {
    return state.get().builtInGroups.contains(group);
  }

  /** The cache of a kind's objects, in whichever version it is served; null if in none. */
  public @Nullable KindCache cacheOf(String group, String plural) {
    return state.get().caches.get(new Path(group, "", plural));
  }

  public @Nullable Served byKind(Gvk gvk) {
    return state.get().byKind.get(gvk);
  }

  /** The versions of a kind: what is stored under that path. */
  public List<Served> sharing(String group, String resource) {
    return state.get().sharing.getOrDefault(new Path(group, "", resource), List.of());
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
