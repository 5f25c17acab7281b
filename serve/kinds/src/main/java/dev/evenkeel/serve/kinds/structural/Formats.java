package dev.evenkeel.serve.kinds.structural;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.evenkeel.serve.kinds.rules.check.Addresses;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
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
          "[a-zA-Z0-9\\p{S}\\p{L}](-?[a-zA-Z0-9\\p{S}\\p{L}]{0,62})?"
              + "|([a-zA-Z0-9\\p{S}\\p{L}]([-a-zA-Z0-9\\p{S}\\p{L}]{0,61}[a-zA-Z0-9\\p{S}\\p{L}])?"
              + "\\.)+[a-zA-Z\\p{L}]{2,63}");
  private static final Pattern EMAIL =
      Pattern.compile("[^@\\s<>()\\[\\],;:\"]+@[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?");
  private static final Pattern MAC =
      Pattern.compile("(?i)([0-9a-f]{2}[:-]){5}[0-9a-f]{2}|([0-9a-f]{4}\\.){2}[0-9a-f]{4}");
  private static final Pattern DURATION =
      Pattern.compile(
          "[+-]?(0|([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)"
              + "(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))*)");
  private static final Pattern DURATION_PART = Pattern.compile("([0-9]+)\\s*([A-Za-zµ]+)");
  private static final Set<String> DURATION_UNITS =
      Set.of("ns", "us", "µs", "ms", "s", "m", "h", "hr", "d", "w", "wk");
  private static final List<String> DURATION_WORDS =
      List.of("nano", "micro", "milli", "sec", "min", "hour", "day", "week");
  private static final Pattern CLOCK =
      Pattern.compile(
          "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](.[0-9]+)?(z|[+-][0-9]{2}:[0-9]{2})");
  private static final Pattern OBJECT_ID = Pattern.compile("[0-9a-fA-F]{24}");
  private static final Pattern SOCIAL_SECURITY = Pattern.compile("[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}");
  private static final Pattern CARD =
      Pattern.compile(
          "4[0-9]{12}([0-9]{3})?|5[1-5][0-9]{14}|6(011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}"
              + "|3(0[0-5]|[68][0-9])[0-9]{11}|(2131|1800|35[0-9]{3})[0-9]{11}");
  private static final Pattern RGB_COLOUR =
      Pattern.compile(
          "rgb\\(\\s*(0|[1-9][0-9]?|1[0-9]{2}|2[0-4][0-9]|25[0-5])\\s*,"
              + "\\s*(0|[1-9][0-9]?|1[0-9]{2}|2[0-4][0-9]|25[0-5])\\s*,"
              + "\\s*(0|[1-9][0-9]?|1[0-9]{2}|2[0-4][0-9]|25[0-5])\\s*\\)");
  private static final Pattern SHORT_NAME = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
  private static final Pattern LONG_NAME =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
  private static final Pattern HEX_COLOUR = Pattern.compile("#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})");

  private static final Map<String, Predicate<String>> CHECKS =
      Map.ofEntries(
          Map.entry("datetime", Formats::isDateTime),
          Map.entry("date", Formats::isDate),
          Map.entry("duration", Formats::isDuration),
          Map.entry("byte", Formats::isBase64),
          Map.entry("uri", Formats::isUri),
          Map.entry("email", EMAIL::matches),
          Map.entry("hostname", Formats::isHostname),
          Map.entry("ipv4", Formats::isIpv4),
          Map.entry("ipv6", Addresses::isV6),
          Map.entry("cidr", text -> Addresses.parseRange(text) != null),
          Map.entry("mac", MAC::matches),
          Map.entry("uuid", UUID::matches),
          Map.entry("uuid3", UUID3::matches),
          Map.entry("uuid4", UUID4::matches),
          Map.entry("uuid5", UUID5::matches),
          Map.entry("hexcolor", HEX_COLOUR::matches),
          Map.entry("rgbcolor", RGB_COLOUR::matches),
          Map.entry("bsonobjectid", OBJECT_ID::matches),
          Map.entry("isbn", text -> isIsbn(text, 10) || isIsbn(text, 13)),
          Map.entry("isbn10", text -> isIsbn(text, 10)),
          Map.entry("isbn13", text -> isIsbn(text, 13)),
          Map.entry("creditcard", Formats::isCard),
          Map.entry("ssn", SOCIAL_SECURITY::matches),
          Map.entry("password", _ -> true),
          Map.entry("k8sshortname", text -> text.length() <= 63 && SHORT_NAME.matches(text)),
          Map.entry("k8slongname", text -> text.length() <= 253 && LONG_NAME.matches(text)));

  private Formats() {}

  /** Whether the format means something; hyphens in its name do not. */
  static boolean isKnown(String format) {
    return CHECKS.containsKey(format.replace("-", ""));
  }

  /** The format if it is known, else none. */
  static String supported(String format) {
    return isKnown(format) ? format : "";
  }

  /** Whether the text is of the format, as far as it is known. */
  static boolean accepts(String format, String text) {
    Predicate<String> check = CHECKS.get(format.replace("-", ""));
    return check == null || check.test(text);
  }

  private static boolean isDateTime(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    int middle = lower.indexOf('t');
    return middle > 0
        && isDate(lower.substring(0, middle))
        && CLOCK.matches(lower.substring(middle + 1));
  }

  private static boolean isDuration(String text) {
    if (DURATION.matches(text)) {
      return true;
    }
    Matcher part = DURATION_PART.matcher(text);
    while (part.find()) {
      String unit = part.group(2).toLowerCase(Locale.ROOT);
      if (DURATION_UNITS.contains(unit) || DURATION_WORDS.stream().anyMatch(unit::startsWith)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isHostname(String text) {
    if (text.length() > 255 || !HOSTNAME.matches(text)) {
      return false;
    }
    for (String label : text.split("\\.", -1)) {
      if (label.getBytes(StandardCharsets.UTF_8).length > 63) {
        return false;
      }
    }
    return true;
  }

  private static boolean isIsbn(String text, int digits) {
    String plain = text.replace("-", "").replace(" ", "");
    if (plain.length() != digits) {
      return false;
    }
    int sum = 0;
    for (int i = 0; i < digits; i++) {
      char c = plain.charAt(i);
      boolean lastIsTen = digits == 10 && i == 9 && (c == 'X' || c == 'x');
      if (!lastIsTen && (c < '0' || c > '9')) {
        return false;
      }
      int digit = lastIsTen ? 10 : c - '0';
      sum += digits == 10 ? (i + 1) * digit : (i % 2 == 0 ? 1 : 3) * digit;
    }
    return sum % (digits == 10 ? 11 : 10) == 0;
  }

  private static boolean isCard(String text) {
    var digits = new StringBuilder();
    text.chars().filter(c -> c >= '0' && c <= '9').forEach(c -> digits.append((char) c));
    if (!CARD.matches(digits.toString())) {
      return false;
    }
    int sum = 0;
    for (int i = 0; i < digits.length(); i++) {
      int digit = digits.charAt(digits.length() - 1 - i) - '0';
      int weighed = i % 2 == 0 ? digit : 2 * digit;
      sum += weighed > 9 ? weighed - 9 : weighed;
    }
    return sum % 10 == 0;
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
