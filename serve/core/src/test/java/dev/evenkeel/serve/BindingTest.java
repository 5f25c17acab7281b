package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.fit.NodeLedger;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.Txn;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Giving pods their nodes, and what nodes have left then. */
final class BindingTest {

  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String NODES = "/api/v1/nodes";

  private final ServerFixture fixture = new ServerFixture();
  private final Client client = fixture.client;

  @BeforeEach
  void oneNode() {
    node("b7", "\"cpu\":\"2\",\"memory\":\"4Gi\",\"pods\":\"10\",\"example.com/gpu\":\"1\"");
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private void node(String name, String allocatable) {
    made(
        client.post(
            NODES,
            "{\"metadata\":{\"name\":\"%s\",\"labels\":{\"topology.kubernetes.io/zone\":\"zone-b\"}}}"
                .formatted(name)));
    Client.Answer said =
        client.patch(
            NODES + "/" + name + "/status",
            "merge-patch",
            "{\"status\":{\"allocatable\":{" + allocatable + "}}}");
    assertThat(said.status()).as(said.toString()).isEqualTo(200);
  }

  private static void made(Client.Answer answer) {
    assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
  }

  private void pod(String name, String more, String requests, String ports) {
    made(
        client.post(
            PODS,
            "{\"metadata\":{\"name\":\"%s\"},\"spec\":{%s\"containers\":[{\"name\":\"c\",\"image\":\"i\",\"resources\":{\"requests\":{%s},\"limits\":{%s}},\"ports\":[%s]}]}}"
                .formatted(name, more, requests, requests.contains("gpu") ? requests : "", ports)));
  }

  private void gpuPod(String name) {
    pod(name, "", "\"example.com/gpu\":\"1\"", "");
  }

  private Client.Answer bind(String pod, String node, String annotations) {
    return client.post(
        PODS + "/" + pod + "/binding",
        "{\"apiVersion\":\"v1\",\"kind\":\"Binding\",\"metadata\":{\"name\":\"%s\",\"annotations\":{%s}},\"target\":{\"kind\":\"Node\",\"name\":\"%s\"}}"
            .formatted(pod, annotations, node));
  }

  private String nodeOf(String pod) {
    return client.get(PODS + "/" + pod).text("spec", "nodeName");
  }

  private <T> T await(CompletableFuture<T> future) {
    for (int i = 0; !future.isDone() && i < 1_000; i++) {
      fixture.env.step();
    }
    assertThat(future).isDone();
    return future.join();
  }

  private NodeLedger ledger(String node) {
    fixture.env.runFor(Duration.ofMillis(50));
    var found =
        await(fixture.store.get(Bytes.utf8("/evenkeel/nodes/ledgers/" + node), Store.NEWEST));
    return Objects.requireNonNull(
        NodeLedger.parse(Objects.requireNonNull(found.item()).value().array()));
  }

  @Test
  void lastGpu_isHadOnce() {
    gpuPod("first");
    gpuPod("second");
    Client.Answer bound = bind("first", "b7", "\"evenkeel.dev/operation\":\"op-1\"");
    made(bound);
    assertThat(bound.text("status")).isEqualTo("Success");
    assertThat(bound.text("details", "name")).isEqualTo("b7");
    assertThat(bound.text("metadata", "resourceVersion"))
        .isEqualTo(client.get(PODS + "/first").text("metadata", "resourceVersion"));

    Client.Answer refused = bind("second", "b7", "");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.text("reason")).isEqualTo("Conflict");
    assertThat(refused.text("message"))
        .isEqualTo(
            "Operation cannot be fulfilled on pods \"second\": node \"b7\" has not enough left:"
                + " Insufficient example.com/gpu (requested 1, used 1 of 1)");
    var causes = refused.body().path("details").path("causes");
    assertThat(causes.path(0).path("reason").asString("")).isEqualTo("InsufficientResource");
    assertThat(causes.path(0).path("field").asString("")).isEqualTo("example.com/gpu");
    assertThat(causes.path(1).path("reason").asString("")).isEqualTo("LedgerVersion");
    assertThat(causes.path(1).path("message").asString("")).isNotEmpty();
    assertThat(causes.path(2).path("reason").asString("")).isEqualTo("LedgerUsed");
    assertThat(causes.path(2).path("message").asString("")).isEqualTo("{\"example.com/gpu\":1}");
    assertThat(nodeOf("second")).isEmpty();
  }

