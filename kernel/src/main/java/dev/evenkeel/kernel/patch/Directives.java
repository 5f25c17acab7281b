package dev.evenkeel.kernel.patch;

import dev.evenkeel.kernel.api.ApiException;
import tools.jackson.databind.JsonNode;

/** The words in a strategic merge patch that are not fields. */
final class Directives {

  /** In an object: replace or delete the object, instead of merging it. */
  static final String PATCH = "$patch";

  /** In an object: the fields that stay; all others go. */
  static final String RETAIN_KEYS = "$retainKeys";

  /** Before a slash and a list's name: the order that its items shall have. */
  static final String SET_ELEMENT_ORDER = "$setElementOrder";

  /** Before a slash and the name of a list of scalars: the items that go. */
  static final String DELETE_FROM_PRIMITIVE_LIST = "$deleteFromPrimitiveList";

  static final String REPLACE = "replace";
  static final String DELETE = "delete";
  static final String MERGE = "merge";

  private Directives() {}

  /** Whether the name is none of a field. */
  static boolean isDirective(String name) {
    return name.startsWith("$")
        && (name.equals(PATCH)
            || name.equals(RETAIN_KEYS)
            || name.startsWith(SET_ELEMENT_ORDER)
            || name.startsWith(DELETE_FROM_PRIMITIVE_LIST));
  }

  /**
   * The field that a directive with a slash is about.
   *
   * @param error what to throw if there is no field behind it
   */
  static String field(String name, String directive, ApiException error) {
    int slash = name.indexOf('/');
    if (slash != directive.length()) {
      throw error;
    }
    return name.substring(slash + 1);
  }

  static ApiException unknown(JsonNode directive, JsonNode where) {
    String word = directive.isString() ? directive.stringValue() : PatchErrors.shown(directive);
    return PatchErrors.malformed(
        "unknown patch type: " + word + " in map: " + PatchErrors.shown(where));
  }
}
