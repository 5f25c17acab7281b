package dev.evenkeel.serve.kinds.rules.container;

import java.util.Set;

/**
 * The volumes that containers may mount.
 *
 * @param names all of them
 * @param claims those that are claims, and so may be block devices
 * @param scratch those that begin empty
 */
public record Volumes(Set<String> names, Set<String> claims, Set<String> scratch) {
  public Volumes {
    names = Set.copyOf(names);
    claims = Set.copyOf(claims);
    scratch = Set.copyOf(scratch);
  }
}
