package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The roles and bindings that every cluster has, kept and repaired. */
class DefaultRolesTest {

  private static final String CLUSTER_ROLES = RoleWorld.path("", "clusterroles");
  private static final String CLUSTER_BINDINGS = RoleWorld.path("", "clusterrolebindings");

  private final ServerFixture fixture = new ServerFixture();
  private final Client client = fixture.client;
  private final RoleWorld world = new RoleWorld(client);

  @AfterEach
  void close() {
    fixture.close();
  }

  private List<String> names(String path, String prefixLeftOut) {
    List<String> names = new ArrayList<>();
    for (JsonNode item : client.get(path).body().path("items")) {
      String name = item.at("/metadata/name").asString();
      if (!name.startsWith(prefixLeftOut)) {
        names.add(name);
      }
    }
    return names;
  }

  /** What a server does when it starts on a store that another one used. */
  private void startAgain() {
    try (ApiServer second = ApiServer.open(fixture.env, fixture.store, ServerSettings.DEFAULTS)) {
      fixture.env.runFor(Duration.ofSeconds(3));
      assertThat(second.ready()).isDone();
    }
  }

  @Test
  void defaults_areThere() {
    assertThat(names(CLUSTER_ROLES, "evenkeel:")).hasSize(68).contains("view", "system:node");
    assertThat(names(CLUSTER_BINDINGS, "evenkeel:")).hasSize(49).contains("cluster-admin");
    assertThat(names(RoleWorld.path("kube-system", "roles"), "-")).hasSize(6);
    assertThat(names(RoleWorld.path("kube-system", "rolebindings"), "-")).hasSize(6);
    assertThat(names(RoleWorld.path("kube-public", "roles"), "-"))
        .containsExactly("system:controller:bootstrap-signer");
    JsonNode scheduler = client.get(CLUSTER_BINDINGS + "/system:kube-scheduler").body();
    assertThat(scheduler.path("subjects").toString())
        .isEqualTo(
            "[{\"kind\":\"User\",\"apiGroup\":\"rbac.authorization.k8s.io\",\"name\":\"system:kube-scheduler\"}]");
    assertThat(scheduler.at("/metadata/labels").toString())
        .isEqualTo("{\"kubernetes.io/bootstrapping\":\"rbac-defaults\"}");
    assertThat(scheduler.at("/metadata/managedFields/0/manager").asString())
        .isEqualTo("kube-apiserver");
  }

  @Test
  void rolesThatGather_haveTheRulesOfThoseTheySelect_ourOwnKindsToo() {
    fixture.settle();
    String view = client.get(CLUSTER_ROLES + "/view").text("rules");
    assertThat(view).contains("\"pods/log\"", "\"podgroups\"", "\"tenantquotas/status\"");
    assertThat(view).doesNotContain("secrets");
    String admin = client.get(CLUSTER_ROLES + "/admin").text("rules");
    assertThat(admin).contains("\"rolebindings\"", "\"secrets\"", "\"endpointslices\"");
    assertThat(client.get(CLUSTER_ROLES + "/edit").text("rules")).doesNotContain("rolebindings");
  }

  @Test
  void aRoleThatGathers_followsThoseItSelects() {
    world.namespace("dev");
    world.bind("dev", "b", "ClusterRole", "view", RoleWorld.user("bob"));
    String widgets = "/apis/acme.com/v1/namespaces/dev/widgets";
    assertThat(world.as("bob", "GET", widgets).status()).isEqualTo(403);
    ObjectNode more =
        Json.parseObject(
            RoleWorld.roleOf("acme-view", RoleWorld.rule("get,list,watch", "acme.com", "widgets"))
                .getBytes(java.nio.charset.StandardCharsets.UTF_8));
    ((ObjectNode) more.path("metadata"))
        .putObject("labels")
        .put("rbac.authorization.k8s.io/aggregate-to-view", "true");
    world.put("clusterroles", "", more.toString());
    fixture.settle();
    assertThat(world.as("bob", "GET", widgets).status()).isEqualTo(404);
    world.delete("", "clusterroles", "acme-view");
    fixture.settle();
    assertThat(world.as("bob", "GET", widgets).status()).isEqualTo(403);
  }

  @Test
  void rulesWrittenIntoARoleThatGathers_doNotLast() {
    world.put(
        "clusterroles",
        "",
        "{\"metadata\":{\"name\":\"some\"},\"aggregationRule\":{\"clusterRoleSelectors\":[{\"matchLabels\":{\"none\":\"x\"}}]},\"rules\":["
            + RoleWorld.rule("get", "", "secrets")
            + "]}");
    fixture.settle();
    assertThat(client.get(CLUSTER_ROLES + "/some").body().path("rules")).isEmpty();
  }

  @Test
  void aStart_addsWhatIsMissing_andLeavesWhatWasAdded() {
    world.delete("", "clusterroles", "system:node");
    world.delete("kube-system", "rolebindings", "system:controller:token-cleaner");
    world.put(
        "clusterroles",
        "",
        RoleWorld.roleOf("system:kube-dns", RoleWorld.rule("get", "", "configmaps")));
    world.put(
        "clusterrolebindings",
        "",
        RoleWorld.binding(
            "system:discovery", "ClusterRole", "system:discovery", RoleWorld.user("eve")));
    startAgain();
    assertThat(client.get(CLUSTER_ROLES + "/system:node").status()).isEqualTo(200);
    assertThat(names(RoleWorld.path("kube-system", "rolebindings"), "-")).hasSize(6);
    JsonNode dns = client.get(CLUSTER_ROLES + "/system:kube-dns").body();
    assertThat(dns.path("rules").toString()).contains("\"configmaps\"", "\"endpoints\"");
    assertThat(dns.at("/metadata/labels/kubernetes.io~1bootstrapping").asString())
        .isEqualTo("rbac-defaults");
    assertThat(client.get(CLUSTER_BINDINGS + "/system:discovery").text("subjects"))
        .contains("\"eve\"", "\"system:authenticated\"");
  }

  @Test
  void aStart_leavesAlone_whatIsNotToBeUpdated() {
    String path = CLUSTER_ROLES + "/system:kube-dns";
    var patched =
        client.patch(
            path,
            "merge-patch",
            "{\"metadata\":{\"annotations\":{\"rbac.authorization.kubernetes.io/autoupdate\":\"false\"}},\"rules\":[]}");
    assertThat(patched.status()).isEqualTo(200);
    startAgain();
    assertThat(client.get(path).body().path("rules")).isEmpty();
  }

  @Test
  void aStart_makesABindingAnew_thatLeadsToAnotherRole() {
    world.delete("", "clusterrolebindings", "system:basic-user");
    world.bind("", "system:basic-user", "ClusterRole", "cluster-admin", RoleWorld.user("eve"));
    startAgain();
    JsonNode binding = client.get(CLUSTER_BINDINGS + "/system:basic-user").body();
    assertThat(binding.at("/roleRef/name").asString()).isEqualTo("system:basic-user");
    assertThat(binding.path("subjects").toString()).doesNotContain("eve");
  }

  @Test
  void aStart_onDefaultsThatAreRight_writesNothing() {
    fixture.settle();
    String before = client.get(CLUSTER_ROLES).text("items");
    startAgain();
    assertThat(client.get(CLUSTER_ROLES).text("items")).isEqualTo(before);
  }
}
