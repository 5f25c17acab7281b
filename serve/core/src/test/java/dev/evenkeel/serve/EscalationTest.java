package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nobody grants what they do not hold. Bob administers the namespace dev, by the default role. */
class EscalationTest {

  private static final String PODS = RoleWorld.rule("get", "", "pods");
  private static final String NODES = RoleWorld.rule("get,list", "", "nodes");

  private static final String NOT_HELD =
      "user \"bob\" (groups=[\"system:authenticated\"]) is attempting to grant RBAC permissions not"
          + " currently held:\n{APIGroups:[\"\"], Resources:[\"nodes\"], Verbs:[\"get\" \"list\"]}";

  private static final String ROLES = RoleWorld.path("dev", "roles");
  private static final String CLUSTER_ROLES = RoleWorld.path("", "clusterroles");
  private static final String BINDINGS = RoleWorld.path("dev", "rolebindings");

  private final ServerFixture fixture = new ServerFixture();
  private final RoleWorld world = new RoleWorld(fixture.client);

  @BeforeEach
  void bobAdministersDev() {
    world.namespace("dev");
    world.bind("dev", "admin", "ClusterRole", "admin", RoleWorld.user("bob"));
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private void bobMayWriteClusterRoles() {
    world.clusterRole(
        "writer",
        "create,update,patch",
        "rbac.authorization.k8s.io",
        "clusterroles,clusterrolebindings");
    world.bind("", "writer", "ClusterRole", "writer", RoleWorld.user("bob"));
  }

  private Client.Answer bob(String method, String path, String body) {
    return world.as("bob", method, path, body);
  }

  private Client.Answer bobPatches(String path, String type, String body) {
    return world.with(Map.of("impersonate-user", "bob", "content-type", type), "PATCH", path, body);
  }

  private static void refused(Client.Answer answer, String message) {
    assertThat(answer.status()).as("%s", answer).isEqualTo(403);
    assertThat(answer.text("message")).isEqualTo(message);
  }

  private static String onRole(String why) {
    return "roles.rbac.authorization.k8s.io \"r\" is forbidden: " + why;
  }

  @Test
  void aRoleOfWhatIsHeld_isMade_andOneOfMoreIsNot() {
    assertThat(bob("POST", ROLES, RoleWorld.roleOf("ok", PODS)).status()).isEqualTo(201);
    refused(bob("POST", ROLES, RoleWorld.roleOf("r", PODS, NODES)), onRole(NOT_HELD));
  }

  @Test
  void aRole_isNotChangedIntoMore_inWhicheverWay() {
    assertThat(bob("POST", ROLES, RoleWorld.roleOf("r", PODS)).status()).isEqualTo(201);
    String more = RoleWorld.roleOf("r", PODS, NODES);
    refused(bob("PUT", ROLES + "/r", more), onRole(NOT_HELD));
    refused(
        bobPatches(ROLES + "/r", "application/merge-patch+json", "{\"rules\":[" + NODES + "]}"),
        onRole(NOT_HELD));
    refused(
        bobPatches(
            ROLES + "/r",
            "application/json-patch+json",
            "[{\"op\":\"add\",\"path\":\"/rules/-\",\"value\":" + NODES + "}]"),
        onRole(NOT_HELD));
    refused(
        bobPatches(
            ROLES + "/r?fieldManager=m&force=true",
            "application/apply-patch+yaml",
            "{\"apiVersion\":\"rbac.authorization.k8s.io/v1\",\"kind\":\"Role\","
                + more.substring(1)),
        onRole(NOT_HELD));
    refused(
        bobPatches(
            ROLES + "/new?fieldManager=m",
            "application/apply-patch+yaml",
            "{\"apiVersion\":\"rbac.authorization.k8s.io/v1\",\"kind\":\"Role\","
                + more.replace("\"r\"", "\"new\"").substring(1)),
        "roles.rbac.authorization.k8s.io \"new\" is forbidden: " + NOT_HELD);
    refused(bob("PUT", ROLES + "/r?dryRun=All", more), onRole(NOT_HELD));
    assertThat(fixture.client.get(ROLES + "/r").body().path("rules")).hasSize(1);
  }

  @Test
  void aRoleOfMore_mayBeFreedForTheCollector_andNothingElse() {
    world.put("roles", "dev", RoleWorld.roleOf("r", NODES));
    assertThat(
            bobPatches(
                    ROLES + "/r",
                    "application/merge-patch+json",
                    "{\"metadata\":{\"finalizers\":[\"a.com/x\"]}}")
                .status())
        .isEqualTo(200);
    refused(
        bobPatches(
            ROLES + "/r",
            "application/merge-patch+json",
            "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}"),
        onRole(NOT_HELD));
  }

  @Test
  void whoMayEscalate_grantsMore() {
    world.role("dev", "up", "escalate", "rbac.authorization.k8s.io", "roles", "r");
    world.bind("dev", "up", "Role", "up", RoleWorld.user("bob"));
    world.put("roles", "dev", RoleWorld.roleOf("r", PODS));
    assertThat(bob("PUT", ROLES + "/r", RoleWorld.roleOf("r", NODES)).status()).isEqualTo(200);
    assertThat(bob("POST", ROLES, RoleWorld.roleOf("other", NODES)).status()).isEqualTo(403);
  }

  @ParameterizedTest
  @ValueSource(strings = {"cluster-admin", "system:node"})
  void aBindingToMore_isRefused(String role) {
    Client.Answer answer =
        bob("POST", BINDINGS, RoleWorld.binding("b", "ClusterRole", role, RoleWorld.user("bob")));
    assertThat(answer.status()).as("%s", answer).isEqualTo(403);
    assertThat(answer.text("message"))
        .startsWith("rolebindings.rbac.authorization.k8s.io \"b\" is forbidden: user \"bob\"")
        .contains("is attempting to grant RBAC permissions not currently held:\n{");
  }

  @Test
  void aBinding_isMadeToWhatIsHeld_andNotToWhatIsNotThere() {
    String view = RoleWorld.binding("b", "ClusterRole", "view", RoleWorld.user("eve"));
    assertThat(bob("POST", BINDINGS, view).status()).isEqualTo(201);
    Client.Answer gone =
        bob("POST", BINDINGS, RoleWorld.binding("c", "Role", "gone", RoleWorld.user("eve")));
    assertThat(gone.status()).isEqualTo(404);
    assertThat(gone.text("message"))
        .isEqualTo("roles.rbac.authorization.k8s.io \"gone\" not found");
  }

  @Test
  void whoMayBindARole_bindsItThere_andNotEverywhere() {
    bobMayWriteClusterRoles();
    world.role("dev", "bind", "bind", "rbac.authorization.k8s.io", "clusterroles", "system:node");
    world.bind("dev", "bind", "Role", "bind", RoleWorld.user("bob"));
    String binding = RoleWorld.binding("b", "ClusterRole", "system:node", RoleWorld.user("eve"));
    assertThat(bob("POST", BINDINGS, binding).status()).isEqualTo(201);
    assertThat(bob("POST", RoleWorld.path("", "clusterrolebindings"), binding).status())
        .isEqualTo(403);
  }

  @Test
  void aRoleThatGathers_isForThoseWhoMayEverything() {
    bobMayWriteClusterRoles();
    String gathering =
        "{\"metadata\":{\"name\":\"all\"},\"rules\":[],\"aggregationRule\":{\"clusterRoleSelectors\":"
            + "[{\"matchLabels\":{\"kubernetes.io/bootstrapping\":\"rbac-defaults\"}}]}}";
    refused(
        bob("POST", CLUSTER_ROLES, gathering),
        "clusterroles.rbac.authorization.k8s.io \"all\" is forbidden: must have cluster-admin"
            + " privileges to use the aggregationRule");
    refused(
        bobPatches(
            CLUSTER_ROLES + "/view",
            "application/merge-patch+json",
            "{\"aggregationRule\":null,\"rules\":[]}"),
        "clusterroles.rbac.authorization.k8s.io \"view\" is forbidden: must have cluster-admin"
            + " privileges to use the aggregationRule");
  }

  @Test
  void aRoleOfMore_isNotLabelledIntoOneThatGathers() {
    bobMayWriteClusterRoles();
    Client.Answer answer =
        bobPatches(
            CLUSTER_ROLES + "/system:node",
            "application/merge-patch+json",
            "{\"metadata\":{\"labels\":{\"rbac.authorization.k8s.io/aggregate-to-admin\":\"true\"}}}");
    assertThat(answer.status()).as("%s", answer).isEqualTo(403);
  }

  @Test
  void whatIsHeldByImpersonation_isWhatTheOtherHolds() {
    world.bind("", "root", "ClusterRole", "cluster-admin", RoleWorld.user("root"));
    Client.Answer answer = world.peer("bob", Map.of("impersonate-user", "root"), "/api/v1/nodes");
    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.text("message")).startsWith("users \"root\" is forbidden: User \"bob\"");
  }

