package dev.evenkeel.serve.admission;

import dev.evenkeel.serve.cache.ObjectTree;

/** The newest known states of kinds that a plugin said it reads. */
public interface Views {

  ObjectTree of(Resource resource);
}
