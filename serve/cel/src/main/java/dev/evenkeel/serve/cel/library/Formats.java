package dev.evenkeel.serve.cel.library;

import static dev.evenkeel.serve.cel.library.Library.string;

import dev.evenkeel.kernel.schema.TextFormat;
import dev.evenkeel.serve.cel.notation.Url;
import dev.evenkeel.serve.cel.value.BuiltList;
import dev.evenkeel.serve.cel.value.EvaluationError;
import dev.evenkeel.serve.cel.value.Opaque;
import dev.evenkeel.serve.cel.value.OptionalValue;
import dev.evenkeel.serve.cel.value.Times;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Named formats of texts, and what is wrong with a text. */
final class Formats {

  private static final String TYPE = "kubernetes.NamedFormat";

  private static final Pattern UUID =
      Pattern.compile("(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}");

  private static final int LABEL_PATTERN = 30;
  private static final int SUBDOMAIN_PATTERN = 60;

  private static final Map<String, Format> NAMED =
      Map.ofEntries(
          text("dns1123Label", LABEL_PATTERN, TextFormat.DNS_LABEL, false),
          text("dns1123Subdomain", SUBDOMAIN_PATTERN, TextFormat.DNS_SUBDOMAIN, false),
          text("dns1035Label", LABEL_PATTERN, TextFormat.DNS_1035_LABEL, false),
          text("qualifiedName", SUBDOMAIN_PATTERN, TextFormat.QUALIFIED_NAME, false),
          text("dns1123LabelPrefix", LABEL_PATTERN, TextFormat.DNS_LABEL, true),
          text("dns1123SubdomainPrefix", SUBDOMAIN_PATTERN, TextFormat.DNS_SUBDOMAIN, true),
          text("dns1035LabelPrefix", LABEL_PATTERN, TextFormat.DNS_1035_LABEL, true),
          text("labelValue", 40, TextFormat.LABEL_VALUE, false),
          named("uri", 1000, Formats::uri),
          named(
              "uuid",
              80,
              text -> UUID.matcher(text).matches() ? "" : "does not match the UUID format"),
          named("byte", 60, text -> reads(Base64.getDecoder()::decode, text, "invalid base64")),
          named("date", 120, text -> reads(Times::date, text, "invalid date")),
          named("datetime", 120, text -> reads(Times::timestamp, text, "invalid datetime")));

  private Formats() {}

  /**
   * A format.
   *
   * @param patternSize how long a pattern for it would be, for its price
   */
  record Format(String name, int patternSize, Function<String, List<String>> problems)
      implements Opaque {

    @Override
    public String typeName() {
      return TYPE;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static void addTo(Library library) {
    library
        .declare("format-named", "format.named(string) -> optional(" + TYPE + ")")
        .define("format.named", (a, meter) -> OptionalValue.of(NAMED.get(string(a[0]))))
        .declare("format-validate", TYPE + "::validate(string) -> optional(list(string))")
        .define(
            "validate",
            (a, meter) -> {
              String text = string(a[1]);
              meter.work(text.length());
              List<String> problems = Library.of(Format.class, a[0]).problems().apply(text);
              return problems.isEmpty()
                  ? OptionalValue.NONE
                  : OptionalValue.of(BuiltList.of(new ArrayList<>(problems)));
            });
    NAMED.forEach(
        (name, format) ->
            library
                .declare("format-" + name, "format." + name + "() -> " + TYPE)
                .define("format." + name, (a, meter) -> format));
  }

  private static Map.Entry<String, Format> text(
      String name, int size, TextFormat format, boolean prefix) {
    return Map.entry(
        name,
        new Format(
            name,
            size,
            text ->
                // A prefix may end in a dash, because something follows it.
                format.problems(
                    prefix && text.length() > 1 && text.endsWith("-")
                        ? text.substring(0, text.length() - 1) + "a"
                        : text)));
  }

  private static Map.Entry<String, Format> named(
      String name, int size, Function<String, String> problem) {
    return Map.entry(
        name,
        new Format(
            name,
            size,
            text -> {
              String found = problem.apply(text);
              return found.isEmpty() ? List.of() : List.of(found);
            }));
  }

  private static String uri(String text) {
    try {
      Url.of(text);
      return "";
    } catch (EvaluationError e) {
      return e.text();
    }
  }

  private static String reads(Function<String, Object> parse, String text, String otherwise) {
    try {
      return parse.apply(text) == null ? otherwise : "";
    } catch (EvaluationError | IllegalArgumentException e) {
      return otherwise;
    }
  }
}
