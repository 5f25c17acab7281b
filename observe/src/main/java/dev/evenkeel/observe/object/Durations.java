package dev.evenkeel.observe.object;

import dev.evenkeel.kernel.json.JsonException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as Go and Kubernetes write them. */
final class Durations {

  private static final Pattern PART =
      Pattern.compile("\\G(\\d+(?:\\.\\d*)?|\\.\\d+)(ns|us|µs|μs|ms|s|m|h)");

  private Durations() {}

  static Duration parse(String text) {
    boolean negative = text.startsWith("-");
    String rest = negative || text.startsWith("+") ? text.substring(1) : text;
    if (rest.equals("0")) {
      return Duration.ZERO;
    }
    Matcher part = PART.matcher(rest);
    Duration sum = Duration.ZERO;
    int end = 0;
    while (part.find()) {
      BigDecimal nanos =
          new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(unit(part.group(2))));
      sum = sum.plusNanos(nanos.longValue());
      end = part.end();
    }
    if (end == 0 || end < rest.length()) {
      throw new JsonException("'" + text + "' is no duration such as 1h30m");
    }
    return negative ? sum.negated() : sum;
  }

  private static long unit(String word) {
    return switch (word) {
      case "ns" -> 1L;
      case "ms" -> 1_000_000L;
      case "s" -> 1_000_000_000L;
      case "m" -> 60_000_000_000L;
      case "h" -> 3_600_000_000_000L;
      default -> 1_000L;
    };
  }
}
