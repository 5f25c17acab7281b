package dev.evenkeel.serve.cel.library;

import static dev.evenkeel.serve.cel.library.Library.string;

import dev.evenkeel.serve.cel.meter.Meter;
import dev.evenkeel.serve.cel.notation.Url;
import dev.evenkeel.serve.cel.value.BuiltList;
import dev.evenkeel.serve.cel.value.BuiltMap;
import dev.evenkeel.serve.cel.value.EvaluationError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.function.Function;

/** Functions of URLs. */
final class Urls {

  private Urls() {}

  static void addTo(Library library) {
    library
        .declare("string_to_url", "url(string) -> kubernetes.URL")
        .define("url", (a, meter) -> url(string(a[0])))
        .declare("is_url_string", "isURL(string) -> bool")
        .define("isURL", (a, meter) -> isUrl(string(a[0])));
    part(library, "url_get_scheme", "getScheme", Url::scheme);
    part(library, "url_get_host", "getHost", Url::host);
    part(library, "url_get_hostname", "getHostname", Url::hostname);
    part(library, "url_get_port", "getPort", Url::port);
    part(library, "url_get_escaped_path", "getEscapedPath", Url::path);
    library
        .declare("url_get_query", "kubernetes.URL::getQuery() -> map(string, list(string))")
        .define("getQuery", (a, meter) -> query(Library.of(Url.class, a[0]), meter));
  }

  private static void part(Library library, String id, String name, Function<Url, String> part) {
    library
        .declare(id, "kubernetes.URL::" + name + "() -> string")
        .define(name, (a, meter) -> part.apply(Library.of(Url.class, a[0])));
  }

  private static Url url(String text) {
    try {
      return Url.of(text);
    } catch (EvaluationError e) {
      throw new EvaluationError("URL parse error during conversion from string: " + e.text());
    }
  }

  private static boolean isUrl(String text) {
    try {
      Url.of(text);
      return true;
    } catch (EvaluationError e) {
      return false;
    }
  }

  private static BuiltMap query(Url url, Meter meter) {
    meter.text(url.query().length() * 4L);
    var entries = new LinkedHashMap<Object, Object>();
    url.queryValues()
        .forEach((name, values) -> entries.put(name, BuiltList.of(new ArrayList<>(values))));
    return BuiltMap.of(entries);
  }
}
