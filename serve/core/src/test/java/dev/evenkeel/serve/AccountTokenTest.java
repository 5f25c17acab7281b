package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.token.TokenSettings;
import java.security.KeyPair;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Tokens of service accounts: asked for, come with, and dead in time. */
class AccountTokenTest {

  private final TokenWorld world = new TokenWorld();
  private final Client client = world.client;

  @AfterEach
  void close() {
    world.close();
  }

  private static ObjectNode claims(String token) {
    return Json.parseObject(Base64.getUrlDecoder().decode(token.split("\\.", -1)[1]));
  }

  private String uid(String path) {
    return client.get(path).text("metadata", "uid");
  }

  // ---- asking for one

  @Test
  void tokenRequest_isAnsweredWithAllThatItLeftOut() {
    Client.Answer answer = world.request("{}");
    assertThat(answer.status()).as("%s", answer).isEqualTo(201);
    assertThat(answer.text("kind")).isEqualTo("TokenRequest");
    assertThat(answer.text("apiVersion")).isEqualTo("authentication.k8s.io/v1");
    assertThat(answer.text("metadata", "name")).isEqualTo("robot");
    assertThat(answer.text("metadata", "namespace")).isEqualTo("default");
    assertThat(answer.text("metadata", "uid")).isEqualTo(uid(TokenWorld.ACCOUNTS + "/robot"));
    assertThat(answer.text("spec", "audiences"))
        .isEqualTo("[\"https://kubernetes.default.svc.cluster.local\"]");
    assertThat(answer.text("spec", "expirationSeconds")).isEqualTo("3600");
    assertThat(answer.text("status", "expirationTimestamp"))
        .isEqualTo(
            world.fixture.env.clock().now().plusSeconds(3600).toString().replaceAll("\\.\\d+", ""));
  }

  @Test
  void token_claimsWhatUpstreamsClaims() {
    world.pod("p", ",\"nodeName\":\"n\"");
    ObjectNode claims =
        claims(
            world.token(
                """
                {"audiences":["vault","other"],"expirationSeconds":700,
                "boundObjectRef":{"apiVersion":"v1","kind":"Pod","name":"p"}}
                """));
    long now = world.fixture.env.clock().now().getEpochSecond();
    assertThat(claims.path("aud").toString()).isEqualTo("[\"vault\",\"other\"]");
    assertThat(claims.path("iat").longValue()).isEqualTo(now);
    assertThat(claims.path("nbf").longValue()).isEqualTo(now);
    assertThat(claims.path("exp").longValue()).isEqualTo(now + 700);
    assertThat(claims.path("iss").asString()).isEqualTo(TokenSettings.ISSUER_DEFAULT);
    assertThat(claims.path("sub").asString()).isEqualTo("system:serviceaccount:default:robot");
    assertThat(claims.path("jti").asString()).hasSize(36);
    assertThat(claims.path("kubernetes.io").toString())
        .isEqualTo(
            """
            {"namespace":"default","node":{"name":"n"},"pod":{"name":"p","uid":"%s"},\
            "serviceaccount":{"name":"robot","uid":"%s"}}\
            """
                .formatted(uid(TokenWorld.PODS + "/p"), uid(TokenWorld.ACCOUNTS + "/robot")));
  }

