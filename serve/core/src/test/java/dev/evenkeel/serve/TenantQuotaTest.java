package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.serve.api.ApiResponse;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What a namespace may have of a zone, and who is charged when. */
class TenantQuotaTest {

  private static final String QUOTAS =
      "/apis/evenkeel.dev/v1alpha1/namespaces/default/tenantquotas";
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String NODES = "/api/v1/nodes";
  private static final String ZONE = "evenkeel.dev/zone";

  private final ServerFixture fixture = new ServerFixture();
  private final Client client = fixture.client;

  @BeforeEach
  void nodes() {
    node("b1", "zone-b");
    node("c1", "zone-c");
    node("c2", "zone-c");
    node("nowhere", "");
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private static Client.Answer made(Client.Answer answer) {
    assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
    return answer;
  }

  private void node(String name, String zone) {
    made(
        client.post(
            NODES,
            "{\"metadata\":{\"name\":\"%s\",\"labels\":{%s}},\"status\":{\"allocatable\":{\"cpu\":\"8\",\"pods\":\"20\",\"example.com/gpu\":\"8\"}}}"
                .formatted(
                    name,
                    zone.isEmpty() ? "" : "\"topology.kubernetes.io/zone\":\"" + zone + "\"")));
  }

  private void quota(String name, String zone, String hard) {
    made(
        client.post(
            QUOTAS,
            "{\"metadata\":{\"name\":\"%s\"},\"spec\":{\"zone\":\"%s\",\"hard\":{%s}}}"
                .formatted(name, zone, hard)));
  }

  private Client.Answer pod(String name, String more) {
    return client.post(
        PODS,
        "{\"metadata\":{\"name\":\"%s\"},\"spec\":{%s\"containers\":[{\"name\":\"c\",\"image\":\"i\",\"resources\":{\"limits\":{\"example.com/gpu\":\"1\"}}}]}}"
            .formatted(name, more));
  }

  private Client.Answer bind(String pod, String node, String others) {
    return client.post(
        PODS + "/" + pod + "/binding",
        "{\"metadata\":{\"name\":\"%s\",\"annotations\":{\"evenkeel.dev/candidates\":\"%s\"}},\"target\":{\"name\":\"%s\"}}"
            .formatted(pod, others, node));
  }

  private String used(String quota, String resource) {
    return client.get(QUOTAS + "/" + quota).text("status", "used", resource);
  }

  private String zoneOf(String pod) {
    return client
        .get(PODS + "/" + pod)
        .body()
        .path("metadata")
        .path("annotations")
        .path(ZONE)
        .asString("");
  }

  @Test
  void bind_chargesTheZone_andWhatIsUnboundIsFree() {
    quota("risk-zone-c", "zone-c", "\"example.com/gpu\":\"1\",\"pods\":\"5\"");
    for (String name : new String[] {"a", "b", "c"}) {
      made(pod(name, ""));
    }
    assertThat(used("risk-zone-c", "example.com/gpu")).isEqualTo("0");
    made(bind("a", "c1", ""));
    assertThat(used("risk-zone-c", "example.com/gpu")).isEqualTo("1");
    assertThat(used("risk-zone-c", "pods")).isEqualTo("1");
    made(bind("b", "b1", ""));
    assertThat(used("risk-zone-c", "example.com/gpu")).isEqualTo("1");
    assertThat(zoneOf("a")).isEqualTo("zone-c");
    assertThat(zoneOf("b")).isEqualTo("zone-b");
    assertThat(client.get(QUOTAS + "/risk-zone-c").text("status", "hard", "example.com/gpu"))
        .isEqualTo("1");
  }

  @Test
  void bind_beyondTheShare_isForbiddenWithACauseThatNamesTheQuota() {
    quota("risk-zone-c", "zone-c", "\"example.com/gpu\":\"1\"");
    made(pod("a", ""));
    made(pod("b", ""));
    made(bind("a", "c1", ""));
    Client.Answer refused = bind("b", "c2", "");
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.text("reason")).isEqualTo("Forbidden");
    assertThat(refused.text("message"))
        .isEqualTo(
            "pods \"b\" is forbidden: exceeded quota: TenantQuota risk-zone-c of zone zone-c,"
                + " requested: example.com/gpu=1, used: example.com/gpu=1, limited:"
                + " example.com/gpu=1");
    JsonNode cause = refused.body().path("details").path("causes").path(0);
    assertThat(cause.path("reason").asString("")).isEqualTo("TenantQuotaExceeded");
    assertThat(cause.path("field").asString("")).isEqualTo("quota/risk-zone-c");
    assertThat(cause.path("message").asString(""))
        .isEqualTo("zone-c: requested 1, used 1 of 1 example.com/gpu");
    assertThat(client.get(PODS + "/b").text("spec", "nodeName")).isEmpty();
    // The node was not charged either.
    made(bind("b", "b1", ""));
  }

