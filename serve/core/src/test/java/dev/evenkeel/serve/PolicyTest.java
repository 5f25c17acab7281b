package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.api.ApiResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

class PolicyTest {

  private static final String GROUP = "/apis/admissionregistration.k8s.io/";
  private static final String POLICIES = GROUP + "v1/validatingadmissionpolicies";
  private static final String BINDINGS = GROUP + "v1/validatingadmissionpolicybindings";
  private static final String MUTATING = GROUP + "v1beta1/mutatingadmissionpolicies";
  private static final String MUTATING_BINDINGS = GROUP + "v1beta1/mutatingadmissionpolicybindings";
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  private final ServerFixture fixture = new ServerFixture();
  private final Client client = fixture.client;
  private final List<JsonNode> audited = new ArrayList<>();

  PolicyTest() {
    fixture.server.auditTo(line -> audited.add(Json.parse(line)));
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private static String quoted(String text) {
    return StringNode.valueOf(text).toString();
  }

  private Client.Answer policy(String name, String spec) {
    return client.post(
        POLICIES,
        """
        {"metadata":{"name":"%s"},"spec":{"matchConstraints":{"resourceRules":[{
          "apiGroups":[""],"apiVersions":["v1"],"operations":["*"],"resources":["configmaps"]}]},%s}}
        """
            .formatted(name, spec));
  }

  private Client.Answer bind(String name, String spec) {
    return client.post(
        BINDINGS,
        "{\"metadata\":{\"name\":\"%s\"},\"spec\":{\"policyName\":\"%s\",%s}}"
            .formatted(name + "-binding", name, spec));
  }

  private void inForce(String name, String expression, String actions) {
    made(policy(name, "\"validations\":[{\"expression\":" + quoted(expression) + "}]"));
    made(bind(name, "\"validationActions\":" + actions));
    fixture.settle();
  }

  private static void made(Client.Answer answer) {
    assertThat(answer.status()).as("%s", answer).isEqualTo(201);
  }

  private Client.Answer map(String name, String data) {
    return client.post(
        MAPS, "{\"metadata\":{\"name\":\"%s\"},\"data\":{%s}}".formatted(name, data));
  }

  // ---- judging

  @Test
  void violation_isRefusedInUpstreamsWords() {
    inForce("needs-x", "'x' in object.?data.orValue({})", "[\"Deny\"]");
    Client.Answer refused = map("a", "\"y\":\"1\"");
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.text("reason")).isEqualTo("Invalid");
    assertThat(refused.text("message"))
        .isEqualTo(
            "configmaps \"a\" is forbidden: ValidatingAdmissionPolicy 'needs-x' with binding"
                + " 'needs-x-binding' denied request: failed expression: 'x' in"
                + " object.?data.orValue({})");
    assertThat(refused.body().path("details").path("causes").path(0).path("message").asString())
        .startsWith("ValidatingAdmissionPolicy 'needs-x'");
    made(map("a", "\"x\":\"1\""));
  }

  @Test
  void policy_withoutBinding_saysNothing() {
    made(policy("p", "\"validations\":[{\"expression\":\"false\"}]"));
    fixture.settle();
    made(map("a", ""));
  }

  @Test
  void policy_thatIsGone_saysNothing() {
    inForce("p", "false", "[\"Deny\"]");
    assertThat(map("a", "").status()).isEqualTo(422);
    assertThat(client.delete(POLICIES + "/p").status()).isEqualTo(200);
    fixture.settle();
    made(map("a", ""));
  }

