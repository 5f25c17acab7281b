package dev.evenkeel.serve.kinds.rules.check;

/** A number of pods or a share of them: {@code 3} or {@code 25%}. */
public final class Shares {

  private static final int PERCENT_DIGITS_MAX = 9;

  private Shares() {}

  /** Not negative, or a percentage. */
  public static void validate(Place share) {
    if (share.node().isString()) {
      if (percent(share) < 0) {
        share.invalid(
            "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',"
                + "  or '93%', regex used for validation is '[0-9]+%')");
      }
    } else {
      share.notNegative();
    }
  }

  public static void atMostAll(Place share) {
    if (percent(share) > 100) {
      share.invalid("must not be greater than 100%");
    }
  }

  /** The number or the percentage; 0 for what is neither. */
  public static long value(Place share) {
    return share.node().isString() ? Math.max(percent(share), 0) : share.number();
  }

  private static long percent(Place share) {
    String text = share.text();
    int digits = text.length() - 1;
    if (digits < 1 || digits > PERCENT_DIGITS_MAX || text.charAt(digits) != '%') {
      return -1;
    }
    for (int i = 0; i < digits; i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return -1;
      }
    }
    return Long.parseLong(text.substring(0, digits));
  }
}
