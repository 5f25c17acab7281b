package dev.evenkeel.operate.control;

import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.decide.run.ControllerProvider;
import dev.evenkeel.operate.control.JarClasses.Unusable;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * Controllers that were found in a jar, or in a folder of jars that belong together, and the class
 * loader that they live in.
 */
record ControllerJar(
    URLClassLoader loader, List<Class<? extends Record>> kinds, List<Controller<?>> controllers)
    implements AutoCloseable {

  /**
   * Finds what a jar or a folder of jars provides.
   *
   * @throws Unusable if it cannot be used; the message says why, for whoever gave it
   */
  static ControllerJar open(Path path) throws Unusable {
    URLClassLoader loader = JarClasses.open("controllers", path);
    boolean opened = false;
    try {
      ControllerJar jar = read(loader);
      opened = true;
      return jar;
    } catch (RuntimeException | LinkageError | ServiceConfigurationError e) {
      throw new Unusable("its provider failed: " + JarClasses.shortly(e), e);
    } finally {
      if (!opened) {
        JarClasses.close(loader);
      }
    }
  }

  private static ControllerJar read(URLClassLoader loader) throws Unusable {
    List<Class<? extends Record>> kinds = new ArrayList<>();
    List<Controller<?>> controllers = new ArrayList<>();
    int providers = 0;
    for (ControllerProvider provider : ServiceLoader.load(ControllerProvider.class, loader)) {
      providers++;
      kinds.addAll(provider.kinds());
      controllers.addAll(provider.controllers());
    }
    if (providers == 0) {
      throw new Unusable(
          "it names no provider in META-INF/services/" + ControllerProvider.class.getName(), null);
    }
    return new ControllerJar(loader, List.copyOf(kinds), List.copyOf(controllers));
  }

  @Override
  public void close() {
    JarClasses.close(loader);
  }
}
