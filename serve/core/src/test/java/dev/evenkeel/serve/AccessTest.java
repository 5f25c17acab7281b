package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who may do what, until there are roles. */
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
}
