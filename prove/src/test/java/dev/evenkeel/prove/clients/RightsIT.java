package dev.evenkeel.prove.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.pem.Pem;
import dev.evenkeel.serve.http.tls.Issuer;
import dev.evenkeel.store.testkit.outside.NeedsProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Somebody who is no administrator, with a certificate of their own, the tool that people use, and
 * {@code evenkeel up} in a process of its own.
 */
@NeedsProgram("kubectl")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RightsIT {

  private static final String TEAM =
      """
      apiVersion: rbac.authorization.k8s.io/v1
      kind: Role
      metadata: {name: team, namespace: dev}
      rules:
      - {apiGroups: [""], resources: [configmaps], verbs: [get, list]}
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: RoleBinding
      metadata: {name: team, namespace: dev}
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: team}
      subjects:
      - {apiGroup: rbac.authorization.k8s.io, kind: Group, name: team}
      """;

  private Process process;
  private Kubectl admin;
  private Kubectl bob;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    Path data = folder.resolve("data");
    Path config = folder.resolve("kubeconfig");
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
                data.toString(),
                "--kubeconfig",
                config.toString(),
                "--listen",
                "127.0.0.1:0")
            .redirectErrorStream(true)
            .start();
    String url = url(process.inputReader(StandardCharsets.UTF_8));
    admin = new Kubectl(Files.createDirectory(folder.resolve("admin")), config);
    bob =
        new Kubectl(
            Files.createDirectory(folder.resolve("bob")),
            certified(folder.resolve("bob.config"), data.resolve("pki"), url));
    var _ = admin.ok("create", "namespace", "dev");
    var _ = admin.okWith(TEAM, "apply", "-f", "-");
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

  /** A kubeconfig of bob, who is of the group team, by a certificate of the server's authority. */
  private static Path certified(Path file, Path pki, String url)
      throws IOException, GeneralSecurityException {
    String authority = Files.readString(pki.resolve("ca.crt"));
    var issuer =
        new Issuer(
            Pem.certificate(authority), Pem.privateKey(Files.readString(pki.resolve("ca.key"))));
    Issuer.Issued issued =
        issuer.client("bob", List.of("team"), Instant.now(), Duration.ofHours(1));
    Path crt = file.resolveSibling("bob.crt");
    Path key = file.resolveSibling("bob.key");
    Files.writeString(crt, Pem.of(issued.certificate()));
    Files.writeString(
        key,
        Pem.of((ECPrivateKey) issued.key(), (ECPublicKey) issued.certificate().getPublicKey()));
    return Files.writeString(
        file,
        """
        apiVersion: v1
        kind: Config
        current-context: bob
        clusters: [{name: c, cluster: {server: "%s", certificate-authority: "%s"}}]
        users: [{name: bob, user: {client-certificate: "%s", client-key: "%s"}}]
        contexts: [{name: bob, context: {cluster: c, user: bob, namespace: default}}]
        """
            .formatted(url, pki.resolve("ca.crt"), crt, key));
  }

  @AfterAll
  void stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(30, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }

  @Test
  void whoami_saysTheCertificatesNameAndGroups() {
    assertThat(bob.ok("auth", "whoami", "-o", "jsonpath={.status.userInfo}"))
        .isEqualTo("{\"groups\":[\"team\",\"system:authenticated\"],\"username\":\"bob\"}");
    assertThat(admin.ok("auth", "whoami", "--as", "eve", "--as-group", "ops"))
        .containsPattern("Username +eve")
        .containsPattern("Groups +\\[ops system:authenticated\\]");
  }

  @Test
  void canI_answersAndLists() {
    assertThat(bob.ok("auth", "can-i", "list", "configmaps", "-n", "dev")).isEqualTo("yes\n");
    Kubectl.Result no = bob.run("auth", "can-i", "watch", "configmaps", "-n", "dev");
    assertThat(no.code()).isEqualTo(1);
    assertThat(no.out()).isEqualTo("no - may get and list, not watch\n");
    assertThat(bob.ok("auth", "can-i", "--list", "-n", "dev"))
        .containsPattern("configmaps +\\[] +\\[] +\\[get list]")
        .containsPattern("selfsubjectreviews.authentication.k8s.io +\\[] +\\[] +\\[create]")
        .containsPattern("\\[/api/\\*] +\\[] +\\[get]");
    assertThat(admin.ok("auth", "can-i", "--list"))
        .containsPattern("\\*\\.\\* +\\[] +\\[] +\\[\\*]");
    assertThat(admin.ok("auth", "can-i", "delete", "nodes")).contains("yes");
  }

  @Test
  void whoIsDenied_seesTheNearestMiss() {
    assertThat(bob.ok("get", "configmaps", "-n", "dev")).contains("kube-root-ca.crt");
    assertThat(bob.run("get", "configmaps").err())
        .isEqualTo(
            "Error from server (Forbidden): configmaps is forbidden: User \"bob\" cannot list"
                + " resource \"configmaps\" in API group \"\" in the namespace \"default\": bound,"
                + " but only in namespace \"dev\"\n");
    assertThat(bob.run("delete", "configmap", "kube-root-ca.crt", "-n", "dev").err())
        .endsWith("in the namespace \"dev\": may get and list, not delete\n");
    assertThat(bob.run("get", "secrets", "-n", "dev").err())
        .endsWith("cannot list resource \"secrets\" in API group \"\" in the namespace \"dev\"\n");
  }

  @Test
  void asAnother_isForThoseWhoMay() {
    // kubectl says no more than "unknown" of a refusal while it asks which kinds there are.
    var _ = bob.ok("get", "configmaps", "-n", "dev");
    assertThat(bob.run("get", "nodes", "--as", "root", "--as-group", "system:masters").err())
        .contains(
            "users \"root\" is forbidden: User \"bob\" cannot impersonate resource \"users\"");
    assertThat(admin.run("get", "nodes", "--as", "eve").err())
        .contains("User \"eve\" cannot list resource \"nodes\"");
    var _ =
        admin.ok(
            "create",
            "clusterrole",
            "as-eve",
            "--verb=impersonate",
            "--resource=users",
            "--resource-name=eve");
    var _ =
        admin.ok("create", "clusterrolebinding", "as-eve", "--clusterrole=as-eve", "--user=bob");
    assertThat(bob.ok("auth", "whoami", "--as", "eve")).containsPattern("Username +eve");
  }

  @Test
  void reconcile_addsWhatIsMissing_andRemovesItsOwnExtras() {
    var _ = admin.ok("create", "namespace", "reconciled");
    String roles =
        TEAM.replace("namespace: dev", "namespace: reconciled")
            .replace("Group, name: team", "Group, name: other");
    assertThat(admin.okWith(roles, "auth", "reconcile", "-f", "-"))
        .contains("role.rbac.authorization.k8s.io/team reconciled")
        .contains("rolebinding.rbac.authorization.k8s.io/team reconciled");
    var _ =
        admin.ok(
            "patch",
            "role",
            "team",
            "-n",
            "reconciled",
            "--type=json",
            "-p",
            "[{\"op\":\"add\",\"path\":\"/rules/0/verbs/-\",\"value\":\"watch\"}]");
    assertThat(admin.okWith(roles, "auth", "reconcile", "--remove-extra-permissions", "-f", "-"))
        .contains("role.rbac.authorization.k8s.io/team reconciled");
    assertThat(
            admin.ok("get", "role", "team", "-n", "reconciled", "-o", "jsonpath={.rules[0].verbs}"))
        .isEqualTo("[\"get\",\"list\"]");
  }

  @Test
  void whoAdministersANamespace_grantsWhatTheyHold_andNoMore() {
    var _ = admin.ok("create", "namespace", "owned");
    var _ =
        admin.ok(
            "create", "rolebinding", "owner", "-n", "owned", "--clusterrole=admin", "--user=ann");
    var _ =
        admin.ok(
            "create",
            "rolebinding",
            "guest",
            "-n",
            "owned",
            "--clusterrole=view",
            "--user=eve",
            "--as=ann");
    assertThat(admin.ok("get", "pods", "-n", "owned", "--as", "eve")).isEmpty();
    Kubectl.Result more =
        admin.run(
            "create",
            "rolebinding",
            "more",
            "-n",
            "owned",
            "--clusterrole=cluster-admin",
            "--user=eve",
            "--as=ann");
    assertThat(more.code()).isEqualTo(1);
    assertThat(more.err())
        .contains("is attempting to grant RBAC permissions not currently held:")
        .contains("{APIGroups:[\"*\"], Resources:[\"*\"], Verbs:[\"*\"]}");
  }
}
