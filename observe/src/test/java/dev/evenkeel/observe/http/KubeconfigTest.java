package dev.evenkeel.observe.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.observe.transport.Header;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KubeconfigTest {

  private static final String CONFIG =
      """
      apiVersion: v1
      kind: Config
      current-context: one
      contexts:
      - {name: one, context: {cluster: c, user: certified, namespace: work}}
      - {name: token, context: {cluster: c, user: bearer}}
      - {name: file, context: {cluster: odd, user: filed}}
      - {name: exec, context: {cluster: c, user: plugged}}
      - {name: half, context: {cluster: c, user: half}}
      - {name: nobody, context: {cluster: c}}
      - {name: proxied, context: {cluster: proxied}}
      - {name: lost, context: {cluster: gone, user: bearer}}
      clusters:
      - {name: c, cluster: {server: "https://127.0.0.1:6443", certificate-authority-data: %1$s}}
      - name: odd
        cluster:
          server: https://example.com:443/clusters/a/
          certificate-authority: ca.crt
          tls-server-name: other.example.com
          insecure-skip-tls-verify: true
      - {name: proxied, cluster: {server: "https://a:1", proxy-url: "http://p:1"}}
      users:
      - {name: certified, user: {client-certificate-data: %1$s, client-key: key.pem, token: unused}}
      - {name: bearer, user: {token: secret, as: someone, as-groups: [a, b]}}
      - {name: filed, user: {tokenFile: token}}
      - {name: plugged, user: {exec: {command: aws, apiVersion: client.authentication.k8s.io/v1}}}
      - {name: half, user: {client-certificate-data: %1$s}}
      """
          .formatted(Base64.getEncoder().encodeToString("PEM".getBytes(StandardCharsets.US_ASCII)));

  @TempDir private Path folder;

  private Kubeconfig read() throws IOException {
    Files.writeString(folder.resolve("key.pem"), "KEY");
    Files.writeString(folder.resolve("ca.crt"), "CA");
    return Kubeconfig.read(Files.writeString(folder.resolve("config"), CONFIG));
  }

  @Test
  void currentContext_isUsed() throws IOException {
    HttpSettings settings = read().settings();
    assertThat(settings.server()).isEqualTo(URI.create("https://127.0.0.1:6443"));
    assertThat(settings.trust()).isEqualTo(HttpSettings.Trust.authority("PEM"));
    assertThat(settings.identity()).isEqualTo(new Identity.Certificate("PEM", "KEY"));
    assertThat(settings.namespace()).isEqualTo("work");
    assertThat(settings.toString()).doesNotContain("KEY");
  }

  @Test
  void otherContexts_areUsedByName() throws IOException {
    HttpSettings token = read().settings("token");
    assertThat(token.identity()).isEqualTo(new Identity.Token("secret"));
    assertThat(token.toString()).doesNotContain("secret]]").doesNotContain("token=secret");
    assertThat(token.namespace()).isEqualTo("default");
    assertThat(token.headers())
        .containsExactly(
            new Header("Impersonate-User", "someone"),
            new Header("Impersonate-Group", "a"),
            new Header("Impersonate-Group", "b"));
    HttpSettings file = read().settings("file");
    assertThat(file.identity()).isEqualTo(new Identity.TokenFile(folder.resolve("token")));
    assertThat(file.trust()).isEqualTo(new HttpSettings.Trust("CA", "other.example.com", true));
    assertThat(read().settings("nobody").identity()).isEqualTo(new Identity.Anonymous());
  }

  @Test
  void whatIsNotUnderstood_isRefusedInWords() throws IOException {
    Kubeconfig config = read();
    assertThatThrownBy(() -> config.settings("exec"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("the user 'plugged'")
        .hasMessageContaining("logs in by 'exec', which is not supported. Give it a client");
    assertThatThrownBy(() -> config.settings("proxied")).hasMessageContaining("proxy-url");
    assertThatThrownBy(() -> config.settings("half")).hasMessageContaining("but not both");
    assertThatThrownBy(() -> config.settings("lost"))
        .hasMessageContaining("leads to the cluster 'gone', which is not there");
    assertThatThrownBy(() -> config.settings("x"))
        .hasMessageContaining("has no context 'x'; there are [one, token,");
    assertThatThrownBy(() -> Kubeconfig.read(folder.resolve("nowhere")))
        .hasMessageContaining("cannot be read");
    Path bad = Files.writeString(folder.resolve("bad"), "a: [");
    assertThatThrownBy(() -> Kubeconfig.read(bad)).hasMessageContaining("is no kubeconfig");
    Path empty = Files.writeString(folder.resolve("empty"), "kind: Config");
    assertThatThrownBy(() -> Kubeconfig.read(empty).settings())
        .hasMessageContaining("has no current-context");
  }

  @Test
  void severalFiles_areOneAndTheFirstWins() throws IOException {
    var _ = read();
    Path first = Files.createDirectories(folder.resolve("sub")).resolve("first");
    Files.writeString(
        first,
        """
        current-context: token
        users:
        - {name: bearer, user: {tokenFile: mine}}
        """);
    String paths =
        first
            + File.pathSeparator
            + folder.resolve("gone")
            + File.pathSeparator
            + folder.resolve("config");
    HttpSettings settings = Kubeconfig.standard(Map.of("KUBECONFIG", paths), folder).settings();
    assertThat(settings.identity())
        .isEqualTo(new Identity.TokenFile(folder.resolve("sub").resolve("mine")));
    Files.createDirectories(folder.resolve(".kube"));
    Files.copy(folder.resolve("config"), folder.resolve(".kube").resolve("config"));
    assertThat(Kubeconfig.standard(Map.of(), folder).currentContext()).isEqualTo("one");
  }

  @Test
  void inCluster_readsWhatPodsGet() throws IOException {
    Files.writeString(folder.resolve("token"), "t\n");
    Files.writeString(folder.resolve("ca.crt"), "CA");
    Files.writeString(folder.resolve("namespace"), "mine\n");
    Map<String, String> environment =
        Map.of("KUBERNETES_SERVICE_HOST", "fd00::1", "KUBERNETES_SERVICE_PORT", "6443");
    assertThat(InCluster.isHere(environment, folder)).isTrue();
    assertThat(InCluster.isHere(Map.of(), folder)).isFalse();
    HttpSettings settings = InCluster.read(environment, folder);
    assertThat(settings.server()).isEqualTo(URI.create("https://[fd00::1]:6443"));
    assertThat(settings.identity()).isEqualTo(new Identity.TokenFile(folder.resolve("token")));
    assertThat(settings.namespace()).isEqualTo("mine");
    assertThatThrownBy(() -> InCluster.read(Map.of(), folder))
        .hasMessageContaining("KUBERNETES_SERVICE_HOST is not set");
    assertThat(List.of(settings.trust())).containsExactly(HttpSettings.Trust.authority("CA"));
  }
}
