package dev.evenkeel.prove.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.prove.bench.api.server.OwnServer;
import dev.evenkeel.store.testkit.outside.NeedsProgram;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Pods that get nodes, and those that do not, as people see it with {@code kubectl}. */
@NeedsProgram("kubectl")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KubectlScheduleIT {

  private OwnServer server;
  private Path kubeconfig;
  private Kubectl kubectl;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException, InterruptedException {
    server = new OwnServer(folder, "memory", List.of());
    double _ = server.start();
    kubeconfig = folder.resolve("kubeconfig");
    kubectl = new Kubectl(folder, kubeconfig, Map.of());
    node("a", "zone-a", "cpu: 2, memory: 4Gi, pods: 10", "");
    node("b", "zone-b", "cpu: 2, memory: 4Gi, pods: 10", "");
    node(
        "tainted",
        "zone-b",
        "cpu: 64, memory: 4Gi, pods: 10",
        "taints: [{key: dedicated, value: gpu, effect: NoSchedule}]");
  }

  @AfterAll
  void stop() throws InterruptedException {
    server.close();
  }

  private void node(String name, String zone, String allocatable, String spec) {
    var _ =
        kubectl.okWith(
            """
            apiVersion: v1
            kind: Node
            metadata: {name: %1$s, labels: {topology.kubernetes.io/zone: %2$s, kubernetes.io/hostname: %1$s}}
            spec: {%4$s}
            status: {allocatable: {%3$s}, capacity: {%3$s}}
            """
                .formatted(name, zone, allocatable, spec),
            "create",
            "-f",
            "-");
  }

  private void namespace(String name) {
    var _ = kubectl.ok("create", "namespace", name);
  }

  private void pod(String namespace, String name, String spec, String cpu) {
    var _ =
        kubectl.okWith(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, namespace: %s}
            spec:
              %s
              containers: [{name: main, image: pause, resources: {requests: {cpu: %s}}}]
            """
                .formatted(name, namespace, spec, cpu),
            "create",
            "-f",
            "-");
  }

  private String of(String namespace, String pod, String path) {
    return kubectl.ok("get", "pod", pod, "-n", namespace, "-o", "jsonpath={" + path + "}");
  }

  private void awaitNode(String namespace, String pod) {
    Await.until(pod + " has a node", () -> !of(namespace, pod, ".spec.nodeName").isEmpty());
  }

  private void remove(String namespace) {
    var _ = kubectl.ok("delete", "pods", "--all", "-n", namespace, "--force", "--grace-period=0");
  }

  @Test
  void shareOfAZone_isShown_andWaitedFor() {
    namespace("tenant");
    String quota =
        """
        apiVersion: evenkeel.dev/v1alpha1
        kind: TenantQuota
        metadata: {name: zone-a-share, namespace: tenant}
        spec: {zone: zone-a, hard: {pods: %d}}
        """;
    assertThat(kubectl.okWith(quota.formatted(3), "apply", "-f", "-")).contains("created");
    assertThat(kubectl.okWith(quota.formatted(1), "apply", "-f", "-")).contains("configured");
    String inZone = "nodeSelector: {topology.kubernetes.io/zone: zone-a}";
    pod("tenant", "first", inZone, "10m");
    awaitNode("tenant", "first");
    pod("tenant", "second", inZone, "10m");
    Await.until(
        "the second says what it waits for",
        () ->
            kubectl
                .ok("describe", "pod", "second", "-n", "tenant")
                .contains("1 quota/zone-a-share: 1 of 1 pods used"));
    assertThat(kubectl.ok("get", "tq", "-n", "tenant")).contains("zone-a", "pods: 1/1");
    assertThat(kubectl.ok("explain", "tenantquota.spec"))
        .contains("hard", "zone", "The zone of the nodes that it is about");
    assertThat(kubectl.ok("describe", "tq", "zone-a-share", "-n", "tenant")).contains("Used:");
    var _ = kubectl.ok("delete", "pod", "first", "-n", "tenant", "--force", "--grace-period=0");
    awaitNode("tenant", "second");
    remove("tenant");
  }

  /** The example of the operators' guide, on two nodes of two CPUs. */
  private static String groupOfTheGuide() throws IOException {
    String guide = Files.readString(Path.of("..", "docs", "operating.md"));
    int begin = guide.indexOf("```yaml\napiVersion: evenkeel.dev/v1alpha1\nkind: PodGroup");
    assertThat(begin).as("the guide has an example").isPositive();
    return guide.substring(begin + "```yaml\n".length(), guide.indexOf("```\n", begin + 1));
  }

  @Test
  void groupOfPods_waitsForAllOfItsRoom_andSaysSo() throws IOException {
    namespace("gang");
    pod("gang", "before", "", "1500m");
    awaitNode("gang", "before");
    // Two pods of two CPUs: there is room for one, while the other node has too little.
    assertThat(kubectl.okWith(groupOfTheGuide(), "apply", "-n", "gang", "-f", "-"))
        .contains("podgroup.evenkeel.dev/train created");
    for (String worker : List.of("worker-0", "worker-1")) {
      Await.until(
          worker + " says what it waits for",
          () ->
              kubectl
                  .ok("describe", "pod", worker, "-n", "gang")
                  .contains("pod group \"train\" needs 2 pods at once, there is room for 1"));
    }
    Await.until(
        "it holds what there is",
        () ->
            kubectl
                .ok("get", "pg", "-n", "gang")
                .replaceAll(" +", " ")
                .contains("train 2 2 0 Holding"));
    // What is held is not for others.
    pod("gang", "small", "", "1");
    Await.until(
        "the small one finds no room",
        () -> kubectl.ok("describe", "pod", "small", "-n", "gang").contains("Insufficient cpu"));
    assertThat(of("gang", "small", ".spec.nodeName")).isEmpty();
    var _ = kubectl.ok("delete", "pod", "before", "-n", "gang", "--force", "--grace-period=0");
    awaitNode("gang", "worker-0");
    awaitNode("gang", "worker-1");
    Await.until(
        "the group says so",
        () ->
            kubectl
                .ok("get", "pg", "train", "-n", "gang", "-o", "jsonpath={.status.conditions[0]}")
                .contains("2 pods have a node, and 2 are needed."));
    remove("gang");
  }

  @Test
  void schedulingPolicy_isShown_andItsMistakesAreNamed() {
    String policy =
        """
        apiVersion: evenkeel.dev/v1alpha1
        kind: SchedulingPolicy
        metadata: {name: canary}
        spec: {policyVersion: v5-canary, canaryPercent: 25, active: false, weights: {%s: 3}}
        """;
    assertThat(kubectl.okWith(policy.formatted("ImageLocality"), "apply", "-f", "-"))
        .contains("created");
    Await.until(
        "it says that it is not in force",
        () ->
            kubectl
                .ok("get", "schedulingpolicies")
                .replaceAll(" +", " ")
                .contains("canary v5-canary False 25"));
    assertThat(kubectl.runWith(policy.formatted("NodeName"), "apply", "-f", "-").toString())
        .contains("spec.weights[NodeName]: Unsupported value");
    var _ = kubectl.ok("delete", "schedulingpolicy", "canary");
  }

  @Test
  void podThatFits_isGivenANode_andItsEventSaysSo() {
    namespace("fits");
    pod("fits", "web", "nodeSelector: {topology.kubernetes.io/zone: zone-a}", "100m");
    awaitNode("fits", "web");
    assertThat(of("fits", "web", ".spec.nodeName")).isEqualTo("a");
    assertThat(of("fits", "web", ".status.conditions[?(@.type==\"PodScheduled\")].status"))
        .isEqualTo("True");
    Await.until(
        "it is told",
        () ->
            kubectl
                .ok("describe", "pod", "web", "-n", "fits")
                .matches(
                    "(?s).*Scheduled +\\S+ +default-scheduler +Successfully assigned fits/web to"
                        + " a.*"));
    remove("fits");
  }

  @Test
  void podThatFitsNowhere_saysWhichConstraintRejectedHowManyNodes() {
    namespace("large");
    pod("large", "huge", "", "\"8\"");
    String expected =
        "0/3 nodes are available: 1 node(s) had untolerated taint {dedicated: gpu}, 2 Insufficient"
            + " cpu.";
    Await.until(
        "it says so",
        () ->
            of("large", "huge", ".status.conditions[?(@.type==\"PodScheduled\")].message")
                .startsWith(expected));
    assertThat(of("large", "huge", ".status.conditions[?(@.type==\"PodScheduled\")].reason"))
        .isEqualTo("Unschedulable");
    Await.until(
        "it is told",
        () ->
            kubectl
                .ok("describe", "pod", "huge", "-n", "large")
                .contains("default-scheduler  " + expected));

    // A node that is large enough comes, and the pod is woken by that.
    node("large", "zone-c", "cpu: 16, memory: 4Gi, pods: 10", "");
    awaitNode("large", "huge");
    assertThat(of("large", "huge", ".spec.nodeName")).isEqualTo("large");
    remove("large");
    var _ = kubectl.ok("delete", "node", "large");
  }

  @Test
  void bindingByHand_isRefusedWhereTheNodeHasTooLittle() {
    namespace("hand");
    pod("hand", "first", "schedulerName: nobody", "1500m");
    pod("hand", "second", "schedulerName: nobody", "1500m");
    assertThat(bind("hand", "first", "b").code()).isZero();
    assertThat(of("hand", "first", ".spec.nodeName")).isEqualTo("b");
    Kubectl.Result refused = bind("hand", "second", "b");
    assertThat(refused.code()).isNotZero();
    assertThat(refused.err())
        .contains(
            "node \"b\" has not enough left: Insufficient cpu (requested 1500m, used 1500m of"
                + " 2000m)");
    assertThat(of("hand", "second", ".spec.nodeName")).isEmpty();
    remove("hand");
  }

  private Kubectl.Result bind(String namespace, String pod, String node) {
    try {
      Path file = Files.createTempFile("binding", ".json");
      Files.writeString(
          file,
          "{\"apiVersion\":\"v1\",\"kind\":\"Binding\",\"metadata\":{\"name\":\"%s\"},\"target\":{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"name\":\"%s\"}}"
              .formatted(pod, node),
          StandardCharsets.US_ASCII);
      try {
        return kubectl.run(
            "create",
            "--raw",
            "/api/v1/namespaces/" + namespace + "/pods/" + pod + "/binding",
            "-f",
            file.toString());
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** A scheduler of somebody else: it takes each pod that names it, and tries node after node. */
  @Test
  void schedulerThatIsNotOurs_placesItsPods_andCannotOvercommit() {
    namespace("theirs");
    try (KubernetesClient client =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(kubeconfig.toFile()))
            .build()) {
      for (int i = 0; i < 6; i++) {
        pod("theirs", "p" + i, "schedulerName: theirs", "900m");
      }
      int refused = 0;
      int placed = 0;
      for (Pod pod : client.pods().inNamespace("theirs").list().getItems()) {
        for (String node : List.of("a", "b")) {
          try {
            bind(client, pod, node);
            placed++;
            break;
          } catch (KubernetesClientException e) {
            assertThat(e.getCode()).isEqualTo(409);
            assertThat(e.getStatus().getDetails().getCauses().getFirst().getReason())
                .isEqualTo("InsufficientResource");
            refused++;
          }
        }
      }
      assertThat(placed).isEqualTo(4);
      assertThat(refused).isPositive();
    }
    remove("theirs");
  }

  private static void bind(KubernetesClient client, Pod pod, String node) {
    String name = pod.getMetadata().getName();
    var _ =
        client.raw(
            "/api/v1/namespaces/theirs/pods/" + name + "/binding",
            "POST",
            new BindingBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewTarget()
                .withKind("Node")
                .withApiVersion("v1")
                .withName(node)
                .endTarget()
                .build());
  }
}
