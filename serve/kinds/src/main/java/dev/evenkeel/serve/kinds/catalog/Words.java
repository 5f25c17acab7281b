package dev.evenkeel.serve.kinds.catalog;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The options of a line: {@code word} or {@code word=value}. */
record Words(Map<String, String> values) {

  static final Words NONE = new Words(Map.of());

  static Words of(String[] tokens, int from) {
    if (from == tokens.length) {
      return NONE;
    }
    Map<String, String> values = new HashMap<>();
    for (int i = from; i < tokens.length; i++) {
      int equals = tokens[i].indexOf('=');
      if (equals < 0) {
        values.put(tokens[i], "");
      } else {
        values.put(tokens[i].substring(0, equals), tokens[i].substring(equals + 1));
      }
    }
    return new Words(values);
  }

  boolean has(String word) {
    return values.containsKey(word);
  }

  @Nullable String value(String word) {
    return values.get(word);
  }

  List<String> list(String word) {
    String value = values.get(word);
    return value == null ? List.of() : List.of(value.split(",", -1));
  }

  /**
   * The tokens of a line, without the comment. By hand, because regular expressions are slow before
   * they are compiled, and this runs at start.
   */
  static String[] tokens(String line) {
    List<String> tokens = new ArrayList<>();
    int from = 0;
    while (from < line.length()) {
      if (line.charAt(from) == ' ') {
        from++;
        continue;
      }
      if (line.charAt(from) == '#') {
        break;
      }
      int space = line.indexOf(' ', from);
      int to = space < 0 ? line.length() : space;
      tokens.add(line.substring(from, to));
      from = to;
    }
    return tokens.toArray(new String[0]);
  }
}
