package dev.evenkeel.decide.schedule.plugin;

import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;

/** What a user adds to the scheduler. A class may take part at several points. */
public interface SchedulerPlugin {

  /** By which profiles and decision records know it. */
  String name();

  /** All that are on the class path, in the order of their names. */
  static List<SchedulerPlugin> installed() {
    return ServiceLoader.load(SchedulerPlugin.class).stream()
        .map(ServiceLoader.Provider::get)
        .sorted(Comparator.comparing(SchedulerPlugin::name))
        .toList();
  }
}
