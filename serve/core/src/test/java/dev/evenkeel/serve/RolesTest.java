package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.serve.api.ApiRequest;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may do what, by the roles they are bound to. */
class RolesTest {

  private static final String MAPS = "/api/v1/namespaces/dev/configmaps";

  private final ServerFixture fixture = new ServerFixture();
  private final RoleWorld world = new RoleWorld(fixture.client);

  RolesTest() {
    world.namespace("dev");
    world.namespace("test");
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private int code(String user, String method, String path) {
    return world.as(user, method, path).status();
  }

  // ---- whom a binding is for

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"kind":"User","name":"bob"} | bob | | true
          {"kind":"User","name":"bob"} | eve | | false
          {"kind":"User","name":"ops"} | eve | ops | false
          {"kind":"Group","name":"ops"} | eve | ops | true
          {"kind":"Group","name":"ops"} | ops | | false
          {"kind":"Group","name":"system:authenticated"} | eve | | true
          {"kind":"ServiceAccount","name":"bot"} | system:serviceaccount:dev:bot | | true
          {"kind":"ServiceAccount","name":"bot"} | system:serviceaccount:test:bot | | false
          {"kind":"ServiceAccount","name":"bot","namespace":"test"} | system:serviceaccount:test:bot | | true
          {"kind":"ServiceAccount","name":"bot"} | bot | | false
          {"kind":"Group","name":"system:serviceaccounts:test"} | system:serviceaccount:test:bot | | true
          {"kind":"User","name":"system:serviceaccount:test:bot"} | system:serviceaccount:test:bot | | true
          """)
  void aBinding_isForThoseItNames(String subject, String user, String group, boolean allowed) {
    world.role("dev", "r", "get,list", "", "configmaps");
    world.bind("dev", "b", "Role", "r", subject);
    Map<String, String> headers = new HashMap<>(Map.of("impersonate-user", user));
    if (group != null) {
      headers.put("impersonate-group", group);
    }
    int status = world.with(headers, "GET", MAPS, "").status();
    assertThat(status).isEqualTo(allowed ? 200 : 403);
  }

  // ---- where it holds

  @Test
  void aRoleBinding_holdsInItsNamespace_aClusterRoleBindingEverywhere() {
    world.clusterRole("reader", "get,list", "", "configmaps,nodes");
    world.bind("dev", "b", "ClusterRole", "reader", RoleWorld.user("bob"));
    assertThat(code("bob", "GET", MAPS)).isEqualTo(200);
    assertThat(code("bob", "GET", "/api/v1/namespaces/test/configmaps")).isEqualTo(403);
    assertThat(code("bob", "GET", "/api/v1/configmaps")).isEqualTo(403);
    assertThat(code("bob", "GET", "/api/v1/nodes")).isEqualTo(403);
    world.bind("", "b", "ClusterRole", "reader", RoleWorld.user("eve"));
    assertThat(code("eve", "GET", "/api/v1/namespaces/test/configmaps")).isEqualTo(200);
    assertThat(code("eve", "GET", "/api/v1/configmaps")).isEqualTo(200);
    assertThat(code("eve", "GET", "/api/v1/nodes")).isEqualTo(200);
  }

  @Test
  void aNamespace_countsAsBeingInItself() {
    world.role("dev", "r", "get", "", "namespaces");
    world.bind("dev", "b", "Role", "r", RoleWorld.user("bob"));
    assertThat(code("bob", "GET", "/api/v1/namespaces/dev")).isEqualTo(200);
    assertThat(code("bob", "GET", "/api/v1/namespaces/test")).isEqualTo(403);
  }

  // ---- what it allows

  @Test
  void resourceNames_limitARule_toObjectsAndListsOfThem() {
    world.role("dev", "r", "get,list,create", "", "configmaps", "one");
    world.bind("dev", "b", "Role", "r", RoleWorld.user("bob"));
    assertThat(code("bob", "GET", MAPS + "/one")).isEqualTo(404);
    assertThat(code("bob", "GET", MAPS + "/two")).isEqualTo(403);
    assertThat(code("bob", "GET", MAPS + "?fieldSelector=metadata.name%3Done")).isEqualTo(200);
    assertThat(code("bob", "GET", MAPS + "?fieldSelector=metadata.name%3Dtwo")).isEqualTo(403);
    assertThat(code("bob", "GET", MAPS)).isEqualTo(403);
    assertThat(code("bob", "POST", MAPS)).isEqualTo(403);
  }

  @ParameterizedTest
  @CsvSource({
    "deployments, '', true",
    "deployments, scale, false",
    "deployments/scale, scale, true",
    "deployments/scale, '', false",
    "*/scale, scale, true",
    "*/scale, status, false",
    "*/scale, '', false",
    "*, scale, true",
    "*, '', true",
    "deployments/*, scale, false",
  })
  void subresources_areNamed(String resource, String subresource, boolean allowed) {
    world.role("dev", "r", "get", "apps", resource);
    world.bind("dev", "b", "Role", "r", RoleWorld.user("bob"));
    String path = "/apis/apps/v1/namespaces/dev/deployments/none";
    int status = code("bob", "GET", subresource.isEmpty() ? path : path + "/" + subresource);
    assertThat(status).isEqualTo(allowed ? 404 : 403);
  }

  @Test
  void stars_standForAllVerbsAndGroups() {
    world.role("dev", "r", "*", "*", "configmaps");
    world.bind("dev", "b", "Role", "r", RoleWorld.user("bob"));
    assertThat(code("bob", "DELETE", MAPS)).isEqualTo(200);
    assertThat(code("bob", "GET", "/api/v1/namespaces/dev/secrets")).isEqualTo(403);
  }

  @Test
  void paths_areAllowedWholeOrByTheirBeginning() {
    world.put(
        "clusterroles",
        "",
        "{\"metadata\":{\"name\":\"paths\"},\"rules\":[{\"verbs\":[\"get\"],\"nonResourceURLs\":"
            + "[\"/metrics\",\"/livez/*\"]}]}");
    world.bind("", "b", "ClusterRole", "paths", RoleWorld.user("bob"));
    assertThat(code("bob", "GET", "/metrics")).isEqualTo(200);
    assertThat(code("bob", "GET", "/%6detrics")).isEqualTo(200);
    assertThat(code("bob", "GET", "/metrics/more")).isEqualTo(403);
    assertThat(code("bob", "GET", "/livez/ping")).isEqualTo(200);
    assertThat(code("bob", "GET", "/readyz/ping")).isEqualTo(403);
    assertThat(code("bob", "DELETE", "/metrics")).isEqualTo(403);
  }

  @Test
  void aPathBelowAnObject_isAboutTheObject() {
    String path = "/api/v1/namespaces/dev/services/web/proxy/admin/index.html";
    Client.Answer answer = world.as("bob", "GET", path);
    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.text("message"))
        .isEqualTo(
            "services \"web\" is forbidden: User \"bob\" cannot get resource \"services/proxy\" in"
                + " API group \"\" in the namespace \"dev\"");
  }

  // ---- when

  @Test
  void aRight_isThereAtOnce_andGoneAtOnce_andAWatchGoesOn() {
    world.role("dev", "r", "list,watch", "", "configmaps");
    world.bind("dev", "b", "Role", "r", RoleWorld.user("bob"));
    assertThat(code("bob", "GET", MAPS)).isEqualTo(200);
    Client.Events watch =
        fixture.client.eventsOf(
            fixture.client.raw(
                "GET", MAPS + "?watch=true", Map.of("impersonate-user", "bob"), new byte[0]));
    world.delete("dev", "rolebindings", "b");
    fixture.settle();
    assertThat(code("bob", "GET", MAPS)).isEqualTo(403);
    fixture.client.createConfigMap("dev", "late", "x");
    assertThat(watch.pullAll()).hasSize(1);
    world.bind("dev", "b", "Role", "r", RoleWorld.user("bob"));
    world.put(
        "roles",
        "dev",
        "{\"metadata\":{\"name\":\"r\"},\"rules\":[{\"verbs\":[\"get\"],\"apiGroups\":[\"\"],"
            + "\"resources\":[\"configmaps\"]}]}");
    fixture.settle();
    assertThat(code("bob", "GET", MAPS)).isEqualTo(403);
    assertThat(code("bob", "GET", MAPS + "/none")).isEqualTo(404);
  }

  @Test
  void aRightThatWasJustGiven_counts_onAServerWhoseCachesLag() {
    world.role("dev", "r", "list", "", "configmaps");
    var lagging = new LaggingStore(fixture.env, fixture.store, Duration.ofMillis(200));
    try (ApiServer other = ApiServer.open(fixture.env, lagging, ServerSettings.DEFAULTS)) {
      fixture.env.runFor(Duration.ofSeconds(5));
      world.bind("dev", "b", "Role", "r", RoleWorld.user("bob"));
      Client.Answer answer = new RoleWorld(new Client(fixture.env, other)).as("bob", "GET", MAPS);
      assertThat(answer.status()).as("%s", answer).isEqualTo(200);
    }
  }

  @Test
  void whoComesBeforeTheRolesAreThere_waitsForThem() {
    try (ApiServer server = ApiServer.open(fixture.env, fixture.store, ServerSettings.DEFAULTS)) {
      var early =
          server.handle(
              new ApiRequest(
                  "GET",
                  "/api",
                  "",
                  Map.of(),
                  new ApiRequest.Peer("bob", List.of()),
                  new ApiRequest.Body(new byte[0])));
      assertThat(early).isNotDone();
      fixture.env.runFor(Duration.ofSeconds(1));
      assertThat(early.join().status()).isEqualTo(200);
    }
  }

  // ---- the nearest miss

  private String why(String user, String method, String path) {
    Client.Answer answer = world.as(user, method, path);
    assertThat(answer.status()).as("%s", answer).isEqualTo(403);
    return answer.text("message");
  }

  private static final String CANNOT_LIST =
      "configmaps is forbidden: User \"bob\" cannot list resource \"configmaps\" in API group \"\""
          + " in the namespace \"dev\"";

  @Test
  void whoHoldsNothing_isToldNoMore() {
    world.role("dev", "secret-project", "list", "", "configmaps");
    world.bind("dev", "b", "Role", "secret-project", RoleWorld.user("eve"));
    assertThat(why("bob", "GET", MAPS)).isEqualTo(CANNOT_LIST);
  }

  @Test
  void whoIsBoundElsewhere_isToldWhere() {
    world.role("test", "r", "list", "", "configmaps");
    world.bind("test", "b", "Role", "r", RoleWorld.user("bob"));
    world.namespace("prod");
    world.role("prod", "r", "list", "", "configmaps");
    world.bind("prod", "b", "Role", "r", RoleWorld.user("eve"));
    assertThat(why("bob", "GET", MAPS))
        .isEqualTo(CANNOT_LIST + ": bound, but only in namespace \"test\"");
    assertThat(why("bob", "GET", "/api/v1/configmaps"))
        .endsWith("at the cluster scope: bound, but only in namespace \"test\"");
  }

  @Test
  void whoIsBoundInManyNamespaces_isToldOfThree() {
    world.clusterRole("reader", "list", "", "configmaps");
    for (String namespace : List.of("a", "b", "c", "d")) {
      world.namespace(namespace);
      world.bind(namespace, "b", "ClusterRole", "reader", RoleWorld.user("bob"));
    }
    assertThat(why("bob", "GET", MAPS))
        .isEqualTo(CANNOT_LIST + ": bound, but only in namespaces \"a\", \"b\", \"c\" and more");
  }

  @Test
  void whoMayDoSomethingElse_isToldWhat() {
    world.role("dev", "r", "get,list", "", "configmaps");
    world.bind("dev", "b", "Role", "r", RoleWorld.user("bob"));
    assertThat(why("bob", "GET", MAPS + "?watch=true"))
        .endsWith("\"dev\": may get and list, not watch");
    world.clusterRole("watcher", "watch", "", "configmaps");
    world.bind("test", "b", "ClusterRole", "watcher", RoleWorld.user("bob"));
    assertThat(why("bob", "GET", MAPS + "?watch=true"))
        .endsWith("may get and list, not watch; bound, but only in namespace \"test\"");
  }

  @Test
  void whoIsLimitedToNames_isToldThem() {
    world.role("dev", "r", "get", "", "configmaps", "one,two");
    world.bind("dev", "b", "Role", "r", RoleWorld.user("bob"));
    assertThat(why("bob", "GET", MAPS + "/three"))
        .endsWith("in the namespace \"dev\": may get only \"one\" and \"two\"");
  }

  @Test
  void whoMayThePartOrTheOtherGroup_isToldSo() {
    world.role("dev", "r", "get", "apps", "deployments/scale");
    world.bind("dev", "b", "Role", "r", RoleWorld.user("bob"));
    assertThat(why("bob", "GET", "/apis/apps/v1/namespaces/dev/deployments/d"))
        .endsWith("\"dev\": may get \"deployments/scale\", not \"deployments\"");
    world.role("dev", "r2", "list", "", "events");
    world.bind("dev", "b2", "Role", "r2", RoleWorld.user("bob"));
    assertThat(why("bob", "GET", "/apis/events.k8s.io/v1/namespaces/dev/events"))
        .endsWith("\"dev\": may list them in API group \"\", not in \"events.k8s.io\"");
  }

  @Test
  void whoMayReadAPath_isToldThatTheyMayNotWriteIt() {
    assertThat(why("bob", "POST", "/api"))
        .isEqualTo("forbidden: User \"bob\" cannot post path \"/api\": may get, not post");
  }

  @Test
  void whoIsBoundToARoleThatIsNotThere_isToldSo() {
    world.bind("dev", "b", "ClusterRole", "gone", RoleWorld.user("bob"));
    world.bind("dev", "c", "Role", "gone", RoleWorld.user("bob"));
    assertThat(why("bob", "GET", MAPS))
        .isEqualTo(
            CANNOT_LIST
                + ": RBAC: [clusterrole.rbac.authorization.k8s.io \"gone\" not found,"
                + " role.rbac.authorization.k8s.io \"gone\" not found]");
  }

  @Test
  void aRefusal_isNoPage() {
    assertThat(why("<b>&", "GET", MAPS)).contains("User \"&lt;b&gt;&amp;\" cannot list");
  }

  // ---- acting as somebody else

  @Test
  void whoActsAsAnother_mustBeAllowedEachPartOfThem() {
    world.clusterRole("as", "impersonate", "", "users", "eve");
    world.bind("", "as", "ClusterRole", "as", RoleWorld.user("bob"));
    world.role("dev", "r", "list", "", "configmaps");
    world.bind("dev", "b", "Role", "r", RoleWorld.user("eve"));
    assertThat(world.peer("bob", Map.of("impersonate-user", "eve"), MAPS).status()).isEqualTo(200);
    assertThat(world.peer("bob", Map.of("impersonate-user", "root"), MAPS).text("message"))
        .isEqualTo(
            "users \"root\" is forbidden: User \"bob\" cannot impersonate resource \"users\" in API"
                + " group \"\" at the cluster scope: may impersonate only \"eve\"");
    assertThat(
            world
                .peer(
                    "bob",
                    Map.of("impersonate-user", "eve", "impersonate-group", "system:masters"),
                    MAPS)
                .text("message"))
        .isEqualTo(
            "groups \"system:masters\" is forbidden: User \"bob\" cannot impersonate resource"
                + " \"groups\" in API group \"\" at the cluster scope");
    assertThat(
            world
                .peer("bob", Map.of("impersonate-user", "eve", "impersonate-uid", "u-1"), MAPS)
                .text("message"))
        .isEqualTo(
            "uids.authentication.k8s.io \"u-1\" is forbidden: User \"bob\" cannot impersonate"
                + " resource \"uids\" in API group \"authentication.k8s.io\" at the cluster scope");
    Map<String, String> extra =
        Map.of("impersonate-user", "eve", "impersonate-extra-scope", "a\nb");
    assertThat(world.peer("bob", extra, MAPS).text("message"))
        .isEqualTo(
            "userextras.authentication.k8s.io \"a\" is forbidden: User \"bob\" cannot impersonate"
                + " resource \"userextras/scope\" in API group \"authentication.k8s.io\" at the"
                + " cluster scope");
    world.clusterRole("scopes", "impersonate", "authentication.k8s.io", "userextras/scope", "a");
    world.bind("", "scopes", "ClusterRole", "scopes", RoleWorld.user("bob"));
    assertThat(world.peer("bob", extra, MAPS).text("message"))
        .startsWith("userextras.authentication.k8s.io \"b\" is forbidden");
  }

  @Test
  void whoActsAsAServiceAccount_mustBeAllowedItInItsNamespace() {
    world.role("dev", "as", "impersonate", "", "serviceaccounts");
    world.bind("dev", "as", "Role", "as", RoleWorld.user("bob"));
    assertThat(
            world
                .peer("bob", Map.of("impersonate-user", "system:serviceaccount:dev:x"), "/api")
                .status())
        .isEqualTo(200);
    assertThat(
            world
                .peer("bob", Map.of("impersonate-user", "system:serviceaccount:test:x"), "/api")
                .text("message"))
        .isEqualTo(
            "serviceaccounts \"x\" is forbidden: User \"bob\" cannot impersonate resource"
                + " \"serviceaccounts\" in API group \"\" in the namespace \"test\": bound, but"
                + " only in namespace \"dev\"");
  }
}
