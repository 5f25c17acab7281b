package dev.evenkeel.kernel.pem;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Certificates and keys as PEM text. */
public final class Pem {

  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\\s]*)-----END \\1-----");

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

  public static String of(PublicKey key) {
    return of("PUBLIC KEY", key.getEncoded());
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
    return certificates(pem).getFirst();
  }

  /** Reads all certificates of the text, of which there is at least one. */
  public static List<X509Certificate> certificates(String pem) throws GeneralSecurityException {
    List<X509Certificate> certificates = new ArrayList<>();
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    Matcher block = BLOCK.matcher(pem);
    while (block.find()) {
      if (block.group(1).equals("CERTIFICATE")) {
        certificates.add(
            (X509Certificate)
                factory.generateCertificate(new ByteArrayInputStream(content(block))));
      }
    }
    if (certificates.isEmpty()) {
      throw new GeneralSecurityException("there is no certificate in it");
    }
    return certificates;
  }

  /** Reads the first key of the text, in any of the usual forms. */
  public static PrivateKey privateKey(String pem) throws GeneralSecurityException {
    Matcher block = BLOCK.matcher(pem);
    while (block.find()) {
      switch (block.group(1)) {
        case "PRIVATE KEY" -> {
          return anyAlgorithm(content(block));
        }
        case "RSA PRIVATE KEY" -> {
          return anyAlgorithm(Der.wrapRsa(content(block)));
        }
        case "EC PRIVATE KEY" -> {
          return anyAlgorithm(Der.wrapEc(content(block)));
        }
        case "ENCRYPTED PRIVATE KEY" ->
            throw new GeneralSecurityException("the key is encrypted; use one that is not");
        default -> {
          // Parameters of a curve, or a certificate in the same file.
        }
      }
    }
    throw new GeneralSecurityException("there is no private key in it");
  }

  /** Reads all public keys of the text, also those of certificates; there is at least one. */
  public static List<PublicKey> publicKeys(String pem) throws GeneralSecurityException {
    List<PublicKey> keys = new ArrayList<>();
    Matcher block = BLOCK.matcher(pem);
    while (block.find()) {
      switch (block.group(1)) {
        case "PUBLIC KEY" -> keys.add(publicKey(content(block)));
        case "CERTIFICATE" -> keys.add(certificate(block.group()).getPublicKey());
        default -> {
          // Something else in the same file.
        }
      }
    }
    if (keys.isEmpty()) {
      throw new GeneralSecurityException("there is no public key in it");
    }
    return keys;
  }

  private static PublicKey publicKey(byte[] encoded) throws GeneralSecurityException {
    var specification = new X509EncodedKeySpec(encoded);
    for (String algorithm : List.of("EC", "RSA", "Ed25519")) {
      try {
        return KeyFactory.getInstance(algorithm).generatePublic(specification);
      } catch (InvalidKeySpecException e) {
        // One of the others.
      }
    }
    throw new GeneralSecurityException("the key is of an algorithm other than RSA, EC and Ed25519");
  }

  private static byte[] content(Matcher block) throws GeneralSecurityException {
    try {
      return Base64.getMimeDecoder().decode(block.group(2).getBytes(StandardCharsets.US_ASCII));
    } catch (IllegalArgumentException e) {
      throw new GeneralSecurityException("its " + block.group(1) + " is damaged", e);
    }
  }

  private static PrivateKey anyAlgorithm(byte[] encoded) throws GeneralSecurityException {
    var specification = new PKCS8EncodedKeySpec(encoded);
    for (String algorithm : List.of("EC", "RSA", "Ed25519")) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(specification);
      } catch (InvalidKeySpecException e) {
        // One of the others.
      }
    }
    throw new GeneralSecurityException("the key is of an algorithm other than RSA, EC and Ed25519");
  }
}
