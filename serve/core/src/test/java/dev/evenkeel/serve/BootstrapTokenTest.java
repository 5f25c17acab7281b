package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens with which new nodes come for the first time. */
class BootstrapTokenTest {

  private static final String TOKEN = "abcdef.0123456789abcdef";
  private static final String SECRETS = "/api/v1/namespaces/kube-system/secrets";

  private final TokenWorld world = new TokenWorld(ServerSettings.DEFAULTS);

  @AfterEach
  void close() {
    world.close();
  }

  private void secret(String type, String more) {
    TokenWorld.made(
        world.client.post(
            SECRETS,
            """
            {"metadata":{"name":"bootstrap-token-abcdef"},"type":"%s","stringData":{
            "token-id":"abcdef","token-secret":"0123456789abcdef",
            "usage-bootstrap-authentication":"true"%s}}
            """
                .formatted(type, more)));
    world.fixture.settle();
  }

  private void secret(String more) {
    secret("bootstrap.kubernetes.io/token", more);
  }

  @Test
  void token_makesABootstrapperOfWhoeverHasIt() {
    secret(",\"auth-extra-groups\":\"system:bootstrappers:workers,system:bootstrappers:a:b\"");
    Client.Answer answer = world.whoami(TOKEN);
    assertThat(answer.status()).as("%s", answer).isEqualTo(201);
    assertThat(answer.text("status", "userInfo", "username")).isEqualTo("system:bootstrap:abcdef");
    assertThat(answer.text("status", "userInfo", "groups"))
        .isEqualTo(
            "[\"system:bootstrappers\",\"system:bootstrappers:a:b\",\"system:bootstrappers:workers\",\"system:authenticated\"]");
  }

  @Test
  void token_diesWithItsSecret() {
    secret("");
    world.accepted(TOKEN);
    TokenWorld.made(world.client.delete(SECRETS + "/bootstrap-token-abcdef"));
    world.fixture.settle();
    world.refused(TOKEN, "invalid bearer token");
  }

  @Test
  void token_diesWithItsTime() {
    secret(
        ",\"expiration\":\""
            + world.fixture.env.clock().now().plusSeconds(60).toString().replaceAll("\\.\\d+", "")
            + "\"");
    world.accepted(TOKEN);
    world.fixture.env.runFor(Duration.ofSeconds(61));
    world.refused(TOKEN, "invalid bearer token");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "abcdef.0123456789abcdee",
        "abcdef.0123456789abcde",
        "abcdeg.0123456789abcdef",
        "abcdef.0123456789abcdef0",
        "ABCDEF.0123456789abcdef",
        "abcdef",
        "abcdef."
      })
  void otherToken_isRefused(String token) {
    secret("");
    assertThat(world.whoami(token).status()).isEqualTo(401);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "bootstrap.kubernetes.io/token | ,\"expiration\":\"tomorrow\"",
        "bootstrap.kubernetes.io/token | ,\"usage-bootstrap-authentication\":\"false\"",
        "bootstrap.kubernetes.io/token | ,\"auth-extra-groups\":\"system:masters\"",
        "Opaque | ''",
      })
  void secretThatIsNotForThis_letsNobodyIn(String type, String more) {
    secret(type, more);
    assertThat(world.whoami(TOKEN).status()).isEqualTo(401);
  }
}
