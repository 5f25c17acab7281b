package dev.evenkeel.operate.look;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** How answers are written. */
enum Output {
  TEXT,
  JSON;

  /** A duration as short as it can be read: {@code 12ms}, {@code 3.4s}, {@code 5m}. */
  static String millis(double millis) {
    if (millis < 1) {
      return millis == 0 ? "0" : String.format(Locale.ROOT, "%.1fms", millis);
    }
    if (millis < 1_000) {
      return Math.round(millis) + "ms";
    }
    if (millis < 120_000) {
      return String.format(Locale.ROOT, "%.1fs", millis / 1_000);
    }
    return Duration.ofMillis((long) millis).toMinutes() + "m";
  }

  /** Rows below their head, each column as wide as it has to be; two spaces between. */
  static String table(List<List<String>> rows) {
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    var text = new StringBuilder();
    for (List<String> row : rows) {
      var line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  static String text(JsonNode node, String field) {
    return node.path(field).asString("");
  }

  /** {@code namespace/name}, or the name alone. */
  static String name(JsonNode object) {
    String namespace = text(object, "namespace");
    return (namespace.isEmpty() ? "" : namespace + "/") + text(object, "name");
  }
}