  @Test
  void whatWasWithdrawn_isNotGrantedAnyMore() {
    world.put("roles", "dev", RoleWorld.roleOf("extra", NODES));
    world.bind("dev", "extra", "Role", "extra", RoleWorld.user("bob"));
    assertThat(bob("POST", ROLES + "?dryRun=All", RoleWorld.roleOf("r", NODES)).status())
        .isEqualTo(201);
    world.delete("dev", "rolebindings", "extra");
    refused(bob("POST", ROLES, RoleWorld.roleOf("r", NODES)), onRole(NOT_HELD));
  }

  @Test
  void manyMissingRights_areToldByThing_inOrder() {
    Client.Answer answer =
        bob(
            "POST",
            ROLES,
            "{\"metadata\":{\"name\":\"r\"},\"rules\":["
                + RoleWorld.rule("list,get", "", "nodes,persistentvolumes")
                + ","
                + RoleWorld.rule("delete", "", "nodes", "n1,n2")
                + "]}");
    assertThat(answer.text("message").lines().skip(1))
        .containsExactly(
            "{APIGroups:[\"\"], Resources:[\"nodes\"], ResourceNames:[\"n1\"], Verbs:[\"delete\"]}",
            "{APIGroups:[\"\"], Resources:[\"nodes\"], ResourceNames:[\"n2\"], Verbs:[\"delete\"]}",
            "{APIGroups:[\"\"], Resources:[\"nodes\"], Verbs:[\"list\" \"get\"]}",
            "{APIGroups:[\"\"], Resources:[\"persistentvolumes\"], Verbs:[\"list\" \"get\"]}");
  }
}
