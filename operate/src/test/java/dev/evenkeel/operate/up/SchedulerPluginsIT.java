package dev.evenkeel.operate.up;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.schedule.plugin.SchedulerPlugin;
import dev.evenkeel.operate.SourceJar;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The example of the operators' guide: it compiles as it stands there, and does what it says. */
class SchedulerPluginsIT {

  private static final String PODS = "/api/v1/namespaces/default/pods";

  @TempDir Path home;

  private static String example() throws Exception {
    String guide = Files.readString(Path.of("..", "docs", "operating.md"));
    int begin = guide.indexOf("```java\npackage example;");
    assertThat(begin).as("the guide has an example").isPositive();
    return guide.substring(begin + "```java\n".length(), guide.indexOf("```\n", begin + 1));
  }

  private String send(String method, String path, String body) throws Exception {
    return UpProcess.send(home.resolve(".evenkeel/kubeconfig"), method, path, body).body();
  }

  private void pod(String name) throws Exception {
    assertThat(
            send(
                "POST",
                PODS,
                "{\"metadata\":{\"name\":\"%s\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}"
                    .formatted(name)))
        .contains("\"uid\"");
  }

  private String awaited(String pod, String text) throws Exception {
    String body = "";
    for (int i = 0; i < 300 && !body.contains(text); i++) {
      Thread.sleep(100);
      body = send("GET", PODS + "/" + pod, "");
    }
    assertThat(body).contains(text);
    return body;
  }

  @Test
  @Timeout(120)
  void exampleOfTheGuide_isAsked_andPodsSayWhatItRefused() throws Exception {
    Path jar =
        SourceJar.make(
            home.resolve("quiet-nodes.jar"),
            SchedulerPlugin.class,
            "example.QuietNodes",
            example());
    Path broken = Files.writeString(home.resolve("broken.jar"), "this is no jar");
    try (var up =
        new UpProcess(
            home,
            "--store",
            "memory",
            "--listen",
            "127.0.0.1:0",
            "--scheduler-plugins",
            broken + "," + jar)) {
      assertThat(up.lineOf("not asked")).startsWith("not asked  " + broken + ": it is no jar");
      assertThat(up.lineOf("asks")).isEqualTo("asks       quiet-nodes · " + jar);
      assertThat(
              send(
                  "POST",
                  "/api/v1/nodes",
                  "{\"metadata\":{\"name\":\"n\",\"labels\":{\"quiet\":\"yes\"}},\"status\":{\"allocatable\":{\"cpu\":\"4\",\"memory\":\"4Gi\",\"pods\":\"10\"}}}"))
          .contains("\"uid\"");
      pod("first");
      awaited("first", "\"nodeName\":\"n\"");
      pod("second");
      awaited("second", "0/1 nodes are available: 1 node(s) were to be quiet.");
      assertThat(send("GET", "/evenkeel/decisions?kind=Pod&name=second", ""))
          .contains("quiet-nodes");
      assertThat(send("DELETE", PODS + "/first?gracePeriodSeconds=0", "{}")).contains("first");
      awaited("second", "\"nodeName\":\"n\"");
      assertThat(up.terminate()).isZero();
    }
  }
}
