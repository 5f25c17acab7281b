package dev.evenkeel.serve.request;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One entry of an Accept header.
 *
 * @param type {@code application/json}, {@code application/*}, <code>*&#47;*</code>
 * @param parameters what follows, without the weight
 * @param weight from 0 to 1
 */
record MediaRange(String type, Map<String, String> parameters, double weight) {

  private static final int ENTRIES_MAX = 100;

  /** The heaviest first; of equal ones what says more comes before what says less. */
  private static final Comparator<MediaRange> ORDER =
      Comparator.<MediaRange>comparingDouble(range -> -range.weight)
          .thenComparingInt(range -> range.type.equals("*/*") ? 2 : range.isWild() ? 1 : 0);

  /** The entries of a header, in the order in which they are wanted. */
  static List<MediaRange> parse(String header) {
    List<MediaRange> ranges = new ArrayList<>();
    int from = 0;
    while (from <= header.length() && ranges.size() < ENTRIES_MAX) {
      int to = header.indexOf(',', from);
      if (to < 0) {
        to = header.length();
      }
      ranges.add(one(header.substring(from, to)));
      from = to + 1;
    }
    ranges.sort(ORDER);
    return ranges;
  }

  private static MediaRange one(String text) {
    String[] parts = text.split(";", -1);
    String type = parts[0].strip().toLowerCase(Locale.ROOT);
    Map<String, String> parameters = new HashMap<>(4);
    double weight = 1;
    for (int i = 1; i < parts.length; i++) {
      String part = parts[i].strip();
      int equals = part.indexOf('=');
      if (equals > 0) {
        String name = part.substring(0, equals).strip();
        String value = part.substring(equals + 1).strip();
        if (name.equals("q")) {
          weight = weight(value);
        } else {
          parameters.put(name, value);
        }
      }
    }
    return new MediaRange(type.equals("*") ? "*/*" : type, parameters, weight);
  }

  private static double weight(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return 1;
    }
  }

  private boolean isWild() {
    return type.endsWith("/*");
  }

  /** Whether a media type, without parameters, is among what it names. */
  boolean includes(String mediaType) {
    return type.equals(mediaType)
        || type.equals("*/*")
        || (isWild() && mediaType.startsWith(type.substring(0, type.length() - 1)));
  }

  /** Empty if there is none. */
  String parameter(String name) {
    return parameters.getOrDefault(name, "");
  }
}
