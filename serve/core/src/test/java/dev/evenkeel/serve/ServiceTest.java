package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.serve.service.ServiceRanges;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What services are given, keep and give back. */
class ServiceTest {

  private static final String SERVICES = "/api/v1/namespaces/default/services";
  private static final String ADDRESSES = "/apis/networking.k8s.io/v1/ipaddresses";
  private static final String MERGE = "merge-patch";

  private ServerFixture fixture = on("10.0.0.0/24");

  private static ServerFixture on(String ranges) {
    return new ServerFixture(ServerSettings.DEFAULTS.withServices(ServiceRanges.parse(ranges)));
  }

  private void reopen(String ranges) {
    fixture.close();
    fixture = on(ranges);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private static String service(String name, String spec) {
    return "{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":\"%s\"},\"spec\":{%s}}"
        .formatted(name, spec);
  }

  private JsonNode created(String name, String spec) {
    Client.Answer answer = fixture.client.post(SERVICES, service(name, spec));
    assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
    fixture.settle();
    return answer.body().path("spec");
  }

  private String refused(String path, String name, String spec) {
    Client.Answer answer = fixture.client.post(path, service(name, spec));
    assertThat(answer.status()).as(answer.toString()).isGreaterThanOrEqualTo(400);
    return answer.body().path("message").asString("");
  }

  private List<String> addresses() {
    List<String> names = new ArrayList<>();
    fixture
        .client
        .get(ADDRESSES)
        .body()
        .path("items")
        .forEach(item -> names.add(item.path("metadata").path("name").asString("")));
    return names;
  }

  private static final String PORT = "\"ports\":[{\"port\":80}]";

  @Test
  void newService_hasAnAddressWhoseObjectNamesIt() {
    JsonNode spec = created("web", PORT);
    String address = spec.path("clusterIP").asString("");
    assertThat(address).startsWith("10.0.0.");
    assertThat(spec.path("clusterIPs").path(0).asString("")).isEqualTo(address);
    assertThat(spec.path("ipFamilies").toString()).isEqualTo("[\"IPv4\"]");
    assertThat(spec.path("ipFamilyPolicy").asString("")).isEqualTo("SingleStack");
    JsonNode object = fixture.client.get(ADDRESSES + "/" + address).body();
    assertThat(object.path("spec").path("parentRef").toString())
        .isEqualTo("{\"resource\":\"services\",\"namespace\":\"default\",\"name\":\"web\"}");
    assertThat(object.path("metadata").path("labels").toString())
        .contains("\"ipaddress.kubernetes.io/ip-family\":\"IPv4\"", "ipallocator.k8s.io");
  }

  @Test
  void address_isKeptThroughEveryKindOfUpdate() {
    String address = created("web", PORT).path("clusterIP").asString("");
    String path = SERVICES + "/web";
    List<Client.Answer> answers =
        List.of(
            fixture.client.put(path, service("web", "\"ports\":[{\"port\":81}]")),
            fixture.client.patch(
                path, MERGE, "{\"spec\":{\"clusterIP\":null,\"clusterIPs\":null}}"),
            fixture.client.patch(
                path, "strategic-merge-patch", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}"),
            fixture.client.patch(
                path, "json-patch", "[{\"op\":\"remove\",\"path\":\"/spec/clusterIP\"}]"),
            fixture.client.call(
                "PATCH",
                path + "?fieldManager=me&force=true",
                "application/apply-patch+yaml",
                service("web", "\"ports\":[{\"port\":81,\"protocol\":\"TCP\"}]")),
            fixture.client.patch(path, MERGE, "{\"spec\":{\"type\":\"NodePort\"}}"));
    for (Client.Answer answer : answers) {
      assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
      assertThat(answer.body().path("spec").path("clusterIP").asString("")).isEqualTo(address);
    }
    assertThat(addresses()).containsExactly(address);
  }

  @Test
  void address_isKeptWhenTheServerStartsAnew() {
    String address = created("web", PORT).path("clusterIP").asString("");
    try (var again =
        ApiServer.open(
            fixture.env,
            fixture.store,
            ServerSettings.DEFAULTS.withServices(ServiceRanges.parse("10.0.0.0/24")))) {
      var client = new Client(fixture.env, again);
      fixture.env.runFor(Duration.ofMillis(50));
      assertThat(client.get(SERVICES + "/web").body().path("spec").path("clusterIP").asString(""))
          .isEqualTo(address);
      String taken =
          client
              .post(SERVICES, service("other", PORT + ",\"clusterIP\":\"" + address + "\""))
              .body()
              .path("message")
              .asString("");
      assertThat(taken).endsWith("provided IP is already allocated");
    }
  }

  @Test
  void addressThatIsAskedFor_isGivenOnce_andFreeAgainAfterwards() {
    String asking = PORT + ",\"clusterIP\":\"10.0.0.77\"";
    assertThat(created("a", asking).path("clusterIPs").path(0).asString("")).isEqualTo("10.0.0.77");
    assertThat(refused(SERVICES, "b", asking))
        .isEqualTo(
            "Service \"b\" is invalid: spec.clusterIPs: Invalid value: [\"10.0.0.77\"]: failed to"
                + " allocate IP 10.0.0.77: provided IP is already allocated");
    assertThat(refused(SERVICES + "?dryRun=All", "b", asking)).contains("already allocated");
    assertThat(refused(SERVICES, "c", PORT + ",\"clusterIP\":\"192.0.2.5\""))
        .contains("failed to allocate IP 192.0.2.5");
    assertThat(fixture.client.delete(SERVICES + "/a").status()).isEqualTo(200);
    assertThat(created("b", asking).path("clusterIP").asString("")).isEqualTo("10.0.0.77");
  }

  @Test
  void dryRun_takesNothing() {
    Client.Answer answer =
        fixture.client.post(
            SERVICES + "?dryRun=All", service("web", PORT + ",\"type\":\"NodePort\""));
    assertThat(answer.body().path("spec").path("clusterIP").asString("")).isNotEmpty();
    assertThat(answer.body().path("spec").path("ports").path(0).path("nodePort").asInt(0))
        .isBetween(30_000, 32_767);
    fixture.settle();
    assertThat(addresses()).isEmpty();
  }

  @Test
  void fullRange_saysSo_andHasRoomAgain() {
    reopen("10.0.0.0/29");
    Set<String> given = new HashSet<>();
    for (int i = 0; i < 6; i++) {
      given.add(created("s" + i, PORT).path("clusterIP").asString(""));
    }
    assertThat(given).hasSize(6).doesNotContain("10.0.0.0", "10.0.0.7");
    assertThat(refused(SERVICES, "more", PORT))
        .isEqualTo("Internal error occurred: failed to allocate a serviceIP: range is full");
    String freed =
        fixture.client.get(SERVICES + "/s3").body().path("spec").path("clusterIP").asString("");
    var _ = fixture.client.delete(SERVICES + "/s3");
    fixture.settle();
    assertThat(created("more", PORT).path("clusterIP").asString("")).isEqualTo(freed);
  }

  @Test
  void nodePorts_areUnique_sharedByProtocols_andGoWithTheType() {
    JsonNode spec =
        created(
            "dns",
            "\"type\":\"NodePort\",\"ports\":[{\"name\":\"t\",\"port\":53,\"protocol\":\"TCP\"},"
                + "{\"name\":\"u\",\"port\":53,\"protocol\":\"UDP\"}]");
    int port = spec.path("ports").path(0).path("nodePort").asInt(0);
    assertThat(port).isBetween(30_000, 32_767);
    assertThat(spec.path("ports").path(1).path("nodePort").asInt(0)).isEqualTo(port);
    String asking = "\"type\":\"NodePort\",\"ports\":[{\"port\":80,\"nodePort\":" + port + "}]";
    assertThat(refused(SERVICES, "web", asking))
        .isEqualTo(
            "Service \"web\" is invalid: spec.ports[0].nodePort: Invalid value: "
                + port
                + ": provided port is already allocated");
    assertThat(
            refused(
                SERVICES, "web", "\"type\":\"NodePort\",\"ports\":[{\"port\":80,\"nodePort\":80}]"))
        .contains(
            "provided port is not in the valid range. The range of valid ports is 30000-32767");
    Client.Answer closed =
        fixture.client.patch(SERVICES + "/dns", MERGE, "{\"spec\":{\"type\":\"ClusterIP\"}}");
    assertThat(closed.status()).as(closed.toString()).isEqualTo(200);
    assertThat(closed.body().path("spec").path("ports").path(0).has("nodePort")).isFalse();
    assertThat(created("web", asking).path("ports").path(0).path("nodePort").asInt(0))
        .isEqualTo(port);
  }

  @Test
  void balancerThatLooksAtNodes_hasAPortForIt() {
    JsonNode spec =
        created("lb", PORT + ",\"type\":\"LoadBalancer\",\"externalTrafficPolicy\":\"Local\"");
    int health = spec.path("healthCheckNodePort").asInt(0);
    assertThat(health).isBetween(30_000, 32_767);
    assertThat(spec.path("ports").path(0).path("nodePort").asInt(0)).isNotEqualTo(health);
    Client.Answer changed =
        fixture.client.patch(SERVICES + "/lb", MERGE, "{\"spec\":{\"healthCheckNodePort\":30001}}");
    assertThat(changed.body().path("message").asString(""))
        .contains("spec.healthCheckNodePort: Forbidden: field is immutable");
    Client.Answer without =
        fixture.client.post(
            SERVICES,
            service(
                "plain",
                PORT + ",\"type\":\"LoadBalancer\",\"allocateLoadBalancerNodePorts\":false"));
    assertThat(without.body().path("spec").path("ports").path(0).has("nodePort")).isFalse();
  }

  @Test
  void serviceThatGoesOutside_givesItsAddressBack_andGetsOneWhenItReturns() {
    String address = created("web", PORT).path("clusterIP").asString("");
    Client.Answer out =
        fixture.client.patch(
            SERVICES + "/web",
            MERGE,
            "{\"spec\":{\"type\":\"ExternalName\",\"externalName\":\"a.example\"}}");
    assertThat(out.status()).as(out.toString()).isEqualTo(200);
    assertThat(out.body().path("spec").has("clusterIP")).isFalse();
    assertThat(out.body().path("spec").has("ipFamilies")).isFalse();
    fixture.settle();
    assertThat(addresses()).doesNotContain(address).isEmpty();
    Client.Answer back =
        fixture.client.patch(
            SERVICES + "/web", MERGE, "{\"spec\":{\"type\":\"ClusterIP\",\"externalName\":null}}");
    assertThat(back.status()).as(back.toString()).isEqualTo(200);
    fixture.settle();
    assertThat(addresses())
        .containsExactly(back.body().path("spec").path("clusterIP").asString(""));
  }

  @Test
  void headlessServices_haveFamiliesAndNoAddress_andStaySo() {
    JsonNode picked = created("a", PORT + ",\"clusterIP\":\"None\",\"selector\":{\"a\":\"b\"}");
    assertThat(picked.path("ipFamilyPolicy").asString("")).isEqualTo("SingleStack");
    assertThat(picked.path("clusterIPs").toString()).isEqualTo("[\"None\"]");
    JsonNode open = created("b", PORT + ",\"clusterIP\":\"None\"");
    assertThat(open.path("ipFamilyPolicy").asString("")).isEqualTo("RequireDualStack");
    assertThat(open.path("ipFamilies").toString()).isEqualTo("[\"IPv4\",\"IPv6\"]");
    assertThat(addresses()).isEmpty();
    Client.Answer changed =
        fixture.client.patch(
            SERVICES + "/a", MERGE, "{\"spec\":{\"clusterIP\":\"10.0.0.9\",\"clusterIPs\":null}}");
    assertThat(changed.body().path("message").asString("")).contains("may not change once set");
  }

  @Test
  void oneFamily_isAllThatAClusterOfOneHas() {
    assertThat(refused(SERVICES, "web", PORT + ",\"ipFamilyPolicy\":\"RequireDualStack\""))
        .endsWith("this cluster is not configured for dual-stack services");
    assertThat(refused(SERVICES, "web", PORT + ",\"ipFamilies\":[\"IPv5\"]"))
        .endsWith(
            "spec.ipFamilies[0]: Unsupported value: \"IPv5\": supported values: \"IPv4\","
                + " \"IPv6\"");
    assertThat(refused(SERVICES, "web", PORT + ",\"ipFamilies\":[\"IPv6\"]"))
        .endsWith("spec.ipFamilies[0]: Invalid value: \"IPv6\": not configured on this cluster");
    JsonNode prefers = created("web", PORT + ",\"ipFamilyPolicy\":\"PreferDualStack\"");
    assertThat(prefers.path("clusterIPs").size()).isEqualTo(1);
  }

  @Test
  void twoFamilies_areGivenAndTakenBack() {
    reopen("10.0.0.0/24,fd00::/112");
    JsonNode spec = created("web", PORT + ",\"ipFamilyPolicy\":\"RequireDualStack\"");
    assertThat(spec.path("ipFamilies").toString()).isEqualTo("[\"IPv4\",\"IPv6\"]");
    assertThat(spec.path("clusterIPs").path(1).asString("")).startsWith("fd00::");
    assertThat(addresses()).hasSize(2);
    Client.Answer single =
        fixture.client.patch(
            SERVICES + "/web", MERGE, "{\"spec\":{\"ipFamilyPolicy\":\"SingleStack\"}}");
    assertThat(single.status()).as(single.toString()).isEqualTo(200);
    assertThat(single.body().path("spec").path("clusterIPs").size()).isEqualTo(1);
    fixture.settle();
    assertThat(addresses()).hasSize(1);
    Client.Answer both =
        fixture.client.patch(
            SERVICES + "/web", MERGE, "{\"spec\":{\"ipFamilyPolicy\":\"PreferDualStack\"}}");
    assertThat(both.body().path("spec").path("clusterIPs").size()).isEqualTo(2);
  }

  @Test
  void whatIsGiven_belongsToNobody() {
    Client.Answer answer = fixture.client.post(SERVICES, service("web", PORT));
    assertThat(answer.body().path("metadata").path("managedFields").toString())
        .contains("f:ports")
        .doesNotContain("f:clusterIP", "f:ipFamilies");
  }

  @Test
  void rangeThatIsAdded_isUsedOnceItIsReady() {
    reopen("10.0.0.0/30");
    var _ = created("a", PORT);
    var _ = created("b", PORT);
    String ranges = "/apis/networking.k8s.io/v1/servicecidrs";
    assertThat(
            fixture
                .client
                .post(
                    ranges,
                    "{\"metadata\":{\"name\":\"more\"},\"spec\":{\"cidrs\":[\"10.9.0.0/24\"]}}")
                .status())
        .isEqualTo(201);
    fixture.settle();
    assertThat(refused(SERVICES, "c", PORT)).contains("range is full");
    Client.Answer ready =
        fixture.client.patch(
            ranges + "/more/status",
            MERGE,
            "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\",\"reason\":\"\","
                + "\"message\":\"\",\"lastTransitionTime\":\"2026-01-01T00:00:00Z\"}]}}");
    assertThat(ready.status()).as(ready.toString()).isEqualTo(200);
    fixture.settle();
    assertThat(created("c", PORT).path("clusterIP").asString("")).startsWith("10.9.0.");
  }
}
