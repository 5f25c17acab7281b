package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.presence.Presence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What servers say of themselves in objects. */
class PresenceTest {

  private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
  private static final String SLICES =
      "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
  private static final String API_SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";

  private final ServerFixture fixture = new ServerFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static Presence.Place place(String address, int port) {
    return new Presence.Place("machine", address, port);
  }

  private void announced() {
    fixture.server.announce(place("192.0.2.1", 6443));
    fixture.env.runFor(Duration.ofSeconds(1));
  }

  private List<String> names(String path) {
    List<String> names = new ArrayList<>();
    fixture
        .client
        .get(path)
        .body()
        .path("items")
        .forEach(item -> names.add(item.path("metadata").path("name").asString("")));
    return names;
  }

  private List<String> endpoints() {
    List<String> addresses = new ArrayList<>();
    JsonNode subsets =
        fixture
            .client
            .get("/api/v1/namespaces/default/endpoints/kubernetes")
            .body()
            .path("subsets");
    for (JsonNode subset : subsets) {
      for (JsonNode address : subset.path("addresses")) {
        addresses.add(
            address.path("ip").asString("")
                + ":"
                + subset.path("ports").path(0).path("port").asInt(0));
      }
    }
    return addresses;
  }

  @Test
  void server_isReachedThroughAService() {
    announced();
    JsonNode service = fixture.client.get("/api/v1/namespaces/default/services/kubernetes").body();
    assertThat(service.path("spec").path("clusterIP").asString("")).isEqualTo("10.96.0.1");
    assertThat(service.path("metadata").path("labels").toString())
        .isEqualTo("{\"component\":\"apiserver\",\"provider\":\"kubernetes\"}");
    assertThat(service.path("spec").path("ports").toString())
        .isEqualTo("[{\"name\":\"https\",\"port\":443,\"protocol\":\"TCP\",\"targetPort\":6443}]");
    assertThat(endpoints()).containsExactly("192.0.2.1:6443");
    JsonNode slice = fixture.client.get(SLICES + "/kubernetes").body();
    assertThat(slice.path("endpoints").path(0).path("addresses").toString())
        .isEqualTo("[\"192.0.2.1\"]");
    JsonNode range =
        fixture.client.get("/apis/networking.k8s.io/v1/servicecidrs/kubernetes").body();
    assertThat(range.path("spec").path("cidrs").toString()).isEqualTo("[\"10.96.0.0/12\"]");
    assertThat(range.path("status").path("conditions").path(0).path("status").asString(""))
        .isEqualTo("True");
  }

  @Test
  void idleServer_renewsItsLease_andWritesNothingElse() {
    announced();
    assertThat(names(LEASES)).hasSize(1).allMatch(name -> name.matches("apiserver-[a-z2-7]{26}"));
    JsonNode lease = fixture.client.get(LEASES).body().path("items").path(0);
    assertThat(lease.path("metadata").path("labels").path("apiserver.kubernetes.io/identity"))
        .isEqualTo(tools.jackson.databind.node.StringNode.valueOf("kube-apiserver"));
    long before = revision();
    fixture.env.runFor(Duration.ofSeconds(60));
    assertThat(revision()).isEqualTo(before + 6);
    JsonNode later = fixture.client.get(LEASES).body().path("items").path(0);
    assertThat(later.path("spec").path("renewTime"))
        .isNotEqualTo(lease.path("spec").path("renewTime"));
  }

  private long revision() {
    return fixture.store.currentRevision().join();
  }

  @Test
  void serverThatIsGone_isNotLedToAnyMore_andItsLeaseGoesInTheEnd() {
    announced();
    try (var other = ApiServer.open(fixture.env, fixture.store, ServerSettings.DEFAULTS)) {
      other.announce(place("192.0.2.2", 6443));
      fixture.env.runFor(Duration.ofSeconds(15));
      assertThat(endpoints()).containsExactly("192.0.2.1:6443", "192.0.2.2:6443");
      assertThat(names(LEASES)).hasSize(2);
    }
    fixture.env.runFor(Duration.ofSeconds(25));
    assertThat(endpoints()).hasSize(2);
    fixture.env.runFor(Duration.ofSeconds(25));
    assertThat(endpoints()).containsExactly("192.0.2.1:6443");
    fixture.env.runFor(Duration.ofSeconds(3_700));
    assertThat(names(LEASES)).hasSize(1);
  }

