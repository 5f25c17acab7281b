package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.pem.Pem;
import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.token.KeyRing;
import dev.evenkeel.serve.token.TokenSettings;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A server that issues tokens of service accounts, and those who come with one. */
final class TokenWorld implements AutoCloseable {

  static final String ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts";
  static final String PODS = "/api/v1/namespaces/default/pods";
  static final String WHOAMI = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  static final String REVIEWS = "/apis/authentication.k8s.io/v1/tokenreviews";

  final ServerFixture fixture;
  final Client client;

  TokenWorld() {
    this(TokenSettings.of(ring(newKeys())));
  }

  TokenWorld(TokenSettings settings) {
    this(ServerSettings.DEFAULTS.withAccountTokens(settings));
  }

  TokenWorld(ServerSettings settings) {
    this.fixture = new ServerFixture(settings);
    this.client = fixture.client;
    made(client.post(ACCOUNTS, "{\"metadata\":{\"name\":\"robot\"}}"));
  }

  static KeyPair newKeys() {
    return newKeys("secp256r1");
  }

  static KeyPair newKeys(String curve) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec(curve));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  static KeyPair newRsaKeys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** Signs with the first, and verifies with all. */
  static KeyRing ring(KeyPair signing, KeyPair... others) {
    try {
      return KeyRing.parse(
          Pem.of(signing.getPrivate()),
          List.of(others).stream().map(pair -> Pem.of(pair.getPublic())).toList());
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  static Client.Answer made(Client.Answer answer) {
    assertThat(answer.status()).as("%s", answer).isBetween(200, 201);
    return answer;
  }

  void pod(String name, String more) {
    made(
        client.post(
            PODS,
            "{\"metadata\":{\"name\":\"%s\"},\"spec\":{\"serviceAccountName\":\"robot\",\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]%s}}"
                .formatted(name, more)));
  }

  /** Asks for a token with this spec. */
  Client.Answer request(String spec) {
    return client.post(ACCOUNTS + "/robot/token", "{\"spec\":" + spec + "}");
  }

  String token(String spec) {
    return made(request(spec)).text("status", "token");
  }

  String tokenOf(String kind, String name) {
    return token(
        "{\"boundObjectRef\":{\"apiVersion\":\"v1\",\"kind\":\"%s\",\"name\":\"%s\"}}"
            .formatted(kind, name));
  }

  static ApiRequest by(String token, String method, String path, String body) {
    return by(Map.of("authorization", "Bearer " + token), method, path, body);
  }

  static ApiRequest by(Map<String, String> headers, String method, String path, String body) {
    Map<String, String> all = new HashMap<>(headers);
    all.put("content-type", "application/json");
    return new ApiRequest(
        method, path, "", all, null, new ApiRequest.Body(body.getBytes(StandardCharsets.UTF_8)));
  }

  Client.Answer as(String token, String method, String path, String body) {
    return answered(by(token, method, path, body));
  }

  Client.Answer answered(ApiRequest request) {
    CompletableFuture<ApiResponse> answer = fixture.server.handle(request);
    fixture.env.runDue();
    for (int i = 0; !answer.isDone() && i < 20; i++) {
      fixture.settle();
    }
    return Client.answer(answer.join());
  }

  Client.Answer whoami(String token) {
    return as(token, "POST", WHOAMI, "{}");
  }

  /** What a review says of a token. */
  Client.Answer review(String token, String... audiences) {
    String wanted =
        audiences.length == 0 ? "" : ",\"audiences\":[\"" + String.join("\",\"", audiences) + "\"]";
    return made(client.post(REVIEWS, "{\"spec\":{\"token\":\"" + token + "\"" + wanted + "}}"));
  }

  void refused(String token, String why) {
    assertThat(whoami(token).status()).isEqualTo(401);
    Client.Answer review = review(token);
    assertThat(review.text("status", "authenticated")).isEqualTo("false");
    assertThat(review.text("status", "error")).isEqualTo(why);
  }

  void accepted(String token) {
    Client.Answer answer = whoami(token);
    assertThat(answer.status()).as("%s", answer).isEqualTo(201);
  }

  @Override
  public void close() {
    fixture.close();
  }
}
