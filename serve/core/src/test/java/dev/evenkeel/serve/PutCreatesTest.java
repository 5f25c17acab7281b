package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.kinds.catalog.Catalog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Updates of what does not exist. */
final class PutCreatesTest {

  private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
  private static final String LEASE =
      "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"holderIdentity\":\"me\"}}";

  private final ServerFixture fixture = new ServerFixture();
  private final Client client = fixture.client;

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void kindsThatAnUpdateCreates_areThoseOfKubernetes() {
    assertThat(
            Catalog.builtIn().stream()
                .filter(ResourceDefinition::putCreates)
                .map(definition -> definition.gvk().apiVersion() + " " + definition.gvk().kind()))
        .containsExactlyInAnyOrder(
            "v1 Endpoints",
            "v1 Event",
            "v1 LimitRange",
            "v1 Service",
            "coordination.k8s.io/v1 Lease",
            "events.k8s.io/v1 Event",
            "node.k8s.io/v1 RuntimeClass",
            "rbac.authorization.k8s.io/v1 ClusterRole",
            "rbac.authorization.k8s.io/v1 ClusterRoleBinding",
            "rbac.authorization.k8s.io/v1 Role",
            "rbac.authorization.k8s.io/v1 RoleBinding");
  }

  @Test
  void firstPut_createsAndTheSecondUpdates() {
    Client.Answer made = client.put(LEASES + "/a", LEASE);
    assertThat(made.status()).as(made.toString()).isEqualTo(201);
    assertThat(made.text("metadata", "uid")).isNotEmpty();
    assertThat(made.body()).isEqualTo(client.get(LEASES + "/a").body());
    Client.Answer changed =
        client.put(LEASES + "/a", versioned(made, LEASE.replace("\"me\"", "\"you\"")));
    assertThat(changed.status()).isEqualTo(200);
    assertThat(changed.text("spec", "holderIdentity")).isEqualTo("you");
    assertThat(changed.text("metadata", "uid")).isEqualTo(made.text("metadata", "uid"));
  }

  private static String versioned(Client.Answer made, String lease) {
    String version = made.text("metadata", "resourceVersion");
    return lease.replace("\"name\"", "\"resourceVersion\":\"" + version + "\",\"name\"");
  }

  @Test
  void putWithDryRun_createsNothing() {
    assertThat(client.put(LEASES + "/a?dryRun=All", LEASE).status()).isEqualTo(201);
    assertThat(client.get(LEASES + "/a").status()).isEqualTo(404);
  }

  @Test
  void version_isNoConditionWithoutAnObject_andAUidIs() {
    String gone = LEASE.replace("\"name\"", "\"uid\":\"u-1\",\"resourceVersion\":\"7\",\"name\"");
    Client.Answer refused = client.put(LEASES + "/a", gone);
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.text("message"))
        .isEqualTo(
            "Operation cannot be fulfilled on leases.coordination.k8s.io \"a\": Precondition"
                + " failed: UID in precondition: u-1, UID in object meta: ");
    String versioned = LEASE.replace("\"name\"", "\"resourceVersion\":\"7\",\"name\"");
    assertThat(client.put(LEASES + "/a", versioned).status()).isEqualTo(201);
    assertThat(client.put(LEASES + "/a", versioned).status()).isEqualTo(409);
  }

  @Test
  void putIntoANamespaceThatIsNotThereOrLeaves_isRefused() {
    assertThat(client.put(LEASES.replace("default", "none") + "/a", LEASE).status()).isEqualTo(404);
    client.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"leaving\"}}");
    String leases = LEASES.replace("default", "leaving");
    Client.Answer made = client.put(leases + "/a", LEASE);
    assertThat(made.status()).isEqualTo(201);
    client.delete("/api/v1/namespaces/leaving");
    assertThat(client.put(leases + "/b", LEASE.replace("\"a\"", "\"b\"")).status()).isEqualTo(403);
    assertThat(
            client.put(leases + "/a", versioned(made, LEASE.replace("\"me\"", "\"you\""))).status())
        .isEqualTo(200);
  }

  @Test
  void put_followsTheRulesOfACreate() {
    String services = "/api/v1/namespaces/default/services";
    Client.Answer refused =
        client.put(services + "/Bad", "{\"metadata\":{\"name\":\"Bad\"},\"spec\":{}}");
    assertThat(refused.status()).isEqualTo(422);
    Client.Answer made =
        client.put(
            services + "/s",
            "{\"metadata\":{\"name\":\"s\"},\"spec\":{\"ports\":[{\"port\":80}]}}");
    assertThat(made.status()).as(made.toString()).isEqualTo(201);
    assertThat(made.text("spec", "type")).isEqualTo("ClusterIP");
  }

  @Test
  void putOfOtherKinds_createsNothing() {
    Client.Answer answer =
        client.put(ServerFixture.CONFIG_MAPS + "/a", "{\"metadata\":{\"name\":\"a\"}}");
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.text("message")).isEqualTo("configmaps \"a\" not found");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "configmaps | a-b.c-       | ",
        "configmaps | Upper-       | metadata.generateName",
        "configmaps | under_score- | metadata.generateName",
        "services   | 1st-         | metadata.generateName",
        "services   | dots.in-     | metadata.generateName",
      })
  void generateName_isJudgedAsABeginning(String plural, String base, String field) {
    Client.Answer answer =
        client.post(
            "/api/v1/namespaces/default/" + plural,
            "{\"metadata\":{\"generateName\":\""
                + base
                + "\"},"
                + "\"spec\":{\"ports\":[{\"port\":80}]}}");
    assertThat(answer.status()).as(answer.toString()).isEqualTo(field == null ? 201 : 422);
    if (field != null) {
      var first = answer.body().path("details").path("causes").path(0);
      assertThat(first.path("field").asString()).isEqualTo(field);
      assertThat(first.path("message").asString()).startsWith("Invalid value: \"" + base + "\"");
    }
  }

  @Test
  void generateName_thatIsLong_isCutForTheName() {
    String base = "a".repeat(100);
    Client.Answer made =
        client.post(
            ServerFixture.CONFIG_MAPS, "{\"metadata\":{\"generateName\":\"" + base + "\"}}");
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.text("metadata", "name")).matches("a{58}[a-z0-9]{5}");
    assertThat(made.text("metadata", "generateName")).isEqualTo(base);
    Client.Answer refused =
        client.post(
            ServerFixture.CONFIG_MAPS,
            "{\"metadata\":{\"generateName\":\"" + base + base + base + "\"}}");
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.text("message")).contains("must be no more than 253 characters");
  }
}
