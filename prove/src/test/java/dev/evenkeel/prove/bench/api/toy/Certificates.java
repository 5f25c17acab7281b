package dev.evenkeel.prove.bench.api.toy;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A certificate for 127.0.0.1 that vouches for itself, and its key, as PEM. */
record Certificates(String certificate, String key) {

  static Certificates make() {
    try {
      var generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(256);
      KeyPair pair = generator.generateKeyPair();
      var name = new X500Name("CN=toy");
      Instant now = Instant.now();
      byte[] certificate =
          new JcaX509v3CertificateBuilder(
                  name,
                  BigInteger.ONE,
                  Date.from(now.minus(Duration.ofHours(1))),
                  Date.from(now.plus(Duration.ofDays(1))),
                  name,
                  pair.getPublic())
              .addExtension(
                  Extension.subjectAlternativeName,
                  false,
                  new GeneralNames(new GeneralName(GeneralName.iPAddress, "127.0.0.1")))
              .build(new JcaContentSignerBuilder("SHA256withECDSA").build(pair.getPrivate()))
              .getEncoded();
      return new Certificates(
          pem("CERTIFICATE", certificate), pem("PRIVATE KEY", pair.getPrivate().getEncoded()));
    } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
      throw new IllegalStateException("no certificate could be made", e);
    }
  }

  private static String pem(String what, byte[] bytes) {
    String text =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(bytes);
    return "-----BEGIN %s-----%n%s%n-----END %s-----%n".formatted(what, text, what);
  }
}
