package dev.evenkeel.serve.kinds.rules.check;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** IP addresses and ranges, read without ever asking a name server. */
public final class Addresses {

  private static final int V4_BYTES = 4;
  private static final int V6_GROUPS = 8;

  private Addresses() {}

  /** A range of addresses. */
  @SuppressWarnings("ArrayRecordComponent")
  public record Range(byte[] address, int prefixBits) {

    /** Whether the other lies in this one and is smaller. */
    public boolean strictlyContains(Range other) {
      return address.length == other.address.length
          && prefixBits < other.prefixBits
          && samePrefix(address, other.address, prefixBits);
    }
  }

  public static void ip(Place place) {
    if (parse(place.text()) == null) {
      place.invalid("must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
    }
  }

  public static void cidr(Place place) {
    if (parseRange(place.text()) == null) {
      place.invalid("must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
    }
  }

  /** An address, written as everybody writes it. */
  public static void canonicalIp(Place place) {
    byte[] bytes = parse(place.text());
    if (bytes == null) {
      ip(place);
    } else if (hasLeadingZero(place.text())) {
      place.invalid("must not have leading 0s");
    } else if (isMapped(bytes)) {
      place.invalid("must not be an IPv4-mapped IPv6 address");
    } else if (!text(bytes).equals(place.text())) {
      place.invalid("must be in canonical form (\"" + text(bytes) + "\")");
    }
  }

  /** A range, written as everybody writes it. */
  public static void canonicalCidr(Place place) {
    Range range = parseRange(place.text());
    if (range == null) {
      cidr(place);
      return;
    }
    byte[] masked = range.address.clone();
    for (int i = range.prefixBits; i < masked.length * Byte.SIZE; i++) {
      masked[i / Byte.SIZE] &= (byte) ~(0x80 >> (i % Byte.SIZE));
    }
    String canonical = text(masked) + "/" + range.prefixBits;
    if (hasLeadingZero(place.text())) {
      place.invalid("must not have leading 0s in IP or prefix length");
    } else if (isMapped(range.address)) {
      place.invalid("must not have an IPv4-mapped IPv6 address");
    } else if (!Arrays.equals(masked, range.address)) {
      place.invalid("must not have bits set beyond the prefix length");
    } else if (!canonical.equals(place.text())) {
      place.invalid("must be in canonical form (\"" + canonical + "\")");
    }
  }

  private static boolean hasLeadingZero(String text) {
    if (text.indexOf(':') >= 0) {
      return false;
    }
    for (int i = 0; i + 1 < text.length(); i++) {
      boolean begins = i == 0 || text.charAt(i - 1) == '.' || text.charAt(i - 1) == '/';
      if (begins && text.charAt(i) == '0' && Character.isDigit(text.charAt(i + 1))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isMapped(byte[] address) {
    if (address.length == V4_BYTES) {
      return false;
    }
    for (int i = 0; i < 10; i++) {
      if (address[i] != 0) {
        return false;
      }
    }
    return address[10] == -1 && address[11] == -1;
  }

  /** The address as everybody writes it. */
  public static String text(byte[] address) {
    return address.length == V4_BYTES
        ? (address[0] & 0xff)
            + "."
            + (address[1] & 0xff)
            + "."
            + (address[2] & 0xff)
            + "."
            + (address[3] & 0xff)
        : longText(address);
  }

  /** The longest run of two or more zeros is left out, the first of them if there are several. */
  private static String longText(byte[] address) {
    int[] groups = new int[V6_GROUPS];
    Arrays.setAll(groups, i -> (address[2 * i] & 0xff) << 8 | (address[2 * i + 1] & 0xff));
    int gapAt = -1;
    int gap = 1;
    for (int i = 0; i < groups.length; i++) {
      int run = 0;
      while (i + run < groups.length && groups[i + run] == 0) {
        run++;
      }
      if (run > gap) {
        gap = run;
        gapAt = i;
      }
    }
    var text = new StringBuilder();
    int i = 0;
    while (i < groups.length) {
      if (i == gapAt) {
        text.append("::");
        i += gap;
        continue;
      }
      if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
        text.append(':');
      }
      text.append(Integer.toHexString(groups[i]));
      i++;
    }
    return text.toString();
  }

  /** An address that traffic may be sent to: none of this machine or of this link. */
  public static void endpointIp(Place place) {
    byte[] bytes = parse(place.text());
    if (bytes == null) {
      return;
    }
    InetAddress address = address(bytes);
    if (address.isAnyLocalAddress()) {
      place.invalid("may not be unspecified (" + place.text() + ")");
    }
    if (address.isLoopbackAddress()) {
      place.invalid("may not be in the loopback range (127.0.0.0/8, ::1/128)");
    }
    if (address.isLinkLocalAddress()) {
      place.invalid("may not be in the link-local range (169.254.0.0/16, fe80::/10)");
    }
    if (address.isMCLinkLocal()) {
      place.invalid("may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
    }
  }

  public static boolean isIp(String text) {
    return parse(text) != null;
  }

  public static boolean isV6(String text) {
    byte[] bytes = parse(text);
    return bytes != null && bytes.length > V4_BYTES;
  }

  /** One address of each family. */
  public static boolean isDualStack(List<String> addresses) {
    return addresses.size() == 2
        && addresses.stream().allMatch(Addresses::isIp)
        && isV6(addresses.getFirst()) != isV6(addresses.getLast());
  }

  /** Four bytes or sixteen; null if it is no address. */
  public static byte @Nullable [] parse(String text) {
    return text.indexOf(':') < 0 ? parseV4(text) : parseV6(text);
  }

  public static @Nullable Range parseRange(String text) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      return null;
    }
    byte[] address = parse(text.substring(0, slash));
    int bits = smallNumber(text.substring(slash + 1));
    return address == null || bits < 0 || bits > address.length * Byte.SIZE
        ? null
        : new Range(address, bits);
  }

  private static byte @Nullable [] parseV4(String text) {
    String[] parts = text.split("\\.", -1);
    if (parts.length != V4_BYTES) {
      return null;
    }
    byte[] bytes = new byte[V4_BYTES];
    for (int i = 0; i < V4_BYTES; i++) {
      int number = smallNumber(parts[i]);
      if (number < 0 || number > 255) {
        return null;
      }
      bytes[i] = (byte) number;
    }
    return bytes;
  }

  private static byte @Nullable [] parseV6(String text) {
    int gap = text.indexOf("::");
    if (gap >= 0 && text.indexOf("::", gap + 1) >= 0) {
      return null;
    }
    List<Integer> head = groups(gap < 0 ? text : text.substring(0, gap));
    List<Integer> tail = gap < 0 ? List.of() : groups(text.substring(gap + 2));
    if (head == null || tail == null) {
      return null;
    }
    int given = head.size() + tail.size();
    if (gap < 0 ? given != V6_GROUPS : given >= V6_GROUPS) {
      return null;
    }
    byte[] bytes = new byte[V6_GROUPS * 2];
    write(head, bytes, 0);
    write(tail, bytes, V6_GROUPS - tail.size());
    return bytes;
  }

  private static void write(List<Integer> groups, byte[] bytes, int firstGroup) {
    for (int i = 0; i < groups.size(); i++) {
      bytes[2 * (firstGroup + i)] = (byte) (groups.get(i) >> Byte.SIZE);
      bytes[2 * (firstGroup + i) + 1] = (byte) (int) groups.get(i);
    }
  }

  private static @Nullable List<Integer> groups(String text) {
    List<Integer> groups = new ArrayList<>();
    if (text.isEmpty()) {
      return groups;
    }
    String[] parts = text.split(":", -1);
    for (int i = 0; i < parts.length; i++) {
      byte[] v4 = i == parts.length - 1 && parts[i].indexOf('.') >= 0 ? parseV4(parts[i]) : null;
      if (v4 != null) {
        groups.add((v4[0] & 0xff) << Byte.SIZE | (v4[1] & 0xff));
        groups.add((v4[2] & 0xff) << Byte.SIZE | (v4[3] & 0xff));
        continue;
      }
      int group = hexadecimal(parts[i]);
      if (group < 0) {
        return null;
      }
      groups.add(group);
    }
    return groups;
  }

  private static int hexadecimal(String text) {
    if (text.isEmpty() || text.length() > 4) {
      return -1;
    }
    int value = 0;
    for (int i = 0; i < text.length(); i++) {
      int digit = Character.digit(text.charAt(i), 16);
      if (digit < 0 || text.charAt(i) > 'f') {
        return -1;
      }
      value = value * 16 + digit;
    }
    return value;
  }

  /** Up to three ASCII digits; negative if it is something else. */
  private static int smallNumber(String text) {
    if (text.isEmpty() || text.length() > 3) {
      return -1;
    }
    int value = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      value = value * 10 + (c - '0');
    }
    return value;
  }

  private static InetAddress address(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("an address has 4 or 16 bytes", e);
    }
  }

  private static boolean samePrefix(byte[] one, byte[] other, int bits) {
    for (int i = 0; i < bits; i++) {
      int mask = 0x80 >> (i % Byte.SIZE);
      if ((one[i / Byte.SIZE] & mask) != (other[i / Byte.SIZE] & mask)) {
        return false;
      }
    }
    return true;
  }
}
