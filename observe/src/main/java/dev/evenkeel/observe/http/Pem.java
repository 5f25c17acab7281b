package dev.evenkeel.observe.http;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Certificates and keys as text. */
final class Pem {

  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\\s]*)-----END \\1-----");

  private Pem() {}

  static List<X509Certificate> certificates(String pem) throws GeneralSecurityException {
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

  static PrivateKey privateKey(String pem) throws GeneralSecurityException {
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

  private static byte[] content(Matcher block) {
    return Base64.getMimeDecoder().decode(block.group(2).getBytes(StandardCharsets.US_ASCII));
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
