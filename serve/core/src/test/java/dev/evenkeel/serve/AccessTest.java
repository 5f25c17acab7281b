package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.serve.api.ApiResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whom a request comes from, whom it acts as, and what those may who were given nothing. */
class AccessTest {

  private static final String WHOAMI = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

  private final ServerFixture fixture = new ServerFixture();
  private final Client client = fixture.client;

  @AfterEach
  void close() {
    fixture.close();
  }

  private Client.Answer as(String user, String method, String path, String body) {
    return Client.answer(
        client.raw(
            method,
            path,
            Map.of("impersonate-user", user, "content-type", "application/json"),
            body.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void whoActsAsAnother_isTheOther() {
    Client.Answer answer = as("bob", "POST", WHOAMI, "{}");
    assertThat(answer.status()).isEqualTo(201);
    assertThat(answer.text("status", "userInfo", "username")).isEqualTo("bob");
  }

  @Test
  void whoIsNoMaster_mayOnlyAskWhatTheyMay() {
    Client.Answer list = as("bob", "GET", "/api/v1/namespaces/default/configmaps", "");
    assertThat(list.status()).isEqualTo(403);
    assertThat(list.text("message"))
        .isEqualTo(
            "configmaps is forbidden: User \"bob\" cannot list resource \"configmaps\" in API group"
                + " \"\" in the namespace \"default\"");
    Client.Answer deletion = as("bob", "DELETE", "/api/v1/namespaces/other", "");
    assertThat(deletion.status()).isEqualTo(403);
    assertThat(as("bob", "GET", "/version", "").status()).isEqualTo(200);
  }

  private static String text(ApiResponse answer) {
    return new String(((ApiResponse.Whole) answer.content()).bytes(), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET | /api | 200",
        "GET | /apis/apps/v1 | 200",
        "GET | /openapi/v3 | 200",
        "GET | /healthz | 200",
        "GET | /livez/ping | 403",
        "GET | /metrics | 403",
        "GET | / | 403",
        "GET | /nope | 403",
        "DELETE | /healthz | 403",
      })
  void whoIsNoMaster_mayReadWhatTellsOfTheApi_andNoMore(String method, String path, int status) {
    assertThat(as("bob", method, path, "").status()).isEqualTo(status);
  }

  @Test
  void whatIsForbidden_isNamed() {
    assertThat(as("bob", "GET", "/metrics", "").text("message"))
        .isEqualTo("forbidden: User \"bob\" cannot get path \"/metrics\"");
    assertThat(
            as("bob", "GET", "/apis/apps/v1/namespaces/n/deployments/d/scale", "").text("message"))
        .contains("cannot get resource \"deployments/scale\"");
    assertThat(as("bob", "DELETE", "/api/v1/namespaces/n", "").text("message"))
        .endsWith("in API group \"\" in the namespace \"n\"");
  }

  @ParameterizedTest
  @CsvSource({
    "/healthz, '', true, 200",
    "/readyz, 'Basic eDp5', true, 200",
    "/version, '', true, 200",
    "/healthz, 'Bearer wrong', true, 401",
    "/livez/ping, '', true, 401",
    "/api, '', true, 401",
    "/healthz, '', false, 401",
  })
  void whoIsNobody_mayAskWhetherTheServerIsWell_ifTheSettingsSaySo(
      String path, String credentials, boolean allowed, int status) {
    try (ApiServer server =
        ApiServer.open(
            fixture.env, fixture.store, ServerSettings.DEFAULTS.withAnonymousHealth(allowed))) {
      fixture.env.runFor(java.time.Duration.ofSeconds(1));
      var request =
          new ApiRequest(
              "GET",
              path,
              "",
              credentials.isEmpty() ? Map.of() : Map.of("authorization", credentials),
              null,
              new ApiRequest.Body(new byte[0]));
      assertThat(server.handle(request).join().status()).isEqualTo(status);
    }
  }

  private Client.Answer whoami(Map<String, String> headers) {
    return Client.answer(
        client.raw("POST", WHOAMI + "?x=y", headers, "{}".getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void groupsUidAndMore_areTheOthers() {
    Client.Answer answer =
        whoami(
            Map.of(
                "impersonate-user", "bob",
                "impersonate-group", "dev\nops, too",
                "impersonate-uid", "u-1",
                "impersonate-extra-scopes", "view\nedit",
                "impersonate-extra-acme.com%2fproject", "p"));
    assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
    var user = answer.body().path("status").path("userInfo");
    assertThat(user.path("groups").toString())
        .isEqualTo("[\"dev\",\"ops, too\",\"system:authenticated\"]");
    assertThat(user.path("uid").asString()).isEqualTo("u-1");
    assertThat(user.path("extra").toString())
        .isEqualTo("{\"acme.com/project\":[\"p\"],\"scopes\":[\"view\",\"edit\"]}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bob | | system:authenticated",
        "bob | system:authenticated | system:authenticated",
        "bob | system:unauthenticated | system:unauthenticated",
        "system:anonymous | | system:unauthenticated",
        "system:serviceaccount:ns:sa | |"
            + " system:serviceaccounts,system:serviceaccounts:ns,system:authenticated",
        "system:serviceaccount:ns:sa | mine | mine,system:authenticated",
      })
  void groups_areThoseNamedAndThoseThatFollow(String user, String group, String expected) {
    new RoleWorld(client)
        .bind(
            "",
            "whoami",
            "ClusterRole",
            "system:basic-user",
            "{\"kind\":\"Group\",\"name\":\"system:unauthenticated\"}");
    Client.Answer answer =
        whoami(
            group == null
                ? Map.of("impersonate-user", user)
                : Map.of("impersonate-user", user, "impersonate-group", group));
    assertThat(answer.text("status", "userInfo", "groups"))
        .isEqualTo("[\"" + expected.replace(",", "\",\"") + "\"]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "impersonate-group | g | {Group  g    }",
        "impersonate-uid | u | {UID  u  authentication.k8s.io/v1  }",
        "impersonate-extra-k | v | {UserExtra  v  authentication.k8s.io/v1  k}",
      })
  void whoNamesNobody_actsAsNobody(String header, String value, String reference) {
    ApiResponse answer =
        client.raw(
            "POST", WHOAMI + "?x=y", Map.of(header, value), "{}".getBytes(StandardCharsets.UTF_8));
    assertThat(answer.status()).isEqualTo(500);
    assertThat(text(answer))
        .isEqualTo(
            "Internal Server Error: \""
                + WHOAMI
                + "?x=y\": requested ["
                + reference
                + "] without impersonating a user\n");
  }
}
