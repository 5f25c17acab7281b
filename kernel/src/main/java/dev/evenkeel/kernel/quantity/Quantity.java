package dev.evenkeel.kernel.quantity;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * An exact decimal with a way of writing it. Quantities are equal if their numbers are: {@code 1}
 * is {@code 1000m}. {@link #toString} is the canonical form, in which no digit is lost, the suffix
 * is as large as a whole number before it allows, and the way of writing is that of the input.
 *
 * <p>Nothing smaller than a billionth is kept: what is smaller is rounded away from zero, because
 * somebody who asks for something should get something.
 */
public final class Quantity implements Comparable<Quantity> {

  /*
   * Limits: 1e999999999 is ten characters and a gigabyte of digits, so the exponent is bounded, and
   * so is the text, because parsing digits costs more than their number.
   */
  private static final int EXPONENT_MAX = 1000;

  private static final int TEXT_LENGTH_MAX = 1000;

  private static final int SCALE_MAX = 9;

  private static final String DECIMAL_SUFFIXES = "num kMGTPE";

  private static final String BINARY_SUFFIXES = "KMGTPE";

  private static final BigInteger BINARY_STEP = BigInteger.valueOf(1024);

  private static final BigDecimal BINARY_STEP_DECIMAL = new BigDecimal(BINARY_STEP);

  private static final BigDecimal BINARY_VALUE_MAX = BigDecimal.valueOf(Long.MAX_VALUE);

  /** How a quantity is written. */
  public enum Format {
    /** {@code 12Mi}: powers of 1024. */
    BINARY,
    /** {@code 12M}: powers of 1000. */
    DECIMAL,
    /** {@code 12e6}. */
    EXPONENT
  }

  public static final Quantity ZERO = new Quantity(BigDecimal.ZERO, Format.DECIMAL);

  private final BigDecimal value;
  private final Format format;

  private Quantity(BigDecimal value, Format format) {
    this.value = value;
    this.format = format;
  }

  public static Quantity of(long number) {
    return new Quantity(BigDecimal.valueOf(number), Format.DECIMAL);
  }

  /**
   * @throws QuantityException if it is none
   */
  public static Quantity parse(String text) {
    int suffix = numberEnd(text);
    if (suffix < 0 || text.length() > TEXT_LENGTH_MAX || !looksLikeSuffix(text, suffix)) {
      throw new QuantityException(
          "quantities must match the regular expression"
              + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
    }
    return scaled(number(text.substring(0, suffix)), text.substring(suffix));
  }

  /** The quantity, or null if the text is none. */
  public static @Nullable Quantity tryParse(String text) {
    try {
      return parse(text);
    } catch (QuantityException e) {
      return null;
    }
  }

  /** The quantity that a field of an object has, as text or number; null if it is none. */
  public static @Nullable Quantity tryRead(JsonNode node) {
    if (node.isNumber()) {
      return tryParse(node.asString());
    }
    return node.isString() ? tryParse(node.stringValue().strip()) : null;
  }

  /** Where the suffix begins; negative if there is no number before it. */
  private static int numberEnd(String text) {
    int at = 0;
    if (at < text.length() && (text.charAt(at) == '-' || text.charAt(at) == '+')) {
      at++;
    }
    int start = at;
    while (at < text.length() && (isDigit(text.charAt(at)) || text.charAt(at) == '.')) {
      at++;
    }
    return at == start ? -1 : at;
  }

  /** Whether it is made like one; upstream has another message for one that is and is none. */
  private static boolean looksLikeSuffix(String text, int from) {
    int at = from;
    while (at < text.length() && "eEinumkKMGTP".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    if (at < text.length() && (text.charAt(at) == '-' || text.charAt(at) == '+')) {
      at++;
    }
    while (at < text.length() && isDigit(text.charAt(at))) {
      at++;
    }
    return at == text.length();
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static BigDecimal number(String digits) {
    try {
      return new BigDecimal(digits);
    } catch (NumberFormatException e) {
      throw new QuantityException("unable to parse numeric part of quantity");
    }
  }

  private static Quantity scaled(BigDecimal number, String suffix) {
    if (suffix.isEmpty()) {
      return new Quantity(rounded(number), Format.DECIMAL);
    }
    if (suffix.length() == 1) {
      int place = suffix.equals(" ") ? -1 : DECIMAL_SUFFIXES.indexOf(suffix.charAt(0));
      if (place >= 0) {
        int power = 3 * (place - DECIMAL_SUFFIXES.indexOf(' '));
        return new Quantity(rounded(number.scaleByPowerOfTen(power)), Format.DECIMAL);
      }
    }
    if (suffix.length() == 2 && suffix.charAt(1) == 'i') {
      int place = BINARY_SUFFIXES.indexOf(suffix.charAt(0));
      if (place >= 0) {
        return binary(rounded(number.multiply(BINARY_STEP_DECIMAL.pow(place + 1))));
      }
    }
    if (suffix.length() > 1 && (suffix.charAt(0) == 'e' || suffix.charAt(0) == 'E')) {
      BigDecimal shifted = number.scaleByPowerOfTen(exponent(suffix.substring(1)));
      return new Quantity(rounded(shifted), Format.EXPONENT);
    }
    throw new QuantityException("unable to parse quantity's suffix");
  }

  private static int exponent(String digits) {
    try {
      int exponent = Integer.parseInt(digits);
      if (Math.abs((long) exponent) <= EXPONENT_MAX) {
        return exponent;
      }
    } catch (NumberFormatException e) {
      // Answered below, like one that is out of bounds.
    }
    throw new QuantityException("unable to parse quantity's suffix");
  }

  private static Quantity binary(BigDecimal value) {
    boolean tooLarge = value.abs().compareTo(BINARY_VALUE_MAX) > 0;
    BigDecimal most = value.signum() < 0 ? BINARY_VALUE_MAX.negate() : BINARY_VALUE_MAX;
    return new Quantity(tooLarge ? most : value, Format.BINARY);
  }

  private static BigDecimal rounded(BigDecimal number) {
    return number.scale() <= SCALE_MAX ? number : number.setScale(SCALE_MAX, RoundingMode.UP);
  }

  public BigDecimal value() {
    return value;
  }

  public Format format() {
    return format;
  }

  public int signum() {
    return value.signum();
  }

  public boolean isZero() {
    return value.signum() == 0;
  }

  /** Whether it is a whole number. */
  public boolean isWhole() {
    return value.signum() == 0 || value.stripTrailingZeros().scale() <= 0;
  }

  /** Keeps this one's way of writing, unless this is zero. */
  public Quantity plus(Quantity other) {
    return new Quantity(value.add(other.value), isZero() ? other.format : format);
  }

  /** Keeps this one's way of writing, unless this is zero. */
  public Quantity minus(Quantity other) {
    return new Quantity(value.subtract(other.value), isZero() ? other.format : format);
  }

  /** The least number of thousandths that is not less; negative numbers go away from zero. */
  public Quantity roundedUpToMilli() {
    return value.scale() <= 3
        ? this
        : new Quantity(value.setScale(3, java.math.RoundingMode.UP), format);
  }

  public Quantity max(Quantity other) {
    return compareTo(other) >= 0 ? this : other;
  }

  @Override
  public int compareTo(Quantity other) {
    return value.compareTo(other.value);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Quantity quantity && compareTo(quantity) == 0;
  }

  @Override
  public int hashCode() {
    return value.stripTrailingZeros().hashCode();
  }

  @Override
  public String toString() {
    if (isZero()) {
      return "0";
    }
    boolean binary =
        format == Format.BINARY && isWhole() && value.abs().compareTo(BINARY_STEP_DECIMAL) >= 0;
    return binary ? binaryForm() : decimalForm();
  }

  private String binaryForm() {
    BigInteger number = value.toBigIntegerExact();
    int steps = 0;
    while (steps < BINARY_SUFFIXES.length()) {
      BigInteger[] parts = number.divideAndRemainder(BINARY_STEP);
      if (parts[1].signum() != 0) {
        break;
      }
      number = parts[0];
      steps++;
    }
    return steps == 0 ? number.toString() : number + "" + BINARY_SUFFIXES.charAt(steps - 1) + "i";
  }

  /** A whole number and a power of ten that three divides. */
  private String decimalForm() {
    BigDecimal stripped = value.stripTrailingZeros();
    int exponent = Math.floorDiv(-stripped.scale(), 3) * 3;
    int middle = DECIMAL_SUFFIXES.indexOf(' ');
    if (format != Format.EXPONENT) {
      exponent = Math.min(exponent, 3 * (DECIMAL_SUFFIXES.length() - 1 - middle));
    }
    String number = stripped.scaleByPowerOfTen(-exponent).toBigIntegerExact().toString();
    if (exponent == 0) {
      return number;
    }
    return format == Format.EXPONENT
        ? number + "e" + exponent
        : number + DECIMAL_SUFFIXES.charAt(middle + exponent / 3);
  }
}
