package dev.evenkeel.serve.cel.library;

import static dev.evenkeel.serve.cel.library.Library.integer;
import static dev.evenkeel.serve.cel.library.Library.string;

import dev.evenkeel.serve.cel.meter.Meter;
import dev.evenkeel.serve.cel.value.BuiltList;
import dev.evenkeel.serve.cel.value.EvaluationError;
import dev.evenkeel.serve.cel.value.ListValue;
import java.util.ArrayList;

/** Functions of texts. Places are counted in characters, not in Java's halves of them. */
final class Strings {

  private Strings() {}

  static void addTo(Library library) {
    library
        .define("contains", (a, meter) -> string(a[0]).contains(string(a[1])))
        .define("startsWith", (a, meter) -> string(a[0]).startsWith(string(a[1])))
        .define("endsWith", (a, meter) -> string(a[0]).endsWith(string(a[1])))
        .declare("string_char_at_int", "string::charAt(int) -> string")
        .define("charAt", (a, meter) -> charAt(string(a[0]), integer(a[1]), meter))
        .declare("string_index_of_string", "string::indexOf(string) -> int")
        .declare("string_index_of_string_int", "string::indexOf(string, int) -> int")
        .declare("string_last_index_of_string", "string::lastIndexOf(string) -> int")
        .declare("string_last_index_of_string_int", "string::lastIndexOf(string, int) -> int")
        .declare("string_lower_ascii", "string::lowerAscii() -> string")
        .define("lowerAscii", (a, meter) -> shifted(string(a[0]), 'A', 'Z', 'a' - 'A'))
        .declare("string_upper_ascii", "string::upperAscii() -> string")
        .define("upperAscii", (a, meter) -> shifted(string(a[0]), 'a', 'z', 'A' - 'a'))
        .declare("string_replace_string_string", "string::replace(string, string) -> string")
        .declare(
            "string_replace_string_string_int", "string::replace(string, string, int) -> string")
        .define(
            "replace",
            (a, meter) ->
                replaced(
                    string(a[0]),
                    string(a[1]),
                    string(a[2]),
                    a.length == 3 ? -1 : integer(a[3]),
                    meter))
        .declare("string_split_string", "string::split(string) -> list(string)")
        .declare("string_split_string_int", "string::split(string, int) -> list(string)")
        .define(
            "split",
            (a, meter) ->
                split(string(a[0]), string(a[1]), a.length == 2 ? -1 : integer(a[2]), meter))
        .declare("string_substring_int", "string::substring(int) -> string")
        .declare("string_substring_int_int", "string::substring(int, int) -> string")
        .define("substring", (a, meter) -> substring(a))
        .declare("string_trim", "string::trim() -> string")
        .define("trim", (a, meter) -> trimmed(string(a[0])))
        .declare("list_join", "list(string)::join() -> string")
        .declare("list_join_string", "list(string)::join(string) -> string")
        .define("join", (a, meter) -> joined(a, meter))
        .declare("strings_quote", "strings.quote(string) -> string")
        .define("strings.quote", (a, meter) -> quoted(string(a[0])))
        .declare("string_format", "string::format(list(dyn)) -> string")
        .define(
            "format",
            (a, meter) ->
                new Formatting(string(a[0]), Library.of(ListValue.class, a[1]), meter).result())
        .declare("string_reverse", "string::reverse() -> string");
  }

  private static String charAt(String text, long index, Meter meter) {
    meter.work(1 + text.length() / 8);
    int length = text.codePointCount(0, text.length());
    if (index < 0 || index > length) {
      throw outOfRange(index);
    }
    return index == length
        ? ""
        : Character.toString(text.codePointAt(text.offsetByCodePoints(0, (int) index)));
  }

  private static EvaluationError outOfRange(long index) {
    return new EvaluationError("index out of range: " + index);
  }

  static long indexOf(Object[] a, Meter meter) {
    String text = string(a[0]);
    String part = string(a[1]);
    long from = a.length == 2 ? 0 : integer(a[2]);
    if (part.isEmpty()) {
      return from;
    }
    int length = text.codePointCount(0, text.length());
    if (from < 0) {
      throw outOfRange(from);
    }
    if (from >= length) {
      return -1;
    }
    meter.work(((long) text.length() * part.length()) >> 6);
    int found = text.indexOf(part, text.offsetByCodePoints(0, (int) from));
    return found < 0 ? -1 : text.codePointCount(0, found);
  }

