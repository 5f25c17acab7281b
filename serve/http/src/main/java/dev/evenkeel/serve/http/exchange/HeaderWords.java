package dev.evenkeel.serve.http.exchange;

import org.jspecify.annotations.Nullable;

/** Looks for words in header values, without making anything of the rest. */
final class HeaderWords {

  private HeaderWords() {}

  /** Whether the client takes gzip: it names it, and not with a weight of zero. */
  static boolean acceptsGzip(@Nullable String acceptEncoding) {
    if (acceptEncoding == null) {
      return false;
    }
    int start = 0;
    while (start <= acceptEncoding.length()) {
      int comma = acceptEncoding.indexOf(',', start);
      int end = comma < 0 ? acceptEncoding.length() : comma;
      int semicolon = acceptEncoding.indexOf(';', start);
      int nameEnd = semicolon < 0 || semicolon > end ? end : semicolon;
      if (is("gzip", acceptEncoding, start, nameEnd)) {
        return nameEnd == end || !isZeroWeight(acceptEncoding, nameEnd + 1, end);
      }
      start = end + 1;
    }
    return false;
  }

  private static boolean isZeroWeight(String text, int start, int end) {
    String weight = text.substring(start, end).strip();
    if (!weight.startsWith("q=") && !weight.startsWith("Q=")) {
      return false;
    }
    for (int i = 2; i < weight.length(); i++) {
      char c = weight.charAt(i);
      if (c != '0' && c != '.') {
        return false;
      }
    }
    return true;
  }

  private static boolean is(String word, String text, int start, int end) {
    int first = start;
    int last = end;
    while (first < last && text.charAt(first) == ' ') {
      first++;
    }
    while (last > first && text.charAt(last - 1) == ' ') {
      last--;
    }
    return last - first == word.length() && text.regionMatches(true, first, word, 0, word.length());
  }
}