  @Test
  void tokenOfAPodsVolume_goesOnForAYear_andSaysWhenItShouldHaveBeenReplaced() {
    world.pod("p", "");
    String reference = "\"boundObjectRef\":{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"name\":\"p\"}";
    ObjectNode extended = claims(world.token("{\"expirationSeconds\":3607," + reference + "}"));
    long now = world.fixture.env.clock().now().getEpochSecond();
    assertThat(extended.path("exp").longValue()).isEqualTo(now + 365 * 24 * 3600);
    assertThat(extended.path("kubernetes.io").path("warnafter").longValue()).isEqualTo(now + 3607);
    ObjectNode forOthers =
        claims(
            world.token(
                "{\"audiences\":[\"vault\"],\"expirationSeconds\":3607," + reference + "}"));
    assertThat(forOthers.path("exp").longValue()).isEqualTo(now + 3607);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"expirationSeconds\":599} | 422 | spec.expirationSeconds: Invalid value: 599: may not"
            + " specify a duration less than 10 minutes",
        "{\"expirationSeconds\":4294967297} | 422 | spec.expirationSeconds: Invalid value:"
            + " 4294967297: may not specify a duration larger than 2^32 seconds",
        "{\"boundObjectRef\":{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"name\":\"none\"}} | 404 |"
            + " pods \"none\" not found",
        "{\"boundObjectRef\":{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"name\":\"none\"}} | 404 |"
            + " secrets \"none\" not found",
        "{\"boundObjectRef\":{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"name\":\"none\"}} | 404 |"
            + " nodes \"none\" not found",
        "{\"boundObjectRef\":{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"name\":\"d\"}} |"
            + " 400 | cannot bind token to object of type apps/v1, Kind=Deployment",
      })
  void tokenRequest_thatCannotBe_isRefused(String spec, int status, String message) {
    Client.Answer answer = world.request(spec);
    assertThat(answer.status()).as("%s", answer).isEqualTo(status);
    assertThat(answer.text("message")).endsWith(message);
  }

  @Test
  void tokenRequest_forAnotherOfTheSameName_isAConflict() {
    world.pod("p", "");
    Client.Answer pod =
        world.request(
            "{\"boundObjectRef\":{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"name\":\"p\",\"uid\":\"u\"}}");
    assertThat(pod.status()).isEqualTo(409);
    assertThat(pod.text("message"))
        .startsWith(
            "Operation cannot be fulfilled on Pod \"p\": the UID in the bound object reference (u)"
                + " does not match");
    Client.Answer account =
        client.post(
            TokenWorld.ACCOUNTS + "/robot/token", "{\"metadata\":{\"uid\":\"u\"},\"spec\":{}}");
    assertThat(account.status()).isEqualTo(409);
    assertThat(account.text("message"))
        .contains("the UID in the token request (u) does not match the UID of the service account");
  }

  @Test
  void tokenRequest_isForTheAccountOfItsPath() {
    Client.Answer answer =
        client.post(
            TokenWorld.ACCOUNTS + "/robot/token", "{\"metadata\":{\"name\":\"x\"},\"spec\":{}}");
    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.text("message")).endsWith("must match the service account name if specified");
    assertThat(client.post(TokenWorld.ACCOUNTS + "/nobody/token", "{\"spec\":{}}").status())
        .isEqualTo(404);
    TokenWorld.made(client.post(TokenWorld.ACCOUNTS, "{\"metadata\":{\"name\":\"other\"}}"));
    world.pod("p", "");
    Client.Answer ofAnother =
        client.post(
            TokenWorld.ACCOUNTS + "/other/token",
            "{\"spec\":{\"boundObjectRef\":{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"name\":\"p\"}}}");
    assertThat(ofAnother.status()).isEqualTo(400);
    assertThat(ofAnother.text("message"))
        .isEqualTo(
            "cannot bind token for serviceaccount \"other\" to pod running with different"
                + " serviceaccount name.");
  }

  @Test
  void tokenRequest_needsTheRightToCreateThem() {
    var roles = new RoleWorld(client);
    Client.Answer refused =
        roles.as("ann", "POST", TokenWorld.ACCOUNTS + "/robot/token", "{\"spec\":{}}");
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.text("message"))
        .startsWith(
            "serviceaccounts \"robot\" is forbidden: User \"ann\" cannot create resource"
                + " \"serviceaccounts/token\"");
    roles.role("default", "issue", "create", "", "serviceaccounts/token");
    roles.bind("default", "issue", "Role", "issue", RoleWorld.user("ann"));
    assertThat(
            roles.as("ann", "POST", TokenWorld.ACCOUNTS + "/robot/token", "{\"spec\":{}}").status())
        .isEqualTo(201);
  }

  @Test
  void tokenRequest_inProtobuf_isAnsweredSo() {
    var response =
        client.raw(
            "POST",
            TokenWorld.ACCOUNTS + "/robot/token",
            Map.of(
                "content-type",
                "application/json",
                "accept",
                "application/vnd.kubernetes.protobuf"),
            "{\"spec\":{}}".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    assertThat(response.status()).isEqualTo(201);
    assertThat(response.headers().toString()).contains("application/vnd.kubernetes.protobuf");
  }

  // ---- coming with one

  @Test
  void whoComesWithAToken_isTheAccount() {
    world.pod("p", ",\"nodeName\":\"n\"");
    String token = world.tokenOf("Pod", "p");
    JsonNode user = world.whoami(token).body().path("status").path("userInfo");
    assertThat(user.path("username").asString()).isEqualTo("system:serviceaccount:default:robot");
    assertThat(user.path("uid").asString()).isEqualTo(uid(TokenWorld.ACCOUNTS + "/robot"));
    assertThat(user.path("groups").toString())
        .isEqualTo(
            "[\"system:serviceaccounts\",\"system:serviceaccounts:default\",\"system:authenticated\"]");
    assertThat(user.path("extra").toString())
        .isEqualTo(
            """
            {"authentication.kubernetes.io/credential-id":["JTI=%s"],\
            "authentication.kubernetes.io/node-name":["n"],\
            "authentication.kubernetes.io/pod-name":["p"],\
            "authentication.kubernetes.io/pod-uid":["%s"]}\
            """
                .formatted(claims(token).path("jti").asString(), uid(TokenWorld.PODS + "/p")));
  }

  @Test
  void account_mayWhatItIsBoundTo_andNoMore() {
    String token = world.token("{}");
    assertThat(world.as(token, "GET", TokenWorld.PODS, "").status()).isEqualTo(403);
    var roles = new RoleWorld(client);
    roles.role("default", "read", "list", "", "pods");
    roles.bind(
        "default",
        "read",
        "Role",
        "read",
        "{\"kind\":\"ServiceAccount\",\"name\":\"robot\",\"namespace\":\"default\"}");
    assertThat(world.as(token, "GET", TokenWorld.PODS, "").status()).isEqualTo(200);
    assertThat(world.as(token, "GET", "/api/v1/namespaces/default/secrets", "").status())
        .isEqualTo(403);
  }

  @Test
  void token_diesWithItsTime() {
    String token = world.token("{\"expirationSeconds\":600}");
    world.fixture.env.runFor(Duration.ofMinutes(10));
    world.accepted(token);
    world.fixture.env.runFor(Duration.ofSeconds(59));
    world.accepted(token);
    world.fixture.env.runFor(Duration.ofSeconds(3));
    world.refused(token, "[invalid bearer token, service account token has expired]");
  }

  @Test
  void token_isGoodForItsAudiencesOnly() {
    String token = world.token("{\"audiences\":[\"vault\"]}");
    world.refused(
        token,
        "[invalid bearer token, token audiences [\"vault\"] is invalid for the target audiences"
            + " [\"https://kubernetes.default.svc.cluster.local\"]]");
    Client.Answer review = world.review(token, "vault", "elsewhere");
    assertThat(review.text("status", "authenticated")).isEqualTo("true");
    assertThat(review.text("status", "audiences")).isEqualTo("[\"vault\"]");
    assertThat(review.text("status", "user", "username"))
        .isEqualTo("system:serviceaccount:default:robot");
  }

  @Test
  void token_diesWithItsAccount_andAnotherOfItsNameDoesNotReviveIt() {
    String token = world.token("{}");
    world.accepted(token);
    client.delete(TokenWorld.ACCOUNTS + "/robot");
    world.refused(token, "[invalid bearer token, serviceaccounts \"robot\" not found]");
    TokenWorld.made(client.post(TokenWorld.ACCOUNTS, "{\"metadata\":{\"name\":\"robot\"}}"));
    assertThat(world.whoami(token).status()).isEqualTo(401);
    assertThat(world.review(token).text("status", "error"))
        .startsWith("[invalid bearer token, service account UID does not match claim (");
  }

  @Test
  void tokenOfAPod_diesWithThePod() {
    world.pod("p", "");
    String token = world.tokenOf("Pod", "p");
    world.accepted(token);
    client.delete(TokenWorld.PODS + "/p?gracePeriodSeconds=0");
    world.refused(token, "[invalid bearer token, service account token has been invalidated]");
    world.pod("p", "");
    assertThat(world.whoami(token).status()).isEqualTo(401);
  }

  @Test
  void tokenOfAPodThatIsGoing_diesAMinuteAfterItsTime() {
    world.pod("p", ",\"nodeName\":\"n\",\"terminationGracePeriodSeconds\":30");
    String token = world.tokenOf("Pod", "p");
    TokenWorld.made(client.delete(TokenWorld.PODS + "/p"));
    assertThat(client.get(TokenWorld.PODS + "/p").text("metadata", "deletionTimestamp"))
        .isNotEmpty();
    world.accepted(token);
    world.fixture.env.runFor(Duration.ofSeconds(80));
    world.accepted(token);
    world.fixture.env.runFor(Duration.ofSeconds(15));
    world.refused(token, "[invalid bearer token, service account token has been invalidated]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Secret", "Node"})
  void tokenOfASecretOrNode_diesWithIt(String kind) {
    String path = kind.equals("Node") ? "/api/v1/nodes" : "/api/v1/namespaces/default/secrets";
    TokenWorld.made(client.post(path, "{\"metadata\":{\"name\":\"b\"}}"));
    String token = world.tokenOf(kind, "b");
    world.accepted(token);
    client.delete(path + "/b");
    world.refused(token, "[invalid bearer token, service account token has been invalidated]");
  }

  @Test
  void tokenOfANode_saysWhichNode() {
    TokenWorld.made(client.post("/api/v1/nodes", "{\"metadata\":{\"name\":\"n\"}}"));
    Client.Answer answer = world.whoami(world.tokenOf("Node", "n"));
    assertThat(
            answer
                .body()
                .at("/status/userInfo/extra/authentication.kubernetes.io~1node-uid/0")
                .asString())
        .isEqualTo(uid("/api/v1/nodes/n"));
  }

  // ---- keys

  @Test
  void tokenOfAnOlderKey_isGoodUntilTheKeyIsRemoved() {
    KeyPair old = TokenWorld.newKeys();
    KeyPair next = TokenWorld.newRsaKeys();
    ServerSettings settings = ServerSettings.DEFAULTS;
    try (var before = new TokenWorld(TokenSettings.of(TokenWorld.ring(old)))) {
      String token = before.token("{}");
      var both = TokenSettings.of(TokenWorld.ring(next, old));
      try (ApiServer rotated =
          ApiServer.open(
              before.fixture.env, before.fixture.store, settings.withAccountTokens(both))) {
        before.fixture.settle();
        assertThat(whoami(before, rotated, token)).isEqualTo(201);
      }
      var nextOnly = TokenSettings.of(TokenWorld.ring(next));
      try (ApiServer later =
          ApiServer.open(
              before.fixture.env, before.fixture.store, settings.withAccountTokens(nextOnly))) {
        before.fixture.settle();
        assertThat(whoami(before, later, token)).isEqualTo(401);
      }
    }
  }

  private static int whoami(TokenWorld world, ApiServer server, String token) {
    var answer = server.handle(TokenWorld.by(token, "POST", TokenWorld.WHOAMI, "{}"));
    world.fixture.settle();
    return answer.join().status();
  }

  @ParameterizedTest
  @ValueSource(strings = {"secp256r1", "secp384r1", "secp521r1", "RSA"})
  void anyKeyThatUpstreamTakes_signsAndVerifies(String kind) {
    KeyPair keys = kind.equals("RSA") ? TokenWorld.newRsaKeys() : TokenWorld.newKeys(kind);
    try (var other = new TokenWorld(TokenSettings.of(TokenWorld.ring(keys)))) {
      other.accepted(other.token("{}"));
    }
  }

  @Test
  void otherIssuersThatAreNamed_areTaken_andTheFirstIssues() {
    var keys = TokenWorld.ring(TokenWorld.newKeys());
    try (var before =
        new TokenWorld(new TokenSettings(List.of("https://a"), List.of(), keys, ""))) {
      String token = before.token("{}");
      assertThat(claims(token).path("iss").asString()).isEqualTo("https://a");
      var renamed =
          new TokenSettings(
              List.of("https://b", "https://a"), List.of("https://b", "https://a"), keys, "");
      try (ApiServer server =
          ApiServer.open(
              before.fixture.env,
              before.fixture.store,
              ServerSettings.DEFAULTS.withAccountTokens(renamed))) {
        before.fixture.settle();
        assertThat(whoami(before, server, token)).isEqualTo(201);
      }
    }
  }

  @Test
  void withoutKeys_tokensAreNotServed() {
    try (var fixture = new ServerFixture()) {
      Client.Answer answer =
          fixture.client.post(TokenWorld.ACCOUNTS + "/default/token", "{\"spec\":{}}");
      assertThat(answer.status()).isEqualTo(501);
      assertThat(fixture.client.get("/openid/v1/jwks").status()).isEqualTo(404);
    }
  }

  // ---- discovery

  @Test
  void othersFindTheKeys() {
    Client.Answer keys = client.get("/openid/v1/jwks");
    assertThat(keys.status()).isEqualTo(200);
    assertThat(keys.headers().toString())
        .contains("application/jwk-set+json", "public, max-age=3600");
    JsonNode key = keys.body().path("keys").path(0);
    assertThat(key.path("kty").asString() + " " + key.path("alg").asString()).isEqualTo("EC ES256");
    String header = world.token("{}").split("\\.", -1)[0];
    assertThat(Json.parse(Base64.getUrlDecoder().decode(header)).toString())
        .isEqualTo("{\"alg\":\"ES256\",\"kid\":\"" + key.path("kid").asString() + "\"}");
    Client.Answer configuration = client.get("/.well-known/openid-configuration");
    assertThat(configuration.body().toString())
        .isEqualTo(
            """
            {"issuer":"https://kubernetes.default.svc.cluster.local",\
            "jwks_uri":"https://kubernetes.default.svc.cluster.local/openid/v1/jwks",\
            "response_types_supported":["id_token"],"subject_types_supported":["public"],\
            "id_token_signing_alg_values_supported":["ES256"]}\
            """);
    assertThat(client.get("/openid/v1/other").status()).isEqualTo(404);
  }

  @Test
  void accounts_mayFindTheKeys_othersOnlyIfTheyAreBound() {
    String token = world.token("{}");
    assertThat(world.as(token, "GET", "/openid/v1/jwks", "").status()).isEqualTo(200);
    assertThat(world.as(token, "GET", "/.well-known/openid-configuration", "").status())
        .isEqualTo(200);
    assertThat(new RoleWorld(client).as("ann", "GET", "/openid/v1/jwks").status()).isEqualTo(403);
  }
}
