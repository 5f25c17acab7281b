package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.serve.api.ApiResponse;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Which writes policies are asked about, and what they see of them. */
class PolicyReachTest {

  private static final String GROUP = "/apis/admissionregistration.k8s.io/v1/";
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  private final ServerFixture fixture = new ServerFixture();
  private final Client client = fixture.client;

  @AfterEach
  void close() {
    fixture.close();
  }

  /** Puts a policy into force for certain writes of the core group. */
  private void inForce(String resources, String more, String validation, String action) {
    made(
        client.post(
            GROUP + "validatingadmissionpolicies",
            """
            {"metadata":{"name":"p"},"spec":{"matchConstraints":{"resourceRules":[{
              "apiGroups":[""],"apiVersions":["v1"],"operations":["*"],"resources":[%s]}]%s},
              "validations":[{%s}]}}
            """
                .formatted(resources, more, validation)));
    made(
        client.post(
            GROUP + "validatingadmissionpolicybindings",
            """
            {"metadata":{"name":"b"},"spec":{"policyName":"p","validationActions":["%s"]}}
            """
                .formatted(action)));
    fixture.settle();
  }

  private static void made(Client.Answer answer) {
    assertThat(answer.status()).as("%s", answer).isEqualTo(201);
  }

  private Client.Answer map(String name) {
    return client.post(
        MAPS, "{\"metadata\":{\"name\":\"%s\",\"labels\":{\"l\":\"1\"}}}".formatted(name));
  }

  @Test
  void names_thatAreExcluded_leaveTheOthers() {
    inForce(
        "\"configmaps\"",
        """
        ,"excludeResourceRules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["*"],
          "resources":["configmaps"],"resourceNames":["mine"]}]
        """,
        "\"expression\":\"false\"",
        "Deny");
    made(map("mine"));
    assertThat(map("theirs").status()).isEqualTo(422);
  }