  @Test
  void upstreamsBinding_isAnsweredAsUpstreamDoes() {
    gpuPod("first");
    client.patch(
        PODS + "/first/status",
        "merge-patch",
        "{\"status\":{\"conditions\":[{\"type\":\"PodScheduled\",\"status\":\"False\",\"reason\":\"Unschedulable\",\"message\":\"m\",\"observedGeneration\":1}]}}");
    Client.Answer bound = bind("first", "b7", "");
    made(bound);
    assertThat(bound.body().has("details")).isFalse();
    assertThat(bound.body().path("metadata")).isEmpty();
    JsonNode pod = client.get(PODS + "/first").body();
    assertThat(pod.path("metadata").path("generation").asLong(0)).isEqualTo(1);
    JsonNode condition = pod.path("status").path("conditions").path(0);
    assertThat(condition.path("status").asString("")).isEqualTo("True");
    assertThat(condition.propertyNames()).doesNotContain("reason", "message", "observedGeneration");
  }

  @Test
  void podsThatAskForMoreThanThereIs_fillANodeThatComesLater_howeverMany() {
    for (int i = 0; i < 4; i++) {
      pod("huge-" + i, "", "\"memory\":\"5Ei\"", "");
      made(bind("huge-" + i, "later", ""));
    }
    node("later", "\"memory\":\"8Gi\",\"pods\":\"10\"");
    pod("small", "", "\"memory\":\"1Gi\"", "");
    assertThat(bind("small", "later", "").text("message")).contains("Insufficient memory");
    node("large", "\"memory\":\"6Ei\",\"pods\":\"10\"");
    pod("largest", "", "\"memory\":\"5Ei\"", "");
    assertThat(bind("largest", "large", "").text("message")).contains("Insufficient memory");
  }

  @Test
  void bindingThatWouldLeaveAPodNobodyCanChange_isRefused() {
    gpuPod("a");
    Client.Answer badNode = bind("a", "No Such", "");
    assertThat(badNode.status()).isEqualTo(422);
    assertThat(badNode.text("message")).contains("target.name: Invalid value: \"No Such\"");
    Client.Answer badCandidate = bind("a", "b7", "\"evenkeel.dev/candidates\":\"b8,B/9\"");
    assertThat(badCandidate.status()).isEqualTo(422);
    Client.Answer badKey = bind("a", "b7", "\"bad key!\":\"x\"");
    assertThat(badKey.status()).isEqualTo(422);
    assertThat(badKey.text("message")).contains("metadata.annotations");
    Client.Answer badKind =
        client.post(
            PODS + "/a/binding",
            "{\"metadata\":{\"name\":\"a\"},\"target\":{\"kind\":\"Pod\",\"name\":\"b7\"}}");
    assertThat(badKind.text("message")).contains("target.kind: Unsupported value");
    Client.Answer elsewhere =
        client.post(
            PODS + "/a/binding",
            "{\"metadata\":{\"name\":\"a\",\"namespace\":\"kube-system\"},\"target\":{\"name\":\"b7\"}}");
    assertThat(elsewhere.status()).isEqualTo(400);
    assertThat(nodeOf("a")).isEmpty();
  }

