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
  private static final Pattern NAMES = Pattern.compile("\"name\":\"([^\"]*)\"");

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

  @Test
  void doesAllOnAShadow_andLeavesNothingBehind() throws Exception {
    String before = objects();
    try (WarmUp warmUp = warmUp()) {
      warmUp.done().get(60, TimeUnit.SECONDS);
      assertThat(warmUp.sent()).isEqualTo(REQUESTS);
    }
    assertThat(objects()).isEqualTo(before);
  }

  /** What a user could have made: the server itself writes leases and the like at any time. */
  private String objects() throws Exception {
    var names = new StringBuilder();
    for (String path : List.of("/api/v1/namespaces", "/api/v1/pods", "/api/v1/nodes")) {
      String list = UpProcess.send(kubeconfig, "GET", path, "").body();
      Matcher found = NAMES.matcher(list);
      while (found.find()) {
        names.append(found.group(1)).append(' ');
      }
      names.append('/');
    }
    return names.toString();
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