  @Test
  void namespaceOfARequest_goesByItsOwnName() {
    inForce("\"configmaps\"", "", "\"expression\":\"request.namespace == 'elsewhere'\"", "Deny");
    assertThat(map("a").text("message")).endsWith("request.namespace == 'elsewhere'");
    made(client.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"elsewhere\"}}"));
    made(client.post("/api/v1/namespaces/elsewhere/configmaps", "{\"metadata\":{\"name\":\"a\"}}"));
  }

  private void pod() {
    made(
        client.post(
            "/api/v1/namespaces/default/pods",
            """
            {"metadata":{"name":"a"},"spec":{"containers":[{"name":"c","image":"i"}]}}
            """));
  }

  @Test
  void binding_thatIsCreatedByItself_isJudged() {
    pod();
    inForce("\"bindings\"", "", "\"expression\":\"object.target.name == 'n1'\"", "Deny");
    String binding =
        """
        {"apiVersion":"v1","kind":"Binding","metadata":{"name":"a"},
          "target":{"kind":"Node","name":"%s"}}
        """;
    String bindings = "/api/v1/namespaces/default/bindings";
    assertThat(client.post(bindings, binding.formatted("n2")).status()).isEqualTo(422);
    made(client.post(bindings, binding.formatted("n1")));
  }

  @Test
  void finalizersOfANamespace_areJudged() {
    made(client.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"n\"}}"));
    inForce("\"namespaces/finalize\"", "", "\"expression\":\"false\"", "Deny");
    assertThat(
            client
                .put(
                    "/api/v1/namespaces/n/finalize",
                    """
                    {"apiVersion":"v1","kind":"Namespace","metadata":{"name":"n"},"spec":{}}
                    """)
                .status())
        .isEqualTo(422);
    assertThat(client.get("/api/v1/namespaces/n").body().path("spec").path("finalizers").size())
        .isEqualTo(1);
  }

  @Test
  void eviction_isOneQuestionAndNotTwo() {
    pod();
    inForce("\"pods/*\"", "", "\"expression\":\"request.operation == 'CREATE'\"", "Deny");
    made(
        client.post(
            "/api/v1/namespaces/default/pods/a/eviction",
            """
            {"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"a"}}
            """));
  }

  @Test
  void deletingACollection_tellsWhatWasSaidAboutItsObjects() {
    made(map("a"));
    made(map("b"));
    inForce(
        "\"configmaps\"",
        "",
        """
        "expression":"false","messageExpression":"'keep ' + request.name"
        """,
        "Warn");
    Client.Answer deleted = client.delete(MAPS + "?labelSelector=l%3D1");
    assertThat(deleted.status()).isEqualTo(200);
    assertThat(deleted.headers().stream().filter(each -> each.name().equals("Warning")))
        .extracting(ApiResponse.Header::value)
        .anyMatch(text -> text.endsWith("keep a\""))
        .anyMatch(text -> text.endsWith("keep b\""));
  }

  @Test
  void optionsInTheBodyOfADelete_areSeen() {
    made(map("a"));
    inForce(
        "\"configmaps\"",
        "",
        "\"expression\":\"request.dryRun && request.options.gracePeriodSeconds == 5\"",
        "Deny");
    assertThat(client.delete(MAPS + "/a").status()).isEqualTo(422);
    String options = "{\"dryRun\":[\"All\"],\"gracePeriodSeconds\":5}";
    assertThat(client.call("DELETE", MAPS + "/a", "application/json", options).status())
        .isEqualTo(200);
  }

  @Test
  void namespace_isTakenToBeInItself() {
    inForce(
        "\"namespaces\"",
        "",
        """
        "expression":"request.namespace == request.name && request.name != 'bad'"
        """,
        "Deny");
    made(client.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"good\"}}"));
    assertThat(client.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"bad\"}}").status())
        .isEqualTo(422);
    assertThat(client.delete("/api/v1/namespaces/good").status()).isEqualTo(200);
  }

  @Test
  void policyAgainstNamespaces_doesNotKeepAServerFromStarting() {
    inForce("\"namespaces\"", "", "\"expression\":\"false\"", "Deny");
    try (ApiServer next = ApiServer.open(fixture.env, fixture.store, ServerSettings.DEFAULTS)) {
      fixture.env.runFor(Duration.ofSeconds(5));
      assertThat(next.ready()).isCompleted();
    }
  }

  @Test
  void containerThatAPolicyAdds_getsWhatEveryContainerGets() {
    made(
        client.post(
            "/api/v1/namespaces/default/limitranges",
            """
            {"metadata":{"name":"l"},"spec":{"limits":[{"type":"Container",
              "default":{"cpu":"2"},"defaultRequest":{"cpu":"1"}}]}}
            """));
    String mutating = "/apis/admissionregistration.k8s.io/v1beta1/mutatingadmissionpolic";
    made(
        client.post(
            mutating + "ies",
            """
            {"metadata":{"name":"m"},"spec":{"reinvocationPolicy":"Never",
              "matchConstraints":{"resourceRules":[{"apiGroups":[""],"apiVersions":["v1"],
                "operations":["CREATE"],"resources":["pods"]}]},
              "mutations":[{"patchType":"ApplyConfiguration","applyConfiguration":{"expression":
                "Object{spec: Object.spec{initContainers: [Object.spec.initContainers{\
            name: 'side', image: 'i', restartPolicy: 'Always'}]}}"}}]}}
            """));
    made(
        client.post(
            mutating + "ybindings",
            "{\"metadata\":{\"name\":\"m\"},\"spec\":{\"policyName\":\"m\"}}"));
    fixture.settle();
    pod();
    JsonNode spec = client.get("/api/v1/namespaces/default/pods/a").body().path("spec");
    JsonNode added = spec.path("initContainers").path(0);
    assertThat(added.path("resources").path("limits").path("cpu").asString()).isEqualTo("2");
    assertThat(added.path("volumeMounts").path(0).path("mountPath").asString())
        .isEqualTo("/var/run/secrets/kubernetes.io/serviceaccount");
    assertThat(spec.path("volumes").size()).isEqualTo(1);
    assertThat(spec.path("containers").path(0).path("volumeMounts").size()).isEqualTo(1);
  }
}
