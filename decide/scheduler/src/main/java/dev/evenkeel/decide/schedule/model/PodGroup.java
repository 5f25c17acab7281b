package dev.evenkeel.decide.schedule.model;

/**
 * Pods that are of use only together.
 *
 * @param minimum with fewer, none is placed
 */
public record PodGroup(String namespace, String name, int minimum) {

  /** {@code namespace/name}. */
  public String key() {
    return namespace + "/" + name;
  }
}
