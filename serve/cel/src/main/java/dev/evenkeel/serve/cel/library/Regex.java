package dev.evenkeel.serve.cel.library;

import static dev.evenkeel.serve.cel.library.Library.integer;
import static dev.evenkeel.serve.cel.library.Library.string;

import com.google.re2j.Matcher;
import dev.evenkeel.serve.cel.meter.Meter;
import dev.evenkeel.serve.cel.notation.CompiledPattern;
import dev.evenkeel.serve.cel.value.BuiltList;
import dev.evenkeel.serve.cel.value.EvaluationError;
import dev.evenkeel.serve.cel.value.ListValue;
import java.util.ArrayList;

/** Functions of regular expressions. */
final class Regex {

  private Regex() {}

  static void addTo(Library library) {
    library
        .define("matches", (a, meter) -> pattern(a[1]).matcher(string(a[0]), meter).find())
        .declare("string_find_string", "string::find(string) -> string")
        .define("find", (a, meter) -> find(string(a[0]), illegal(a[1]), meter))
        .declare("string_find_all_string", "string::findAll(string) -> list(string)")
        .declare("string_find_all_string_int", "string::findAll(string, int) -> list(string)")
        .define(
            "findAll",
            (a, meter) ->
                findAll(string(a[0]), illegal(a[1]), a.length == 2 ? -1 : integer(a[2]), meter));
  }

  private static CompiledPattern pattern(Object pattern) {
    return pattern instanceof CompiledPattern compiled
        ? compiled
        : CompiledPattern.of(string(pattern));
  }

  private static CompiledPattern illegal(Object pattern) {
    try {
      return pattern(pattern);
    } catch (EvaluationError e) {
      throw new EvaluationError("Illegal regex: " + e.text());
    }
  }

  private static String find(String text, CompiledPattern pattern, Meter meter) {
    Matcher matcher = pattern.matcher(text, meter);
    return matcher.find() ? text.substring(matcher.start(), matcher.end()) : "";
  }

  private static ListValue findAll(String text, CompiledPattern pattern, long most, Meter meter) {
    Matcher matcher = pattern.matcher(text, meter);
    var found = new ArrayList<Object>();
    while ((most < 0 || found.size() < most) && matcher.find()) {
      meter.work(1);
      found.add(text.substring(matcher.start(), matcher.end()));
    }
    return BuiltList.of(found);
  }
}
