package dev.evenkeel.operate.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.operate.kubeconfig.Kubeconfig;
import dev.evenkeel.operate.kubeconfig.KubeconfigFile;
import dev.evenkeel.serve.http.tls.CredentialFolder;
import dev.evenkeel.serve.http.tls.Credentials;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShadowTest {

  private static final String POD =
      """
      {"apiVersion":"v1","kind":"Pod","metadata":{"generateName":"a-"},
       "spec":{"containers":[{"name":"main","image":"i"}]}}
      """;
  private static final String NODE =
      """
      {"apiVersion":"v1","kind":"Node","metadata":{"name":"a"},"status":
       {"allocatable":{"cpu":"1k","memory":"1Ti","pods":"1k"},
       "capacity":{"cpu":"1k","memory":"1Ti","pods":"1k"}}}
      """;

  @TempDir Path folder;
  private Credentials credentials;
  private SSLContext tls;

  @BeforeEach
  void trust() throws IOException {
    credentials = CredentialFolder.open(folder.resolve("pki"), "127.0.0.1", Instant.now());
    Path file = folder.resolve("kubeconfig");
    KubeconfigFile.write(file, "https://127.0.0.1:1", credentials);
    tls = Kubeconfig.read(file).sslContext();
  }

  @Test
  void pods_getNodes_andNothingIsLeftOfItAtItsEnd() throws Exception {
    long before = threads();
    URI address;
    try (var shadow = Shadow.open(new RealEnv(), credentials, true)) {
      address = shadow.address();
      try (var client = FrameClient.connect(address, tls, credentials.adminToken())) {
        client.send("POST", "/api/v1/nodes", NODE);
        client.awaitAnswers();
        for (int i = 0; i < 100; i++) {
          client.send("POST", "/api/v1/namespaces/default/pods", POD);
        }
        client.awaitAnswers();
      }
      for (int i = 0; i < 1_000 && shadow.placed() < 100; i++) {
        Thread.sleep(10);
      }
      assertThat(shadow.placed()).isEqualTo(100);
      assertThat(threads()).isGreaterThan(before);
    }
    for (int i = 0; i < 100 && threads() > before; i++) {
      Thread.sleep(50);
    }
    assertThat(threads()).isLessThanOrEqualTo(before);
    assertThatThrownBy(() -> FrameClient.socket(address, tls, "h2"))
        .isInstanceOf(IOException.class);
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().matches("scheduler|informers|vert.x-eventloop.*"))
        .count();
  }
}
