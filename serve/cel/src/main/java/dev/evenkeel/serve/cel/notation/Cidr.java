package dev.evenkeel.serve.cel.notation;

import dev.evenkeel.serve.cel.value.EvaluationError;
import dev.evenkeel.serve.cel.value.Opaque;

/** An address and how many of its bits name a network. */
public record Cidr(Ip address, int prefix) implements Opaque {

  private static final String FAILED =
      "network address parse error during conversion from string: ";

  /**
   * @throws EvaluationError if it is none
   */
  public static Cidr of(String text) {
    int slash = text.lastIndexOf('/');
    byte[] bytes = slash < 0 ? null : Ip.parsed(text.substring(0, slash));
    if (bytes == null) {
      throw failed(text, slash < 0 ? "no '/'" : "unable to parse IP");
    }
    String bits = text.substring(slash + 1);
    boolean digits = !bits.isEmpty() && bits.chars().allMatch(c -> c >= '0' && c <= '9');
    boolean leadingZero = bits.length() > 1 && bits.charAt(0) == '0';
    if (!digits || leadingZero || bits.length() > 3) {
      throw failed(text, "bad bits after slash: \"" + bits + "\"");
    }
    int prefix = Integer.parseInt(bits);
    if (prefix > bytes.length * 8) {
      throw failed(text, "prefix length out of range");
    }
    var address = new Ip(bytes);
    if (address.isMapped()) {
      throw new EvaluationError("IPv4-mapped IPv6 address \"" + text + "\" is not allowed");
    }
    return new Cidr(address, prefix);
  }

  private static EvaluationError failed(String text, String why) {
    return new EvaluationError(FAILED + "netip.ParsePrefix(\"" + text + "\"): " + why);
  }

  public Cidr masked() {
    byte[] bytes = address.bytes().clone();
    for (int bit = prefix; bit < bytes.length * 8; bit++) {
      bytes[bit / 8] &= (byte) ~(0x80 >> bit % 8);
    }
    return new Cidr(new Ip(bytes), prefix);
  }

  public boolean contains(Ip other) {
    return other.bytes().length == address.bytes().length
        && new Cidr(other, prefix).masked().equals(masked());
  }

  public boolean contains(Cidr other) {
    return prefix <= other.prefix && contains(other.address);
  }

  @Override
  public String typeName() {
    return "net.CIDR";
  }

  @Override
  public long size() {
    return (prefix + 7L) / 8;
  }

  @Override
  public String toString() {
    return address + "/" + prefix;
  }
}
