package dev.evenkeel.kernel.json;

import java.util.ArrayList;
import java.util.List;

/**
 * What is said of fields that a body gives twice, in upstream's words. Owned by the one reader that
 * made it.
 */
final class Duplicates {

  /** How many are reported; the rest are dropped silently. */
  private static final int FOUND_MAX = 100;

  /** A path is cut there: names can be as long as the body. */
  private static final int PATH_CHARS_MAX = 500;

  private final List<String> found = new ArrayList<>(0);

  List<String> found() {
    return found;
  }

  /**
   * A field of JSON.
   *
   * @param steps names and indexes, from the root on
   */
  void addField(Iterable<?> steps) {
    if (found.size() == FOUND_MAX) {
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
    add("duplicate field " + GoText.quoted(path.toString()));
  }

  /**
   * A key of YAML.
   *
   * @param line of its value, counted from 1
   */
  void addKey(String key, int line) {
    String shown = key.length() > PATH_CHARS_MAX ? key.substring(0, PATH_CHARS_MAX) + "..." : key;
    add("line " + line + ": key " + GoText.quoted(shown) + " already set in map");
  }

  /** Once each, as upstream does. */
  private void add(String text) {
    if (found.size() < FOUND_MAX && !found.contains(text)) {
      found.add(text);
    }
  }
}
