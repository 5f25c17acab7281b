package dev.evenkeel.serve;

import static dev.evenkeel.serve.PlayedWebhooks.patch;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.webhook.Outside;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class WebhookTest {

  private static final String GROUP = "/apis/admissionregistration.k8s.io/v1/";
  private static final String VALIDATING = GROUP + "validatingwebhookconfigurations";
  private static final String MUTATING = GROUP + "mutatingwebhookconfigurations";
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String ALLOW = "{\"allowed\":true}";

  private static final String ON_MAPS =
      """
      "rules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["*"],
        "resources":["configmaps"]}]
      """;

  private final ServerFixture fixture = new ServerFixture();
  private final Client client = fixture.client;
  private final PlayedWebhooks network = new PlayedWebhooks(fixture.env);
  private final List<JsonNode> audited = new ArrayList<>();

  WebhookTest() {
    fixture.server.callThrough(network);
    fixture.server.auditTo(line -> audited.add(Json.parse(line)));
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private static String hook(String name, String more) {
    return """
    {"name":"%s.example.com","clientConfig":{"url":"https://hooks.example.com/%s"},
     "sideEffects":"None","admissionReviewVersions":["v1"],%s}
    """
        .formatted(name, name, more);
  }

  private void register(String path, String name, String... hooks) {
    Client.Answer made =
        client.post(
            path,
            "{\"metadata\":{\"name\":\"%s\"},\"webhooks\":[%s]}"
                .formatted(name, String.join(",", hooks)));
    assertThat(made.status()).as("%s", made).isEqualTo(201);
    fixture.settle();
  }

  private Client.Answer map(String name, String data) {
    return client.post(
        MAPS, "{\"metadata\":{\"name\":\"%s\"},\"data\":{%s}}".formatted(name, data));
  }

  private static String text(CompletableFuture<ApiResponse> answer) {
    return new String(
        ((ApiResponse.Whole) answer.join().content()).bytes(), StandardCharsets.UTF_8);
  }

  // ---- judging

  @Test
  void denial_isToldInUpstreamsWords_withWarnings() {
    register(VALIDATING, "v", hook("deny", ON_MAPS));
    network.at(
        "/deny",
        _ ->
            """
            {"allowed":false,"warnings":["think twice"],"auditAnnotations":{"who":"me"},
             "status":{"code":403,"reason":"Forbidden","message":"not today"}}
            """);
    Client.Answer refused = map("a", "");
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.text("reason")).isEqualTo("Forbidden");
    assertThat(refused.text("message"))
        .isEqualTo("admission webhook \"deny.example.com\" denied the request: not today");
    assertThat(refused.headers().stream().map(ApiResponse.Header::value))
        .contains("299 - \"think twice\"");
    assertThat(audited.getFirst().path("annotations").path("deny.example.com/who").asString())
        .isEqualTo("me");
    assertThat(network.callsOf("/deny")).isEqualTo(1);
  }

  @Test
  void denial_withoutACodeOrAWord_is400() {
    register(VALIDATING, "v", hook("deny", ON_MAPS));
    network.at("/deny", _ -> "{\"allowed\":false}");
    Client.Answer refused = map("a", "");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text("message"))
        .isEqualTo("admission webhook \"deny.example.com\" denied the request without explanation");
  }

  @Test
  void review_saysWhatUpstreamsSays() {
    register(VALIDATING, "v", hook("see", ON_MAPS + ",\"timeoutSeconds\":7"));
    network.at("/see", _ -> ALLOW);
    assertThat(map("a", "\"k\":\"v\"").status()).isEqualTo(201);
    PlayedWebhooks.Came came = network.calls.getFirst();
    assertThat(came.address().host()).isEqualTo("hooks.example.com");
    assertThat(came.address().port()).isEqualTo(443);
    assertThat(came.address().path()).isEqualTo("/see?timeout=7s");
    JsonNode request = came.request();
    assertThat(request.path("kind").toString())
        .isEqualTo("{\"group\":\"\",\"version\":\"v1\",\"kind\":\"ConfigMap\"}");
    assertThat(request.path("resource").path("resource").asString()).isEqualTo("configmaps");
    assertThat(request.path("name").asString()).isEqualTo("a");
    assertThat(request.path("namespace").asString()).isEqualTo("default");
    assertThat(request.path("operation").asString()).isEqualTo("CREATE");
    assertThat(request.path("userInfo").path("username").asString()).isEqualTo("kubernetes-admin");
    assertThat(request.path("object").path("kind").asString()).isEqualTo("ConfigMap");
    assertThat(request.path("object").path("data").path("k").asString()).isEqualTo("v");
    assertThat(request.path("object").path("metadata").path("uid").asString()).isNotEmpty();
    assertThat(request.path("oldObject").isNull()).isTrue();
    assertThat(request.path("dryRun").asBoolean()).isFalse();
    assertThat(request.path("options").path("kind").asString()).isEqualTo("CreateOptions");
    assertThat(client.get(MAPS + "/a").text("metadata", "uid"))
        .isEqualTo(request.path("object").path("metadata").path("uid").asString());
  }

  @Test
  void generatedName_isAskedAboutOnce() {
    register(VALIDATING, "v", hook("see", ON_MAPS));
    network.at("/see", _ -> ALLOW);
    Client.Answer made = client.post(MAPS, "{\"metadata\":{\"generateName\":\"m-\"}}");
    assertThat(made.status()).isEqualTo(201);
    assertThat(network.callsOf("/see")).isEqualTo(1);
    assertThat(network.calls.getFirst().request().path("object").path("metadata").path("name"))
        .isEqualTo(made.body().path("metadata").path("name"));
  }

  @Test
  void service_keepsTheAddressThatTheWebhookSaw() {
    register(
        VALIDATING,
        "v",
        hook(
            "see",
            """
            "rules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE"],
              "resources":["services"]}]
            """));
    network.at("/see", _ -> ALLOW);
    Client.Answer made =
        client.post(
            "/api/v1/namespaces/default/services",
            "{\"metadata\":{\"name\":\"s\"},\"spec\":{\"type\":\"NodePort\",\"ports\":[{\"port\":1}]}}");
    assertThat(made.status()).as("%s", made).isEqualTo(201);
    assertThat(network.callsOf("/see")).isEqualTo(1);
    assertThat(network.calls.getFirst().request().path("object").path("spec"))
        .isEqualTo(made.body().path("spec"));
  }

  @Test
  void delete_isAskedAboutWithTheOldObject() {
    network.at("/see", _ -> ALLOW);
    network.at("/change", _ -> ALLOW);
    var _ = map("a", "");
    register(VALIDATING, "v", hook("see", ON_MAPS));
    register(MUTATING, "m", hook("change", ON_MAPS));
    assertThat(client.delete(MAPS + "/a").status()).isEqualTo(200);
    assertThat(network.calls).hasSize(2);
    for (PlayedWebhooks.Came came : network.calls) {
      assertThat(came.request().path("operation").asString()).isEqualTo("DELETE");
      assertThat(came.request().path("object").isNull()).isTrue();
      assertThat(came.request().path("oldObject").path("metadata").path("name").asString())
          .isEqualTo("a");
    }
  }

  @Test
  void delete_thatAWebhookWantsToChange_isRefused() {
    var _ = map("a", "");
    network.at("/change", _ -> patch("[{\"op\":\"remove\",\"path\":\"/data\"}]"));
    register(MUTATING, "m", hook("change", ON_MAPS));
    Client.Answer refused = client.delete(MAPS + "/a");
    assertThat(refused.status()).isEqualTo(500);
    assertThat(refused.text("message"))
        .isEqualTo(
            "Internal error occurred: admission webhook \"change.example.com\" attempted to modify"
                + " the object, which is not supported for this operation");
  }

  @Test
  void validating_areAskedAtTheSameTime() {
    register(VALIDATING, "v", hook("one", ON_MAPS), hook("two", ON_MAPS), hook("three", ON_MAPS));
    for (String name : List.of("/one", "/two", "/three")) {
      network.at(name, Duration.ofSeconds(2), _ -> ALLOW);
    }
    long began = fixture.env.clock().nanoTime();
    assertThat(map("a", "").status()).isEqualTo(201);
    assertThat(fixture.env.clock().nanoTime() - began).isLessThan(Duration.ofSeconds(3).toNanos());
    assertThat(network.calls).hasSize(3);
  }

  @Test
  void selectorsAndConditions_sayWhoIsAsked() {
    network.at("/see", _ -> ALLOW);
    register(
        VALIDATING,
        "v",
        hook(
            "see",
            ON_MAPS
                + """
                ,"objectSelector":{"matchLabels":{"x":"1"}},
                "namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":"default"}},
                "matchConditions":[{"name":"c","expression":"object.data.k == 'v'"}]
                """));
    assertThat(map("a", "\"k\":\"v\"").status()).isEqualTo(201);
    String labelled = "{\"metadata\":{\"name\":\"%s\",\"labels\":{\"x\":\"1\"}},\"data\":{%s}}";
    assertThat(client.post(MAPS, labelled.formatted("b", "\"k\":\"w\"")).status()).isEqualTo(201);
    assertThat(
            client
                .post(
                    "/api/v1/namespaces/kube-system/configmaps",
                    labelled.formatted("b", "\"k\":\"v\""))
                .status())
        .isEqualTo(201);
    assertThat(network.calls).isEmpty();
    assertThat(client.post(MAPS, labelled.formatted("c", "\"k\":\"v\"")).status()).isEqualTo(201);
    assertThat(network.calls).hasSize(1);
    // A condition that cannot be evaluated refuses the write, as the failure policy wants.
    Client.Answer refused = client.post(MAPS, labelled.formatted("d", ""));
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.text("message")).startsWith("configmaps \"d\" is forbidden: ");
  }

  @Test
  void otherVersion_isSeenInTheVersionOfTheRule() {
    network.at("/see", _ -> ALLOW);
    register(
        VALIDATING,
        "v",
        hook(
            "see",
            """
            "rules":[{"apiGroups":["autoscaling"],"apiVersions":["v2"],"operations":["CREATE"],
              "resources":["horizontalpodautoscalers"]}]
            """));
    Client.Answer made =
        client.post(
            "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers",
            """
            {"metadata":{"name":"h"},"spec":{"maxReplicas":3,"targetCPUUtilizationPercentage":50,
              "scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"d"}}}
            """);
    assertThat(made.status()).as("%s", made).isEqualTo(201);
    JsonNode request = network.calls.getFirst().request();
    assertThat(request.path("object").path("apiVersion").asString()).isEqualTo("autoscaling/v2");
    assertThat(request.path("object").path("spec").has("metrics")).isTrue();
    assertThat(request.path("kind").path("version").asString()).isEqualTo("v2");
    assertThat(request.path("requestKind").path("version").asString()).isEqualTo("v1");
  }

  @Test
  void admissionsOwnKinds_areNeverAskedAbout() {
    register(
        VALIDATING,
        "v",
        hook(
            "deny",
            """
            "rules":[{"apiGroups":["*"],"apiVersions":["*"],"operations":["*"],"resources":["*/*"]}]
            """));
    network.at("/deny", _ -> "{\"allowed\":false}");
    assertThat(map("a", "").status()).isEqualTo(400);
    assertThat(client.delete(VALIDATING + "/v").status()).isEqualTo(200);
    fixture.settle();
    assertThat(map("a", "").status()).isEqualTo(201);
  }

  @Test
  void dryRun_isToldToTheWebhook() {
    String effects =
        hook("some", ON_MAPS)
            .replace("\"sideEffects\":\"None\"", "\"sideEffects\":\"NoneOnDryRun\"");
    register(VALIDATING, "v", effects);
    network.at("/some", _ -> ALLOW);
    String body = "{\"metadata\":{\"name\":\"a\"}}";
    assertThat(client.post(MAPS + "?dryRun=All", body).status()).isEqualTo(201);
    assertThat(network.calls.getFirst().request().path("dryRun").asBoolean()).isTrue();
  }

  // ---- failures

  @Test
  void failure_isTheFailurePolicysToJudge() {
    register(VALIDATING, "v", hook("gone", ON_MAPS));
    Client.Answer refused = map("a", "");
    assertThat(refused.status()).isEqualTo(500);
    assertThat(refused.text("reason")).isEqualTo("InternalError");
    assertThat(refused.text("message"))
        .isEqualTo(
            "Internal error occurred: failed calling webhook \"gone.example.com\": failed to call"
                + " webhook: Post \"https://hooks.example.com/gone?timeout=10s\": connect:"
                + " connection refused");
    assertThat(client.delete(VALIDATING + "/v").status()).isEqualTo(200);
    register(VALIDATING, "w", hook("gone", ON_MAPS + ",\"failurePolicy\":\"Ignore\""));
    assertThat(map("a", "").status()).isEqualTo(201);
    assertThat(
            audited
                .getLast()
                .path("annotations")
                .path("failed-open.validating.webhook.admission.k8s.io/round_0_index_0")
                .asString())
        .isEqualTo("gone.example.com");
  }

  @Test
  void answers_thatSayNothing_areFailures() {
    register(VALIDATING, "v", hook("bad", ON_MAPS));
    Map<String, Outside.Answer> answers =
        Map.of(
            "webhook response was absent",
            PlayedWebhooks.answered("{}"),
            "expected response.uid=",
            PlayedWebhooks.answered("{\"response\":{\"uid\":\"other\",\"allowed\":true}}"),
            "the answer is no JSON",
            new Outside.Answer(200, "hello".getBytes(StandardCharsets.UTF_8)),
            "the server answered with a redirect (302), which is not followed",
            new Outside.Answer(302, new byte[0]),
            "has prevented the request from succeeding",
            new Outside.Answer(500, "oops".getBytes(StandardCharsets.UTF_8)));
    answers.forEach(
        (said, answer) -> {
          network.raw("/bad", Duration.ofMillis(1), _ -> answer);
          Client.Answer refused = map("a", "");
          assertThat(refused.status()).isEqualTo(500);
          assertThat(refused.text("message"))
              .startsWith("Internal error occurred: failed calling webhook \"bad.example.com\": ")
              .contains(said);
        });
  }

  @Test
  void hangingWebhook_costsItsOwnRequestsAndNothingElse() {
    register(VALIDATING, "v", hook("hang", ON_MAPS + ",\"timeoutSeconds\":3"));
    network.raw("/hang", Duration.ofDays(1), _ -> PlayedWebhooks.answered("{}"));
    List<CompletableFuture<ApiResponse>> hanging = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      hanging.add(
          client.send(
              "POST",
              MAPS,
              Map.of(),
              "{\"metadata\":{\"name\":\"h%d\"}}".formatted(i).getBytes(StandardCharsets.UTF_8)));
    }
    fixture.env.runDue();
    long began = fixture.env.clock().nanoTime();
    for (int i = 0; i < 100; i++) {
      assertThat(
              client
                  .post(
                      "/api/v1/namespaces/default/secrets",
                      "{\"metadata\":{\"name\":\"s%d\"}}".formatted(i))
                  .status())
          .isEqualTo(201);
    }
    assertThat(fixture.env.clock().nanoTime() - began).isLessThan(Duration.ofMillis(900).toNanos());
    assertThat(network.callsOf("/hang")).isEqualTo(50);
    // Those that found it full do not wait for it.
    fixture.env.runFor(Duration.ofMillis(1_100));
    assertThat(hanging.stream().filter(CompletableFuture::isDone)).hasSize(10);
    fixture.env.runFor(Duration.ofSeconds(3));
    assertThat(hanging).allMatch(CompletableFuture::isDone);
    List<String> said = hanging.stream().map(WebhookTest::text).toList();
    assertThat(said).filteredOn(text -> text.contains("context deadline exceeded")).hasSize(50);
    assertThat(said).filteredOn(text -> text.contains("50 calls of it are under way")).hasSize(10);
  }

  // ---- changing

  @Test
  void patch_isApplied_andOwnedByNobody() {
    register(MUTATING, "m", hook("label", ON_MAPS));
    network.at(
        "/label",
        _ -> patch("[{\"op\":\"add\",\"path\":\"/metadata/labels\",\"value\":{\"by\":\"hook\"}}]"));
    Client.Answer made = map("a", "\"k\":\"v\"");
    assertThat(made.status()).as("%s", made).isEqualTo(201);
    assertThat(made.text("metadata", "labels", "by")).isEqualTo("hook");
    assertThat(made.text("metadata", "managedFields")).doesNotContain("f:labels");
    assertThat(
            audited
                .getFirst()
                .path("annotations")
                .path("mutation.webhook.admission.k8s.io/round_0_index_0")
                .asString())
        .isEqualTo("{\"configuration\":\"m\",\"webhook\":\"label.example.com\",\"mutated\":true}");
  }

  @Test
  void changes_areSeenByThoseAfter_andOnceMoreByThoseWhoWant() {
    register(
        MUTATING,
        "a",
        hook("first", ON_MAPS + ",\"reinvocationPolicy\":\"IfNeeded\""),
        hook("never", ON_MAPS));
    register(MUTATING, "b", hook("second", ON_MAPS + ",\"reinvocationPolicy\":\"IfNeeded\""));
    network.at("/never", _ -> ALLOW);
    network.at(
        "/first",
        request ->
            request.path("object").path("data").has("second")
                ? patch("[{\"op\":\"add\",\"path\":\"/data/seen\",\"value\":\"1\"}]")
                : patch("[{\"op\":\"add\",\"path\":\"/data/first\",\"value\":\"1\"}]"));
    network.at(
        "/second",
        request ->
            request.path("object").path("data").has("seen")
                ? ALLOW
                : patch("[{\"op\":\"add\",\"path\":\"/data/second\",\"value\":\"1\"}]"));
    Client.Answer made = map("a", "\"k\":\"v\"");
    assertThat(made.body().path("data").propertyNames())
        .containsExactlyInAnyOrder("k", "first", "second", "seen");
    assertThat(network.callsOf("/first")).isEqualTo(2);
    assertThat(network.callsOf("/never")).isEqualTo(1);
    assertThat(network.callsOf("/second")).isEqualTo(2);
  }

  @Test
  void webhooksThatUndoEachOther_endAfterTwoRounds() {
    String again = ON_MAPS + ",\"reinvocationPolicy\":\"IfNeeded\"";
    register(MUTATING, "m", hook("a", again), hook("b", again));
    network.at("/a", _ -> patch("[{\"op\":\"replace\",\"path\":\"/data/k\",\"value\":\"a\"}]"));
    network.at("/b", _ -> patch("[{\"op\":\"replace\",\"path\":\"/data/k\",\"value\":\"b\"}]"));
    assertThat(map("x", "\"k\":\"v\"").text("data", "k")).isEqualTo("b");
    assertThat(network.calls).hasSizeLessThanOrEqualTo(4);
  }

  @Test
  void place_isNotAWebhooksToChange() {
    register(MUTATING, "m", hook("move", ON_MAPS));
    network.at(
        "/move",
        _ ->
            patch(
                "[{\"op\":\"replace\",\"path\":\"/metadata/namespace\",\"value\":\"kube-system\"}]"));
    assertThat(map("a", "").status()).isEqualTo(500);
    assertThat(client.get("/api/v1/namespaces/kube-system/configmaps/a").status()).isEqualTo(404);
  }

  @Test
  void patch_thatIsNone_isAFailure() {
    register(MUTATING, "m", hook("bad", ON_MAPS));
    network.at("/bad", _ -> "{\"allowed\":true,\"patch\":\"e30=\"}");
    assertThat(map("a", "").text("message"))
        .contains("webhook returned response.patch but not response.patchType");
    network.at("/bad", _ -> "{\"allowed\":true,\"patch\":\"e30=\",\"patchType\":\"JSONPatch\"}");
    assertThat(map("a", "").text("message")).contains("received undecodable patch");
    network.at("/bad", _ -> patch("[{\"op\":\"remove\",\"path\":\"/no/such\"}]"));
    assertThat(map("a", "").status()).isEqualTo(500);
  }

  @Test
  void conflict_asksAgainAboutWhatTheWebhookHasNotSeen_andOnlyAboutThat() {
    assertThat(map("a", "\"n\":\"0\"").status()).isEqualTo(201);
    register(VALIDATING, "v", hook("see", ON_MAPS));
    network.at("/see", Duration.ofMillis(50), _ -> ALLOW);
    List<CompletableFuture<ApiResponse>> patches = new ArrayList<>();
    for (String key : List.of("x", "y")) {
      patches.add(
          client.send(
              "PATCH",
              MAPS + "/a",
              Map.of("content-type", "application/merge-patch+json"),
              ("{\"data\":{\"" + key + "\":\"1\"}}").getBytes(StandardCharsets.UTF_8)));
    }
    fixture.env.runFor(Duration.ofSeconds(1));
    assertThat(patches).allMatch(patch -> patch.join().status() == 200);
    // One for the first, and for the second one about each state that it met.
    assertThat(network.callsOf("/see")).isEqualTo(3);
    JsonNode last = network.calls.getLast().request();
    assertThat(last.path("object").path("data").propertyNames()).contains("x", "y");
    assertThat(client.get(MAPS + "/a").body().path("data").propertyNames())
        .containsExactlyInAnyOrder("n", "x", "y");
  }

  @Test
  void service_isCalledAtAReadyEndpoint_underItsName() {
    var _ = client.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"hooks\"}}");
    Client.Answer service =
        client.post(
            "/api/v1/namespaces/hooks/services",
            "{\"metadata\":{\"name\":\"h\"},\"spec\":{\"ports\":[{\"name\":\"https\",\"port\":443,"
                + "\"targetPort\":9443}]}}");
    assertThat(service.status()).as("%s", service).isEqualTo(201);
    Client.Answer slice =
        client.post(
            "/apis/discovery.k8s.io/v1/namespaces/hooks/endpointslices",
            """
            {"metadata":{"name":"h-1","labels":{"kubernetes.io/service-name":"h"}},
             "addressType":"IPv4","ports":[{"name":"https","port":9443}],"endpoints":[
              {"addresses":["10.0.0.1"],"conditions":{"ready":false}},
              {"addresses":["10.0.0.2"],"conditions":{"ready":true}}]}
            """);
    assertThat(slice.status()).as("%s", slice).isEqualTo(201);
    register(
        VALIDATING,
        "v",
        hook("see", ON_MAPS)
            .replace(
                "\"url\":\"https://hooks.example.com/see\"",
                "\"service\":{\"namespace\":\"hooks\",\"name\":\"h\",\"path\":\"/see\"}"));
    network.at("/see", _ -> ALLOW);
    assertThat(map("a", "").status()).isEqualTo(201);
    Outside.Address address = network.calls.getFirst().address();
    assertThat(address.host()).isEqualTo("10.0.0.2");
    assertThat(address.port()).isEqualTo(9443);
    assertThat(address.serverName()).isEqualTo("h.hooks.svc");
    assertThat(
            client.delete("/apis/discovery.k8s.io/v1/namespaces/hooks/endpointslices/h-1").status())
        .isEqualTo(200);
    fixture.settle();
    assertThat(map("b", "").text("message"))
        .contains("Post \"https://h.hooks.svc:443/see?timeout=10s\"")
        .endsWith("no endpoints available for service \"h\"");
  }

  // ---- what is said when they are registered

  private List<String> warnings(String name, String hook) {
    Client.Answer made =
        client.post(
            VALIDATING, "{\"metadata\":{\"name\":\"%s\"},\"webhooks\":[%s]}".formatted(name, hook));
    assertThat(made.status()).as("%s", made).isEqualTo(201);
    return made.headers().stream()
        .filter(header -> header.name().equals("Warning"))
        .map(ApiResponse.Header::value)
        .toList();
  }

  private static String inCluster(String more) {
    return hook("x", more)
        .replace(
            "\"url\":\"https://hooks.example.com/x\"",
            "\"service\":{\"namespace\":\"hooks\",\"name\":\"h\"}");
  }

  private static String rules(String group, String resource, String operation) {
    return """
    "rules":[{"apiGroups":["%s"],"apiVersions":["*"],"operations":["%s"],"resources":["%s"]}]
    """
        .formatted(group, operation, resource);
  }

  @Test
  void webhookThatBlocksItsOwnPods_isWarnedOf() {
    assertThat(warnings("a", inCluster(rules("", "pods", "CREATE"))))
        .containsExactly(
            "299 - \"webhooks[0]: while it cannot be reached, no pod can start in hooks and"
                + " kube-system, its own included: leave these out with namespaceSelector"
                + " {matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values:"
                + " [hooks, kube-system]}]}, or set failurePolicy: Ignore\"");
    assertThat(warnings("b", inCluster(rules("*", "pods/*", "*"))).getFirst())
        .contains("no pod can start in hooks and kube-system");
    // The way out that the warning names.
    String excluding =
        ",\"namespaceSelector\":{\"matchExpressions\":[{\"key\":\"kubernetes.io/metadata.name\","
            + "\"operator\":\"NotIn\",\"values\":[\"hooks\",\"kube-system\"]}]}";
    assertThat(warnings("c", inCluster(rules("", "pods", "CREATE") + excluding))).isEmpty();
    assertThat(
            warnings("d", inCluster(rules("", "pods", "CREATE") + ",\"failurePolicy\":\"Ignore\"")))
        .isEmpty();
    assertThat(warnings("e", inCluster(rules("apps", "deployments", "CREATE")))).isEmpty();
    assertThat(warnings("f", inCluster(rules("", "pods", "DELETE")))).isEmpty();
  }

  @Test
  void webhookThatIsNeverCalled_isWarnedOf() {
    assertThat(warnings("a", inCluster("\"rules\":[]")).getFirst())
        .contains("it has no rules, so it is never called");
    assertThat(warnings("b", inCluster(rules("admissionregistration.k8s.io", "*", "*"))).getFirst())
        .contains("no webhook is asked about kinds of admissionregistration.k8s.io");
    assertThat(warnings("c", inCluster(rules("", "pods/exec", "CONNECT"))).getFirst())
        .contains("serves nothing to CONNECT to");
  }

  @Test
  void figures_areUpstreams() {
    register(VALIDATING, "v", hook("deny", ON_MAPS), hook("gone", ON_MAPS));
    network.at("/deny", _ -> "{\"allowed\":false,\"status\":{\"code\":403}}");
    assertThat(map("a", "").status()).isEqualTo(403);
    String page =
        text(
            CompletableFuture.completedFuture(
                client.raw("GET", "/metrics", Map.of(), new byte[0])));
    assertThat(page)
        .contains(
            "apiserver_admission_webhook_request_total{code=\"403\",name=\"deny.example.com\","
                + "operation=\"CREATE\",rejected=\"true\",type=\"validating\"} 1")
        .contains(
            "apiserver_admission_webhook_rejection_count{error_type=\"calling_webhook_error\","
                + "name=\"gone.example.com\",operation=\"CREATE\",rejection_code=\"503\","
                + "type=\"validating\"} 1")
        .contains("apiserver_admission_webhook_admission_duration_seconds_count");
  }
}
