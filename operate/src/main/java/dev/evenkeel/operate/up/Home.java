package dev.evenkeel.operate.up;

import java.nio.file.Path;

/** The user's home folder. */
final class Home {

  private Home() {}

  static Path path() {
    return Path.of(System.getProperty("user.home"));
  }

  /** As people write it: {@code ~/.evenkeel}. */
  static String shorten(Path path) {
    Path absolute = path.toAbsolutePath().normalize();
    return absolute.startsWith(path()) ? "~/" + path().relativize(absolute) : absolute.toString();
  }
}
