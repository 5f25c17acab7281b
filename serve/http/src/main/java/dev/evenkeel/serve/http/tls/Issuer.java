package dev.evenkeel.serve.http.tls;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/** A certificate authority: a certificate and the key that signs in its name. */
public record Issuer(X509Certificate certificate, PrivateKey key) {

  /** A key with its certificate. */
  public record Issued(X509Certificate certificate, PrivateKey key) {}

  /** A new authority, which signs itself. */
  public static Issuer create(String name, Instant now, Duration validity)
      throws GeneralSecurityException {
    return CertificateMaker.authority(name, now, validity);
  }

  /** A certificate for a server of these names and addresses. */
  public Issued server(Collection<String> names, Instant now, Duration validity)
      throws GeneralSecurityException {
    return new CertificateMaker(this, now, validity).server(names);
  }

  /** A certificate for a client of this name in these groups. */
  public Issued client(String name, List<String> groups, Instant now, Duration validity)
      throws GeneralSecurityException {
    return new CertificateMaker(this, now, validity).client(name, groups);
  }
}
