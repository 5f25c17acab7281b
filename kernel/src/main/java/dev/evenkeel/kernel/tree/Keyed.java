package dev.evenkeel.kernel.tree;

/** What a {@link SortedTree} holds. */
public interface Keyed {

  /** What it is found by and ordered by; always the same one. */
  String key();
}
