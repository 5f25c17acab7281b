package dev.evenkeel.serve.kinds.catalog;

import java.util.List;

/**
 * A field that selectors may name, and where its value is found.
 *
 * @param path as a selector names it, for example {@code status.successful}
 * @param storedPaths where the value is in the stored object: the first of them that has one
 * @param absent the value where none has: {@code false} of a flag, {@code 0} of a number, else
 *     empty
 */
public record SelectableField(String path, List<String> storedPaths, String absent) {
  public SelectableField {
    storedPaths = List.copyOf(storedPaths);
  }
}
