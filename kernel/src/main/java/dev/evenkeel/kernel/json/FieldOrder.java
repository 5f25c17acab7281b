package dev.evenkeel.kernel.json;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Brings what is said of the fields of a body into the order in which the body has them. It reads
 * the body once more, so it is for bodies of which there is something to say. Used once.
 */
public final class FieldOrder {

  private final JsonParser parser;
  private final Set<String> left;
  private final Set<String> seen = new HashSet<>();
  private final List<String> sorted = new ArrayList<>();

  private FieldOrder(JsonParser parser, List<String> findings) {
    this.parser = parser;
    this.left = new LinkedHashSet<>(findings);
  }

  /**
   * Sorts texts like {@code unknown field "spec.a"} and {@code duplicate field "spec.b"}.
   *
   * @param body JSON that was decoded before
   */
  public static List<String> sorted(byte[] body, List<String> findings) {
    try (JsonParser parser = Json.parser(body)) {
      var order = new FieldOrder(parser, findings);
      var _ = parser.nextToken();
      order.value("");
      // What is not found again, since its path was cut, comes last.
      order.sorted.addAll(order.left);
      return order.sorted;
    }
  }

  private void value(String path) {
    @Nullable JsonToken token = parser.currentToken();
    if (token == JsonToken.START_OBJECT) {
      @Nullable String name;
      while ((name = parser.nextName()) != null) {
        var _ = parser.nextToken();
        field(path.isEmpty() ? name : path + "." + name);
      }
    } else if (token == JsonToken.START_ARRAY) {
      for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
        value(path + "[" + i + "]");
      }
    }
  }

  private void field(String path) {
    String quoted = GoText.quoted(path);
    // What is unknown is not looked into; what comes twice is.
    if (take("unknown field " + quoted)) {
      var _ = parser.skipChildren();
      return;
    }
    if (!seen.add(path)) {
      var _ = take("duplicate field " + quoted);
    }
    value(path);
  }

  private boolean take(String finding) {
    if (!left.remove(finding)) {
      return false;
    }
    sorted.add(finding);
    return true;
  }
}
