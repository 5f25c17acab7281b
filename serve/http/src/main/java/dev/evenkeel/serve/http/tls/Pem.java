package dev.evenkeel.serve.http.tls;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/** Certificates and elliptic-curve keys as PEM text, one to a text. */
public final class Pem {

  private static final Base64.Encoder LINES =
      Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

  private static final int NUMBER_BYTES = 32;

  /** A sequence: version 1, then the private number. */
  private static final byte[] SEC1_HEAD = HexFormat.of().parseHex("30770201010420");

  /** The name of the curve P-256. */
  private static final byte[] SEC1_CURVE = HexFormat.of().parseHex("a00a06082a8648ce3d030107");

  /** The public point, not compressed. */
  private static final byte[] SEC1_POINT = HexFormat.of().parseHex("a14403420004");

  private static final int SEC1_BYTES =
      SEC1_HEAD.length + SEC1_CURVE.length + SEC1_POINT.length + 3 * NUMBER_BYTES;

  private Pem() {}

  public static String of(X509Certificate certificate) {
    try {
      return of("CERTIFICATE", certificate.getEncoded());
    } catch (CertificateException e) {
      throw new IllegalArgumentException("this certificate has no encoding", e);
    }
  }

  public static String of(PrivateKey key) {
    return of("PRIVATE KEY", key.getEncoded());
  }

  /**
   * A pair of keys on the curve P-256 in the older form (SEC 1), whose first line says that it is
   * an elliptic-curve key. In a kubeconfig fabric8's client takes every key that does not say so
   * for an RSA key, and the Kubernetes project's own Java client needs the public key in it.
   */
  public static String of(ECPrivateKey key, ECPublicKey publicKey) {
    if (key.getParams().getOrder().bitLength() != NUMBER_BYTES * Byte.SIZE) {
      throw new IllegalArgumentException("not a key on the curve P-256");
    }
    ByteBuffer bytes = ByteBuffer.allocate(SEC1_BYTES);
    bytes.put(SEC1_HEAD).put(number(key.getS())).put(SEC1_CURVE).put(SEC1_POINT);
    bytes.put(number(publicKey.getW().getAffineX())).put(number(publicKey.getW().getAffineY()));
    return of("EC PRIVATE KEY", bytes.array());
  }

  /** Of a fixed length, where Java's own form has a sign and no leading zeros. */
  private static byte[] number(BigInteger value) {
    byte[] bytes = value.toByteArray();
    int count = Math.min(bytes.length, NUMBER_BYTES);
    byte[] number = new byte[NUMBER_BYTES];
    System.arraycopy(bytes, bytes.length - count, number, NUMBER_BYTES - count, count);
    return number;
  }

  private static String of(String word, byte[] bytes) {
    return "-----BEGIN "
        + word
        + "-----\n"
        + LINES.encodeToString(bytes)
        + "\n-----END "
        + word
        + "-----\n";
  }

  /** Reads the first certificate of the text. */
  public static X509Certificate certificate(String pem) throws GeneralSecurityException {
    byte[] bytes = decoded("CERTIFICATE", pem);
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(bytes));
  }

  /** Reads an elliptic-curve key, in either form. */
  public static PrivateKey privateKey(String pem) throws GeneralSecurityException {
    if (pem.contains("-----BEGIN EC PRIVATE KEY-----")) {
      return elliptic(decoded("EC PRIVATE KEY", pem));
    }
    return KeyFactory.getInstance("EC")
        .generatePrivate(new PKCS8EncodedKeySpec(decoded("PRIVATE KEY", pem)));
  }

  /** Others leave out the public point, so the length at the beginning may be another. */
  private static PrivateKey elliptic(byte[] bytes) throws GeneralSecurityException {
    int numberEnd = SEC1_HEAD.length + NUMBER_BYTES;
    int curveEnd = numberEnd + SEC1_CURVE.length;
    if (bytes.length < curveEnd
        || !Arrays.equals(bytes, 2, SEC1_HEAD.length, SEC1_HEAD, 2, SEC1_HEAD.length)
        || !Arrays.equals(bytes, numberEnd, curveEnd, SEC1_CURVE, 0, SEC1_CURVE.length)) {
      throw new GeneralSecurityException("its key is not on the curve P-256");
    }
    AlgorithmParameters curve = AlgorithmParameters.getInstance("EC");
    curve.init(new ECGenParameterSpec("secp256r1"));
    var number = new BigInteger(1, bytes, SEC1_HEAD.length, NUMBER_BYTES);
    return KeyFactory.getInstance("EC")
        .generatePrivate(
            new ECPrivateKeySpec(number, curve.getParameterSpec(ECParameterSpec.class)));
  }

  private static byte[] decoded(String word, String pem) throws GeneralSecurityException {
    String begin = "-----BEGIN " + word + "-----";
    int start = pem.indexOf(begin);
    int end = pem.indexOf("-----END " + word + "-----");
    if (start < 0 || end < start) {
      throw new GeneralSecurityException("no " + word + " is in it");
    }
    try {
      return Base64.getMimeDecoder().decode(pem.substring(start + begin.length(), end));
    } catch (IllegalArgumentException e) {
      throw new GeneralSecurityException("its " + word + " is damaged", e);
    }
  }
}
