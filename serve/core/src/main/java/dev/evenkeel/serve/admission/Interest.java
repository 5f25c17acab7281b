package dev.evenkeel.serve.admission;

import java.util.List;
import java.util.Set;

/**
 * Writes that a plugin is about.
 *
 * @param subresource empty for the main resource
 */
public record Interest(Resource resource, String subresource, Set<Operation> operations) {

  public Interest {
    operations = Set.copyOf(operations);
  }

  public static Interest in(Resource resource, Operation first, Operation... more) {
    return new Interest(resource, "", all(first, more));
  }

  public static Interest in(
      Resource resource, String subresource, Operation first, Operation... more) {
    return new Interest(resource, subresource, all(first, more));
  }

  private static Set<Operation> all(Operation first, Operation... more) {
    return java.util.EnumSet.copyOf(
        java.util.stream.Stream.concat(java.util.stream.Stream.of(first), List.of(more).stream())
            .toList());
  }
}
