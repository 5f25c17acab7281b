package dev.evenkeel.serve.admission;

import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.serve.cache.CachedObject;

/** The newest known states of kinds that a plugin said it reads. */
public interface Views {

  SortedTree<CachedObject> of(Resource resource);
}
