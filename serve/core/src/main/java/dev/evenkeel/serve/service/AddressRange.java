package dev.evenkeel.serve.service;

import dev.evenkeel.serve.kinds.rules.check.Addresses;
import java.math.BigInteger;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A range of cluster addresses, such as {@code 10.96.0.0/12}. Its first address is the network's,
 * and of IPv4 its last is for broadcasts: neither is given out.
 *
 * @param text as it was written
 * @param bytes of an address: 4 or 16
 * @param first of those that are given out
 * @param last likewise
 */
public record AddressRange(String text, int bytes, BigInteger first, BigInteger last) {

  /** Upstream's limits of the part that is kept for addresses that users ask for by name. */
  private static final int STATIC_MIN = 16;

  private static final int STATIC_MAX = 256;
  private static final int STATIC_SHARE = 16;

  /** More than these are not looked through for a free one. */
  private static final int LOOKED_AT_MAX = 1 << 21;

  /** Null if it is no range, or one that has no room for an address. */
  public static @Nullable AddressRange parse(String text) {
    Addresses.Range range = Addresses.parseRange(text);
    if (range == null) {
      return null;
    }
    int bytes = range.address().length;
    int hostBits = bytes * Byte.SIZE - range.prefixBits();
    BigInteger size = BigInteger.ONE.shiftLeft(hostBits);
    BigInteger network =
        new BigInteger(1, range.address()).shiftRight(hostBits).shiftLeft(hostBits);
    BigInteger first = network.add(BigInteger.ONE);
    BigInteger end = network.add(size).subtract(BigInteger.ONE);
    BigInteger last = bytes == 4 ? end.subtract(BigInteger.ONE) : end;
    return last.compareTo(first) < 0 ? null : new AddressRange(text, bytes, first, last);
  }

  /** {@code IPv4} or {@code IPv6}. */
  public String family() {
    return bytes == 4 ? ServiceFamilies.V4 : ServiceFamilies.V6;
  }

  /** Whether it is an address of those that may be given out. */
  public boolean contains(String address) {
    byte[] parsed = Addresses.parse(address);
    if (parsed == null || parsed.length != bytes) {
      return false;
    }
    var number = new BigInteger(1, parsed);
    return number.compareTo(first) >= 0 && number.compareTo(last) <= 0;
  }

  /** The one that the API itself is reached by. */
  public String firstAddress() {
    return text(first);
  }

  /**
   * A free address, from a random place on; null if all are taken. Those at the beginning are given
   * only when there is no other: users ask for these by name.
   */
  @Nullable String free(RandomGenerator random, Predicate<String> taken) {
    BigInteger size = last.subtract(first).add(BigInteger.ONE);
    long offset = kept(size);
    String found = freeFrom(first.add(BigInteger.valueOf(offset)), last, random, taken);
    return found != null || offset == 0
        ? found
        : freeFrom(first, first.add(BigInteger.valueOf(offset - 1)), random, taken);
  }

  private static long kept(BigInteger size) {
    if (size.compareTo(BigInteger.valueOf(STATIC_MIN)) <= 0) {
      return 0;
    }
    long share =
        size.divide(BigInteger.valueOf(STATIC_SHARE))
            .min(BigInteger.valueOf(STATIC_MAX))
            .longValue();
    return Math.max(STATIC_MIN, share);
  }

  private @Nullable String freeFrom(
      BigInteger from, BigInteger to, RandomGenerator random, Predicate<String> taken) {
    BigInteger size = to.subtract(from).add(BigInteger.ONE);
    if (size.signum() <= 0) {
      return null;
    }
    long looked = size.min(BigInteger.valueOf(LOOKED_AT_MAX)).longValue();
    BigInteger start =
        size.bitLength() < Long.SIZE
            ? BigInteger.valueOf(random.nextLong(size.longValue()))
            : BigInteger.valueOf(random.nextLong() >>> 1);
    for (long i = 0; i < looked; i++) {
      String address = text(from.add(start.add(BigInteger.valueOf(i)).mod(size)));
      if (!taken.test(address)) {
        return address;
      }
    }
    return null;
  }

  private String text(BigInteger number) {
    byte[] raw = number.toByteArray();
    byte[] address = new byte[bytes];
    int length = Math.min(raw.length, bytes);
    System.arraycopy(raw, raw.length - length, address, bytes - length, length);
    return Addresses.text(address);
  }

  /** The address as it is written by everybody: the name of its object. */
  static String canonical(String address) {
    byte[] parsed = Addresses.parse(address);
    return parsed == null ? address : Addresses.text(parsed);
  }
}
