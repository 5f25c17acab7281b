package dev.evenkeel.serve.http.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.kernel.pem.Pem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CredentialFolderTest {

  private static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");
  private static final String HOST = "127.0.0.1";

  @TempDir Path parent;

  private Credentials open(String host, Instant now) throws IOException {
    return CredentialFolder.open(parent.resolve("pki"), host, now);
  }

  private static X509Certificate server(Credentials credentials) {
    return credentials.server().chain().getFirst();
  }

  @Test
  void firstStart_makesCertificatesThatTheAuthoritySigned() throws Exception {
    Credentials made = open(HOST, NOW);
    X509Certificate authority = Pem.certificate(made.authorityPem());
    X509Certificate admin = Pem.certificate(made.adminCertificatePem());
    server(made).verify(authority.getPublicKey());
    admin.verify(authority.getPublicKey());
    assertThat(admin.getSubjectX500Principal().getName())
        .isEqualTo("CN=kubernetes-admin,O=system:masters");
    assertThat(admin.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.2");
    assertThat(server(made).getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
    assertThat(authority.getBasicConstraints()).isNotNegative();
    assertThat(server(made).getBasicConstraints()).isNegative();
    assertThat(made.adminToken()).matches("[0-9a-f]{64}");
  }

  @Test
  void accountKey_isMadeOnce_andItsPredecessorsAreKept() throws Exception {
    Credentials made = open(HOST, NOW);
    assertThat(Pem.privateKey(made.accountKeyPem()).getAlgorithm()).isEqualTo("EC");
    assertThat(made.olderAccountKeysPem()).isEmpty();
    assertThat(open(HOST, NOW).accountKeyPem()).isEqualTo(made.accountKeyPem());
    Path pki = parent.resolve("pki");
    String old = Files.readString(pki.resolve("sa.pub"));
    Files.move(pki.resolve("sa.pub"), pki.resolve("sa-2025.pub"));
    Files.delete(pki.resolve("sa.key"));
    Credentials rotated = open(HOST, NOW);
    assertThat(rotated.accountKeyPem()).isNotEqualTo(made.accountKeyPem());
    assertThat(rotated.olderAccountKeysPem()).containsExactly(old);
    assertThat(Pem.publicKeys(old)).hasSize(1);
  }

  @Test
  void server_isKnownByTheUsualNamesAndByWhatItListensOn() throws Exception {
    List<String> names =
        server(open("evenkeel.example", NOW)).getSubjectAlternativeNames().stream()
            .map(name -> String.valueOf(name.get(1)))
            .toList();
    assertThat(names)
        .contains(
            "127.0.0.1",
            "0:0:0:0:0:0:0:1",
            "localhost",
            "kubernetes",
            "kubernetes.default",
            "kubernetes.default.svc",
            "kubernetes.default.svc.cluster.local",
            "10.96.0.1",
            "evenkeel.example");
  }

  @Test
  void nextStart_keepsEverything() throws Exception {
    Credentials first = open(HOST, NOW);
    Credentials second = open(HOST, NOW.plus(Duration.ofDays(200)));
    assertThat(second.authorityPem()).isEqualTo(first.authorityPem());
    assertThat(server(second)).isEqualTo(server(first));
    assertThat(second.adminCertificatePem()).isEqualTo(first.adminCertificatePem());
    assertThat(second.adminToken()).isEqualTo(first.adminToken());
  }

  @Test
  void certificateNearItsEnd_isRenewed_andTheAuthorityStays() throws Exception {
    Credentials first = open(HOST, NOW);
    Instant later = NOW.plus(Duration.ofDays(300));
    Credentials second = open(HOST, later);
    assertThat(second.authorityPem()).isEqualTo(first.authorityPem());
    assertThat(server(second)).isNotEqualTo(server(first));
    assertThat(server(second).getNotAfter().toInstant()).isAfter(later.plus(Duration.ofDays(300)));
    assertThat(second.adminCertificatePem()).isNotEqualTo(first.adminCertificatePem());
    assertThat(second.adminToken()).isEqualTo(first.adminToken());
  }

  @Test
  void certificates_nameTheirAuthoritysKey_soThatStartsNeedNoSignature() throws Exception {
    Credentials made = open(HOST, NOW);
    X509Certificate authority = Pem.certificate(made.authorityPem());
    assertThat(KeyIdentifiers.ofSubject(authority)).isNotNull();
    assertThat(KeyIdentifiers.ofAuthority(server(made)))
        .isEqualTo(KeyIdentifiers.ofSubject(authority));
    assertThat(KeyIdentifiers.ofAuthority(authority)).isNull();
  }

  @Test
  void authorityNearItsEnd_isReplacedWithAllItSigned() throws Exception {
    Credentials first = open(HOST, NOW);
    Credentials second = open(HOST, NOW.plus(Duration.ofDays(3_600)));
    assertThat(second.authorityPem()).isNotEqualTo(first.authorityPem());
    X509Certificate authority = Pem.certificate(second.authorityPem());
    server(second).verify(authority.getPublicKey());
    Pem.certificate(second.adminCertificatePem()).verify(authority.getPublicKey());
  }

  @Test
  void otherListenAddress_needsAnotherServerCertificate() throws Exception {
    Credentials first = open(HOST, NOW);
    assertThat(server(open(HOST, NOW))).isEqualTo(server(first));
    Credentials second = open("192.0.2.7", NOW);
    assertThat(server(second)).isNotEqualTo(server(first));
    assertThat(second.adminCertificatePem()).isEqualTo(first.adminCertificatePem());
    assertThat(server(open("0.0.0.0", NOW)).getSubjectAlternativeNames()).isNotEmpty();
  }

  @Test
  void files_areForThisUserAlone() throws Exception {
    open(HOST, NOW);
    try (Stream<Path> files = Files.list(parent.resolve("pki"))) {
      for (Path file : files.filter(each -> !each.endsWith("lock")).toList()) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
            .as(file.toString())
            .isEqualTo("rw-------");
      }
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(parent.resolve("pki"))))
        .isEqualTo("rwx------");
  }

  @Test
  void damagedFile_isNamed_andNotReplacedBehindTheUsersBack() throws Exception {
    open(HOST, NOW);
    Files.writeString(parent.resolve("pki").resolve("ca.crt"), "what is this");
    assertThatThrownBy(() -> open(HOST, NOW))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("ca.crt")
        .hasMessageContaining("Remove both");
  }

  @Test
  void credentials_sayNoSecrets() throws Exception {
    Credentials made = open(HOST, NOW);
    assertThat(made.toString()).doesNotContain(made.adminToken()).doesNotContain("PRIVATE KEY");
  }
}
