package dev.evenkeel.serve.http.tls;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Makes certificates, in the name of an issuer. ECDSA on P-256 throughout, which every client knows
 * and no handshake waits for.
 *
 * <p>The one class that knows Bouncy Castle, whose jars are signed: loading anything of them has
 * the JVM check them as a whole, which a start that makes no certificates must not wait for.
 */
final class CertificateMaker {

  private static final String SIGNATURE = "SHA256withECDSA";

  /** Clients' clocks may be a little behind. */
  private static final Duration SLACK = Duration.ofMinutes(5);

  private final Issuer issuer;
  private final Instant now;
  private final Duration validity;

  CertificateMaker(Issuer issuer, Instant now, Duration validity) {
    this.issuer = issuer;
    this.now = now;
    this.validity = validity;
  }

  static Issuer authority(String name, Instant now, Duration validity)
      throws GeneralSecurityException {
    KeyPair pair = newKeys();
    X500Name subject = new X500Name("CN=" + name);
    try {
      X509v3CertificateBuilder builder =
          new JcaX509v3CertificateBuilder(
              subject,
              serial(pair.getPublic()),
              Date.from(now.minus(SLACK)),
              Date.from(now.plus(validity)),
              subject,
              pair.getPublic());
      builder
          .addExtension(Extension.basicConstraints, true, new BasicConstraints(true))
          .addExtension(
              Extension.keyUsage,
              true,
              new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign | KeyUsage.digitalSignature))
          .addExtension(
              Extension.subjectKeyIdentifier,
              false,
              new JcaX509ExtensionUtils().createSubjectKeyIdentifier(pair.getPublic()));
      return new Issuer(signed(builder, pair.getPrivate()), pair.getPrivate());
    } catch (IOException e) {
      throw new GeneralSecurityException(e);
    }
  }

  Issuer.Issued server(Collection<String> names) throws GeneralSecurityException {
    GeneralName[] alternatives =
        names.stream()
            .map(
                name ->
                    new GeneralName(
                        Hosts.isAddress(name) ? GeneralName.iPAddress : GeneralName.dNSName, name))
            .toArray(GeneralName[]::new);
    return issue(
        new X500Name("CN=evenkeel"), KeyPurposeId.id_kp_serverAuth, new GeneralNames(alternatives));
  }

  Issuer.Issued client(String name, List<String> groups) throws GeneralSecurityException {
    var subject = new X500NameBuilder(BCStyle.INSTANCE);
    groups.forEach(group -> subject.addRDN(BCStyle.O, group));
    subject.addRDN(BCStyle.CN, name);
    return issue(subject.build(), KeyPurposeId.id_kp_clientAuth, null);
  }

  private Issuer.Issued issue(
      X500Name subject, KeyPurposeId purpose, @Nullable GeneralNames alternatives)
      throws GeneralSecurityException {
    KeyPair pair = newKeys();
    X509Certificate authority = issuer.certificate();
    Instant end = now.plus(validity);
    Instant last = authority.getNotAfter().toInstant();
    try {
      X509v3CertificateBuilder builder =
          new JcaX509v3CertificateBuilder(
              new X500Name(authority.getSubjectX500Principal().getName()),
              serial(pair.getPublic()),
              Date.from(now.minus(SLACK)),
              Date.from(end.isBefore(last) ? end : last),
              subject,
              pair.getPublic());
      builder
          .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
          .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
          .addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose))
          .addExtension(
              Extension.authorityKeyIdentifier,
              false,
              new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(authority.getPublicKey()));
      if (alternatives != null) {
        builder.addExtension(Extension.subjectAlternativeName, false, alternatives);
      }
      return new Issuer.Issued(signed(builder, issuer.key()), pair.getPrivate());
    } catch (IOException e) {
      throw new GeneralSecurityException(e);
    }
  }

  static KeyPair newKeys() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    return generator.generateKeyPair();
  }

  /** As different as the keys are: nothing else must keep count. */
  private static BigInteger serial(PublicKey key) throws GeneralSecurityException {
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getEncoded());
    return new BigInteger(1, Arrays.copyOf(digest, 16));
  }

  private static X509Certificate signed(X509v3CertificateBuilder builder, PrivateKey key)
      throws GeneralSecurityException {
    try {
      return new JcaX509CertificateConverter()
          .getCertificate(builder.build(new JcaContentSignerBuilder(SIGNATURE).build(key)));
    } catch (OperatorCreationException e) {
      throw new GeneralSecurityException(e);
    }
  }
}
