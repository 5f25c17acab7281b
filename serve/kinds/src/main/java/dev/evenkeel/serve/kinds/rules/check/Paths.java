package dev.evenkeel.serve.kinds.rules.check;

import java.util.List;

/** Paths in file systems that must not lead out of where they begin. */
public final class Paths {

  private Paths() {}

  public static boolean hasBacksteps(String path) {
    return List.of(path.split("/", -1)).contains("..");
  }

  public static void noBacksteps(Place path) {
    if (hasBacksteps(path.text())) {
      path.invalid("must not contain '..'");
    }
  }

  /** Relative, and never upwards. */
  public static void descending(Place path) {
    if (path.text().startsWith("/")) {
      path.invalid("must be a relative path");
    }
    noBacksteps(path);
  }

  /** {@link #descending}, and not hidden as volumes hide what is theirs. */
  public static void notReserved(Place path) {
    descending(path);
    if (path.text().startsWith("..") && !path.text().startsWith("../")) {
      path.invalid("must not start with '..'");
    }
  }
}
