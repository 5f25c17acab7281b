package dev.evenkeel.serve.kinds.structural;

import com.google.re2j.Pattern;
import dev.evenkeel.serve.kinds.rules.check.Addresses;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.Map;
import java.util.function.Predicate;

/** The formats of strings that are checked; others mean nothing to the server. */
final class Formats {

  private static final Pattern UUID =
      Pattern.compile("(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}");
  private static final Pattern UUID3 =
      Pattern.compile("(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}");
  private static final Pattern UUID4 =
      Pattern.compile(
          "(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}");
  private static final Pattern UUID5 =
      Pattern.compile(
          "(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}");
  private static final Pattern HOSTNAME =
      Pattern.compile(
          "[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
              + "(\\.[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*\\.?");
  private static final Pattern EMAIL =
      Pattern.compile("[^@\\s<>()\\[\\],;:\"]+@[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?");
  private static final Pattern MAC =
      Pattern.compile("(?i)([0-9a-f]{2}[:-]){5}[0-9a-f]{2}|([0-9a-f]{4}\\.){2}[0-9a-f]{4}");
  private static final Pattern DURATION =
      Pattern.compile(
          "[+-]?(0|([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)"
              + "(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))*)");
  private static final Pattern DURATION_WORDS =
      Pattern.compile(
          "[0-9]+"
              + " *(d|day|days|w|week|weeks|h|hour|hours|m|min|minute|minutes|s|sec|second|seconds)");
  private static final Pattern HEX_COLOUR = Pattern.compile("#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})");

  private static final Map<String, Predicate<String>> CHECKS =
      Map.ofEntries(
          Map.entry("date-time", Formats::isDateTime),
          Map.entry("datetime", Formats::isDateTime),
          Map.entry("date", Formats::isDate),
          Map.entry("duration", text -> DURATION.matches(text) || DURATION_WORDS.matches(text)),
          Map.entry("byte", Formats::isBase64),
          Map.entry("uri", Formats::isUri),
          Map.entry("email", EMAIL::matches),
          Map.entry("hostname", text -> text.length() <= 255 && HOSTNAME.matches(text)),
          Map.entry("ipv4", Formats::isIpv4),
          Map.entry("ipv6", Addresses::isV6),
          Map.entry("cidr", text -> Addresses.parseRange(text) != null),
          Map.entry("mac", MAC::matches),
          Map.entry("uuid", UUID::matches),
          Map.entry("uuid3", UUID3::matches),
          Map.entry("uuid4", UUID4::matches),
          Map.entry("uuid5", UUID5::matches),
          Map.entry("hexcolor", HEX_COLOUR::matches));

  private Formats() {}

  /** Whether the text is of the format, as far as it is known. */
  static boolean accepts(String format, String text) {
    Predicate<String> check = CHECKS.get(format);
    return check == null || check.test(text);
  }

  private static boolean isDateTime(String text) {
    try {
      OffsetDateTime.parse(text.replace(' ', 'T'));
      return true;
    } catch (DateTimeException e) {
      return false;
    }
  }

  private static boolean isDate(String text) {
    try {
      LocalDate.parse(text);
      return true;
    } catch (DateTimeException e) {
      return false;
    }
  }

  private static boolean isBase64(String text) {
    try {
      Base64.getDecoder().decode(text.replaceAll("[\r\n]", ""));
      return text.length() % 4 == 0;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean isUri(String text) {
    try {
      var uri = new URI(text);
      return uri.isAbsolute() || text.startsWith("/");
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private static boolean isIpv4(String text) {
    return Addresses.isIp(text) && !Addresses.isV6(text);
  }
}
