package dev.evenkeel.decide.schedule.plugin;

import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;

/**
 * What a user adds to the scheduler. A class may take part at several points. It is asked on the
 * scheduler's thread, so what takes long holds up all placing; what it throws fails the attempt
 * that asked it, and no other.
 */
public interface SchedulerPlugin {

  /** By which profiles and decision records know it; no two plugins have one. */
  String name();

  /** Whether it is asked about pods of the profile, which are those that name it as scheduler. */
  default boolean takesPart(String profile) {
    return true;
  }

  /** All that are on the class path, in the order of their names. */
  static List<SchedulerPlugin> installed() {
    return ServiceLoader.load(SchedulerPlugin.class, SchedulerPlugin.class.getClassLoader())
        .stream()
        .map(ServiceLoader.Provider::get)
        .sorted(Comparator.comparing(SchedulerPlugin::name))
        .toList();
  }
}
