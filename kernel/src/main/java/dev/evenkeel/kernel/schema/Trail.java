package dev.evenkeel.kernel.schema;

import java.util.Arrays;

/**
 * Where a walk through a tree stands. Steps are put into arrays that are reused, so that only a
 * problem pays for a path's text.
 *
 * <p>Invariant: every step that was entered is left again. Threading: owned by one walk.
 */
final class Trail {

  /** Not an index: the step is a field of an object. */
  private static final int FIELD = -1;

  /** Not an index: the step is a key of a map. */
  private static final int KEY = -2;

  private static final int STEPS_FIRST = 16;

  private String[] names = new String[STEPS_FIRST];
  private int[] indexes = new int[STEPS_FIRST];
  private int depth;

  void enterField(String name) {
    push(name, FIELD);
  }

  void enterKey(String key) {
    push(key, KEY);
  }

  void enterIndex(int index) {
    push("", index);
  }

  void leave() {
    depth--;
  }

  private void push(String name, int index) {
    if (depth == names.length) {
      names = Arrays.copyOf(names, depth * 2);
      indexes = Arrays.copyOf(indexes, depth * 2);
    }
    names[depth] = name;
    indexes[depth] = index;
    depth++;
  }

  /** {@code spec.containers[0].name}; a map's key in brackets too, as validation names them. */
  String path() {
    return path(true, true);
  }

  /** Like {@link #path}, but a map's key after a dot, as decoding names them. */
  String dottedPath() {
    return path(true, false);
  }

  /** Only the fields: {@code spec.containers.name}. */
  String fieldPath() {
    return path(false, false);
  }

  private String path(boolean keysAndIndexes, boolean brackets) {
    var path = new StringBuilder();
    for (int i = 0; i < depth; i++) {
      if (indexes[i] == FIELD || (indexes[i] == KEY && keysAndIndexes && !brackets)) {
        path.append(path.isEmpty() ? "" : ".").append(names[i]);
      } else if (keysAndIndexes) {
        path.append('[');
        if (indexes[i] == KEY) {
          path.append(names[i]);
        } else {
          path.append(indexes[i]);
        }
        path.append(']');
      }
    }
    return path.toString();
  }
}
