package dev.evenkeel.serve.kinds.structural;

import tools.jackson.databind.JsonNode;

/** What the checks of schemas read alike: a schema as it is written. */
final class SchemaWords {

  static final String LIST_TYPE = "x-kubernetes-list-type";
  static final String LIST_MAP_KEYS = "x-kubernetes-list-map-keys";
  static final String MAP_TYPE = "x-kubernetes-map-type";
  static final String OPEN_ENDED = "x-kubernetes-preserve-unknown-fields";
  static final String EMBEDDED = "x-kubernetes-embedded-resource";
  static final String INT_OR_STRING = "x-kubernetes-int-or-string";
  static final String VALIDATIONS = "x-kubernetes-validations";

  private SchemaWords() {}

  static boolean flag(JsonNode schema, String name) {
    return schema.path(name).asBoolean(false);
  }

  /** Whether it says something: a field that is null says nothing. */
  static boolean has(JsonNode schema, String name) {
    JsonNode value = schema.path(name);
    return !value.isMissingNode() && !value.isNull();
  }

  /** Whether it says something that is not empty or false. */
  static boolean says(JsonNode schema, String name) {
    JsonNode value = schema.path(name);
    return has(schema, name)
        && !(value.isString() && value.stringValue().isEmpty())
        && !(value.isBoolean() && !value.booleanValue())
        && !(value.isContainer() && value.isEmpty());
  }

  static String property(String path, String name) {
    return path + ".properties[" + name + "]";
  }
}
