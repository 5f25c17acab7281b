package dev.evenkeel.serve.http.tls;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;

/** Certificates and elliptic-curve keys as PEM text, one to a text. */
public final class Pem {

  private static final Base64.Encoder LINES =
      Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

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

  /** Reads an elliptic-curve key. */
  public static PrivateKey privateKey(String pem) throws GeneralSecurityException {
    return KeyFactory.getInstance("EC")
        .generatePrivate(new PKCS8EncodedKeySpec(decoded("PRIVATE KEY", pem)));
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