  @Test
  void serversOnPortsOfTheirOwn_haveSlicesOfTheirOwn() {
    announced();
    try (var other = ApiServer.open(fixture.env, fixture.store, ServerSettings.DEFAULTS)) {
      other.announce(place("192.0.2.1", 6444));
      fixture.env.runFor(Duration.ofSeconds(15));
      assertThat(endpoints()).containsExactly("192.0.2.1:6443", "192.0.2.1:6444");
      assertThat(names(SLICES)).containsExactly("kubernetes", "kubernetes-6444");
    }
    fixture.env.runFor(Duration.ofSeconds(60));
    assertThat(names(SLICES)).containsExactly("kubernetes");
  }

  @Test
  void everyGroupVersion_hasAnApiService_thoseOfUsersToo() {
    announced();
    assertThat(names(API_SERVICES))
        .contains("v1.", "v1.apps", "v2.autoscaling", "v1.resource.k8s.io")
        .doesNotContain("v1.apiregistration.k8s.io");
    JsonNode apps = fixture.client.get(API_SERVICES + "/v1.apps").body();
    assertThat(apps.path("spec").toString())
        .isEqualTo(
            "{\"group\":\"apps\",\"version\":\"v1\",\"groupPriorityMinimum\":17800,\"versionPriority\":15}");
    assertThat(apps.path("status").path("conditions").path(0).path("reason").asString(""))
        .isEqualTo("Local");
    String definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    Client.Answer defined =
        fixture.client.post(
            definitions,
            """
            {"metadata":{"name":"things.example.com"},"spec":{"group":"example.com","scope":"Cluster",
             "names":{"plural":"things","kind":"Thing"},"versions":[{"name":"v1","served":true,
             "storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}
            """);
    assertThat(defined.status()).as(defined.toString()).isEqualTo(201);
    fixture.env.runFor(Duration.ofSeconds(3));
    JsonNode custom = fixture.client.get(API_SERVICES + "/v1.example.com").body();
    assertThat(custom.path("metadata").path("labels").toString())
        .isEqualTo("{\"kube-aggregator.kubernetes.io/automanaged\":\"true\"}");
    var _ = fixture.client.delete(definitions + "/things.example.com");
    fixture.env.runFor(Duration.ofSeconds(10));
    assertThat(names(API_SERVICES)).doesNotContain("v1.example.com");
    var _ = fixture.client.delete(API_SERVICES + "/v1.apps");
    fixture.env.runFor(Duration.ofSeconds(3));
    assertThat(names(API_SERVICES)).contains("v1.apps");
  }

  @Test
  void apiServiceElsewhere_isNotAvailableWithoutItsService() {
    announced();
    Client.Answer made =
        fixture.client.post(
            API_SERVICES,
            """
            {"metadata":{"name":"v1.y.example.com"},"spec":{"group":"y.example.com","version":"v1",
             "groupPriorityMinimum":10,"versionPriority":10,"service":{"namespace":"default","name":"s"}}}
            """);
    assertThat(made.status()).as(made.toString()).isEqualTo(201);
    fixture.env.runFor(Duration.ofSeconds(3));
    JsonNode condition =
        fixture
            .client
            .get(API_SERVICES + "/v1.y.example.com")
            .body()
            .path("status")
            .path("conditions")
            .path(0);
    assertThat(condition.path("reason").asString("")).isEqualTo("ServiceNotFound");
    assertThat(condition.path("message").asString(""))
        .isEqualTo("service/s in \"default\" is not present");
  }

  @Test
  void components_sayHowTheyAre() {
    fixture.server.component("scheduler", () -> "");
    Client.Answer answer = fixture.client.get("/api/v1/componentstatuses");
    List<String> said = new ArrayList<>();
    for (JsonNode item : answer.body().path("items")) {
      said.add(
          item.path("metadata").path("name").asString("")
              + " "
              + item.path("conditions").path(0).path("status").asString(""));
    }
    assertThat(said).containsExactly("scheduler True", "controller-manager False", "etcd-0 True");
    assertThat(fixture.client.get("/api/v1/componentstatuses?watch=true").status()).isEqualTo(405);
    assertThat(answer.headers()).extracting(ApiResponse.Header::name).contains("Warning");
    Client.Answer refused = fixture.client.post("/api/v1/componentstatuses", "{}");
    assertThat(refused.status()).isEqualTo(405);
    assertThat(refused.headers()).extracting(ApiResponse.Header::name).doesNotContain("Warning");
  }
}
