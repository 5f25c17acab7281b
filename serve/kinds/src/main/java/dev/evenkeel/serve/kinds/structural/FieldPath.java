package dev.evenkeel.serve.kinds.structural;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * A way to a field that a schema knows: {@code .spec.ports}, {@code .spec['a.b']}.
 *
 * @param steps names of fields and keys of maps
 * @param shown as it stands in errors: {@code spec.labels[a]}
 * @param schema of the field, as written; missing where a map's values have none
 */
record FieldPath(List<String> steps, String shown, JsonNode schema) {

  /**
   * Follows a path into a schema.
   *
   * @param brackets whether names may stand in brackets
   * @throws IllegalArgumentException if there is no such field; the message says why
   */
  static FieldPath of(String text, JsonNode schema, boolean brackets) {
    List<String> tokens = tokens(text);
    List<String> steps = new ArrayList<>();
    var shown = new StringBuilder();
    JsonNode here = schema;
    int at = 0;
    while (at < tokens.size()) {
      String token = tokens.get(at);
      at++;
      String name;
      if (token.equals(".")) {
        name = next(tokens, at++);
      } else if (token.equals("[") && brackets) {
        name = unquoted(next(tokens, at++));
        String end = next(tokens, at++);
        if (!end.equals("]")) {
          throw new IllegalArgumentException("expected ] but got " + end);
        }
      } else if (token.equals("[")) {
        throw new IllegalArgumentException("array notation is not allowed");
      } else {
        throw new IllegalArgumentException("expected [ or . but got: " + token);
      }
      boolean field = !here.path("properties").isEmpty();
      JsonNode values = here.path("additionalProperties");
      if (field ? !here.path("properties").has(name) : values.isMissingNode() || values.isNull()) {
        throw new IllegalArgumentException("does not refer to a valid field");
      }
      here = field ? here.path("properties").path(name) : values;
      steps.add(name);
      shown.append(field ? (shown.isEmpty() ? "" : ".") + name : "[" + name + "]");
    }
    return new FieldPath(
        steps, shown.toString(), here.isObject() ? here : MissingNode.getInstance());
  }

  private static String next(List<String> tokens, int at) {
    if (at >= tokens.size()) {
      throw new IllegalArgumentException("unexpected end of JSON path");
    }
    return tokens.get(at);
  }

  private static String unquoted(String token) {
    if (token.length() < 2 || token.charAt(0) != '\'' || !token.endsWith("'")) {
      throw new IllegalArgumentException("expected single quoted string but got " + token);
    }
    return token.substring(1, token.length() - 1).replace("\\'", "'").replace("\\\\", "\\");
  }

  /** Delimiters by themselves, and what stands between them. */
  private static List<String> tokens(String text) {
    List<String> tokens = new ArrayList<>();
    int at = 0;
    while (at < text.length()) {
      int end = at + 1;
      if (text.charAt(at) == '\'') {
        while (end < text.length()
            && !(text.charAt(end) == '\'' && text.charAt(end - 1) != '\\')) {
          end++;
        }
        end = Math.min(end + 1, text.length());
      } else if (".[]".indexOf(text.charAt(at)) < 0) {
        while (end < text.length() && ".[]".indexOf(text.charAt(end)) < 0) {
          end++;
        }
      }
      tokens.add(text.substring(at, end));
      at = end;
    }
    return tokens;
  }
}