  @Test
  void podThatEnds_orIsDeleted_givesBack() {
    gpuPod("first");
    gpuPod("second");
    gpuPod("third");
    made(bind("first", "b7", ""));
    client.patch(PODS + "/first/status", "merge-patch", "{\"status\":{\"phase\":\"Succeeded\"}}");
    assertThat(ledger("b7").used()).isEmpty();
    made(bind("second", "b7", ""));
    client.delete(PODS + "/second?gracePeriodSeconds=0");
    assertThat(ledger("b7").used()).isEmpty();
    client.delete(PODS + "/first?gracePeriodSeconds=0");
    assertThat(ledger("b7").used()).isEmpty();
    made(bind("third", "b7", ""));
    assertThat(ledger("b7").used()).containsEntry("example.com/gpu", 1L).containsEntry("pods", 1L);
  }

  @Test
  void podThatIsCreatedOnANode_isChargedAndRefusedLikeAnyOther() {
    pod("given", "\"nodeName\":\"b7\",", "\"cpu\":\"1500m\"", "");
    assertThat(ledger("b7").used()).containsEntry("cpu", 1500L);
    Client.Answer refused =
        client.post(
            PODS,
            "{\"metadata\":{\"name\":\"more\"},\"spec\":{\"nodeName\":\"b7\",\"containers\":[{\"name\":\"c\",\"image\":\"i\",\"resources\":{\"requests\":{\"cpu\":\"1\"}}}]}}");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.text("message"))
        .contains("Insufficient cpu (requested 1000m, used 1500m of 2000m)");
    assertThat(client.get(PODS + "/more").status()).isEqualTo(404);
  }

  @Test
  void portOfANode_isHadOnce_unlessTheAddressesDiffer() {
    pod("first", "", "", "{\"containerPort\":80,\"hostPort\":80}");
    pod("second", "", "", "{\"containerPort\":80,\"hostPort\":80,\"hostIP\":\"10.0.0.1\"}");
    pod("third", "", "", "{\"containerPort\":80,\"hostPort\":80,\"protocol\":\"UDP\"}");
    made(bind("first", "b7", ""));
    Client.Answer refused = bind("second", "b7", "");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.body().path("details").path("causes").path(0).path("reason").asString(""))
        .isEqualTo("HostPortTaken");
    made(bind("third", "b7", ""));
  }

  @Test
  void candidates_areTriedInTheirOrder() {
    node("b8", "\"pods\":\"10\",\"example.com/gpu\":\"1\"");
    gpuPod("first");
    gpuPod("second");
    gpuPod("third");
    made(bind("first", "b7", ""));
    Client.Answer second = bind("second", "b7", "\"evenkeel.dev/candidates\":\"b7,b8\"");
    made(second);
    assertThat(second.text("details", "name")).isEqualTo("b8");
    assertThat(nodeOf("second")).isEqualTo("b8");
    Client.Answer third = bind("third", "b7", "\"evenkeel.dev/candidates\":\"b8\"");
    assertThat(third.status()).isEqualTo(409);
    assertThat(third.text("details", "causes")).contains("b7: requested 1", "b8: requested 1");
  }

  @Test
  void bindingThatIsRepeated_isAnsweredAsTheFirstTime() {
    gpuPod("first");
    String operation = "\"evenkeel.dev/operation\":\"op-1\"";
    Client.Answer once = bind("first", "b7", operation);
    made(once);
    Client.Answer twice = bind("first", "b7", operation);
    made(twice);
    assertThat(twice.text("details", "name")).isEqualTo("b7");
    assertThat(twice.text("metadata", "resourceVersion"))
        .isEqualTo(once.text("metadata", "resourceVersion"));
    Client.Answer other = bind("first", "b7", "\"evenkeel.dev/operation\":\"op-2\"");
    assertThat(other.status()).isEqualTo(409);
    assertThat(other.text("message")).contains("already assigned to node \"b7\"");
    assertThat(ledger("b7").used()).containsEntry("example.com/gpu", 1L);
  }

  @Test
  void versionThatWasSeen_changesNoVerdict() {
    gpuPod("first");
    gpuPod("second");
    made(bind("first", "b7", "\"evenkeel.dev/observed-version\":\"1\""));
    assertThat(bind("second", "b7", "\"evenkeel.dev/observed-version\":\"99999\"").status())
        .isEqualTo(409);
    assertThat(bind("second", "b7", "\"evenkeel.dev/observed-version\":\"soon\"").status())
        .isEqualTo(400);
    assertThat(client.get(PODS + "/first").text("metadata", "annotations"))
        .contains("evenkeel.dev/zone")
        .doesNotContain("observed");
  }

  @Test
  void podsThatAreThereBeforeTheirNode_areCountedWhenItComes() {
    pod("early", "\"nodeName\":\"late\",", "\"cpu\":\"1\"", "");
    gpuPod("other");
    // As upstream: nobody asks whether there is such a node.
    made(bind("other", "late", ""));
    node("late", "\"cpu\":\"1\",\"pods\":\"10\"");
    assertThat(ledger("late").counted()).isTrue();
    assertThat(ledger("late").used())
        .containsEntry("cpu", 1000L)
        .containsEntry("example.com/gpu", 1L)
        .containsEntry("pods", 2L);
    pod("third", "", "\"cpu\":\"1\"", "");
    assertThat(bind("third", "late", "").status()).isEqualTo(409);
  }

  @Test
  void nodeThatGetsMore_hasMore_andOneThatIsGoneHasNoLedger() {
    gpuPod("first");
    gpuPod("second");
    made(bind("first", "b7", ""));
    client.patch(
        NODES + "/b7/status",
        "merge-patch",
        "{\"status\":{\"allocatable\":{\"example.com/gpu\":\"2\"}}}");
    made(bind("second", "b7", ""));
    assertThat(ledger("b7").used()).containsEntry("example.com/gpu", 2L);
    client.delete(NODES + "/b7");
    assertThat(
            await(fixture.store.get(Bytes.utf8("/evenkeel/nodes/ledgers/b7"), Store.NEWEST)).item())
        .isNull();
    assertThat(client.delete(PODS + "/first?gracePeriodSeconds=0").status()).isEqualTo(200);
  }

  @Test
  void dryRun_isRefusedToo_andChangesNothing() {
    gpuPod("first");
    gpuPod("second");
    Client.Answer tried =
        client.post(
            PODS + "/first/binding?dryRun=All",
            "{\"metadata\":{\"name\":\"first\"},\"target\":{\"name\":\"b7\"}}");
    made(tried);
    assertThat(nodeOf("first")).isEmpty();
    made(bind("first", "b7", ""));
    assertThat(
            client
                .post(
                    PODS + "/second/binding?dryRun=All",
                    "{\"metadata\":{\"name\":\"second\"},\"target\":{\"name\":\"b7\"}}")
                .status())
        .isEqualTo(409);
  }

  @Test
  void ledgerThatIsWrong_isReportedAndMended() {
    gpuPod("first");
    made(bind("first", "b7", ""));
    fixture.env.runFor(Duration.ofMinutes(2));
    String audited = metric("evenkeel_node_ledgers_audited_total");
    assertThat(Double.parseDouble(audited)).isPositive();
    assertThat(metric("evenkeel_node_ledgers_repaired_total")).isEqualTo("0.0");

    NodeLedger right = ledger("b7");
    Bytes wrong = Bytes.wrap(right.counted(java.util.List.of()).encode());
    var _ = await(fixture.store.commit(Txn.put(Bytes.utf8("/evenkeel/nodes/ledgers/b7"), wrong)));
    fixture.env.runFor(Duration.ofMinutes(2));
    assertThat(metric("evenkeel_node_ledgers_repaired_total")).isEqualTo("1.0");
    assertThat(ledger("b7")).isEqualTo(right);
  }

  private String metric(String name) {
    byte[] page =
        ((ApiResponse.Whole) client.raw("GET", "/metrics", Map.of(), new byte[0]).content())
            .bytes();
    for (String line : new String(page, StandardCharsets.UTF_8).split("\n", -1)) {
      if (line.startsWith(name + " ")) {
        return line.substring(name.length() + 1);
      }
    }
    throw new AssertionError("no metric " + name);
  }
}
