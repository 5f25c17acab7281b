package dev.evenkeel.operate.up;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.operate.kubeconfig.Kubeconfig;
import dev.evenkeel.operate.kubeconfig.KubeconfigFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WarmUpTest {

  private static final int REQUESTS = 512;
  private static final Pattern WRITES =
      Pattern.compile("evenkeel_requests_total\\{[^}]*write[^}]*} (\\d+)");

  @TempDir Path folder;
  private final RealEnv env = new RealEnv();
  private Server server;
  private Path kubeconfig;

  @BeforeEach
  void start() throws Exception {
    UpSettings settings =
        UpSettings.plain(
            List.of("--store", "memory", "--listen", "127.0.0.1:0", "--data", folder.toString()));
    server = Server.open(env, Objects.requireNonNull(settings));
    kubeconfig = folder.resolve("kubeconfig");
    KubeconfigFile.write(kubeconfig, "https://127.0.0.1:" + server.port(), server.credentials());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private WarmUp warmUp() {
    return WarmUp.start(
        env, kubeconfig, server.credentials(), server::connectionsOpen, REQUESTS, true);
  }

  private long writes() throws Exception {
    Matcher found = WRITES.matcher(UpProcess.send(kubeconfig, "GET", "/metrics", "").body());
    assertThat(found.find()).isTrue();
    return Long.parseLong(found.group(1));
  }

  @Test
  void doesAllOnAShadow_andLeavesNothingBehind() throws Exception {
    long revision = server.revision();
    long before = writes();
    try (WarmUp warmUp = warmUp()) {
      warmUp.done().get(60, TimeUnit.SECONDS);
      assertThat(warmUp.sent()).isEqualTo(REQUESTS);
    }
    assertThat(writes()).isEqualTo(before);
    assertThat(server.revision()).isEqualTo(revision);
  }

  @Test
  void restsWhileAnybodyIsConnected() throws Exception {
    Kubeconfig config = Kubeconfig.read(kubeconfig);
    String token = server.credentials().adminToken();
    try (WarmUp warmUp = warmUp()) {
      try (var other = FrameClient.connect(config.server(), config.sslContext(), token)) {
        other.send("GET", "/version", "");
        other.awaitAnswers();
        Thread.sleep(1_500);
        assertThat(warmUp.done()).isNotDone();
        assertThat(warmUp.sent()).isZero();
      }
      warmUp.done().get(60, TimeUnit.SECONDS);
      assertThat(warmUp.sent()).isEqualTo(REQUESTS);
    }
  }

  @Test
  void endsWithTheServer() {
    WarmUp warmUp = warmUp();
    warmUp.close();
    assertThat(warmUp.done()).isDone();
  }
}
