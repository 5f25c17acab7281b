package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Evictions, and the budgets that limit them. */
final class EvictionTest {

  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";

  private final ServerFixture fixture = new ServerFixture();
  private final Client client = fixture.client;

  @BeforeEach
  void runPods() {
    runPod("a");
    runPod("b");
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private void runPod(String name) {
    Client.Answer made =
        client.post(
            PODS,
            "{\"metadata\":{\"name\":\""
                + name
                + "\",\"labels\":{\"app\":\"web\"}},\"spec\":{\"nodeName\":\"n\",\"containers\":"
                + "[{\"name\":\"c\",\"image\":\"i:1\"}]}}");
    assertThat(made.status()).as(made.toString()).isEqualTo(201);
    status(name, "Running", "True");
  }

  private void status(String pod, String phase, String ready) {
    Client.Answer patched =
        client.patch(
            PODS + "/" + pod + "/status",
            "merge-patch",
            "{\"status\":{\"phase\":\""
                + phase
                + "\",\"conditions\":[{\"type\":\"Ready\",\"status\":\""
                + ready
                + "\"}]}}");
    assertThat(patched.status()).as(patched.toString()).isEqualTo(200);
  }

  private void budget(String name, String more) {
    Client.Answer made =
        client.post(
            BUDGETS,
            "{\"metadata\":{\"name\":\""
                + name
                + "\"},\"spec\":{"
                + more
                + "\"minAvailable\":1,\"selector\":{\"matchLabels\":{\"app\":\"web\"}}}}");
    assertThat(made.status()).as(made.toString()).isEqualTo(201);
  }

  private void allow(String budget, int disruptions, int healthy, int desired) {
    Client.Answer patched =
        client.patch(
            BUDGETS + "/" + budget + "/status",
            "merge-patch",
            "{\"status\":{\"observedGeneration\":1,\"disruptionsAllowed\":%d,\"currentHealthy\":%d,\"desiredHealthy\":%d,\"expectedPods\":2}}"
                .formatted(disruptions, healthy, desired));
    assertThat(patched.status()).as(patched.toString()).isEqualTo(200);
  }

  private Client.Answer evict(String pod, String query, String options) {
    return client.post(
        PODS + "/" + pod + "/eviction" + query,
        "{\"apiVersion\":\"policy/v1\",\"kind\":\"Eviction\",\"metadata\":{\"name\":\""
            + pod
            + "\"},\"deleteOptions\":{"
            + options
            + "}}");
  }

  private Client.Answer evict(String pod) {
    return evict(pod, "", "");
  }

  private String cause(Client.Answer answer) {
    var cause = answer.body().path("details").path("causes").path(0);
    return cause.path("reason").asString("") + ": " + cause.path("message").asString("");
  }

  private boolean isLeaving(String pod) {
    return client.get(PODS + "/" + pod).body().path("metadata").has("deletionTimestamp");
  }

  @Test
  void withoutABudget_aPodGoes_andSaysWhy() {
    Client.Answer answer = evict("a");
    assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
    assertThat(answer.text("status")).isEqualTo("Success");
    assertThat(isLeaving("a")).isTrue();
    assertThat(client.get(PODS + "/a").text("status", "conditions"))
        .contains("DisruptionTarget", "EvictionByEvictionAPI", "Eviction API: evicting");
    assertThat(evict("none").status()).isEqualTo(404);
  }

  @Test
  void budget_isChargedBeforeThePodGoes() {
    budget("web", "");
    allow("web", 1, 2, 1);
    assertThat(evict("a").status()).isEqualTo(201);
    assertThat(isLeaving("a")).isTrue();
    Client.Answer charged = client.get(BUDGETS + "/web");
    assertThat(charged.text("status", "disruptionsAllowed")).isEqualTo("0");
    assertThat(charged.text("status", "disruptedPods", "a")).startsWith("2026-01-01T");
    assertThat(charged.text("status", "conditions"))
        .contains("DisruptionAllowed", "InsufficientPods", "\"False\"");

    Client.Answer refused = evict("b");
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.text("reason")).isEqualTo("TooManyRequests");
    assertThat(refused.text("message"))
        .isEqualTo("Cannot evict pod as it would violate the pod's disruption budget.");
    assertThat(cause(refused))
        .isEqualTo(
            "DisruptionBudget: The disruption budget web needs 1 healthy pods and has 2"
                + " currently");
    assertThat(isLeaving("b")).isFalse();
    assertThat(client.get(PODS + "/b").text("status", "conditions"))
        .doesNotContain("DisruptionTarget");
  }

