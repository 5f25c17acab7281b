package dev.evenkeel.serve.cel.notation;

import dev.evenkeel.serve.cel.value.EvaluationError;
import dev.evenkeel.serve.cel.value.Opaque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An address of four or sixteen bytes. The array is never changed. */
public final class Ip implements Opaque {

  private final byte[] bytes;

  Ip(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * @throws EvaluationError if it is none, or one with a zone or of IPv4 within IPv6
   */
  public static Ip of(String text) {
    int zone = text.indexOf('%');
    byte[] parsed = parsed(zone < 0 ? text : text.substring(0, zone));
    if (parsed == null || zone == text.length() - 1) {
      throw new EvaluationError(
          "IP Address \""
              + text
              + "\" parse error during conversion from string: ParseAddr(\""
              + text
              + "\"): unable to parse IP");
    }
    if (zone >= 0) {
      throw new EvaluationError("IP address \"" + text + "\" with zone value is not allowed");
    }
    var address = new Ip(parsed);
    if (address.isMapped()) {
      throw new EvaluationError("IPv4-mapped IPv6 address \"" + text + "\" is not allowed");
    }
    return address;
  }

  static byte @Nullable [] parsed(String text) {
    if (text.length() > 64) {
      return null;
    }
    return text.indexOf(':') < 0 ? four(text) : sixteen(text);
  }

  private static byte @Nullable [] four(String text) {
    String[] parts = text.split("\\.", -1);
    if (parts.length != 4) {
      return null;
    }
    byte[] bytes = new byte[4];
    for (int i = 0; i < 4; i++) {
      String part = parts[i];
      boolean digits = !part.isEmpty() && part.chars().allMatch(c -> c >= '0' && c <= '9');
      boolean leadingZero = part.length() > 1 && part.charAt(0) == '0';
      if (!digits || leadingZero || part.length() > 3 || Integer.parseInt(part) > 255) {
        return null;
      }
      bytes[i] = (byte) Integer.parseInt(part);
    }
    return bytes;
  }

  private static byte @Nullable [] sixteen(String text) {
    int gap = text.indexOf("::");
    if (gap >= 0 && text.indexOf("::", gap + 1) >= 0) {
      return null;
    }
    byte[] head = groups(gap < 0 ? text : text.substring(0, gap), gap < 0);
    byte[] tail = gap < 0 ? new byte[0] : groups(text.substring(gap + 2), true);
    if (head == null || tail == null) {
      return null;
    }
    int length = head.length + tail.length;
    if (gap < 0 ? length != 16 : length > 14) {
      return null;
    }
    byte[] bytes = Arrays.copyOf(head, 16);
    System.arraycopy(tail, 0, bytes, 16 - tail.length, tail.length);
    return bytes;
  }

  private static byte @Nullable [] groups(String text, boolean mayEndInFour) {
    if (text.isEmpty()) {
      return new byte[0];
    }
    String[] parts = text.split(":", -1);
    byte[] bytes = new byte[parts.length * 2 + 2];
    int length = 0;
    for (int i = 0; i < parts.length; i++) {
      String part = parts[i];
      if (i == parts.length - 1 && mayEndInFour && part.indexOf('.') >= 0) {
        byte[] four = four(part);
        if (four == null) {
          return null;
        }
        System.arraycopy(four, 0, bytes, length, 4);
        length += 4;
      } else {
        boolean hex = part.chars().allMatch(c -> c < 128 && Character.digit(c, 16) >= 0);
        if (part.isEmpty() || part.length() > 4 || !hex) {
          return null;
        }
        int group = Integer.parseInt(part, 16);
        bytes[length++] = (byte) (group >> 8);
        bytes[length++] = (byte) group;
      }
    }
    return Arrays.copyOf(bytes, length);
  }

  byte[] bytes() {
    return bytes;
  }

  public boolean isFour() {
    return bytes.length == 4;
  }

  boolean isMapped() {
    boolean zeros = bytes.length == 16;
    for (int i = 0; zeros && i < 10; i++) {
      zeros = bytes[i] == 0;
    }
    return zeros && bytes[10] == -1 && bytes[11] == -1;
  }

  private int octet(int index) {
    return bytes[index] & 0xff;
  }

  public boolean isUnspecified() {
    return Arrays.equals(bytes, new byte[bytes.length]);
  }

  public boolean isLoopback() {
    byte[] one = new byte[16];
    one[15] = 1;
    return isFour() ? octet(0) == 127 : Arrays.equals(bytes, one);
  }

  private boolean isMulticast() {
    return isFour() ? (octet(0) & 0xf0) == 0xe0 : octet(0) == 0xff;
  }

  public boolean isLinkLocalMulticast() {
    return isFour()
        ? octet(0) == 224 && octet(1) == 0 && octet(2) == 0
        : octet(0) == 0xff && (octet(1) & 0x0f) == 2;
  }

  public boolean isLinkLocalUnicast() {
    return isFour()
        ? octet(0) == 169 && octet(1) == 254
        : octet(0) == 0xfe && (octet(1) & 0xc0) == 0x80;
  }

  public boolean isGlobalUnicast() {
    boolean broadcast = isFour() && Arrays.equals(bytes, new byte[] {-1, -1, -1, -1});
    return !broadcast
        && !isUnspecified()
        && !isLoopback()
        && !isMulticast()
        && !isLinkLocalUnicast();
  }

  @Override
  public String typeName() {
    return "net.IP";
  }

  @Override
  public long size() {
    return bytes.length;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Ip ip && Arrays.equals(bytes, ip.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    if (isFour()) {
      return octet(0) + "." + octet(1) + "." + octet(2) + "." + octet(3);
    }
    int[] groups = new int[8];
    for (int i = 0; i < 8; i++) {
      groups[i] = octet(2 * i) << 8 | octet(2 * i + 1);
    }
    int gap = -1;
    int gapLength = 1;
    for (int i = 0; i < 8; i++) {
      int length = 0;
      while (i + length < 8 && groups[i + length] == 0) {
        length++;
      }
      if (length > gapLength) {
        gap = i;
        gapLength = length;
      }
    }
    var text = new StringBuilder();
    for (int i = 0; i < 8; i++) {
      if (i == gap) {
        text.append("::");
        i += gapLength - 1;
      } else {
        text.append(text.isEmpty() || text.charAt(text.length() - 1) == ':' ? "" : ":")
            .append(Integer.toHexString(groups[i]));
      }
    }
    return text.toString();
  }
}
