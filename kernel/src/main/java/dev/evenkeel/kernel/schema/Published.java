package dev.evenkeel.kernel.schema;

import java.util.List;

/**
 * What the OpenAPI documents say of a field that its schema does not: Kubernetes enforces more than
 * it publishes, and publishes some of what only its own code enforces.
 *
 * @param defaultValue whether they name the field's default
 * @param choices the values that they list, of the items where the field is a list or a map; empty
 *     for none
 * @param granular whether they say that a map is owned key by key, which is the case anyway
 */
public record Published(boolean defaultValue, List<String> choices, boolean granular) {

  public static final Published NONE = new Published(false, List.of(), false);

  public Published {
    choices = List.copyOf(choices);
  }
}
