package dev.evenkeel.operate.control;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The classes of a jar, or of a folder of jars that belong together, in a loader of their own that
 * sees of this process only what is shared with users.
 */
final class JarClasses {

  private JarClasses() {}

  /**
   * @param name for people who look at stacks
   * @throws Unusable if it cannot be opened; the message says why, for whoever gave it
   */
  static URLClassLoader open(String name, Path path) throws Unusable {
    try {
      return new URLClassLoader(
          name, urls(path), new SharedClasses(JarClasses.class.getClassLoader()));
    } catch (NoSuchFileException e) {
      throw new Unusable("there is no such file or folder", e);
    } catch (IOException e) {
      throw new Unusable("it is no jar: " + e.getMessage(), e);
    }
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

  static void close(URLClassLoader loader) {
    try {
      loader.close();
    } catch (IOException e) {
      // Nothing is written to it: there is nothing to lose.
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

  /** A jar that cannot be used. */
  static final class Unusable extends Exception {
    Unusable(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }
}
