package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.token.TokenSettings;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.Signature;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** What those try who have no token, or one that they are not to use. None of it gets them in. */
class TokenAttackTest {

  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  private final KeyPair keys = TokenWorld.newKeys();
  private final TokenWorld world = new TokenWorld(TokenSettings.of(TokenWorld.ring(keys)));
  private final String good = world.token("{}");

  @AfterEach
  void close() {
    world.close();
  }

  private String part(int index) {
    return good.split("\\.", -1)[index];
  }

  private static String decoded(String part) {
    return new String(Base64.getUrlDecoder().decode(part), StandardCharsets.UTF_8);
  }

  private static String encoded(String text) {
    return BASE64.encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Signed by the server's own key: only the text is not as it should be. */
  private String signed(String header, String payload) {
    String content = encoded(header) + "." + encoded(payload);
    try {
      Signature signer = Signature.getInstance("SHA256withECDSAinP1363Format");
      signer.initSign(keys.getPrivate());
      signer.update(content.getBytes(StandardCharsets.US_ASCII));
      return content + "." + BASE64.encodeToString(signer.sign());
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private void refused(String token) {
    assertThat(world.whoami(token).status()).as(token).isEqualTo(401);
    assertThat(world.review(token).text("status", "authenticated")).as(token).isEqualTo("false");
  }

  @Test
  void whatIsSignedAsTheServerDoes_isTaken() {
    world.accepted(good);
    world.accepted(signed(decoded(part(0)), decoded(part(1))));
  }

  @Test
  void noToken_isNobody() {
    for (String header : List.of("", "Bearer", "Bearer ", "Basic eDp5", "Bearer x y")) {
      assertThat(
              world
                  .answered(
                      TokenWorld.by(
                          Map.of("authorization", header), "POST", TokenWorld.WHOAMI, "{}"))
                  .status())
          .as(header)
          .isEqualTo(401);
    }
  }

  @Test
  void tokenOfAnotherKey_isRefused_thoughItNamesOurs() {
    KeyPair own = TokenWorld.newKeys();
    try (var elsewhere = new TokenWorld(TokenSettings.of(TokenWorld.ring(own)))) {
      String foreign = elsewhere.token("{}");
      refused(foreign);
      String[] parts = foreign.split("\\.", -1);
      refused(part(0) + "." + parts[1] + "." + parts[2]);
    }
  }

  @Test
  void everyCharacter_isSigned() {
    for (int i = 0; i < good.length(); i++) {
      char other = good.charAt(i) == 'A' ? 'B' : 'A';
      String forged = good.substring(0, i) + other + good.substring(i + 1);
      var answer =
          world.fixture.server.handle(TokenWorld.by(forged, "POST", TokenWorld.WHOAMI, "{}"));
      world.fixture.env.runDue();
      assertThat(answer.join().status()).as("at " + i).isIn(401, 429);
    }
  }

  @Test
  void whoRaisesThemselves_isRefused() {
    String payload = decoded(part(1)).replace("robot", "admin");
    refused(part(0) + "." + encoded(payload) + "." + part(2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "None", "NONE", "", "HS256", "RS256", "ES384", "es256", "PS256"})
  void algorithmThatTheKeyIsNotFor_isRefused(String algorithm) {
    String header = decoded(part(0)).replace("ES256", algorithm);
    refused(encoded(header) + "." + part(1) + ".");
    refused(encoded(header) + "." + part(1) + "." + part(2));
    refused(signed(header, decoded(part(1))));
  }

  @Test
  void publicKey_isNoSecretToSignWith() throws GeneralSecurityException {
    String content = encoded(decoded(part(0)).replace("ES256", "HS256")) + "." + part(1);
    for (byte[] secret :
        List.of(
            keys.getPublic().getEncoded(),
            dev.evenkeel.kernel.pem.Pem.of(keys.getPublic()).getBytes(StandardCharsets.US_ASCII))) {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      byte[] tag = mac.doFinal(content.getBytes(StandardCharsets.US_ASCII));
      refused(content + "." + BASE64.encodeToString(tag));
    }
  }

  @Test
  void emptyNumbersAsSignature_areRefused() {
    refused(part(0) + "." + part(1) + "." + BASE64.encodeToString(new byte[64]));
    refused(part(0) + "." + part(1) + "." + BASE64.encodeToString(new byte[0]));
  }

  static List<String> headers() {
    return List.of(
        "{\"alg\":\"ES256\",\"kid\":\"%s\",\"crit\":[\"exp\"]}",
        "{\"alg\":\"ES256\",\"kid\":\"%s\",\"b64\":false}",
        "{\"alg\":\"ES256\",\"alg\":\"ES256\",\"kid\":\"%s\"}",
        "{\"alg\":\"ES256\",\"kid\":[\"%s\"]}",
        "{\"alg\":[\"ES256\"],\"kid\":\"%s\"}",
        "{\"kid\":\"%s\"}",
        "{\"alg\":\"ES256\",\"kid\":\"../../etc/passwd\"}",
        "[\"ES256\"]",
        "");
  }

  @ParameterizedTest
  @MethodSource("headers")
  void headerThatIsNotUnderstood_isRefused_thoughItIsSigned(String header) {
    String id =
        Json.parse(decoded(part(0)).getBytes(StandardCharsets.UTF_8)).path("kid").asString();
    refused(signed(header.replace("%s", id), decoded(part(1))));
  }

  static List<String> changes() {
    return List.of(
        "{\"exp\":null}",
        "{\"exp\":\"9999999999\"}",
        "{\"exp\":1e300}",
        "{\"exp\":-1}",
        "{\"nbf\":99999999999}",
        "{\"iat\":99999999999}",
        "{\"aud\":[]}",
        "{\"aud\":[1]}",
        "{\"aud\":{}}",
        "{\"aud\":\"vault\"}",
        "{\"sub\":\"system:admin\"}",
        "{\"sub\":null}",
        "{\"iss\":\"https://elsewhere\"}",
        "{\"iss\":[\"https://kubernetes.default.svc.cluster.local\"]}",
        "{\"kubernetes.io\":null}",
        "{\"kubernetes.io\":{\"namespace\":\"default\",\"serviceaccount\":{\"name\":\"robot\"}}}",
        "{\"kubernetes.io\":[]}");
  }

  @ParameterizedTest
  @MethodSource("changes")
  void claimsThatAreNotWhole_areRefused_thoughTheyAreSigned(String change) {
    ObjectNode payload = Json.parseObject(decoded(part(1)).getBytes(StandardCharsets.UTF_8));
    Json.parseObject(change.getBytes(StandardCharsets.UTF_8)).forEachEntry(payload::set);
    refused(signed(decoded(part(0)), payload.toString()));
  }

  @Test
  void claimThatIsGivenTwice_isRefused() {
    String payload = decoded(part(1));
    refused(signed(decoded(part(0)), "{\"exp\":1," + payload.substring(1)));
    refused(
        signed(decoded(part(0)), payload.substring(0, payload.length() - 1) + ",\"sub\":\"x\"}"));
  }

  @Test
  void textThatIsWrittenOtherwise_isRefused() {
    refused(good + "=");
    refused(part(0) + "=." + part(1) + "." + part(2));
    refused(good + ".");
    refused("." + good);
    refused(part(0) + ".." + part(2));
    refused(part(0) + "." + part(1));
    refused(good.replace('-', '+').replace('_', '/') + "+");
    refused(good.substring(0, 20) + "\\n" + good.substring(20));
    refused("{\\\"payload\\\":\\\"" + part(1) + "\\\"}");
    refused("a.".repeat(40_000) + "a");
    // The bits of the last character that nobody would look at.
    char last = good.charAt(good.length() - 1);
    for (char other : "ABCDEFGHIJKLMNOPQRSTUVWXYZ".toCharArray()) {
      if (other != last) {
        assertThat(
                world.review(good.substring(0, good.length() - 1) + other).text("status", "error"))
            .isNotEmpty();
      }
    }
  }

  @Test
  void refusal_neverShowsAnyOfTheToken() {
    String forged = part(0) + "." + part(1) + "." + part(1);
    for (String token : List.of(forged, good + "A", "secret-words.x.y", "secret-words")) {
      String review =
          world
              .client
              .post(TokenWorld.REVIEWS, "{\"spec\":{\"token\":\"" + token + "\"}}")
              .body()
              .path("status")
              .toString();
      String refusal = world.whoami(token).toString();
      for (String piece : token.split("\\.", -1)) {
        if (piece.length() > 8) {
          assertThat(review + refusal).doesNotContain(piece);
        }
      }
    }
  }

  @Test
  void metrics_neverShowAToken() {
    world.accepted(good);
    String page = world.client.get("/metrics").text();
    assertThat(page).contains("apiserver_request_total").doesNotContain(part(1), part(2));
  }
}
