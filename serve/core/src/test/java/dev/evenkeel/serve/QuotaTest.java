package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class QuotaTest {

  private static final String QUOTAS = "/api/v1/namespaces/default/resourcequotas";
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String SERVICES = "/api/v1/namespaces/default/services";

  private final ServerFixture fixture = new ServerFixture();
  private final Client client = fixture.client;

  @AfterEach
  void close() {
    fixture.close();
  }

  private void quota(String name, String spec) {
    Client.Answer answer =
        client.post(QUOTAS, "{\"metadata\":{\"name\":\"" + name + "\"},\"spec\":" + spec + "}");
    assertThat(answer.status()).as("%s", answer).isEqualTo(201);
  }

  private Client.Answer pod(String name, String resources) {
    return client.post(
        PODS,
        "{\"metadata\":{\"name\":\""
            + name
            + "\"},\"spec\":{\"containers\":[{\"name\":\"app\",\"image\":\"i\",\"resources\":"
            + resources
            + "}]}}");
  }

  private String used(String quota, String resource) {
    return client.get(QUOTAS + "/" + quota).text("status", "used", resource);
  }

  @Test
  void create_beyondTheLimit_isForbiddenInUpstreamsWords() {
    quota("q", "{\"hard\":{\"configmaps\":\"1\"}}");
    assertThat(client.createConfigMap("default", "a", "x").status()).isEqualTo(201);
    Client.Answer refused = client.createConfigMap("default", "b", "x");
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.text("message"))
        .isEqualTo(
            "configmaps \"b\" is forbidden: exceeded quota: q, requested: configmaps=1, used:"
                + " configmaps=1, limited: configmaps=1");
    assertThat(client.get(ServerFixture.CONFIG_MAPS + "/b").status()).isEqualTo(404);
    assertThat(client.createConfigMap("kube-public", "b", "x").status()).isEqualTo(201);
  }

  @Test
  void delete_returnsTheCharge() {
    quota("q", "{\"hard\":{\"configmaps\":\"1\"}}");
    for (int i = 0; i < 5; i++) {
      assertThat(client.createConfigMap("default", "a", "x").status()).isEqualTo(201);
      assertThat(client.createConfigMap("default", "b", "x").status()).isEqualTo(403);
      assertThat(client.delete(ServerFixture.CONFIG_MAPS + "/a").status()).isEqualTo(200);
    }
  }

  @Test
  void finalizer_keepsTheChargeUntilTheObjectGoes() {
    quota("q", "{\"hard\":{\"configmaps\":\"1\"}}");
    client.post(
        ServerFixture.CONFIG_MAPS, "{\"metadata\":{\"name\":\"a\",\"finalizers\":[\"x.dev/y\"]}}");
    client.delete(ServerFixture.CONFIG_MAPS + "/a");
    assertThat(client.createConfigMap("default", "b", "x").status()).isEqualTo(403);
    client.patch(
        ServerFixture.CONFIG_MAPS + "/a", "merge-patch", "{\"metadata\":{\"finalizers\":null}}");
    assertThat(client.get(ServerFixture.CONFIG_MAPS + "/a").status()).isEqualTo(404);
    assertThat(client.createConfigMap("default", "b", "x").status()).isEqualTo(201);
  }

  @Test
  void quotaOverExistingObjects_countsThemFirst() {
    fixture.createConfigMaps(7);
    client.createConfigMap("kube-public", "elsewhere", "x");
    quota("q", "{\"hard\":{\"configmaps\":\"8\",\"count/configmaps\":\"20\"}}");
    assertThat(client.createConfigMap("default", "a", "x").status()).isEqualTo(201);
    assertThat(client.createConfigMap("default", "b", "x").text("message"))
        .contains("requested: configmaps=1, used: configmaps=8, limited: configmaps=8");
  }

  @Test
  void failedCreate_chargesNothing() {
    quota("q", "{\"hard\":{\"configmaps\":\"2\"}}");
    assertThat(client.createConfigMap("default", "a", "x").status()).isEqualTo(201);
    for (int i = 0; i < 10; i++) {
      assertThat(client.createConfigMap("default", "a", "x").status()).isEqualTo(409);
      assertThat(client.createConfigMap("default", "Not A Name", "x").status()).isEqualTo(422);
    }
    assertThat(client.createConfigMap("default", "b", "x").status()).isEqualTo(201);
  }

  @Test
  void dryRun_isJudgedAndChargesNothing() {
    quota("q", "{\"hard\":{\"configmaps\":\"1\"}}");
    String body = "{\"metadata\":{\"name\":\"a\"}}";
    for (int i = 0; i < 3; i++) {
      assertThat(client.post(ServerFixture.CONFIG_MAPS + "?dryRun=All", body).status())
          .isEqualTo(201);
    }
    assertThat(client.post(ServerFixture.CONFIG_MAPS, body).status()).isEqualTo(201);
    assertThat(
            client
                .post(ServerFixture.CONFIG_MAPS + "?dryRun=All", "{\"metadata\":{\"name\":\"b\"}}")
                .status())
        .isEqualTo(403);
  }

  @Test
  void editOfTheLimit_isSeen() {
    quota("q", "{\"hard\":{\"configmaps\":\"1\"}}");
    fixture.createConfigMaps(1);
    client.patch(QUOTAS + "/q", "merge-patch", "{\"spec\":{\"hard\":{\"configmaps\":\"3\"}}}");
    assertThat(client.createConfigMap("default", "a", "x").status()).isEqualTo(201);
    client.patch(QUOTAS + "/q", "merge-patch", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
    assertThat(client.createConfigMap("default", "b", "x").status()).isEqualTo(201);
    assertThat(client.createConfigMap("default", "c", "x").status()).isEqualTo(403);
    client.patch(QUOTAS + "/q", "merge-patch", "{\"spec\":{\"hard\":{\"secrets\":\"0\"}}}");
    assertThat(
            client
                .post("/api/v1/namespaces/default/secrets", "{\"metadata\":{\"name\":\"s\"}}")
                .status())
        .isEqualTo(403);
    client.delete(QUOTAS + "/q");
    assertThat(client.createConfigMap("default", "c", "x").status()).isEqualTo(201);
  }

  @Test
  void quotaDeletedAndMadeAgain_countsAnew() {
    quota("q", "{\"hard\":{\"configmaps\":\"5\"}}");
    fixture.createConfigMaps(3);
    client.delete(QUOTAS + "/q");
    client.delete(ServerFixture.CONFIG_MAPS + "/c000");
    quota("q", "{\"hard\":{\"configmaps\":\"2\"}}");
    assertThat(client.createConfigMap("default", "a", "x").text("message"))
        .contains("used: configmaps=2, limited: configmaps=2");
  }

  @Test
  void requests_mustBeSpecified_andAreSummed() {
    quota("q", "{\"hard\":{\"requests.cpu\":\"1\",\"limits.memory\":\"1Gi\"}}");
    assertThat(pod("a", "{}").text("message"))
        .isEqualTo(
            "pods \"a\" is forbidden: failed quota: q: must specify limits.memory for: app;"
                + " requests.cpu for: app");
    String half = "{\"requests\":{\"cpu\":\"500m\"},\"limits\":{\"memory\":\"512Mi\"}}";
    assertThat(pod("a", half).status()).isEqualTo(201);
    assertThat(pod("b", half).status()).isEqualTo(201);
    assertThat(pod("c", half).text("message"))
        .isEqualTo(
            "pods \"c\" is forbidden: exceeded quota: q, requested:"
                + " limits.memory=512Mi,requests.cpu=500m, used: limits.memory=1Gi,requests.cpu=1,"
                + " limited: limits.memory=1Gi,requests.cpu=1");
  }

  @Test
  void podThatEnded_returnsWhatItUsed_butNotItsPlace() {
    quota("q", "{\"hard\":{\"pods\":\"1\",\"count/pods\":\"2\"}}");
    assertThat(pod("a", "{}").status()).isEqualTo(201);
    assertThat(pod("b", "{}").status()).isEqualTo(403);
    client.patch(PODS + "/a/status", "merge-patch", "{\"status\":{\"phase\":\"Succeeded\"}}");
    assertThat(pod("b", "{}").status()).isEqualTo(201);
    assertThat(pod("c", "{}").text("message")).contains("count/pods=2").contains("pods=1");
    client.delete(PODS + "/a");
    client.delete(PODS + "/b");
    assertThat(pod("c", "{}").status()).isEqualTo(201);
  }

  @Test
  void service_isChargedForWhatItBecomes() {
    quota("q", "{\"hard\":{\"services\":\"5\",\"services.nodeports\":\"1\"}}");
    String ports = "\"ports\":[{\"port\":80},{\"port\":81,\"name\":\"b\"}]";
    assertThat(
            client
                .post(
                    SERVICES,
                    "{\"metadata\":{\"name\":\"s\"},\"spec\":{\"ports\":[{\"port\":80}]}}")
                .status())
        .isEqualTo(201);
    assertThat(
            client
                .post(
                    SERVICES,
                    "{\"metadata\":{\"name\":\"t\"},\"spec\":{\"type\":\"NodePort\","
                        + ports.replace("{\"port\":80}", "{\"port\":80,\"name\":\"a\"}")
                        + "}}")
                .text("message"))
        .contains("requested: services.nodeports=2, used: services.nodeports=0");
    assertThat(
            client
                .patch(SERVICES + "/s", "merge-patch", "{\"spec\":{\"type\":\"NodePort\"}}")
                .status())
        .isEqualTo(200);
    assertThat(
            client
                .patch(SERVICES + "/s", "merge-patch", "{\"spec\":{\"type\":\"ClusterIP\"}}")
                .status())
        .isEqualTo(200);
  }

  @Test
  void scope_chargesOnlyItsPods() {
    quota("best", "{\"hard\":{\"pods\":\"1\"},\"scopes\":[\"BestEffort\"]}");
    assertThat(pod("a", "{\"requests\":{\"cpu\":\"1\"}}").status()).isEqualTo(201);
    assertThat(pod("b", "{\"requests\":{\"cpu\":\"1\"}}").status()).isEqualTo(201);
    assertThat(pod("c", "{}").status()).isEqualTo(201);
    assertThat(pod("d", "{}").text("message")).contains("exceeded quota: best");
  }

  @Test
  void twoQuotas_bothMustHaveRoom_andNeitherIsChargedIfOneRefuses() {
    quota("a", "{\"hard\":{\"configmaps\":\"10\"}}");
    quota("b", "{\"hard\":{\"count/configmaps\":\"1\"}}");
    assertThat(client.createConfigMap("default", "x", "x").status()).isEqualTo(201);
    assertThat(client.createConfigMap("default", "y", "x").text("message"))
        .contains("exceeded quota: b, requested: count/configmaps=1");
    fixture.env.runFor(Duration.ofSeconds(1));
    assertThat(used("a", "configmaps")).isEqualTo("1");
  }

  @Test
  void newNamespace_hasItsDefaultAccount() {
    client.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"fresh\"}}");
    assertThat(client.get("/api/v1/namespaces/fresh/serviceaccounts/default").status())
        .isEqualTo(200);
  }
}