  static long lastIndexOf(Object[] a, Meter meter) {
    String text = string(a[0]);
    String part = string(a[1]);
    int length = text.codePointCount(0, text.length());
    if (part.isEmpty()) {
      return a.length == 2 ? length : integer(a[2]);
    }
    long from = a.length == 2 ? Math.max(0, length - 1) : integer(a[2]);
    if (from < 0) {
      throw outOfRange(from);
    }
    if (from >= length) {
      return -1;
    }
    meter.work(((long) text.length() * part.length()) >> 6);
    int found = text.lastIndexOf(part, text.offsetByCodePoints(0, (int) from));
    return found < 0 ? -1 : text.codePointCount(0, found);
  }

  private static String shifted(String text, char from, char to, int by) {
    var result = new StringBuilder(text);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= from && c <= to) {
        result.setCharAt(i, (char) (c + by));
      }
    }
    return result.toString();
  }

  private static String replaced(String text, String old, String with, long times, Meter meter) {
    var result = new StringBuilder();
    long left = times < 0 ? Long.MAX_VALUE : times;
    int at = 0;
    while (left > 0 && at <= text.length()) {
      int found = text.indexOf(old, at);
      if (found < 0) {
        break;
      }
      meter.work(4 + with.length() / 8);
      result.append(text, at, found).append(with);
      at = found + old.length();
      left--;
      if (old.isEmpty()) {
        int next = found == text.length() ? found + 1 : text.offsetByCodePoints(found, 1);
        result.append(text, found, Math.min(next, text.length()));
        at = next;
      }
    }
    return at >= text.length() ? result.toString() : result.append(text.substring(at)).toString();
  }

  private static ListValue split(String text, String by, long most, Meter meter) {
    var parts = new ArrayList<Object>();
    long left = most < 0 ? Long.MAX_VALUE : most;
    int at = 0;
    while (left > 1) {
      int found =
          by.isEmpty()
              ? (at < text.length() ? text.offsetByCodePoints(at, 1) : -1)
              : text.indexOf(by, at);
      if (found < 0 || (by.isEmpty() && found == text.length())) {
        break;
      }
      meter.work(1);
      parts.add(text.substring(at, found));
      at = found + by.length();
      left--;
    }
    if (left > 0 && !(by.isEmpty() && text.isEmpty())) {
      parts.add(text.substring(at));
    }
    return BuiltList.of(parts);
  }

  private static String substring(Object[] a) {
    String text = string(a[0]);
    int length = text.codePointCount(0, text.length());
    long start = integer(a[1]);
    long end = a.length == 2 ? length : integer(a[2]);
    if (a.length == 3 && start > end) {
      throw new EvaluationError("invalid substring range. start: " + start + ", end: " + end);
    }
    if (start < 0 || start > length) {
      throw outOfRange(start);
    }
    if (end < 0 || end > length) {
      throw outOfRange(end);
    }
    int from = text.offsetByCodePoints(0, (int) start);
    return text.substring(from, text.offsetByCodePoints(from, (int) (end - start)));
  }

  /** Without the white space that Unicode knows at both ends. */
  private static String trimmed(String text) {
    int start = 0;
    int end = text.length();
    while (start < end && isSpace(text.charAt(start))) {
      start++;
    }
    while (end > start && isSpace(text.charAt(end - 1))) {
      end--;
    }
    return text.substring(start, end);
  }

  private static boolean isSpace(char c) {
    return Character.isSpaceChar(c) || (c >= '\t' && c <= '\r') || c == '\u0085';
  }

  private static String joined(Object[] a, Meter meter) {
    ListValue list = Library.of(ListValue.class, a[0]);
    String separator = a.length == 1 ? "" : string(a[1]);
    var result = new StringBuilder();
    long charged = 0;
    for (int i = 0; i < list.size(); i++) {
      if (!(list.get(i) instanceof String part)) {
        throw new EvaluationError("join: invalid input: " + list.get(i));
      }
      long length = (long) result.length() + part.length() + (i == 0 ? 0 : separator.length());
      long due = CallCosts.traversal(2 * length);
      meter.work(1);
      meter.charge(due - charged);
      charged = due;
      if (i > 0) {
        result.append(separator);
      }
      result.append(part);
    }
    return result.toString();
  }

  static String quoted(String text) {
    var result = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\u0007' -> result.append("\\a");
        case '\b' -> result.append("\\b");
        case '\f' -> result.append("\\f");
        case '\n' -> result.append("\\n");
        case '\r' -> result.append("\\r");
        case '\t' -> result.append("\\t");
        case '\u000b' -> result.append("\\v");
        case '\\' -> result.append("\\\\");
        case '"' -> result.append("\\\"");
        default -> result.append(c);
      }
    }
    return result.append('"').toString();
  }

  static String reversed(String text) {
    return new StringBuilder(text).reverse().toString();
  }
}
