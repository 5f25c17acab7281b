package dev.evenkeel.serve.http.tls;

/**
 * What a server starts with.
 *
 * @param authorityPem the certificate that clients must trust
 * @param adminCertificatePem the first user's certificate
 * @param adminKeyPem its key
 * @param adminToken the first user's other way in
 */
public record Credentials(
    ServerIdentity server,
    String authorityPem,
    String adminCertificatePem,
    String adminKeyPem,
    String adminToken) {

  /** Names none of the secrets. */
  @Override
  public String toString() {
    return "Credentials[" + server.chain().getFirst().getSubjectX500Principal() + "]";
  }
}
