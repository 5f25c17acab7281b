package dev.evenkeel.serve.cache;

import dev.evenkeel.kernel.tree.SortedTree;

/**
 * A kind's state.
 *
 * @param revision it is the state at this revision, though the last change may be older
 */
public record Snapshot(long revision, SortedTree<CachedObject> tree) {}
