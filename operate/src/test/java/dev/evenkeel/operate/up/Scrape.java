package dev.evenkeel.operate.up;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page of metrics, read as strictly as the formats are written: each family once, with a help
 * text and a type before its samples, which stand together; each series once; buckets that add up.
 */
final class Scrape {

  private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
  private static final Pattern SAMPLE =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{.*})? (\\S+)");
  private static final Pattern LABEL =
      Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\]|\\\\[\\\\\"n])*)\"");

  /** A family, with its samples in the order of the page. */
  record Family(String name, String type, String help, List<Sample> samples) {}

  record Sample(String name, Map<String, String> labels, double value) {}

  private final Map<String, Family> families = new LinkedHashMap<>();

  private Scrape() {}

  /** Reads Prometheus' text format. */
  static Scrape ofText(String page) {
    check(page.endsWith("\n"), "the last line does not end");
    return new Scrape().read(page.lines().toList(), false);
  }

  /** Reads OpenMetrics. */
  static Scrape ofOpenMetrics(String page) {
    check(page.endsWith("\n# EOF\n"), "it does not end with # EOF");
    List<String> lines = page.lines().toList();
    return new Scrape().read(lines.subList(0, lines.size() - 1), true);
  }

  private Scrape read(List<String> lines, boolean open) {
    Map<String, String> helps = new HashMap<>();
    Family family = null;
    String[] helped = null;
    for (String line : lines) {
      if (line.startsWith("# HELP ")) {
        helped = line.substring(7).split(" ", 2);
        check(helped.length == 2 && !helped[1].isBlank(), "no help: " + line);
        check(helps.put(helped[0], helped[1]) == null, "twice: " + line);
        if (!open) {
          family = null;
        }
      } else if (line.startsWith("# TYPE ")) {
        String[] typed = line.substring(7).split(" ", -1);
        check(typed.length == 2 && NAME.matcher(typed[0]).matches(), "no type: " + line);
        check(open || (helped != null && helped[0].equals(typed[0])), "no help before: " + line);
        family = new Family(typed[0], typed[1], "", new ArrayList<>());
        check(families.put(typed[0], family) == null, "twice: " + line);
      } else {
        check(!line.startsWith("#") && !line.isEmpty(), "neither a sample nor a comment: " + line);
        if (family == null) {
          throw new IllegalArgumentException("no type before: " + line);
        }
        Sample sample = sample(line);
        check(suffixes(family.type, open).contains(suffix(family, sample)), "not its own: " + line);
        family.samples.add(sample);
      }
    }
    families.replaceAll(
        (name, known) -> {
          check(helps.containsKey(name), "no help for " + name);
          return new Family(
              name, known.type, Objects.requireNonNull(helps.get(name)), known.samples);
        });
    families.values().forEach(Scrape::checkSeries);
    return this;
  }

  private static String suffix(Family family, Sample sample) {
    check(sample.name.startsWith(family.name), sample.name + " stands below " + family.name);
    return sample.name.substring(family.name.length());
  }

  private static List<String> suffixes(String type, boolean open) {
    return switch (type) {
      case "counter" -> List.of(open ? "_total" : "");
      case "gauge" -> List.of("");
      case "info" -> List.of("_info");
      case "histogram" -> List.of("_bucket", "_sum", "_count");
      default -> throw new IllegalArgumentException("no such type: " + type);
    };
  }

  private static Sample sample(String line) {
    Matcher matcher = SAMPLE.matcher(line);
    check(matcher.matches(), "no sample: " + line);
    Map<String, String> labels = new TreeMap<>();
    String text = matcher.group(2);
    if (text != null) {
      String rest = text.substring(1, text.length() - 1);
      while (!rest.isEmpty()) {
        Matcher label = LABEL.matcher(rest);
        check(label.lookingAt(), "no label: " + rest + " in " + line);
        check(labels.put(label.group(1), label.group(2)) == null, "a label twice: " + line);
        rest = rest.substring(label.end());
        check(rest.isEmpty() || rest.startsWith(","), "no comma: " + line);
        rest = rest.isEmpty() ? "" : rest.substring(1);
      }
    }
    return new Sample(matcher.group(1), labels, number(matcher.group(3)));
  }

  private static double number(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      case "NaN" -> Double.NaN;
      default -> Double.parseDouble(text);
    };
  }

  private static void checkSeries(Family family) {
    Set<String> series = new HashSet<>();
    Set<Set<String>> names = new HashSet<>();
    for (Sample sample : family.samples) {
      check(series.add(sample.name + sample.labels), "twice: " + sample);
      Set<String> labels = new HashSet<>(sample.labels.keySet());
      labels.remove("le");
      names.add(labels);
    }
    check(names.size() <= 1, "series of different labels: " + family.name + names);
    if (family.type.equals("histogram")) {
      checkBuckets(family);
    }
  }

  private static void checkBuckets(Family family) {
    Map<Map<String, String>, double[]> last = new HashMap<>();
    Map<Map<String, String>, Double> counts = new HashMap<>();
    Set<Map<String, String>> sums = new HashSet<>();
    for (Sample sample : family.samples) {
      Map<String, String> labels = new TreeMap<>(sample.labels);
      String le = labels.remove("le");
      check((le != null) == sample.name.endsWith("_bucket"), "le is of buckets alone: " + sample);
      if (le != null) {
        double[] now = {number(le), sample.value};
        double[] before = last.put(labels, now);
        check(
            before == null || (before[0] < now[0] && before[1] <= now[1]),
            () -> "buckets do not grow: " + sample + " after " + Arrays.toString(before));
      } else if (sample.name.endsWith("_count")) {
        counts.put(labels, sample.value);
      } else {
        sums.add(labels);
      }
    }
    last.forEach(
        (labels, bucket) -> {
          check(bucket[0] == Double.POSITIVE_INFINITY, "no last bucket: " + family.name + labels);
          check(counts.getOrDefault(labels, -1.0) == bucket[1], "not all: " + family.name + labels);
        });
    check(sums.equals(last.keySet()) && sums.equals(counts.keySet()), "parts of " + family.name);
  }

  Map<String, Family> families() {
    return families;
  }

  /** The sum of the samples of a name that have these labels, given in pairs. */
  double value(String sample, String... labels) {
    double sum = 0;
    for (Family family : families.values()) {
      for (Sample each : family.samples) {
        if (each.name.equals(sample) && matches(each, labels)) {
          sum += each.value;
        }
      }
    }
    return sum;
  }

  private static boolean matches(Sample sample, String... labels) {
    for (int i = 0; i < labels.length; i += 2) {
      if (!labels[i + 1].equals(sample.labels.get(labels[i]))) {
        return false;
      }
    }
    return true;
  }

  private static void check(boolean holds, String what) {
    check(holds, () -> what);
  }

  private static void check(boolean holds, Supplier<String> what) {
    if (!holds) {
      throw new IllegalArgumentException(what.get());
    }
  }
}
