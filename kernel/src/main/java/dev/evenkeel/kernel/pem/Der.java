package dev.evenkeel.kernel.pem;

import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.util.Arrays;

/**
 * As much of DER as it takes to put an older form of private key into the one that the JDK reads,
 * PKCS #8: the key's algorithm beside the key as it is.
 */
final class Der {

  private static final int SEQUENCE = 0x30;
  private static final int OCTETS = 0x04;
  private static final int CURVE = 0xa0;
  private static final byte[] VERSION_0 = {0x02, 0x01, 0x00};
  private static final byte[] RSA = {
    0x06,
    0x09,
    0x2a,
    (byte) 0x86,
    0x48,
    (byte) 0x86,
    (byte) 0xf7,
    0x0d,
    0x01,
    0x01,
    0x01,
    0x05,
    0x00
  };
  private static final byte[] EC = {
    0x06, 0x07, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x02, 0x01
  };

  private final byte[] bytes;
  private int at;

  private Der(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Of a key as {@code BEGIN RSA PRIVATE KEY} has it. */
  static byte[] wrapRsa(byte[] key) {
    return element(SEQUENCE, concat(VERSION_0, element(SEQUENCE, RSA), element(OCTETS, key)));
  }

  /** Of a key as {@code BEGIN EC PRIVATE KEY} has it, which names its curve inside. */
  static byte[] wrapEc(byte[] key) throws GeneralSecurityException {
    byte[] algorithm = element(SEQUENCE, concat(EC, new Der(key).curve()));
    return element(SEQUENCE, concat(VERSION_0, algorithm, element(OCTETS, key)));
  }

  private byte[] curve() throws GeneralSecurityException {
    enter(SEQUENCE);
    while (at < bytes.length) {
      int tag = bytes[at] & 0xff;
      int length = enter(tag);
      if (tag == CURVE) {
        return Arrays.copyOfRange(bytes, at, at + length);
      }
      at += length;
    }
    throw new GeneralSecurityException("the key does not name its curve");
  }

  /** Goes into the element that begins here; its length. */
  private int enter(int tag) throws GeneralSecurityException {
    if (at + 1 >= bytes.length || (bytes[at] & 0xff) != tag) {
      throw new GeneralSecurityException("the key is damaged");
    }
    at++;
    int length = bytes[at++] & 0xff;
    if (length >= 0x80) {
      int count = length & 0x7f;
      length = 0;
      for (int i = 0; i < count && at < bytes.length; i++) {
        length = (length << 8) | (bytes[at++] & 0xff);
      }
    }
    if (length < 0 || length > bytes.length - at) {
      throw new GeneralSecurityException("the key is damaged");
    }
    return length;
  }

  private static byte[] element(int tag, byte[] content) {
    var out = new ByteArrayOutputStream();
    out.write(tag);
    if (content.length < 0x80) {
      out.write(content.length);
    } else if (content.length < 0x100) {
      out.write(0x81);
      out.write(content.length);
    } else {
      out.write(0x82);
      out.write(content.length >> 8);
      out.write(content.length);
    }
    out.writeBytes(content);
    return out.toByteArray();
  }

  private static byte[] concat(byte[]... parts) {
    var out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
