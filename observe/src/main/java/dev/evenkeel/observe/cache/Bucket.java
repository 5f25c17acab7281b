package dev.evenkeel.observe.cache;

import dev.evenkeel.kernel.tree.Keyed;
import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.observe.object.Cached;

/** What is found under one key of an index. */
record Bucket<T>(String key, SortedTree<Cached<T>> objects) implements Keyed {}
