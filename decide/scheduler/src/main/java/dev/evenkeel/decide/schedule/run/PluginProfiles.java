package dev.evenkeel.decide.schedule.run;

import dev.evenkeel.decide.schedule.place.Profile;
import dev.evenkeel.decide.schedule.plugin.Bind;
import dev.evenkeel.decide.schedule.plugin.Permit;
import dev.evenkeel.decide.schedule.plugin.PluginFailure;
import dev.evenkeel.decide.schedule.plugin.QueueSort;
import dev.evenkeel.decide.schedule.plugin.Reserve;
import dev.evenkeel.decide.schedule.plugin.SchedulerPlugin;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which of the users' plugins take part where.
 *
 * @param profiles each with the plugins that take part in it
 * @param hooks by the profile's name, the plugins that are asked once a pod has a node
 * @param order who sorts the queue; null if nobody does
 */
record PluginProfiles(List<Profile> profiles, Map<String, Hooks> hooks, @Nullable QueueSort order) {

  /** The plugins of a profile that are asked once a pod has a node, each in its order. */
  record Hooks(List<Reserve> reserves, List<Permit> permits, List<Bind> binds) {

    static final Hooks NONE = new Hooks(List.of(), List.of(), List.of());

    boolean isEmpty() {
      return reserves.isEmpty() && permits.isEmpty() && binds.isEmpty();
    }
  }

  /**
   * Asks each plugin what it is.
   *
   * @throws IllegalArgumentException if they cannot all take part; the message says what to do
   */
  static PluginProfiles of(List<Profile> profiles) {
    List<Profile> taking = new ArrayList<>();
    Map<String, Hooks> hooks = new HashMap<>();
    Set<SchedulerPlugin> known = Collections.newSetFromMap(new IdentityHashMap<>());
    Set<String> names = new HashSet<>();
    QueueSort order = null;
    for (Profile profile : profiles) {
      List<SchedulerPlugin> plugins = new ArrayList<>();
      for (SchedulerPlugin plugin : profile.plugins()) {
        if (!takesPart(plugin, profile.name())) {
          continue;
        }
        plugins.add(plugin);
        if (!known.add(plugin)) {
          continue;
        }
        String name = PluginFailure.nameOf(plugin);
        if (!names.add(name)) {
          throw new IllegalArgumentException(
              "two plugins of the scheduler are called \"%s\": leave one out".formatted(name));
        }
        if (plugin instanceof QueueSort sort) {
          if (order != null) {
            throw new IllegalArgumentException(
                "the plugins \"%s\" and \"%s\" both sort the queue, which all profiles share: leave one out"
                    .formatted(PluginFailure.nameOf(order), name));
          }
          order = sort;
        }
      }
      taking.add(profile.withPlugins(plugins));
      hooks.put(
          profile.name(),
          new Hooks(
              those(plugins, Reserve.class),
              those(plugins, Permit.class),
              those(plugins, Bind.class)));
    }
    return new PluginProfiles(List.copyOf(taking), Map.copyOf(hooks), order);
  }

  private static boolean takesPart(SchedulerPlugin plugin, String profile) {
    try {
      return PluginFailure.ask(plugin, "Profile", () -> plugin.takesPart(profile));
    } catch (PluginFailure e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static <T> List<T> those(List<SchedulerPlugin> plugins, Class<T> point) {
    return plugins.stream().filter(point::isInstance).map(point::cast).toList();
  }

  /** Of pods that name this scheduler. */
  Hooks of(String profile) {
    return hooks.getOrDefault(profile, Hooks.NONE);
  }
}
