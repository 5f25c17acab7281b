package dev.evenkeel.serve.http.tls;

import java.util.List;

/**
 * What a server starts with.
 *
 * @param authorityPem the certificate that clients must trust
 * @param adminCertificatePem the first user's certificate
 * @param adminKeyPem its key
 * @param adminToken the first user's other way in
 * @param accountKeyPem the key that signs tokens of service accounts
 * @param olderAccountKeysPem public keys of those that signed before, whose tokens are good still
 */
public record Credentials(
    ServerIdentity server,
    String authorityPem,
    String adminCertificatePem,
    String adminKeyPem,
    String adminToken,
    String accountKeyPem,
    List<String> olderAccountKeysPem) {

  public Credentials {
    olderAccountKeysPem = List.copyOf(olderAccountKeysPem);
  }

  /** Names none of the secrets. */
  @Override
  public String toString() {
    return "Credentials[" + server.chain().getFirst().getSubjectX500Principal() + "]";
  }
}