  @Test
  void budgetWhoseStatusIsOld_asksToComeAgain() {
    budget("web", "");
    Client.Answer refused = evict("a");
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.text("details", "retryAfterSeconds")).isEqualTo("10");
    assertThat(refused.headers())
        .anySatisfy(
            header -> {
              assertThat(header.name()).isEqualTo("Retry-After");
              assertThat(header.value()).isEqualTo("10");
            });
    assertThat(cause(refused))
        .isEqualTo(
            "DisruptionBudget: The disruption budget web is still being processed by the server.");
  }

  @Test
  void secondBudget_isOneTooMany() {
    budget("web", "");
    budget("more", "");
    allow("web", 1, 2, 1);
    allow("more", 1, 2, 1);
    Client.Answer refused = evict("a");
    assertThat(refused.status()).isEqualTo(500);
    assertThat(refused.text("message"))
        .isEqualTo(
            "This pod has more than one PodDisruptionBudget, which the eviction subresource does"
                + " not support.");
    assertThat(isLeaving("a")).isFalse();
  }

  @Test
  void budgetsOfOthers_areLeftAlone() {
    client.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"other\"}}");
    client.post(
        BUDGETS.replace("default", "other"),
        "{\"metadata\":{\"name\":\"x\"},\"spec\":{\"selector\":{}}}");
    client.post(
        BUDGETS,
        "{\"metadata\":{\"name\":\"db\"},\"spec\":{\"selector\":{\"matchLabels\":{\"app\":\"db\"}}}}");
    assertThat(evict("a").status()).isEqualTo(201);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Pending", "Succeeded", "Failed"})
  void podThatDoesNoWork_needsNoBudget(String phase) {
    budget("web", "");
    allow("web", 0, 1, 1);
    status("a", phase, "False");
    assertThat(evict("a").status()).isEqualTo(201);
    assertThat(client.get(BUDGETS + "/web").text("status", "disruptedPods")).isEmpty();
  }

  @Test
  void podThatIsLeavingAlready_needsNoBudget() {
    budget("web", "");
    allow("web", 1, 2, 1);
    assertThat(evict("a").status()).isEqualTo(201);
    assertThat(evict("a").status()).isEqualTo(201);
    assertThat(client.get(BUDGETS + "/web").text("status", "disruptionsAllowed")).isEqualTo("0");
  }

  @ParameterizedTest
  @CsvSource({
    // policy, ready ones, wanted ones, answer
    "'', 1, 1, 201",
    "'', 0, 1, 429",
    "'', 0, 0, 429",
    "IfHealthyBudget, 0, 1, 429",
    "AlwaysAllow, 0, 1, 201",
  })
  void podThatIsNotReady_goesIfEnoughOthersAreOrThePolicySaysSo(
      String policy, int healthy, int desired, int expected) {
    budget("web", policy.isEmpty() ? "" : "\"unhealthyPodEvictionPolicy\":\"" + policy + "\",");
    allow("web", 0, healthy, desired);
    status("a", "Running", "False");
    assertThat(evict("a").status()).isEqualTo(expected);
    assertThat(isLeaving("a")).isEqualTo(expected == 201);
    assertThat(client.get(BUDGETS + "/web").text("status", "disruptedPods")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"?dryRun=All | ''", "'' | '\"dryRun\":[\"All\"]'"})
  void dryRun_chargesNothing(String query, String options) {
    budget("web", "");
    allow("web", 1, 2, 1);
    Client.Answer before = client.get(BUDGETS + "/web");
    assertThat(evict("a", query, options).status()).isEqualTo(201);
    assertThat(client.get(BUDGETS + "/web").body()).isEqualTo(before.body());
    assertThat(isLeaving("a")).isFalse();
    allow("web", 0, 1, 1);
    assertThat(evict("a", query, options).status()).isEqualTo(429);
  }

  @Test
  void preconditions_areTheClients() {
    Client.Answer uid = evict("a", "", "\"preconditions\":{\"uid\":\"other\"}");
    assertThat(uid.status()).isEqualTo(409);
    assertThat(uid.text("message"))
        .contains("the UID in the precondition (other) does not match the UID in record (");
    Client.Answer version = evict("a", "", "\"preconditions\":{\"resourceVersion\":\"1\"}");
    assertThat(version.status()).isEqualTo(409);
    assertThat(isLeaving("a")).isFalse();
    String current = client.get(PODS + "/a").text("metadata", "resourceVersion");
    assertThat(
            evict("a", "", "\"preconditions\":{\"resourceVersion\":\"" + current + "\"}").status())
        .isEqualTo(201);
    assertThat(isLeaving("a")).isTrue();
  }

  @Test
  void evictionOfAnotherName_isABadRequest() {
    Client.Answer answer = client.post(PODS + "/a/eviction", "{\"metadata\":{\"name\":\"b\"}}");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.text("message"))
        .isEqualTo("name in URL does not match name in Eviction object");
  }
}
