package dev.evenkeel.serve.request;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.json.GoText;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A request's parameters. Of a name that comes twice, the first value counts. */
public final class Query {

  private static final int PARAMETERS_MAX = 1_000;

  private final Map<String, List<String>> values;

  private Query(Map<String, List<String>> values) {
    this.values = values;
  }

  /** Takes apart what follows the question mark. */
  public static Query parse(String encoded) {
    if (encoded.isEmpty()) {
      return new Query(Map.of());
    }
    Map<String, List<String>> values = new LinkedHashMap<>();
    int from = 0;
    for (int count = 0; from <= encoded.length(); count++) {
      if (count == PARAMETERS_MAX) {
        throw Status.badRequest("the query has more than " + PARAMETERS_MAX + " parameters")
            .asException();
      }
      int to = encoded.indexOf('&', from);
      if (to < 0) {
        to = encoded.length();
      }
      if (to > from) {
        int equals = encoded.indexOf('=', from);
        boolean hasValue = equals >= 0 && equals < to;
        String name = decode(encoded.substring(from, hasValue ? equals : to));
        String value = hasValue ? decode(encoded.substring(equals + 1, to)) : "";
        values.computeIfAbsent(name, _ -> new ArrayList<>(1)).add(value);
      }
      from = to + 1;
    }
    return new Query(values);
  }

  public boolean has(String name) {
    return values.containsKey(name);
  }

  /** The value; empty if there is none. */
  public String text(String name) {
    List<String> all = values.get(name);
    return all == null ? "" : all.get(0);
  }

  public List<String> all(String name) {
    return values.getOrDefault(name, List.of());
  }

  /** As Go's clients write it: {@code true}, {@code 1}; a bare name means true. */
  public boolean flag(String name) {
    if (!has(name)) {
      return false;
    }
    return switch (text(name)) {
      case "false", "0", "f", "F", "FALSE", "False" -> false;
      default -> true;
    };
  }

  /** A whole number, or the fallback if there is none. */
  public long number(String name, long fallback) {
    String text = text(name);
    if (text.isEmpty()) {
      return fallback;
    }
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      boolean digits = text.matches("[+-]?[0-9]+");
      throw Status.badRequest(
              "strconv.ParseInt: parsing "
                  + GoText.quoted(text)
                  + (digits ? ": value out of range" : ": invalid syntax"))
          .asException();
    }
  }

  private static String decode(String text) {
    if (text.indexOf('%') < 0 && text.indexOf('+') < 0) {
      return text;
    }
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw Status.badRequest("invalid URL escape in the query").asException();
    }
  }
}
