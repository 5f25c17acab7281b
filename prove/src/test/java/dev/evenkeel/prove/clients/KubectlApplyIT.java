package dev.evenkeel.prove.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.store.testkit.outside.NeedsProgram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Server-side apply as kubectl does it, each test in a namespace of its own. */
@NeedsProgram("kubectl")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KubectlApplyIT {

  private static final String DEPLOYMENT =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web, labels: {app: web}}
      spec:
        replicas: 3
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec:
            containers:
            - {name: web, image: "nginx:1.25", ports: [{containerPort: 80}]}
      """;

  private RunningServer server;
  private Kubectl kubectl;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    server = RunningServer.start(folder);
    kubectl = new Kubectl(folder, server.kubeconfig());
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @BeforeEach
  void ownNamespace(TestInfo test) {
    String namespace =
        test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT).replace('_', '-');
    var _ = kubectl.ok("create", "namespace", namespace);
    var _ = kubectl.ok("config", "set-context", "--current", "--namespace", namespace);
  }

  private String apply(String body, String... more) {
    String[] arguments = new String[more.length + 4];
    System.arraycopy(new String[] {"apply", "--server-side", "-f", "-"}, 0, arguments, 0, 4);
    System.arraycopy(more, 0, arguments, 4, more.length);
    return kubectl.okWith(body, arguments);
  }

  private JsonNode managers() {
    String shown = kubectl.ok("get", "deployment", "web", "-o", "json", "--show-managed-fields");
    return Json.parse(shown.getBytes(StandardCharsets.UTF_8))
        .path("metadata")
        .path("managedFields");
  }

  @Test
  void serverSide_appliesTwiceAndChanges() {
    assertThat(apply(DEPLOYMENT)).isEqualTo("deployment.apps/web serverside-applied\n");
    String version =
        kubectl.ok("get", "deployment", "web", "-o", "jsonpath={.metadata.resourceVersion}");
    assertThat(apply(DEPLOYMENT)).isEqualTo("deployment.apps/web serverside-applied\n");
    assertThat(kubectl.ok("get", "deployment", "web", "-o", "jsonpath={.metadata.resourceVersion}"))
        .isEqualTo(version);
    var _ = apply(DEPLOYMENT.replace("replicas: 3", "replicas: 4"));
    assertThat(kubectl.ok("get", "deployment", "web", "-o", "jsonpath={.spec.replicas}"))
        .isEqualTo("4");
    assertThat(managers()).hasSize(1);
    assertThat(managers().path(0).path("manager").asString()).isEqualTo("kubectl");
    assertThat(managers().path(0).path("operation").asString()).isEqualTo("Apply");
    assertThat(kubectl.ok("get", "deployment", "web", "-o", "yaml"))
        .doesNotContain("managedFields");
  }

  @Test
  void conflicts_areToldAndForced() {
    var _ = apply(DEPLOYMENT);
    Kubectl.Result refused =
        kubectl.runWith(
            DEPLOYMENT.replace("nginx:1.25", "nginx:1.26"),
            "apply",
            "--server-side",
            "--field-manager=other",
            "-f",
            "-");
    assertThat(refused.code()).isNotZero();
    assertThat(refused.err())
        .contains("Apply failed with 1 conflict: conflict with \"kubectl\"")
        .contains(".spec.template.spec.containers[name=\"web\"].image")
        .contains("--force-conflicts");
    assertThat(
            apply(
                DEPLOYMENT.replace("nginx:1.25", "nginx:1.26"),
                "--field-manager=other",
                "--force-conflicts"))
        .isEqualTo("deployment.apps/web serverside-applied\n");
    assertThat(managers()).hasSize(2);
  }

  @Test
  void scale_takesReplicasOver() {
    var _ = apply(DEPLOYMENT);
    var _ = kubectl.ok("scale", "deployment", "web", "--replicas=7");
    Kubectl.Result refused = kubectl.runWith(DEPLOYMENT, "apply", "--server-side", "-f", "-");
    assertThat(refused.err())
        .contains("conflict with \"kubectl\" with subresource \"scale\" using apps/v1")
        .contains(".spec.replicas");
  }

  @Test
  void diff_comparesOnTheServer() {
    var _ = apply(DEPLOYMENT);
    assertThat(kubectl.runWith(DEPLOYMENT, "diff", "--server-side", "-f", "-").code()).isZero();
    Kubectl.Result diff =
        kubectl.runWith(
            DEPLOYMENT.replace("nginx:1.25", "nginx:1.26"), "diff", "--server-side", "-f", "-");
    assertThat(diff.code()).as(diff.err()).isEqualTo(1);
    assertThat(diff.out()).contains("nginx:1.25").contains("nginx:1.26");
    assertThat(
            kubectl.ok(
                "get",
                "deployment",
                "web",
                "-o",
                "jsonpath={.spec.template.spec.containers[0].image}"))
        .isEqualTo("nginx:1.25");
  }

  @Test
  void clientSideApply_movesToTheServer() {
    assertThat(kubectl.okWith(DEPLOYMENT, "apply", "-f", "-"))
        .isEqualTo("deployment.apps/web created\n");
    assertThat(managers().path(0).path("manager").asString())
        .isEqualTo("kubectl-client-side-apply");
    assertThat(apply(DEPLOYMENT.replace("nginx:1.25", "nginx:1.26")))
        .isEqualTo("deployment.apps/web serverside-applied\n");
    assertThat(kubectl.ok("apply", "view-last-applied", "deployment", "web"))
        .contains("nginx:1.26");
    var _ = apply(DEPLOYMENT.replace("replicas: 3\n", "revisionHistoryLimit: 5\n"));
    assertThat(kubectl.ok("get", "deployment", "web", "-o", "jsonpath={.spec.replicas}"))
        .isEqualTo("1");
  }
}
