package dev.evenkeel.operate.up;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.operate.kubeconfig.ServerAccess;
import dev.evenkeel.operate.look.DecisionsCommand;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class UpIT {

  private static final String CONFIG_MAP =
      "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"kept\"},"
          + "\"data\":{\"key\":\"value\"}}";
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

  @TempDir Path home;
  private Path kubeconfig;

  @BeforeEach
  void start() {
    kubeconfig = home.resolve(".evenkeel/kubeconfig");
  }

  private UpProcess up(String... more) throws Exception {
    var arguments = new ArrayList<>(List.of(more));
    if (!arguments.contains("--listen")) {
      arguments.addAll(List.of("--listen", "127.0.0.1:0"));
    }
    return new UpProcess(home, arguments.toArray(new String[0]));
  }

  @Test
  void firstStart_saysWhereEverythingIs_andItWorks() throws Exception {
    try (UpProcess up = up()) {
      assertThat(up.lineOf("store"))
          .matches("store      embedded · ~/\\.evenkeel/data · revision \\d+");
      assertThat(up.lineOf("api"))
          .matches("api        https://127\\.0\\.0\\.1:\\d+ · ready in \\d+\\.\\d s");
      assertThat(up.lineOf("next"))
          .isEqualTo("next       export KUBECONFIG=~/.evenkeel/kubeconfig");
      assertThat(up.lineOf("  ")).isEqualTo("           kubectl get namespaces");
      HttpResponse<String> namespaces = UpProcess.send(kubeconfig, "GET", "/api/v1/namespaces", "");
      assertThat(namespaces.statusCode()).isEqualTo(200);
      assertThat(namespaces.body()).contains("kube-system");
      assertThat(up.terminate()).isZero();
    }
  }

  @Test
  void decisions_takeTheNamesThatKubectlTakes() throws Exception {
    try (UpProcess up = up("--store", "memory")) {
      up.lineOf("next");
      String pod =
          "{\"metadata\":{\"name\":\"waits\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}";
      HttpResponse<String> made =
          UpProcess.send(kubeconfig, "POST", "/api/v1/namespaces/default/pods", pod);
      assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
      while (!decisions("pod/waits").contains("pod/waits in default")) {
        Thread.sleep(100);
      }
      for (String word : List.of("po/waits", "pods/waits", "Pod/waits", "po")) {
        assertThat(decisions(word)).as(word).contains("pod/waits in default");
      }
      for (String word : List.of("deploy", "sts", "ds", "rs", "jobs", "cj", "no", "pg", "rc")) {
        assertThat(decisions(word)).as(word).doesNotContain("there is no kind");
      }
      assertThat(decisions("widget/waits"))
          .contains("there is no kind 'widget'", "pods (po)", "podgroups (pg)")
          .doesNotContain("no decisions");
      assertThat(up.terminate()).isZero();
    }
  }

  /** What the command says about it, whether it goes well or not. */
  private String decisions(String about) {
    var said = new StringWriter();
    var writer = new PrintWriter(said);
    int _ =
        new CommandLine(new DecisionsCommand())
            .setOut(writer)
            .setErr(writer)
            .execute("--kubeconfig", kubeconfig.toString(), about);
    return said.toString();
  }

  @Test
  void nobodyIsAnonymous() throws Exception {
    try (UpProcess up = up("--store", "memory")) {
      up.lineOf("next");
      ServerAccess config = ServerAccess.read(kubeconfig);
      var stranger = config.anonymous();
      String token = Files.readString(home.resolve(".evenkeel/pki/admin.token")).strip();
      try (HttpClient client = HttpClient.newBuilder().sslContext(stranger.sslContext()).build()) {
        HttpRequest.Builder request =
            HttpRequest.newBuilder(config.server().resolve("/api/v1/namespaces"));
        assertThat(client.send(request.build(), HttpResponse.BodyHandlers.ofString()).statusCode())
            .isEqualTo(401);
        request.header("authorization", "Bearer " + token);
        assertThat(client.send(request.build(), HttpResponse.BodyHandlers.ofString()).statusCode())
            .isEqualTo(200);
      }
      assertThat(up.terminate()).isZero();
    }
  }

  @Test
  void restart_keepsStateAndCredentials() throws Exception {
    String before;
    try (UpProcess up = up()) {
      up.lineOf("next");
      assertThat(UpProcess.send(kubeconfig, "POST", CONFIG_MAPS, CONFIG_MAP).statusCode())
          .isEqualTo(201);
      before = Files.readString(kubeconfig);
      assertThat(up.terminate()).isZero();
    }
    try (UpProcess up = up()) {
      up.lineOf("next");
      assertThat(Files.readString(kubeconfig).replaceAll(":\\d{2,5}\n", ""))
          .isEqualTo(before.replaceAll(":\\d{2,5}\n", ""));
      HttpResponse<String> kept = UpProcess.send(kubeconfig, "GET", CONFIG_MAPS + "/kept", "");
      assertThat(kept.body()).contains("\"key\":\"value\"");
      assertThat(up.terminate()).isZero();
    }
  }

  @Test
  void terminate_endsWatchesCleanly() throws Exception {
    try (UpProcess up = up("--store", "memory")) {
      up.lineOf("next");
      ServerAccess config = ServerAccess.read(kubeconfig);
      try (HttpClient client = HttpClient.newBuilder().sslContext(config.sslContext()).build()) {
        HttpRequest request =
            HttpRequest.newBuilder(config.server().resolve("/api/v1/namespaces?watch=true"))
                .build();
        try (var body =
            new BufferedReader(
                new InputStreamReader(
                    client.send(request, HttpResponse.BodyHandlers.ofInputStream()).body(),
                    StandardCharsets.UTF_8))) {
          assertThat(body.readLine()).contains("ADDED");
          long began = System.nanoTime();
          assertThat(up.terminate()).isZero();
          assertThat(System.nanoTime() - began).isLessThan(10_000_000_000L);
          // To its end, without an exception: what was cut off would throw.
          while (body.readLine() != null) {}
        }
      }
    }
  }

  @Test
  void folderInUse_isOneLine() throws Exception {
    try (UpProcess first = up()) {
      first.lineOf("next");
      try (UpProcess second = up()) {
        assertThat(second.exitCode()).isEqualTo(1);
        assertThat(second.allLines())
            .containsExactly(
                "evenkeel up: the data folder "
                    + home.resolve(".evenkeel/data").toRealPath()
                    + " is in use by process "
                    + first.pid()
                    + ". Stop that one, or start this one with --data DIR.");
      }
    }
  }

  @Test
  void portTaken_isOneLine_andTheStoreIsClosedAgain() throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + taken.getLocalPort();
      try (UpProcess up = up("--listen", address)) {
        assertThat(up.exitCode()).isEqualTo(1);
        assertThat(up.allLines())
            .containsExactly(
                "evenkeel up: "
                    + address
                    + " is taken. Stop what listens there, or use --listen HOST:PORT.");
      }
    }
    try (UpProcess up = up()) {
      up.lineOf("next");
      assertThat(up.terminate()).isZero();
    }
  }

  @Test
  void badFlag_isOneLine() throws Exception {
    try (UpProcess up = up("--store", "mysql")) {
      assertThat(up.exitCode()).isEqualTo(2);
      assertThat(up.allLines())
          .singleElement()
          .asString()
          .startsWith("evenkeel up: ")
          .contains("'mysql'")
          .endsWith("; see evenkeel up --help");
    }
  }

  @Test
  void kubeconfigOfSomebodyElse_isCompleted() throws Exception {
    Path mine = home.resolve("mine");
    Files.writeString(
        mine,
        "apiVersion: v1\nkind: Config\ncurrent-context: work\ncontexts:\n- name: work\n  context:"
            + " {cluster: work, user: me}\n");
    try (UpProcess up = up("--store", "memory", "--kubeconfig", mine.toString())) {
      assertThat(up.lineOf("next")).isEqualTo("next       export KUBECONFIG=~/mine");
      assertThat(up.lineOf("  ")).isEqualTo("           kubectl --context evenkeel get namespaces");
      assertThat(Files.readString(mine)).contains("current-context: work", "name: evenkeel");
      assertThat(up.terminate()).isZero();
    }
  }
}
