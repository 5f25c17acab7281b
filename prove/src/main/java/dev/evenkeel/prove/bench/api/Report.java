package dev.evenkeel.prove.bench.api;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.prove.report.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Shows results: as a line when they come, as tables at the end, as JSON for other programs. */
final class Report {

  /** The phases that are run at each size. */
  private static final List<String> GROWING =
      List.of(
          "create, up to size", "create", "get", "update", "list", "watch", "watch, fixed rate");

  private Report() {}

  static String progress(Result result) {
    var text = new StringBuilder(result.phase());
    if (!Double.isNaN(result.count())) {
      text.append(": ")
          .append(number(result.perSecond(), 0))
          .append(' ')
          .append(result.unit())
          .append("/s, p50 ")
          .append(number(result.p50Millis(), 2))
          .append(" ms, p99 ")
          .append(number(result.p99Millis(), 2))
          .append(" ms");
    }
    result
        .figures()
        .forEach(
            (name, value) -> text.append("; ").append(name).append(' ').append(rounded(value)));
    if (!result.errors().isEmpty()) {
      text.append("; ERRORS ").append(result.errors());
    }
    return text.toString();
  }

  /** What one asks for first, at one size. */
  static String headlines(List<Result> results, int size) {
    var table = new Table(List.of("figure", "here"));
    for (Headline line : Headline.ALL) {
      for (Result result : results) {
        if (result.phase().equals(line.phase()) && result.size() == size) {
          table.add(List.of(line.title(), number(line.of(result), line.decimals())));
          break;
        }
      }
    }
    return table.text();
  }

  static String phases(List<Result> results) {
    var table =
        new Table(
            List.of(
                "phase",
                "objects",
                "rate",
                "p50, ms",
                "p99, ms",
                "errors",
                "server CPU, s",
                "µs a unit",
                "resident, MB",
                "generator CPU, s"));
    for (Result result : results) {
      table.add(
          List.of(
              result.phase(),
              number(result.size(), 0),
              Double.isNaN(result.count())
                  ? "-"
                  : number(result.perSecond(), 0) + " " + result.unit() + "/s",
              number(result.p50Millis(), 2),
              number(result.p99Millis(), 2),
              number(result.errorCount(), 0),
              number(result.cost().serverCpuSeconds(), 2),
              number(result.serverCpuMicrosPerUnit(), 1),
              number(result.cost().residentBytes() / 1e6, 0),
              number(result.cost().generatorCpuSeconds(), 2)));
    }
    return table.text();
  }

  /** What the phases measured beside rates. */
  static String figures(List<Result> results) {
    var table = new Table(List.of("figure", "value"));
    for (Result result : results) {
      result
          .figures()
          .forEach(
              (name, value) -> table.add(List.of(result.phase() + ": " + name, rounded(value))));
    }
    return table.text();
  }

  /** Each rate at each size. */
  static String growth(List<Result> results, List<Integer> sizes) {
    var header = new ArrayList<String>(List.of("rate at a number of objects"));
    sizes.forEach(size -> header.add(number(size, 0)));
    var table = new Table(header);
    var rates = new LinkedHashMap<String, Map<Integer, String>>();
    for (Result result : results) {
      if (GROWING.contains(result.phase())) {
        put(rates, result.phase() + ", " + result.unit() + "/s", result, result.perSecond(), 0);
        put(rates, result.phase() + ", p99 ms", result, result.p99Millis(), 2);
        put(rates, result.phase() + ", CPU µs a unit", result, result.serverCpuMicrosPerUnit(), 1);
        put(
            rates,
            result.phase() + ", MB resident",
            result,
            result.cost().residentBytes() / 1e6,
            0);
      }
    }
    rates.forEach(
        (title, values) -> {
          var cells = new ArrayList<String>(List.of(title));
          sizes.forEach(size -> cells.add(values.getOrDefault(size, "-")));
          table.add(cells);
        });
    return table.text();
  }

  private static void put(
      Map<String, Map<Integer, String>> rates,
      String title,
      Result result,
      double value,
      int decimals) {
    rates
        .computeIfAbsent(title, key -> new LinkedHashMap<>())
        .put(result.size(), number(value, decimals));
  }

  static List<String> errors(List<Result> results) {
    return results.stream()
        .filter(result -> !result.errors().isEmpty())
        .map(result -> "errors in " + result.phase() + ": " + result.errors())
        .toList();
  }

  static byte[] json(String description, List<Result> results) {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    ObjectNode root = nodes.objectNode();
    root.put("description", description);
    var list = root.putArray("results");
    for (Result result : results) {
      ObjectNode node = list.addObject();
      node.put("phase", result.phase());
      node.put("objects", (long) result.size());
      node.put("unit", result.unit());
      put(node, "count", result.count());
      put(node, "seconds", result.seconds());
      put(node, "perSecond", result.perSecond());
      put(node, "p50Millis", result.p50Millis());
      put(node, "p99Millis", result.p99Millis());
      put(node, "serverCpuSeconds", result.cost().serverCpuSeconds());
      put(node, "generatorCpuSeconds", result.cost().generatorCpuSeconds());
      put(node, "residentBytes", result.cost().residentBytes());
      ObjectNode errors = node.putObject("errors");
      result.errors().forEach((kind, count) -> errors.put(kind, count));
      ObjectNode figures = node.putObject("figures");
      result.figures().forEach((name, value) -> put(figures, name, value));
    }
    return Json.encode(root);
  }

  /** JSON has no word for what is not a number. */
  private static void put(ObjectNode node, String name, double value) {
    if (Double.isFinite(value)) {
      node.put(name, value);
    } else {
      node.putNull(name);
    }
  }

  private static String rounded(double value) {
    return number(value, Math.abs(value) < 100 && value != Math.rint(value) ? 2 : 0);
  }

  private static String number(double value, int decimals) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%,." + decimals + "f", value) : "-";
  }
}
