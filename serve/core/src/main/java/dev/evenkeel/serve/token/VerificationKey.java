package dev.evenkeel.serve.token;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Base64;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A key that tokens are verified with.
 *
 * @param id what a token's header calls it: the digest of its encoding, as Kubernetes has it
 */
public record VerificationKey(String id, JwsAlgorithm algorithm, PublicKey key) {

  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  public static VerificationKey of(PublicKey key) throws GeneralSecurityException {
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getEncoded());
    return new VerificationKey(BASE64.encodeToString(digest), JwsAlgorithm.of(key), key);
  }

  @SuppressWarnings("ArrayParameter")
  boolean hasSigned(byte[] content, byte[] signature) {
    try {
      Signature verifier = Signature.getInstance(algorithm.signature());
      verifier.initVerify(key);
      verifier.update(content);
      return verifier.verify(signature);
    } catch (GeneralSecurityException e) {
      return false; // a signature of a wrong length, for one
    }
  }

  /** As a JSON Web Key (RFC 7517). */
  ObjectNode jwk() {
    ObjectNode jwk = JsonNodeFactory.instance.objectNode();
    jwk.put("use", "sig");
    jwk.put("kty", key instanceof RSAPublicKey ? "RSA" : "EC");
    jwk.put("kid", id);
    if (key instanceof ECPublicKey ec) {
      jwk.put("crv", algorithm.curve()).put("alg", algorithm.name());
      jwk.put("x", coordinate(ec.getW().getAffineX()));
      jwk.put("y", coordinate(ec.getW().getAffineY()));
    } else if (key instanceof RSAPublicKey rsa) {
      jwk.put("alg", algorithm.name());
      jwk.put("n", number(rsa.getModulus())).put("e", number(rsa.getPublicExponent()));
    }
    return jwk;
  }

  private String coordinate(BigInteger value) {
    byte[] fixed = new byte[algorithm.coordinateBytes()];
    byte[] bytes = value.toByteArray();
    int count = Math.min(bytes.length, fixed.length);
    System.arraycopy(bytes, bytes.length - count, fixed, fixed.length - count, count);
    return BASE64.encodeToString(fixed);
  }

  /** As short as it can be: without the byte that Java has for the sign. */
  private static String number(BigInteger value) {
    byte[] bytes = value.toByteArray();
    int from = bytes[0] == 0 && bytes.length > 1 ? 1 : 0;
    return BASE64.encodeToString(java.util.Arrays.copyOfRange(bytes, from, bytes.length));
  }
}