  @Test
  void bind_withCandidates_takesTheNextZoneThatHasRoom() {
    quota("risk-zone-c", "zone-c", "\"example.com/gpu\":\"1\"");
    made(pod("a", ""));
    made(pod("b", ""));
    made(bind("a", "c1", ""));
    Client.Answer bound = made(bind("b", "c2", "c1,b1"));
    assertThat(bound.text("details", "name")).isEqualTo("b1");
  }

  @Test
  void podThatEnds_orIsDeleted_givesBack() {
    quota("risk-zone-c", "zone-c", "\"example.com/gpu\":\"1\"");
    made(pod("a", ""));
    made(pod("b", ""));
    made(pod("c", ""));
    made(bind("a", "c1", ""));
    client.patch(PODS + "/a/status", "merge-patch", "{\"status\":{\"phase\":\"Succeeded\"}}");
    made(bind("b", "c1", ""));
    assertThat(bind("c", "c1", "").status()).isEqualTo(403);
    client.delete(PODS + "/b?gracePeriodSeconds=0");
    assertThat(used("risk-zone-c", "example.com/gpu")).isEqualTo("0");
    made(bind("c", "c1", ""));
  }

  @Test
  void quotaOverWhatIsBound_isCountedFirst_andAnotherZoneIsCountedAnew() {
    for (String name : new String[] {"a", "b", "c", "d"}) {
      made(pod(name, ""));
    }
    made(bind("a", "c1", ""));
    made(bind("b", "c2", ""));
    made(bind("c", "b1", ""));
    quota("q", "zone-c", "\"example.com/gpu\":\"2\"");
    assertThat(used("q", "example.com/gpu")).isEqualTo("2");
    assertThat(bind("d", "c1", "").status()).isEqualTo(403);
    client.patch(QUOTAS + "/q", "merge-patch", "{\"spec\":{\"zone\":\"zone-b\"}}");
    assertThat(used("q", "example.com/gpu")).isEqualTo("1");
    made(bind("d", "c1", ""));
    client.patch(QUOTAS + "/q", "merge-patch", "{\"spec\":{\"zone\":null}}");
    assertThat(used("q", "example.com/gpu")).isEqualTo("4");
  }

