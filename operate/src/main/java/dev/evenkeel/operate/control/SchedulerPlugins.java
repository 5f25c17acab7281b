package dev.evenkeel.operate.control;

import dev.evenkeel.decide.schedule.plugin.QueueSort;
import dev.evenkeel.decide.schedule.plugin.SchedulerPlugin;
import dev.evenkeel.operate.control.JarClasses.Unusable;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What users add to the scheduler of a server: plugins on the class path, and in jars that were
 * given to it.
 *
 * <p><b>Invariants:</b> a jar's plugins are all here or none; no two have one name, and at most one
 * sorts the queue.
 *
 * <p><b>Threading:</b> filled by one thread; what it holds is for any.
 */
public final class SchedulerPlugins implements AutoCloseable {

  private final List<String> profiles;
  private final Consumer<String> say;
  private final List<SchedulerPlugin> plugins = new ArrayList<>();
  private final List<URLClassLoader> loaders = new ArrayList<>();
  private final Set<String> names = new HashSet<>();
  private String sorting = "";

  private SchedulerPlugins(List<String> profiles, Consumer<String> say) {
    this.profiles = List.copyOf(profiles);
    this.say = say;
  }

  /**
   * Finds them.
   *
   * @param profiles the names of the schedulers that will ask them
   * @param paths jars, and folders of jars that belong together
   * @param say is given a line for each path, also if it cannot be used
   */
  public static SchedulerPlugins load(
      List<String> profiles, List<Path> paths, Consumer<String> say) {
    var loaded = new SchedulerPlugins(profiles, say);
    loaded.installed();
    paths.forEach(loaded::read);
    return loaded;
  }

  /** For a scheduler as it comes. */
  public static SchedulerPlugins none() {
    return new SchedulerPlugins(List.of(), _ -> {});
  }

  public List<SchedulerPlugin> all() {
    return List.copyOf(plugins);
  }

  private void installed() {
    String where = "the class path";
    try {
      List<SchedulerPlugin> found = found(SchedulerPlugin.class.getClassLoader());
      if (!found.isEmpty()) {
        add(found, where);
      }
    } catch (Unusable e) {
      refuse(where, e);
    }
  }

  private void read(Path path) {
    URLClassLoader loader;
    try {
      loader = JarClasses.open("scheduler plugins", path);
    } catch (Unusable e) {
      refuse(path.toString(), e);
      return;
    }
    try {
      List<SchedulerPlugin> found = found(loader);
      if (found.isEmpty()) {
        throw new Unusable(
            "it names no plugin in META-INF/services/" + SchedulerPlugin.class.getName(), null);
      }
      add(found, path.toString());
      loaders.add(loader);
    } catch (Unusable e) {
      refuse(path.toString(), e);
      JarClasses.close(loader);
    }
  }

  private static List<SchedulerPlugin> found(ClassLoader loader) throws Unusable {
    try {
      List<SchedulerPlugin> found = new ArrayList<>();
      ServiceLoader.load(SchedulerPlugin.class, loader).forEach(found::add);
      found.sort(Comparator.comparing(SchedulerPlugin::name));
      return found;
    } catch (RuntimeException | LinkageError | ServiceConfigurationError e) {
      throw new Unusable("its plugin failed: " + JarClasses.shortly(e), e);
    }
  }

  private void add(List<SchedulerPlugin> found, String where) throws Unusable {
    Set<String> own = new HashSet<>();
    String sorts = sorting;
    for (SchedulerPlugin plugin : found) {
      String name = checked(plugin);
      if (names.contains(name) || !own.add(name)) {
        throw new Unusable("there is a plugin '" + name + "' already", null);
      }
      if (plugin instanceof QueueSort) {
        if (!sorts.isEmpty()) {
          throw new Unusable(
              "'%s' would sort the queue, which '%s' does already".formatted(name, sorts), null);
        }
        sorts = name;
      }
    }
    sorting = sorts;
    names.addAll(own);
    plugins.addAll(found);
    say.accept("asks       " + String.join(", ", own.stream().sorted().toList()) + " · " + where);
  }

  /** Its name, if it can say what it is. */
  private String checked(SchedulerPlugin plugin) throws Unusable {
    String name;
    try {
      name = plugin.name();
      for (String profile : profiles) {
        var _ = plugin.takesPart(profile);
      }
    } catch (RuntimeException | LinkageError e) {
      throw new Unusable("its plugin failed: " + JarClasses.shortly(e), e);
    }
    if (name.isBlank()) {
      throw new Unusable("its plugin " + plugin.getClass().getName() + " has no name", null);
    }
    return name;
  }

  private void refuse(String where, Unusable why) {
    say.accept("not asked  " + where + ": " + why.getMessage());
  }

  /** Lets go of the jars, once nobody asks any more. */
  @Override
  public void close() {
    loaders.forEach(JarClasses::close);
  }
}
