package dev.evenkeel.prove.bench.api.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.operate.kubeconfig.KubeconfigFile;
import dev.evenkeel.serve.http.tls.CredentialFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubeconfigTargetTest {

  @TempDir private Path folder;

  private Path file(String current) throws Exception {
    Files.writeString(folder.resolve("token"), "of a file\n");
    return Files.writeString(
        folder.resolve("config"),
        """
        apiVersion: v1
        kind: Config
        current-context: %s
        clusters:
        - name: other
          cluster: {server: "https://10.0.0.1:1", insecure-skip-tls-verify: true}
        - name: here
          cluster: {server: "https://127.0.0.1:6443", insecure-skip-tls-verify: true}
        users:
        - name: somebody
          user: {tokenFile: token}
        - name: admin
          user: {token: secret}
        contexts:
        - name: first
          context: {cluster: here, user: admin}
        - name: second
          context: {cluster: other, user: somebody}
        """
            .formatted(current));
  }

  @Test
  void target_isThatOfTheCurrentContext() throws Exception {
    Target first = KubeconfigTarget.target(file("first"));
    assertThat(first.url()).isEqualTo("https://127.0.0.1:6443");
    assertThat(first.token()).isEqualTo("secret");
    Target second = KubeconfigTarget.target(file("second"));
    assertThat(second.url()).isEqualTo("https://10.0.0.1:1");
    assertThat(second.token()).isEqualTo("of a file");
  }

  @Test
  void certificateAndKey_areTakenAsTheServerWritesThem() throws Exception {
    Path written = folder.resolve("written");
    var _ =
        KubeconfigFile.write(
            written,
            "https://127.0.0.1:6443",
            CredentialFolder.open(folder.resolve("pki"), "127.0.0.1", Instant.now()));
    assertThat(KubeconfigTarget.target(written).url()).isEqualTo("https://127.0.0.1:6443");
  }

  @Test
  void context_thatIsMissingIsNamed() {
    assertThatThrownBy(() -> KubeconfigTarget.target(file("third")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("third");
  }
}
