package dev.evenkeel.kernel.json;

import java.util.ArrayList;
import java.util.List;

/** The paths of fields that a body gives twice. Owned by the one reader that made it. */
final class Duplicates {

  /** How many are reported by name; the rest are dropped silently. */
  private static final int PATHS_MAX = 100;

  /** A path is cut there: names can be as long as the body. */
  private static final int PATH_CHARS_MAX = 500;

  private final List<String> paths = new ArrayList<>();

  List<String> paths() {
    return paths;
  }

  /**
   * Adds a path.
   *
   * @param steps names and indexes, from the root on
   */
  void add(Iterable<?> steps) {
    if (paths.size() == PATHS_MAX) {
      return;
    }
    var path = new StringBuilder();
    for (Object step : steps) {
      if (step instanceof Integer index) {
        path.append('[').append((int) index).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".").append(step);
      }
      if (path.length() > PATH_CHARS_MAX) {
        path.setLength(PATH_CHARS_MAX);
        path.append("...");
        break;
      }
    }
    paths.add(path.toString());
  }
}
