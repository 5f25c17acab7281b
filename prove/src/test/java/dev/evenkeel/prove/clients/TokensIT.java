package dev.evenkeel.prove.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.store.testkit.outside.NeedsProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tokens of service accounts, with the tool that people use and {@code evenkeel up}. */
@NeedsProgram("kubectl")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TokensIT {

  private Process process;
  private Kubectl admin;
  private Path folder;
  private String url;

  @BeforeAll
  void start(@TempDir Path temporary) throws Exception {
    folder = temporary;
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Dstdout.encoding=UTF-8",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.evenkeel.operate.Main",
                "up",
                "--data",
                folder.resolve("data").toString(),
                "--kubeconfig",
                folder.resolve("config").toString(),
                "--listen",
                "127.0.0.1:0")
            .redirectErrorStream(true)
            .start();
    url = url(process.inputReader(StandardCharsets.UTF_8));
    admin = new Kubectl(Files.createDirectory(folder.resolve("admin")), folder.resolve("config"));
    var _ = admin.ok("create", "serviceaccount", "robot");
    var _ =
        admin.ok(
            "create",
            "rolebinding",
            "robot",
            "--clusterrole=view",
            "--serviceaccount=default:robot");
  }

  private static String url(BufferedReader out) throws IOException {
    StringBuilder said = new StringBuilder();
    for (String line; (line = out.readLine()) != null; ) {
      said.append(line).append('\n');
      int from = line.indexOf("https://");
      if (line.startsWith("api") && from >= 0) {
        return line.substring(from, line.indexOf(' ', from));
      }
    }
    throw new IOException("the server ended: " + said);
  }

  @AfterAll
  void stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(30, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }

  /** Whoever comes with nothing but the token. */
  private Kubectl bearer(String token) throws IOException {
    Path home = Files.createTempDirectory(folder, "bearer");
    Path config =
        Files.writeString(
            home.resolve("config"),
            """
            apiVersion: v1
            kind: Config
            current-context: c
            clusters: [{name: c, cluster: {server: "%s", certificate-authority: "%s"}}]
            users: [{name: u, user: {token: "%s"}}]
            contexts: [{name: c, context: {cluster: c, user: u, namespace: default}}]
            """
                .formatted(url, folder.resolve("data/pki/ca.crt"), token));
    return new Kubectl(home, config);
  }

  @Test
  void createToken_givesATokenThatIsTheAccount() throws IOException {
    Kubectl robot = bearer(admin.ok("create", "token", "robot", "--duration=10m").strip());
    assertThat(robot.ok("auth", "whoami", "-o", "jsonpath={.status.userInfo.username}"))
        .isEqualTo("system:serviceaccount:default:robot");
    assertThat(robot.ok("auth", "can-i", "list", "pods")).isEqualTo("yes\n");
    Kubectl.Result secrets = robot.run("get", "secrets");
    assertThat(secrets.code()).isEqualTo(1);
    assertThat(secrets.err()).contains("User \"system:serviceaccount:default:robot\" cannot list");
    assertThat(robot.ok("get", "--raw", "/openid/v1/jwks")).contains("\"kty\":\"EC\"");
    assertThat(robot.ok("get", "--raw", "/.well-known/openid-configuration"))
        .contains("\"jwks_uri\":\"https://");
  }

  @Test
  void whoami_saysTheTokensOwner_thoughTheConfigurationHasACertificate() {
    String token = admin.ok("create", "token", "robot").strip();
    assertThat(admin.ok("auth", "whoami", "--token", token))
        .contains("system:serviceaccount:default:robot");
  }

  @Test
  void tokenThatIsBoundToAPod_diesWithIt() throws IOException {
    var _ =
        admin.okWith(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: bound}
            spec:
              serviceAccountName: robot
              containers: [{name: c, image: i}]
            """,
            "apply",
            "-f",
            "-");
    String token =
        admin
            .ok("create", "token", "robot", "--bound-object-kind=Pod", "--bound-object-name=bound")
            .strip();
    Kubectl robot = bearer(token);
    assertThat(robot.ok("auth", "whoami")).contains("pod-name", "bound");
    var _ = admin.ok("delete", "pod", "bound", "--now");
    assertThat(robot.run("auth", "whoami").err())
        .contains("You must be logged in to the server (Unauthorized)");
  }

  @Test
  void pod_findsAVolumeWithItsToken() {
    var _ = admin.ok("run", "web", "--image=nginx");
    assertThat(
            admin.ok(
                "get",
                "pod",
                "web",
                "-o",
                "jsonpath={.spec.volumes[0].projected}"
                    + " {.spec.containers[0].volumeMounts[0].mountPath}"))
        .isEqualTo(
            """
            {"defaultMode":420,"sources":[{"serviceAccountToken":{"expirationSeconds":3607,\
            "path":"token"}},{"configMap":{"items":[{"key":"ca.crt","path":"ca.crt"}],\
            "name":"kube-root-ca.crt"}},{"downwardAPI":{"items":[{"fieldRef":{"apiVersion":"v1",\
            "fieldPath":"metadata.namespace"},"path":"namespace"}]}}]} \
            /var/run/secrets/kubernetes.io/serviceaccount\
            """);
    assertThat(admin.ok("get", "pod", "web", "-o", "jsonpath={.spec.volumes[0].name}"))
        .matches("kube-api-access-[a-z0-9]{5}");
  }
}
