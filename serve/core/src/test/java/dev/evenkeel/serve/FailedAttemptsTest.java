package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.serve.api.ApiRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Those who try tokens are slowed down, and nobody else is. */
class FailedAttemptsTest {

  private final TokenWorld world = new TokenWorld();

  @AfterEach
  void close() {
    world.close();
  }

  private int from(String address, String token) {
    ApiRequest request = TokenWorld.by(token, "POST", TokenWorld.WHOAMI, "{}");
    return world
        .answered(
            new ApiRequest(
                request.method(),
                request.path(),
                request.query(),
                request.headers(),
                null,
                request.body(),
                address))
        .status();
  }

  private void exhaust(String address) {
    for (int i = 0; i < 20; i++) {
      assertThat(from(address, "guess-" + i)).isEqualTo(401);
    }
    assertThat(from(address, "guess")).isEqualTo(429);
  }

  @Test
  void whoFailsOften_isToldToWait_andMayTryAgainThen() {
    exhaust("10.0.0.1");
    world.fixture.env.runFor(Duration.ofMillis(600));
    assertThat(from("10.0.0.1", "guess")).isEqualTo(401);
    assertThat(from("10.0.0.1", "guess")).isEqualTo(429);
  }

  @Test
  void otherAddresses_areNotSlowed() {
    String good = world.token("{}");
    exhaust("10.0.0.1");
    assertThat(from("10.0.0.2", "guess")).isEqualTo(401);
    assertThat(from("10.0.0.2", good)).isEqualTo(201);
    assertThat(from("", "guess")).isEqualTo(401);
  }

  @Test
  void whoIsKnown_isNotSlowed_thoughOthersFailFromTheSameAddress() {
    String known = world.token("{}");
    String unknown = world.token("{}");
    assertThat(from("10.0.0.1", known)).isEqualTo(201);
    exhaust("10.0.0.1");
    assertThat(from("10.0.0.1", known)).isEqualTo(201);
    assertThat(from("10.0.0.1", unknown)).isEqualTo(429);
    world.fixture.env.runFor(Duration.ofSeconds(1));
    assertThat(from("10.0.0.1", unknown)).isEqualTo(201);
  }

  @Test
  void addressesOfOneNetwork_areOne() {
    exhaust("2001:db8:0:1:0:0:0:1");
    assertThat(from("2001:db8:0:1:ffff:0:0:2", "guess")).isEqualTo(429);
    assertThat(from("2001:db8:0:2:0:0:0:1", "guess")).isEqualTo(401);
  }

  @Test
  void tokenThatWasGoodOnce_isNoGuess() {
    String token = world.token("{\"expirationSeconds\":600}");
    world.fixture.env.runFor(Duration.ofMinutes(12));
    for (int i = 0; i < 30; i++) {
      assertThat(from("10.0.0.1", token)).isEqualTo(401);
    }
  }

  @Test
  void failedAttempts_areAudited_withoutTheToken() {
    List<String> lines = new ArrayList<>();
    world.fixture.server.auditTo(line -> lines.add(new String(line, StandardCharsets.UTF_8)));
    assertThat(from("10.0.0.1", "guess-secret")).isEqualTo(401);
    assertThat(lines).hasSize(1);
    assertThat(lines.getFirst())
        .contains("\"sourceIPs\":[\"10.0.0.1\"]", "\"code\":401", TokenWorld.WHOAMI)
        .doesNotContain("guess");
    exhaust("10.0.0.2");
    assertThat(lines).hasSize(21);
  }
}
