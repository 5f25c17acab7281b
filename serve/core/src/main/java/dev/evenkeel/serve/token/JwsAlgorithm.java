package dev.evenkeel.serve.token;

import java.security.InvalidKeyException;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;

/**
 * How a signature is made. A key has one algorithm, and a token's header has no say in it: what the
 * header names must be what the key is for.
 */
public enum JwsAlgorithm {
  RS256("SHA256withRSA", "", 0),
  ES256("SHA256withECDSAinP1363Format", "P-256", 32),
  ES384("SHA384withECDSAinP1363Format", "P-384", 48),
  ES512("SHA512withECDSAinP1363Format", "P-521", 66);

  private static final int RSA_BITS_MIN = 2048;

  private final String signature;
  private final String curve;
  private final int coordinateBytes;

  JwsAlgorithm(String signature, String curve, int coordinateBytes) {
    this.signature = signature;
    this.curve = curve;
    this.coordinateBytes = coordinateBytes;
  }

  /** The only one that a key is used with. */
  static JwsAlgorithm of(PublicKey key) throws InvalidKeyException {
    if (key instanceof RSAPublicKey rsa) {
      if (rsa.getModulus().bitLength() < RSA_BITS_MIN) {
        throw new InvalidKeyException("an RSA key needs " + RSA_BITS_MIN + " bits or more");
      }
      return RS256;
    }
    if (key instanceof ECPublicKey ec) {
      return switch (ec.getParams().getOrder().bitLength()) {
        case 256 -> ES256;
        case 384 -> ES384;
        case 521 -> ES512;
        default -> throw new InvalidKeyException("a curve other than P-256, P-384 and P-521");
      };
    }
    throw new InvalidKeyException("an algorithm other than RSA and ECDSA");
  }

  /** What the JDK calls it. */
  String signature() {
    return signature;
  }

  /** Empty for RSA. */
  String curve() {
    return curve;
  }

  /** How long a coordinate of a key is written. */
  int coordinateBytes() {
    return coordinateBytes;
  }
}
