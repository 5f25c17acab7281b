package dev.evenkeel.decide.queue;

import java.util.Objects;

/**
 * Which object. A queue serves one kind, so its name is not here.
 *
 * @param namespace empty for objects without one
 */
public record Key(String namespace, String name) {

  public Key {
    Objects.requireNonNull(namespace, "namespace");
    Objects.requireNonNull(name, "name");
  }

  /** Both texts keep their own hash, so this is two reads and no walk. */
  @Override
  public int hashCode() {
    return 31 * namespace.hashCode() + name.hashCode();
  }

  @Override
  public String toString() {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }
}
