package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.serve.api.ApiResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What stands at which path, and what is said where nothing does. */
class PathsTest {

  private final ServerFixture fixture = new ServerFixture();
  private final Client client = fixture.client;

  @AfterEach
  void close() {
    fixture.close();
  }

  private ApiResponse ask(String method, String path) {
    return client.raw(method, path, Map.of(), new byte[0]);
  }

  private static String text(ApiResponse answer) {
    return new String(((ApiResponse.Whole) answer.content()).bytes(), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/nope",
        "/logs",
        "/openapi",
        "/openapi/v3/apis/nope",
        "/livez/nope",
        "//api/v1/namespaces/default",
        "/apis//v1",
        "/apis//v1/pods",
        "/apis/no.such.group",
        "/apis/no.such.group/v1",
        "/apis/no.such.group/v1/namespaces/default/things",
      })
  void whatIsNoPartOfTheApi_isToldInWords(String path) {
    ApiResponse answer = ask("GET", path);
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.headers())
        .contains(new ApiResponse.Header("Content-Type", "text/plain; charset=utf-8"));
    assertThat(text(answer)).isEqualTo("404 page not found\n");
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /api/v2, 404",
    "GET, /api/v1/things, 404",
    "GET, /apis/apps/v9, 404",
    "GET, /apis/apps/v9/deployments, 404",
    "GET, /api/v1/bindings, 404",
    "GET, /api/v1/configmaps/x, 404",
    "POST, /apis/authorization.k8s.io/v1/localsubjectaccessreviews, 404",
    "GET, /apis/authorization.k8s.io/v1/subjectaccessreviews/x, 404",
    "GET, /apis/authorization.k8s.io/v1/subjectaccessreviews, 405",
    "DELETE, /api/v1/configmaps, 405",
    "POST, /version, 405",
    "HEAD, /version, 405",
    "HEAD, /api/v1, 405",
    "HEAD, /api/v1/namespaces/default, 405",
    "GET, /api/v1//pods, 404",
    "GET, /api/v1/namespaces/default/pods//status, 404",
    "GET, /api/v1/namespaces//pods/x, 404",
  })
  void whatIsMissingInTheApi_isAStatus(String method, String path, int status) {
    Client.Answer answer = Client.answer(ask(method, path));
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.text("kind")).isEqualTo("Status");
  }

  @Test
  void anEmptyNamespace_isNone() {
    client.createConfigMap("default", "a", "1");
    Client.Answer all = Client.answer(ask("GET", "/api/v1/namespaces//configmaps"));
    assertThat(all.status()).isEqualTo(200);
    assertThat(all.body().path("items").findValuesAsString("name")).contains("a");
  }

  @Test
  void watchesOfADeprecatedKind_areWarnedThoughThereAreNone() {
    ApiResponse answer = ask("GET", "/api/v1/componentstatuses?watch=true");
    assertThat(answer.status()).isEqualTo(405);
    assertThat(answer.headers())
        .contains(
            new ApiResponse.Header(
                "Warning", "299 - \"v1 ComponentStatus is deprecated in v1.19+\""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/healthz/etcd", "/healthz/store", "/readyz/informer-sync", "/livez/ping"})
  void checks_areKnownByTheNamesThatProbesUse(String path) {
    assertThat(text(ask("GET", path))).isEqualTo("ok");
  }

  @Test
  void health_isAskedInWhicheverWay_andTellsWhatWasLeftOut() {
    assertThat(text(ask("DELETE", "/healthz"))).isEqualTo("ok");
    assertThat(text(ask("GET", "/livez?verbose&exclude=etcd&exclude=nope")))
        .isEqualTo(
            """
            [+]ping ok
            [+]store excluded: ok
            warn: some health checks cannot be excluded: no matches for "nope"
            livez check passed
            """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          fieldSelector=data.a%3Db | "data.a" is not a known field selector: only "metadata.name", "metadata.namespace"
          limit=abc | strconv.ParseInt: parsing "abc": invalid syntax
          limit=99999999999999999999 | strconv.ParseInt: parsing "99999999999999999999": value out of range
          timeoutSeconds=abc | strconv.ParseInt: parsing "abc": invalid syntax
          continue=* | invalid continue token: continue key is not valid: illegal base64 data at input byte 0
          continue=nonsense | invalid continue token: continue key is not valid: invalid character '\\u009e' looking for beginning of value
          continue=abc | invalid continue token: continue key is not valid: invalid character 'i' looking for beginning of value
          """)
  void badOptionsOfLists_areToldInTheWordsThatClientsKnow(String query, String message) {
    Client.Answer answer = client.get("/api/v1/namespaces/default/configmaps?" + query);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.text("message")).isEqualTo(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          /api/v1/pods?fieldSelector=x%3Dy | field label not supported: x
          /api/v1/nodes?fieldSelector=metadata.namespace%3Dy | field label not supported: metadata.namespace
          /apis/batch/v1/jobs?fieldSelector=x%3Dy | field label "x" not supported for Job
          /apis/apps/v1/replicasets?fieldSelector=status.replicas%3D1 | "status.replicas" is not a known field selector: only "metadata.name", "metadata.namespace"
          """)
  void fieldsThatCannotBeSelectedBy_areNamed(String path, String message) {
    assertThat(client.get(path).text("message")).isEqualTo(message);
  }

  @Test
  void aNegativeLimit_isNone() {
    assertThat(client.get("/api/v1/namespaces?limit=-1").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "/api/v1/namespaces, PartialObjectMetadata, is a list (*core.NamespaceList)",
    "/api/v1/namespaces/default, PartialObjectMetadataList, is not a list (*core.Namespace)",
    "/apis/rbac.authorization.k8s.io/v1/roles, PartialObjectMetadata, is a list (*rbac.RoleList)",
  })
  void metadata_isAskedForAsWhatItIs(String path, String wanted, String why) {
    Client.Answer answer =
        Client.answer(
            client.raw(
                "GET",
                path,
                Map.of("accept", "application/json;as=" + wanted + ";v=v1;g=meta.k8s.io"),
                new byte[0]));
    assertThat(answer.status()).isEqualTo(406);
    assertThat(answer.text("message"))
        .isEqualTo("you requested " + wanted + ", but the requested object " + why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          continue=x | ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided
          resourceVersionMatch=Exact&resourceVersion=5 | ListOptions.meta.k8s.io "" is invalid: [resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided, resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"]
          sendInitialEvents=true | ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan
          """)
  void badOptionsOfWatches_areToldTogether(String query, String message) {
    Client.Answer answer = client.get("/api/v1/namespaces?watch=true&" + query);
    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.text("message")).isEqualTo(message);
  }
}
