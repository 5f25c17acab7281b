package dev.evenkeel.operate.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.observe.http.HttpSettings;
import dev.evenkeel.observe.http.Identity;
import dev.evenkeel.serve.http.tls.CredentialFolder;
import dev.evenkeel.serve.http.tls.Credentials;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerAccessTest {

  private static final String SERVER = "https://127.0.0.1:6443";

  private static final String FOREIGN =
      """
      apiVersion: v1
      kind: Config
      preferences: {}
      clusters:
      - cluster:
          server: https://other.example
          insecure-skip-tls-verify: true
        name: other
      contexts:
      - context: {cluster: other, user: me, namespace: "yes"}
        name: other
      current-context: other
      users:
      - name: me
        user:
          exec:
            apiVersion: client.authentication.k8s.io/v1
            args: ["--region", 'eu', "08", "a: b"]
            command: get-token
            env: null
      """;

  @TempDir Path folder;
  private Path file;
  private Credentials credentials;

  @BeforeEach
  void start() throws IOException {
    file = folder.resolve("kubeconfig");
    credentials = CredentialFolder.open(folder.resolve("pki"), "127.0.0.1", Instant.now());
  }

  @Test
  void whatIsWritten_canBeReadAndUsed() {
    assertThat(KubeconfigFile.write(file, SERVER, credentials)).isTrue();
    ServerAccess read = ServerAccess.read(file);
    assertThat(read.server()).isEqualTo(URI.create(SERVER));
    assertThat(read.settings().trust())
        .isEqualTo(HttpSettings.Trust.authority(credentials.authorityPem()));
    assertThat(read.settings().identity())
        .isEqualTo(
            new Identity.Certificate(credentials.adminCertificatePem(), credentials.adminKeyPem()));
    assertThat(read.token()).isNull();
    assertThat(read.sslContext()).isNotNull();
    assertThat(read.toString()).doesNotContain("PRIVATE");
  }

  @Test
  void file_isForThisUserAlone() throws IOException {
    KubeconfigFile.write(file, SERVER, credentials);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void tokenUser_isThereForTools() throws IOException {
    KubeconfigFile.write(file, SERVER, credentials);
    String text = Files.readString(file);
    Files.writeString(file, text.replace("    user: evenkeel\n", "    user: evenkeel-token\n"));
    ServerAccess read = ServerAccess.read(file);
    assertThat(read.token()).isEqualTo(credentials.adminToken());
  }

  @Test
  void foreignFile_keepsItsEntriesAndItsContext() throws IOException {
    Files.writeString(file, FOREIGN);
    assertThat(KubeconfigFile.write(file, SERVER, credentials)).isFalse();
    String text = Files.readString(file);
    assertThat(text).contains("current-context: other");
    assertThat(text)
        .contains(
            "insecure-skip-tls-verify: true",
            "namespace: \"yes\"",
            "- \"--region\"",
            "- eu",
            "- \"08\"",
            "- \"a: b\"",
            "env: null",
            "preferences: {}",
            "server: " + SERVER);
    // And ours is reachable through its context.
    Files.writeString(file, text.replace("current-context: other", "current-context: evenkeel"));
    assertThat(ServerAccess.read(file).settings().trust().authorityPem())
        .isEqualTo(credentials.authorityPem());
  }

  @Test
  void ownEntries_areReplaced() throws IOException {
    Files.writeString(file, FOREIGN);
    KubeconfigFile.write(file, "https://127.0.0.1:1", credentials);
    String first = Files.readString(file);
    KubeconfigFile.write(file, "https://127.0.0.1:2", credentials);
    assertThat(Files.readString(file))
        .isEqualTo(first.replace("https://127.0.0.1:1", "https://127.0.0.1:2"));
  }

  @Test
  void otherFile_staysAsItIs() throws IOException {
    for (String text : new String[] {"precious: data\n", "just text", "- a\n- b\n", "{ [ broken"}) {
      Files.writeString(file, text);
      assertThatThrownBy(() -> KubeconfigFile.write(file, SERVER, credentials))
          .isInstanceOf(ServerAccessException.class)
          .hasMessageContaining("is no kubeconfig")
          .hasMessageContaining("--kubeconfig FILE");
      assertThat(Files.readString(file)).isEqualTo(text);
    }
  }

  @Test
  void link_staysALink() throws IOException {
    Path real = folder.resolve("real");
    Files.writeString(real, FOREIGN);
    Files.createSymbolicLink(file, real);
    KubeconfigFile.write(file, SERVER, credentials);
    assertThat(Files.isSymbolicLink(file)).isTrue();
    assertThat(Files.readString(real)).contains(SERVER);
  }

  @Test
  void filesNamedInTheFile_areReadFromBesideIt() throws IOException {
    Files.writeString(
        file,
        """
        current-context: c
        contexts: [{name: c, context: {cluster: k, user: u}}]
        clusters: [{name: k, cluster: {server: "https://x", certificate-authority: pki/ca.crt}}]
        users: [{name: u, user: {client-certificate: pki/admin.crt, client-key: pki/admin.key}}]
        """);
    ServerAccess read = ServerAccess.read(file);
    assertThat(read.settings().trust().authorityPem()).isEqualTo(credentials.authorityPem());
    assertThat(read.settings().identity())
        .isEqualTo(
            new Identity.Certificate(
                credentials.adminCertificatePem(),
                Files.readString(file.resolveSibling("pki/admin.key"))));
  }

  @Test
  void missingFile_saysWhatToDo() {
    assertThatThrownBy(() -> ServerAccess.read(file))
        .isInstanceOf(ServerAccessException.class)
        .hasMessageContaining("evenkeel up")
        .hasMessageContaining("--kubeconfig FILE");
  }

  @Test
  void contextThatLeadsNowhere_isNamed() throws IOException {
    Files.writeString(file, "kind: Config\ncurrent-context: gone\n");
    assertThatThrownBy(() -> ServerAccess.read(file))
        .isInstanceOf(ServerAccessException.class)
        .hasMessageContaining("'gone'");
  }
}
