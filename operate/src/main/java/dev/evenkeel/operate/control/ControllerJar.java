package dev.evenkeel.operate.control;

import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.decide.run.ControllerProvider;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
    URLClassLoader loader;
    try {
      loader = new URLClassLoader("controllers", urls(path), sharedClasses());
    } catch (NoSuchFileException e) {
      throw new Unusable("there is no such file or folder", e);
    } catch (IOException e) {
      throw new Unusable("it is no jar: " + e.getMessage(), e);
    }
    boolean opened = false;
    try {
      ControllerJar jar = read(loader);
      opened = true;
      return jar;
    } catch (RuntimeException | LinkageError | ServiceConfigurationError e) {
      throw new Unusable("its provider failed: " + shortly(e), e);
    } finally {
      if (!opened) {
        close(loader);
      }
    }
  }

  private static SharedClasses sharedClasses() {
    return new SharedClasses(ControllerJar.class.getClassLoader());
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

  private static URL[] urls(Path path) throws IOException {
    List<URL> urls = new ArrayList<>();
    for (Path file : jars(path)) {
      // A loader would take no notice of a file that is no jar.
      new JarFile(file.toFile()).close();
      urls.add(file.toUri().toURL());
    }
    return urls.toArray(new URL[0]);
  }

  private static List<Path> jars(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      return List.of(path);
    }
    try (Stream<Path> files = Files.list(path)) {
      List<Path> jars = files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
      if (jars.isEmpty()) {
        throw new IOException("the folder has none");
      }
      return jars;
    }
  }

  /** What failed, in one line: causes say more than what they were wrapped in. */
  static String shortly(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String message = cause.getMessage();
    return cause.getClass().getSimpleName()
        + (message == null ? "" : ": " + message.lines().findFirst().orElse(""));
  }

  @Override
  public void close() {
    close(loader);
  }

  private static void close(URLClassLoader loader) {
    try {
      loader.close();
    } catch (IOException e) {
      // Nothing is written to it: there is nothing to lose.
    }
  }

  /** A jar that cannot be used. */
  static final class Unusable extends Exception {
    Unusable(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }
}