  @Test
  void quotaOfAllZones_countsWhatIsInNone() {
    quota("q", "", "\"pods\":\"1\"");
    made(pod("a", ""));
    made(pod("b", ""));
    made(bind("a", "nowhere", ""));
    assertThat(zoneOf("a")).isEmpty();
    Client.Answer refused = bind("b", "c1", "");
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.text("message"))
        .endsWith(
            "exceeded quota: TenantQuota q of all zones, requested: pods=1, used: pods=1, limited:"
                + " pods=1");
    assertThat(refused.body().path("details").path("causes").path(0).path("message").asString(""))
        .isEqualTo("all zones: requested 1, used 1 of 1 pods");
  }

  @Test
  void podWithoutRequests_isLetThrough() {
    quota("q", "zone-c", "\"cpu\":\"1\",\"memory\":\"1Gi\"");
    made(
        client.post(
            PODS,
            "{\"metadata\":{\"name\":\"plain\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}"));
    made(bind("plain", "c1", ""));
    assertThat(used("q", "cpu")).isEqualTo("0");
  }

  @Test
  void podThatComesWithItsNode_isChargedAndRefusedLikeAnyOther() {
    quota("q", "zone-c", "\"example.com/gpu\":\"1\"");
    made(pod("a", "\"nodeName\":\"c1\","));
    assertThat(zoneOf("a")).isEqualTo("zone-c");
    assertThat(used("q", "example.com/gpu")).isEqualTo("1");
    assertThat(pod("b", "\"nodeName\":\"c2\",").status()).isEqualTo(403);
    made(pod("b", "\"nodeName\":\"b1\","));
    assertThat(zoneOf("b")).isEqualTo("zone-b");
  }

  @Test
  void zoneOfAPod_isTheServersToSay() {
    quota("q", "zone-c", "\"example.com/gpu\":\"1\"");
    made(
        client.post(
            PODS,
            "{\"metadata\":{\"name\":\"a\",\"annotations\":{\"evenkeel.dev/zone\":\"zone-x\",\"evenkeel.dev/bound-by\":\"me\"}},\"spec\":{\"nodeName\":\"c1\",\"containers\":[{\"name\":\"c\",\"image\":\"i\",\"resources\":{\"limits\":{\"example.com/gpu\":\"1\"}}}]}}"));
    assertThat(zoneOf("a")).isEqualTo("zone-c");
    assertThat(client.get(PODS + "/a").body().path("metadata").path("annotations").size())
        .isEqualTo(1);
    for (String path : new String[] {PODS + "/a", PODS + "/a/status"}) {
      for (String value : new String[] {"null", "\"zone-b\""}) {
        Client.Answer said =
            client.patch(
                path,
                "merge-patch",
                "{\"metadata\":{\"annotations\":{\"evenkeel.dev/zone\":" + value + "}}}");
        assertThat(said.status()).as(said.toString()).isEqualTo(200);
        assertThat(zoneOf("a")).isEqualTo("zone-c");
      }
    }
    assertThat(used("q", "example.com/gpu")).isEqualTo("1");
    made(pod("b", ""));
    client.patch(
        PODS + "/b",
        "merge-patch",
        "{\"metadata\":{\"annotations\":{\"evenkeel.dev/zone\":\"zone-b\"}}}");
    made(bind("b", "nowhere", ""));
    assertThat(zoneOf("b")).isEmpty();
  }

  @Test
  void watchers_seeWhatIsUsedSoonAfter() {
    quota("q", "zone-c", "\"example.com/gpu\":\"3\"");
    made(pod("a", ""));
    made(bind("a", "c1", ""));
    fixture.env.runFor(Duration.ofSeconds(1));
    assertThat(
            client
                .get(QUOTAS + "?resourceVersion=0")
                .body()
                .path("items")
                .path(0)
                .path("status")
                .path("used")
                .path("example.com/gpu")
                .asString(""))
        .isEqualTo("1");
  }

  @Test
  void quotaOfTheSameName_isAnother() {
    made(
        client.post(
            "/api/v1/namespaces/default/resourcequotas",
            "{\"metadata\":{\"name\":\"q\"},\"spec\":{\"hard\":{\"requests.example.com/gpu\":\"2\"}}}"));
    quota("q", "zone-c", "\"example.com/gpu\":\"1\"");
    made(pod("a", ""));
    made(pod("b", ""));
    assertThat(pod("c", "").status()).isEqualTo(403);
    made(bind("a", "c1", ""));
    assertThat(bind("b", "c1", "").status()).isEqualTo(403);
    assertThat(client.delete(QUOTAS + "/q").status()).isEqualTo(200);
    made(bind("b", "c1", ""));
    assertThat(pod("c", "").status()).isEqualTo(403);
  }

  @Test
  void serverThatWasJustStarted_findsTheLedger() {
    quota("q", "zone-c", "\"example.com/gpu\":\"1\"");
    made(pod("a", ""));
    made(pod("b", ""));
    made(bind("a", "c1", ""));
    try (var again = ApiServer.open(fixture.env, fixture.store, ServerSettings.DEFAULTS)) {
      var other = new Client(fixture.env, again);
      fixture.env.runFor(Duration.ofMillis(10));
      Client.Answer refused =
          other.post(PODS + "/b/binding", "{\"metadata\":{},\"target\":{\"name\":\"c2\"}}");
      assertThat(refused.status()).as(refused.toString()).isEqualTo(403);
      assertThat(other.get(QUOTAS + "/q").text("status", "used", "example.com/gpu")).isEqualTo("1");
    }
  }

  @Test
  void wire_isNotSpoken() {
    quota("q", "zone-c", "\"example.com/gpu\":\"1\"");
    ApiResponse answer =
        client.raw(
            "GET",
            QUOTAS + "/q",
            java.util.Map.of(
                "accept", "application/vnd.kubernetes.protobuf,application/json;q=0.5"),
            new byte[0]);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(Client.answer(answer).text("spec", "zone")).isEqualTo("zone-c");
  }
}
