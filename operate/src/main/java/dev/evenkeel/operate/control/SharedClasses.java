package dev.evenkeel.operate.control;

import java.util.List;

/**
 * What users' controllers and plugins see of this process: the classes that these are written with,
 * and Java. All else a jar brings itself, in whatever version, and it meets nothing of ours.
 */
final class SharedClasses extends ClassLoader {

  /** What the types of their interfaces are made of. */
  private static final List<String> PREFIXES =
      List.of(
          "dev.evenkeel.kernel.",
          "dev.evenkeel.observe.",
          "dev.evenkeel.explain.",
          "dev.evenkeel.decide.",
          "tools.jackson.",
          "com.fasterxml.jackson.annotation.",
          "org.jspecify.annotations.");

  private final ClassLoader ours;

  SharedClasses(ClassLoader ours) {
    super("shared with users", ClassLoader.getPlatformClassLoader());
    this.ours = ours;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    return PREFIXES.stream().anyMatch(name::startsWith)
        ? ours.loadClass(name)
        : super.loadClass(name, resolve);
  }
}