  @Test
  void reasonAndMessage_areTheValidations() {
    made(
        policy(
            "p",
            """
            "variables":[{"name":"size","expression":"size(object.?data.orValue({}))"}],
            "validations":[{"expression":"variables.size < 2","reason":"Forbidden",
              "messageExpression":"'at most one, not ' + string(variables.size)"}]
            """));
    made(bind("p", "\"validationActions\":[\"Deny\"]"));
    fixture.settle();
    Client.Answer refused = map("a", "\"x\":\"1\",\"y\":\"2\"");
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.text("message")).endsWith("denied request: at most one, not 2");
  }

  @Test
  void warning_letsTheWritePass() {
    inForce("p", "false", "[\"Warn\"]");
    Client.Answer passed = map("a", "");
    made(passed);
    assertThat(passed.headers())
        .contains(
            new ApiResponse.Header(
                "Warning",
                "299 - \"Validation failed for ValidatingAdmissionPolicy 'p' with binding"
                    + " 'p-binding': failed expression: false\""));
  }

  @Test
  void audit_isToldOfViolationsAndAnnotations() {
    made(
        policy(
            "p",
            """
            "validations":[{"expression":"object == null || object.metadata.name != 'bad'",
              "message":"no"}],
            "auditAnnotations":[{"key":"who","valueExpression":"request.userInfo.username"},
              {"key":"nothing","valueExpression":"null"}]
            """));
    made(bind("p", "\"validationActions\":[\"Audit\"]"));
    fixture.settle();
    made(map("bad", ""));
    assertThat(audited).hasSize(1);
    JsonNode annotations = audited.getFirst().path("annotations");
    assertThat(annotations.path("p/who").asString()).isEqualTo("kubernetes-admin");
    assertThat(annotations.has("p/nothing")).isFalse();
    assertThat(annotations.path("validation.policy.admission.k8s.io/validation_failure").asString())
        .isEqualTo(
            "[{\"message\":\"no\",\"policy\":\"p\",\"binding\":\"p-binding\",\"expressionIndex\":0,"
                + "\"validationActions\":[\"Audit\"]}]");
    assertThat(audited.getFirst().path("responseStatus").path("code").asInt()).isEqualTo(201);
  }

  @Test
  void failure_refusesUnlessItIsToBeIgnored() {
    made(policy("p", "\"validations\":[{\"expression\":\"object.data.missing == 'x'\"}]"));
    made(bind("p", "\"validationActions\":[\"Deny\"]"));
    fixture.settle();
    assertThat(map("a", "\"x\":\"1\"").text("message"))
        .endsWith(
            "denied request: expression 'object.data.missing == 'x'' resulted in error: no such"
                + " key: missing");
    client.patch(POLICIES + "/p", "merge-patch", "{\"spec\":{\"failurePolicy\":\"Ignore\"}}");
    fixture.settle();
    made(map("a", "\"x\":\"1\""));
  }

  @Test
  void costlyExpression_isEndedAndRefuses() {
    inForce(
        "p",
        "[0,1,2,3,4,5,6,7,8,9].all(a, [0,1,2,3,4,5,6,7,8,9].all(b, [0,1,2,3,4,5,6,7,8,9].all(c,"
            + " [0,1,2,3,4,5,6,7,8,9].all(d, [0,1,2,3,4,5,6,7,8,9].all(e,"
            + " [0,1,2,3,4,5,6,7,8,9].all(f, a+b+c+d+e+f >= 0))))))",
        "[\"Deny\"]");
    Client.Answer refused = map("a", "");
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.text("message")).contains("cost limit exceeded");
  }

  @Test
  void conditions_decideWhetherItIsAboutAWrite() {
    made(
        policy(
            "p",
            """
            "matchConditions":[{"name":"only-bad","expression":"object.metadata.name == 'bad'"}],
            "validations":[{"expression":"false"}]
            """));
    made(bind("p", "\"validationActions\":[\"Deny\"]"));
    fixture.settle();
    made(map("good", ""));
    assertThat(map("bad", "").status()).isEqualTo(422);
  }

  @Test
  void selectors_limitWhatItIsAbout() {
    made(policy("p", "\"validations\":[{\"expression\":\"false\"}]"));
    made(
        bind(
            "p",
            """
            "validationActions":["Deny"],"matchResources":{
              "namespaceSelector":{"matchLabels":{"env":"prod"}},
              "objectSelector":{"matchLabels":{"checked":"yes"}}}
            """));
    client.post(
        "/api/v1/namespaces", "{\"metadata\":{\"name\":\"prod\",\"labels\":{\"env\":\"prod\"}}}");
    fixture.settle();
    String labelled = "{\"metadata\":{\"name\":\"a\",\"labels\":{\"checked\":\"yes\"}}}";
    made(client.post(MAPS, labelled));
    made(client.post("/api/v1/namespaces/prod/configmaps", "{\"metadata\":{\"name\":\"b\"}}"));
    assertThat(client.post("/api/v1/namespaces/prod/configmaps", labelled).status()).isEqualTo(422);
  }

  @Test
  void names_limitWhatItIsAbout() {
    made(
        client.post(
            POLICIES,
            """
            {"metadata":{"name":"p"},"spec":{"matchConstraints":{"resourceRules":[{
              "apiGroups":[""],"apiVersions":["v1"],"operations":["*"],"resources":["configmaps"],
              "resourceNames":["theirs"]}]},"validations":[{"expression":"false"}]}}
            """));
    made(bind("p", "\"validationActions\":[\"Deny\"]"));
    fixture.settle();
    made(map("mine", ""));
    assertThat(map("theirs", "").status()).isEqualTo(422);
  }

  @Test
  void deletes_areJudgedByTheOldObject() {
    made(map("kept", "\"keep\":\"yes\""));
    inForce("p", "request.operation != 'DELETE' || !('keep' in oldObject.data)", "[\"Deny\"]");
    assertThat(client.delete(MAPS + "/kept").status()).isEqualTo(422);
    assertThat(client.get(MAPS + "/kept").status()).isEqualTo(200);
  }

  @Test
  void updates_seeBothObjects() {
    made(map("a", "\"x\":\"1\""));
    inForce("p", "oldObject == null || oldObject.data == object.data", "[\"Deny\"]");
    String merge = "merge-patch";
    assertThat(client.patch(MAPS + "/a", merge, "{\"data\":{\"x\":\"2\"}}").status())
        .isEqualTo(422);
    assertThat(
            client.patch(MAPS + "/a", merge, "{\"metadata\":{\"labels\":{\"l\":\"1\"}}}").status())
        .isEqualTo(200);
  }

  @Test
  void parameters_areFoundByNameAndBySelector() {
    String withParameters =
        """
        "paramKind":{"apiVersion":"v1","kind":"ConfigMap"},
        "validations":[{"expression":"!(object.metadata.name in params.data)"}]
        """;
    made(map("limits", "\"forbidden\":\"\""));
    made(
        client.post(
            MAPS,
            "{\"metadata\":{\"name\":\"more\",\"labels\":{\"limits\":\"yes\"}},\"data\":{\"also\":\"\"}}"));
    made(policy("p", withParameters));
    made(
        bind(
            "p",
            """
            "validationActions":["Deny"],
            "paramRef":{"name":"limits","namespace":"default","parameterNotFoundAction":"Deny"}
            """));
    made(policy("q", withParameters));
    made(
        bind(
            "q",
            """
            "validationActions":["Deny"],"paramRef":{
              "selector":{"matchLabels":{"limits":"yes"}},"parameterNotFoundAction":"Deny"}
            """));
    fixture.settle();
    assertThat(map("forbidden", "").status()).isEqualTo(422);
    assertThat(map("also", "").text("message")).contains("'q' with binding 'q-binding'");
    made(map("fine", ""));
  }

  @Test
  void parameters_thatAreMissing_refuseOrAllow() {
    String withParameters =
        """
        "paramKind":{"apiVersion":"v1","kind":"ConfigMap"},
        "validations":[{"expression":"false"}]
        """;
    made(policy("p", withParameters));
    made(
        bind(
            "p",
            """
            "validationActions":["Deny"],
            "paramRef":{"name":"limits","namespace":"default","parameterNotFoundAction":"Deny"}
            """));
    fixture.settle();
    assertThat(map("a", "").text("message"))
        .endsWith(
            "denied request: failed to configure binding: no params found for policy binding with"
                + " `Deny` parameterNotFoundAction");
    client.patch(
        BINDINGS + "/p-binding",
        "merge-patch",
        "{\"spec\":{\"paramRef\":{\"parameterNotFoundAction\":\"Allow\"}}}");
    fixture.settle();
    made(map("a", ""));
  }

  @Test
  void authorizer_knowsWhoMayDoWhat() {
    inForce(
        "p",
        "authorizer.requestResource.check('create').allowed() &&"
            + " !authorizer.serviceAccount('default', 'x').group('').resource('pods')"
            + ".check('get').allowed()",
        "[\"Deny\"]");
    made(map("a", ""));
  }

  @Test
  void authorizer_knowsWhatRolesAllow() {
    var world = new RoleWorld(client);
    world.role("default", "r", "get", "", "pods");
    world.bind("default", "b", "Role", "r", "{\"kind\":\"ServiceAccount\",\"name\":\"x\"}");
    inForce(
        "p",
        "authorizer.serviceAccount('default',"
            + " 'x').group('').resource('pods').namespace('default').check('get').reason().startsWith('RBAC:"
            + " allowed by RoleBinding') && !authorizer.serviceAccount('default',"
            + " 'x').group('').resource('pods').namespace('other').check('get').allowed()",
        "[\"Deny\"]");
    made(map("a", ""));
  }

  @Test
  void namespaceObject_isTheWritesNamespace() {
    inForce("p", "namespaceObject.metadata.name == 'default'", "[\"Deny\"]");
    made(map("a", ""));
    client.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"other\"}}");
    fixture.settle();
    assertThat(
            client
                .post("/api/v1/namespaces/other/configmaps", "{\"metadata\":{\"name\":\"a\"}}")
                .status())
        .isEqualTo(422);
  }

  @Test
  void scale_isSeenAsAScale() {
    made(
        client.post(
            "/apis/apps/v1/namespaces/default/deployments",
            """
            {"metadata":{"name":"d"},"spec":{"replicas":1,"selector":{"matchLabels":{"a":"b"}},
             "template":{"metadata":{"labels":{"a":"b"}},
             "spec":{"containers":[{"name":"c","image":"i"}]}}}}
            """));
    made(
        client.post(
            POLICIES,
            """
            {"metadata":{"name":"p"},"spec":{"matchConstraints":{"resourceRules":[{
              "apiGroups":["apps"],"apiVersions":["v1"],"operations":["UPDATE"],
              "resources":["deployments/scale"]}]},
              "validations":[{"expression":"object.kind == 'Scale' && object.spec.replicas < 3"},
                {"expression":"request.kind.kind == 'Scale'"}]}}
            """));
    made(bind("p", "\"validationActions\":[\"Deny\"]"));
    fixture.settle();
    String scale = "/apis/apps/v1/namespaces/default/deployments/d/scale";
    assertThat(client.patch(scale, "merge-patch", "{\"spec\":{\"replicas\":3}}").status())
        .isEqualTo(422);
    assertThat(client.patch(scale, "merge-patch", "{\"spec\":{\"replicas\":2}}").status())
        .isEqualTo(200);
  }

  @Test
  void evictionsAndBindings_areJudgedAsWhatTheyAre() {
    String pods = "/api/v1/namespaces/default/pods";
    made(
        client.post(
            pods,
            "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}"));
    made(
        client.post(
            POLICIES,
            """
            {"metadata":{"name":"p"},"spec":{"matchConstraints":{"resourceRules":[{
              "apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE"],
              "resources":["pods/eviction","pods/binding"]}]},
              "validations":[{"expression":"object.kind == 'Binding' && object.target.name == 'n1'"}]}}
            """));
    made(bind("p", "\"validationActions\":[\"Deny\"]"));
    fixture.settle();
    String eviction =
        "{\"apiVersion\":\"policy/v1\",\"kind\":\"Eviction\",\"metadata\":{\"name\":\"a\"}}";
    assertThat(client.post(pods + "/a/eviction", eviction).status()).isEqualTo(422);
    String binding =
        "{\"apiVersion\":\"v1\",\"kind\":\"Binding\",\"metadata\":{\"name\":\"a\"},"
            + "\"target\":{\"kind\":\"Node\",\"name\":\"%s\"}}";
    assertThat(client.post(pods + "/a/binding", binding.formatted("n2")).status()).isEqualTo(422);
    made(client.post(pods + "/a/binding", binding.formatted("n1")));
  }

  @Test
  void otherVersion_isConvertedToTheOneThatIsNamed() {
    made(
        client.post(
            POLICIES,
            """
            {"metadata":{"name":"p"},"spec":{"matchConstraints":{"resourceRules":[{
              "apiGroups":["autoscaling"],"apiVersions":["v1"],"operations":["CREATE"],
              "resources":["horizontalpodautoscalers"]}]},
              "validations":[{"expression":"object.spec.targetCPUUtilizationPercentage < 50"},
                {"expression":"request.kind.version == 'v1' && request.requestKind.version == 'v2'"}]}}
            """));
    made(bind("p", "\"validationActions\":[\"Deny\"]"));
    fixture.settle();
    String path = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
    String scaler =
        """
        {"metadata":{"name":"h"},"spec":{"maxReplicas":3,
         "scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"d"},
         "metrics":[{"type":"Resource","resource":{"name":"cpu",
           "target":{"type":"Utilization","averageUtilization":%d}}}]}}
        """;
    assertThat(client.post(path, scaler.formatted(60)).status()).isEqualTo(422);
    made(client.post(path, scaler.formatted(40)));
  }

  @Test
  void policies_cannotKeepAnybodyFromMendingThem() {
    made(
        client.post(
            POLICIES,
            """
            {"metadata":{"name":"p"},"spec":{"matchConstraints":{"resourceRules":[{
              "apiGroups":["*"],"apiVersions":["*"],"operations":["*"],"resources":["*/*"]}]},
              "validations":[{"expression":"false"}]}}
            """));
    made(bind("p", "\"validationActions\":[\"Deny\"]"));
    fixture.settle();
    assertThat(map("a", "").status()).isEqualTo(422);
    assertThat(client.delete(POLICIES + "/p").status()).isEqualTo(200);
  }

  // ---- what is refused

  @Test
  void expression_thatCannotBeCompiled_isRefused() {
    Client.Answer refused =
        policy(
            "p",
            """
            "validations":[{"expression":"object.spec."},{"expression":"'text'"},
              {"expression":"params.x == 1"},{"expression":"request.nonsense == 1"}]
            """);
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.text("message"))
        .contains("spec.validations[0].expression: Invalid value: \"object.spec.\": compilation")
        .contains(
            "spec.validations[1].expression: Invalid value: \"'text'\": must evaluate to bool")
        .contains("undeclared reference to 'params'")
        .contains("undefined field 'nonsense'");
  }

  @Test
  void policy_withoutSense_isRefused() {
    assertThat(policy("p", "\"failurePolicy\":\"Fail\"").text("message"))
        .contains("spec.validations: Required value: validations or auditAnnotations");
    assertThat(
            policy(
                    "p",
                    """
                    "validations":[{"expression":"true","reason":"Nonsense","message":"a\\nb"}],
                    "variables":[{"name":"a-b","expression":"1"}]
                    """)
                .text("message"))
        .contains("spec.validations[0].reason: Unsupported value: \"Nonsense\"")
        .contains("message must not contain line breaks")
        .contains("must be a valid CEL identifier");
    assertThat(bind("p", "\"validationActions\":[\"Deny\",\"Warn\"]").text("message"))
        .contains("must not contain both Deny and Warn");
  }

  @Test
  void typeChecking_warnsOfWhatTheKindDoesNotHave() {
    made(
        client.post(
            POLICIES,
            """
            {"metadata":{"name":"p"},"spec":{"matchConstraints":{"resourceRules":[{
              "apiGroups":["apps"],"apiVersions":["v1"],"operations":["*"],
              "resources":["deployments"]}]},
              "validations":[{"expression":"object.spec.replicas > 1"},
                {"expression":"object.spec.replicants > 1"}]}}
            """));
    fixture.settle();
    Client.Answer policy = client.get(POLICIES + "/p");
    JsonNode status = policy.body().path("status");
    assertThat(status.path("observedGeneration").asLong()).isEqualTo(1);
    JsonNode warnings = status.path("typeChecking").path("expressionWarnings");
    assertThat(warnings.size()).as("%s", policy).isEqualTo(1);
    assertThat(warnings.path(0).path("fieldRef").asString())
        .isEqualTo("spec.validations[1].expression");
    assertThat(warnings.path(0).path("warning").asString())
        .startsWith("apps/v1, Kind=Deployment: ")
        .contains("undefined field 'replicants'");
  }

  @Test
  void typeChecking_knowsTheFieldsOfCustomKinds() {
    made(
        client.post(
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
            """
            {"metadata":{"name":"widgets.example.dev"},"spec":{"group":"example.dev",
              "scope":"Namespaced","names":{"plural":"widgets","kind":"Widget"},
              "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{
                "type":"object","properties":{"spec":{"type":"object","properties":{
                  "replicas":{"type":"integer"},
                  "parts":{"type":"array","items":{"type":"object","properties":{
                    "size":{"type":"integer"}}}}}}}}}}]}}
            """));
    fixture.settle();
    made(
        client.post(
            POLICIES,
            """
            {"metadata":{"name":"p"},"spec":{"matchConstraints":{"resourceRules":[{
              "apiGroups":["example.dev"],"apiVersions":["v1"],"operations":["*"],
              "resources":["widgets"]}]},
              "variables":[{"name":"r","expression":"object.spec.replicas"}],
              "validations":[{"expression":"variables.r > 1"},
                {"expression":"object.spec.parts.all(part, part.size > 1)"},
                {"expression":"object.spec.replicants > 1"}]}}
            """));
    fixture.settle();
    JsonNode warnings =
        client
            .get(POLICIES + "/p")
            .body()
            .path("status")
            .path("typeChecking")
            .path("expressionWarnings");
    assertThat(warnings.size()).as("%s", warnings).isEqualTo(1);
    assertThat(warnings.path(0).path("warning").asString())
        .startsWith("example.dev/v1, Kind=Widget: ")
        .contains("undefined field 'replicants'");
  }

  // ---- changing

  private Client.Answer mutating(String name, String mutations, String more) {
    Client.Answer made =
        client.post(
            MUTATING,
            """
            {"metadata":{"name":"%s"},"spec":{"reinvocationPolicy":"IfNeeded",%s
              "matchConstraints":{"resourceRules":[{"apiGroups":[""],"apiVersions":["v1"],
              "operations":["CREATE","UPDATE"],"resources":["configmaps"]}]},"mutations":[%s]}}
            """
                .formatted(name, more, mutations));
    if (made.status() == 201) {
      made(
          client.post(
              MUTATING_BINDINGS,
              "{\"metadata\":{\"name\":\"%1$s\"},\"spec\":{\"policyName\":\"%1$s\"}}"
                  .formatted(name)));
    }
    fixture.settle();
    return made;
  }

  private static String configuration(String expression) {
    return "{\"patchType\":\"ApplyConfiguration\",\"applyConfiguration\":{\"expression\":"
        + quoted(expression)
        + "}}";
  }

  private static String patch(String expression) {
    return "{\"patchType\":\"JSONPatch\",\"jsonPatch\":{\"expression\":"
        + quoted(expression)
        + "}}";
  }

  @Test
  void configuration_isMerged() {
    made(
        mutating(
            "m",
            configuration(
                "Object{metadata: Object.metadata{labels: {\"by\": request.userInfo.username}}}"),
            ""));
    Client.Answer made =
        client.post(MAPS, "{\"metadata\":{\"name\":\"a\",\"labels\":{\"x\":\"y\"}}}");
    made(made);
    assertThat(made.text("metadata", "labels"))
        .isEqualTo("{\"x\":\"y\",\"by\":\"kubernetes-admin\"}");
  }

  @Test
  void whatPoliciesAdd_isOwnedByNobody() {
    made(
        mutating(
            "m",
            configuration("Object{metadata: Object.metadata{labels: {\"added\": \"yes\"}}}"),
            ""));
    Client.Answer made =
        client.post(MAPS, "{\"metadata\":{\"name\":\"a\",\"labels\":{\"x\":\"y\"}}}");
    assertThat(made.text("metadata", "labels")).contains("added");
    assertThat(made.text("metadata", "managedFields")).contains("f:x").doesNotContain("f:added");
    Client.Answer changed =
        client.patch(MAPS + "/a", "merge-patch", "{\"metadata\":{\"labels\":{\"x\":\"z\"}}}");
    assertThat(changed.text("metadata", "labels")).contains("added");
    assertThat(changed.text("metadata", "managedFields")).doesNotContain("f:added");
  }

  @Test
  void tooManyVariables_areRefused() {
    String many =
        IntStream.range(0, 501)
            .mapToObj(i -> "{\"name\":\"v%d\",\"expression\":\"1\"}".formatted(i))
            .collect(Collectors.joining(","));
    assertThat(
            policy("p", "\"variables\":[" + many + "],\"validations\":[{\"expression\":\"true\"}]")
                .text("message"))
        .contains("spec.variables: Too many: 501: must have at most 500 items");
  }

  @Test
  void variables_seeThoseBeforeThem_howeverMany() {
    String many =
        IntStream.range(1, 400)
            .mapToObj(
                i -> "{\"name\":\"v%d\",\"expression\":\"variables.v%d + 1\"}".formatted(i, i - 1))
            .collect(Collectors.joining(","));
    made(
        policy(
            "p",
            "\"variables\":[{\"name\":\"v0\",\"expression\":\"0\"},"
                + many
                + "],\"validations\":[{\"expression\":\"variables.v20 == 20\"}]"));
    made(bind("p", "\"validationActions\":[\"Deny\"]"));
    fixture.settle();
    made(map("a", ""));
  }

  @Test
  void patches_areApplied_eachToWhatTheLastMade() {
    made(
        mutating(
            "m",
            patch("[JSONPatch{op: \"add\", path: \"/data\", value: {\"a\": \"1\"}}]")
                + ","
                + patch(
                    "[JSONPatch{op: \"test\", path: \"/data/a\", value: \"1\"}, JSONPatch{op:"
                        + " \"add\", path: \"/data/\" + jsonpatch.escapeKey(\"b\"), value:"
                        + " object.data.a + \"2\"}]"),
            ""));
    Client.Answer made = client.post(MAPS, "{\"metadata\":{\"name\":\"a\"}}");
    assertThat(made.text("data")).isEqualTo("{\"a\":\"1\",\"b\":\"12\"}");
  }

  @Test
  void whatPoliciesMade_isJudged() {
    made(
        mutating(
            "m", patch("[JSONPatch{op: \"add\", path: \"/data\", value: {\"a\": \"1\"}}]"), ""));
    inForce("p", "!('a' in object.?data.orValue({}))", "[\"Deny\"]");
    assertThat(client.post(MAPS, "{\"metadata\":{\"name\":\"a\"}}").status()).isEqualTo(422);
  }

  @Test
  void earlierPolicy_looksAgainAfterALaterChange() {
    made(
        mutating(
            "m1",
            patch(
                "'b' in object.?data.orValue({}) ? [JSONPatch{op: \"add\", path: \"/data/seen\","
                    + " value: \"yes\"}] : [JSONPatch{op: \"test\", path: \"/kind\", value:"
                    + " \"nothing\"}]"),
            ""));
    made(
        mutating(
            "m2", patch("[JSONPatch{op: \"add\", path: \"/data\", value: {\"b\": \"1\"}}]"), ""));
    Client.Answer made = client.post(MAPS, "{\"metadata\":{\"name\":\"a\"}}");
    assertThat(made.text("data")).as("%s", made).isEqualTo("{\"b\":\"1\",\"seen\":\"yes\"}");
  }

  @Test
  void change_thatCannotBeMade_isRefused() {
    made(mutating("m", patch("[JSONPatch{op: \"remove\", path: \"/data/none\"}]"), ""));
    Client.Answer refused = map("a", "\"x\":\"1\"");
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.text("message"))
        .startsWith("policy 'm' with binding 'm' denied request: JSON Patch: ");
    assertThat(client.delete(MUTATING + "/m").status()).isEqualTo(200);
    made(mutating("n", patch("[JSONPatch{op: \"replace\", path: \"/data\", value: 3}]"), ""));
    assertThat(map("a", "\"x\":\"1\"").status()).isEqualTo(403);
    assertThat(client.delete(MUTATING + "/n").status()).isEqualTo(200);
    made(
        mutating(
            "o",
            patch("[JSONPatch{op: \"replace\", path: \"/metadata/name\", value: \"b\"}]"),
            ""));
    assertThat(map("a", "\"x\":\"1\"").text("message")).contains("cannot be changed");
  }

  @Test
  void change_thatCannotBeMade_passesIfFailuresAreIgnored() {
    made(
        mutating(
            "m",
            patch("[JSONPatch{op: \"remove\", path: \"/data/none\"}]"),
            "\"failurePolicy\":\"Ignore\","));
    made(map("a", "\"x\":\"1\""));
  }

  @Test
  void configuration_thatWouldReplaceAWhole_isRefused() {
    made(
        client.post(
            MUTATING,
            """
            {"metadata":{"name":"m"},"spec":{"reinvocationPolicy":"Never",
              "matchConstraints":{"resourceRules":[{"apiGroups":[""],"apiVersions":["v1"],
              "operations":["CREATE"],"resources":["pods"]}]},"mutations":[%s]}}
            """
                .formatted(
                    configuration(
                        "Object{spec: Object.spec{tolerations: [Object.spec.tolerations{key:"
                            + " \"x\"}]}}"))));
    made(
        client.post(
            MUTATING_BINDINGS, "{\"metadata\":{\"name\":\"m\"},\"spec\":{\"policyName\":\"m\"}}"));
    fixture.settle();
    Client.Answer refused =
        client.post(
            "/api/v1/namespaces/default/pods",
            "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}");
    assertThat(refused.text("message"))
        .contains("may not mutate atomic arrays, maps or structs: .spec.tolerations");
  }

  @Test
  void mutation_ofTheWrongType_isRefused() {
    Client.Answer refused = mutating("m", configuration("{\"a\": \"b\"}"), "");
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.text("message"))
        .contains("spec.mutations[0].applyConfiguration.expression")
        .contains("must evaluate to Object");
  }

  @Test
  void body_ofAnEvent_isNotTold() {
    made(
        policy(
            "p",
            """
            "validations":[{"expression":"true"}],
            "auditAnnotations":[{"key":"k","valueExpression":"'v'"}]
            """));
    made(bind("p", "\"validationActions\":[\"Deny\"]"));
    fixture.settle();
    made(map("a", "\"password\":\"hunter2\""));
    assertThat(new String(Json.encode(audited.getFirst()), StandardCharsets.UTF_8))
        .doesNotContain("hunter2");
  }

  /** Whoever hands a request in has other connections to see to. */
  @Test
  void policies_areNotEvaluatedOnTheThreadThatHandsARequestIn() {
    inForce("p", "true", "[\"Deny\"]");
    made(map("first", ""));
    double before = evaluations();
    assertThat(before).isPositive();
    byte[] body = "{\"metadata\":{\"name\":\"second\"}}".getBytes(StandardCharsets.UTF_8);
    var answer = client.send("POST", MAPS, Map.of(), body);
    assertThat(evaluations()).as("while the caller waited").isEqualTo(before);
    fixture.settle();
    assertThat(answer.join().status()).isEqualTo(201);
    assertThat(evaluations()).isGreaterThan(before);
  }

  /** Without letting any time pass. */
  private double evaluations() {
    var page = client.send("GET", "/metrics", Map.of(), new byte[0]).join();
    return new String(((ApiResponse.Whole) page.content()).bytes(), StandardCharsets.UTF_8)
        .lines()
        .filter(
            line ->
                line.startsWith("apiserver_admission_controller_admission_duration_seconds_count"))
        .filter(line -> line.contains("name=\"ValidatingAdmissionPolicy\""))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
