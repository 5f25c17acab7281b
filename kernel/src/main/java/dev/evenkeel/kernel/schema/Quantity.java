package dev.evenkeel.kernel.schema;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;

/**
 * An amount of something, such as {@code 500m} or {@code 1536Mi}.
 *
 * @param amount exactly, at least to the billionth
 * @param form which suffixes its text uses
 */
public record Quantity(BigDecimal amount, Form form) implements Comparable<Quantity> {

  /** Suffixes of thousands, of 1024s, or an exponent. */
  public enum Form {
    DECIMAL,
    BINARY,
    EXPONENT
  }

  /** A text that is no quantity. */
  public static final class BadQuantityException extends Exception {
    BadQuantityException(String message) {
      super(message, null, false, false);
    }
  }

  private static final String DECIMAL_SUFFIXES = "num kMGTPE";
  private static final List<String> BINARY_SUFFIXES =
      List.of("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei");

  /** Longer texts and larger exponents mean nothing, and would cost much to compute with. */
  private static final int LENGTH_MAX = 100;

  private static final int EXPONENT_MAX = 60;
  private static final int DIGITS_AFTER_POINT = 9;
  private static final int SAFE_DIGITS = 15;
  private static final BigDecimal KIBI = BigDecimal.valueOf(1024);
  private static final BigDecimal BINARY_MAX = BigDecimal.valueOf(Long.MAX_VALUE);

  /**
   * Reads a quantity.
   *
   * @throws BadQuantityException with the words that users of Kubernetes know
   */
  public static Quantity parse(String text) throws BadQuantityException {
    int numberEnd = numberEnd(text);
    if (text.isEmpty() || !isSuffix(text, numberEnd)) {
      throw new BadQuantityException(
          "quantities must match the regular expression"
              + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
    }
    BigDecimal number = number(text.substring(0, numberEnd));
    String suffix = text.substring(numberEnd);
    int binary = BINARY_SUFFIXES.indexOf(suffix);
    if (binary > 0) {
      return binary(number.multiply(KIBI.pow(binary)));
    }
    if (suffix.isEmpty()) {
      return new Quantity(rounded(number), Form.DECIMAL);
    }
    int decimal = suffix.length() == 1 ? DECIMAL_SUFFIXES.indexOf(suffix.charAt(0)) : -1;
    if (decimal >= 0) {
      return new Quantity(rounded(number.scaleByPowerOfTen((decimal - 3) * 3)), Form.DECIMAL);
    }
    return new Quantity(rounded(number.scaleByPowerOfTen(exponent(suffix))), Form.EXPONENT);
  }

  /** Whether the text is already what {@link #toString} would make of it, as far as is cheap. */
  static boolean isPlainlyCanonical(String text) {
    int digits = 0;
    long number = 0;
    while (digits < text.length()
        && digits < SAFE_DIGITS
        && text.charAt(digits) >= '0'
        && text.charAt(digits) <= '9') {
      number = number * 10 + text.charAt(digits) - '0';
      digits++;
    }
    if (digits == 0 || text.charAt(0) == '0') {
      return text.equals("0");
    }
    int rest = text.length() - digits;
    if (rest == 0 || (rest == 1 && "mkMGTPE".indexOf(text.charAt(digits)) >= 0)) {
      return number % 1000 != 0;
    }
    return rest == 2
        && text.charAt(digits + 1) == 'i'
        && "KMGTP".indexOf(text.charAt(digits)) >= 0
        && (number & 7) != 0
        && digits <= 6;
  }

  private static int numberEnd(String text) {
    int end = text.startsWith("+") || text.startsWith("-") ? 1 : 0;
    while (end < text.length() && isNumberCharacter(text.charAt(end))) {
      end++;
    }
    return end;
  }

  private static boolean isNumberCharacter(char c) {
    return (c >= '0' && c <= '9') || c == '.';
  }

  private static boolean isSuffix(String text, int from) {
    int i = from;
    while (i < text.length() && "eEinumkKMGTP".indexOf(text.charAt(i)) >= 0) {
      i++;
    }
    if (i < text.length() && (text.charAt(i) == '-' || text.charAt(i) == '+')) {
      i++;
    }
    while (i < text.length() && text.charAt(i) >= '0' && text.charAt(i) <= '9') {
      i++;
    }
    return i == text.length();
  }

  private static BigDecimal number(String text) throws BadQuantityException {
    try {
      if (text.length() <= LENGTH_MAX) {
        return new BigDecimal(text);
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new BadQuantityException("unable to parse numeric part of quantity");
  }

  private static int exponent(String suffix) throws BadQuantityException {
    try {
      if (suffix.startsWith("e") || suffix.startsWith("E")) {
        int exponent = Integer.parseInt(suffix.substring(1));
        if (Math.abs(exponent) <= EXPONENT_MAX) {
          return exponent;
        }
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new BadQuantityException("unable to parse quantity's suffix");
  }

  private static Quantity binary(BigDecimal amount) {
    BigDecimal capped = rounded(amount).min(BINARY_MAX).max(BINARY_MAX.negate());
    boolean fraction = capped.signum() != 0 && capped.abs().compareTo(BigDecimal.ONE) < 0;
    return new Quantity(capped, fraction ? Form.DECIMAL : Form.BINARY);
  }

  /** Away from zero: who asks for a little gets a little. */
  private static BigDecimal rounded(BigDecimal amount) {
    return amount.scale() > DIGITS_AFTER_POINT
        ? amount.setScale(DIGITS_AFTER_POINT, RoundingMode.UP)
        : amount;
  }

  @Override
  public int compareTo(Quantity other) {
    return amount.compareTo(other.amount);
  }

  /** The canonical text: no fraction, the largest suffix that needs none. */
  @Override
  public String toString() {
    if (amount.signum() == 0) {
      return "0";
    }
    if (form == Form.BINARY
        && amount.abs().compareTo(KIBI) >= 0
        && amount.stripTrailingZeros().scale() <= 0) {
      return binaryText(amount.toBigIntegerExact());
    }
    BigDecimal plain = amount.stripTrailingZeros();
    int exponent = Math.floorDiv(-plain.scale(), 3) * 3;
    String mantissa = plain.scaleByPowerOfTen(-exponent).toBigIntegerExact().toString();
    int suffix = exponent / 3 + 3;
    if (exponent == 0) {
      return mantissa;
    }
    boolean hasSuffix = suffix >= 0 && suffix < DECIMAL_SUFFIXES.length();
    return form == Form.EXPONENT || !hasSuffix
        ? mantissa + "e" + exponent
        : mantissa + DECIMAL_SUFFIXES.charAt(suffix);
  }

  private static String binaryText(BigInteger amount) {
    BigInteger mantissa = amount;
    int suffix = 0;
    while (suffix < BINARY_SUFFIXES.size() - 1 && mantissa.getLowestSetBit() >= 10) {
      mantissa = mantissa.shiftRight(10);
      suffix++;
    }
    return mantissa + BINARY_SUFFIXES.get(suffix);
  }
}
