package dev.evenkeel.serve.kinds.policy;

/**
 * A write, as far as rules can tell writes apart.
 *
 * @param operation {@code CREATE}, {@code UPDATE} or {@code DELETE}
 * @param subresource empty for the object itself
 * @param namespace empty if it is in none
 * @param name empty if it is yet to be made; {@link #ANY_NAME} if it is not known yet
 */
public record Asked(
    String operation,
    String group,
    String version,
    String plural,
    String subresource,
    String namespace,
    String name) {

  /** For a name that is not known yet: rules for certain names may be about it, or not. */
  public static final String ANY_NAME = "*";

  /** The same of another version of the kind. */
  public Asked in(String otherGroup, String otherVersion, String otherPlural) {
    return new Asked(
        operation, otherGroup, otherVersion, otherPlural, subresource, namespace, name);
  }

  /** Whether its name is not known yet. */
  boolean isUnnamed() {
    return name.equals(ANY_NAME);
  }

  public boolean isNamespace() {
    return group.isEmpty() && plural.equals("namespaces");
  }
}
