package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Questions that cannot be answered are refused. */
class ReviewsTest {

  private static final String ACCESS = "/apis/authorization.k8s.io/v1/";

  private final ServerFixture fixture = new ServerFixture();
  private final Client client = fixture.client;

  @AfterEach
  void close() {
    fixture.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          subjectaccessreviews | {"spec":{"user":"bob"}} | spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified
          subjectaccessreviews | {"spec":{"resourceAttributes":{"verb":"get"}}} | spec.user: Invalid value: "": at least one of user or group must be specified
          subjectaccessreviews | {"spec":{"user":"bob","resourceAttributes":{},"nonResourceAttributes":{"path":"/"}}} | spec.nonResourceAttributes: Invalid value: {"Path":"/","Verb":""}: cannot be specified in combination with resourceAttributes
          subjectaccessreviews | {"spec":{"user":"bob","resourceAttributes":{"fieldSelector":{"rawSelector":"a=b","requirements":[{"key":"a"}]}}}} | spec.resourceAttributes.fieldSelector.rawSelector: Invalid value: "a=b": may not specified at the same time as requirements
          subjectaccessreviews | {"spec":{"user":"bob","resourceAttributes":{"labelSelector":{}}}} | spec.resourceAttributes.labelSelector.requirements: Required value: when spec.resourceAttributes.labelSelector is specified, requirements or rawSelector is required
          subjectaccessreviews | {"metadata":{"name":"x"},"spec":{"user":"bob","resourceAttributes":{}}} | metadata: Invalid value: {"name":"x"}: must be empty
          selfsubjectaccessreviews | {"spec":{}} | spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified
          namespaces/default/localsubjectaccessreviews | {"spec":{"user":"bob","resourceAttributes":{"namespace":"other"}}} | spec.resourceAttributes.namespace: Invalid value: "other": must match metadata.namespace
          namespaces/default/localsubjectaccessreviews | {"spec":{"user":"bob","nonResourceAttributes":{}}} | spec.nonResourceAttributes: Invalid value: {"Path":"","Verb":""}: disallowed on this kind of request
          """)
  void aQuestionAboutNothing_isInvalid(String path, String body, String error) {
    Client.Answer answer = client.post(ACCESS + path, body);
    assertThat(answer.status()).as("%s", answer).isEqualTo(422);
    assertThat(answer.text("message")).isEqualTo(".authorization.k8s.io \"\" is invalid: " + error);
  }

  @Test
  void aReviewOfNoTokenOrNamespace_isABadRequest() {
    assertThat(
            client
                .post("/apis/authentication.k8s.io/v1/tokenreviews", "{\"spec\":{}}")
                .text("message"))
        .isEqualTo("token is required for TokenReview in authentication");
    assertThat(client.post(ACCESS + "selfsubjectrulesreviews", "{\"spec\":{}}").text("message"))
        .isEqualTo("no namespace on request");
  }

  @Test
  void whoami_saysWhenItWasAsked() {
    Client.Answer answer =
        client.post("/apis/authentication.k8s.io/v1/selfsubjectreviews", "{\"metadata\":{}}");
    assertThat(answer.text("metadata", "creationTimestamp")).isNotEmpty();
  }

  private final RoleWorld world = new RoleWorld(client);

  private JsonNode asked(String body) {
    Client.Answer answer = client.post(ACCESS + "subjectaccessreviews", "{\"spec\":" + body + "}");
    assertThat(answer.status()).as("%s", answer).isEqualTo(201);
    return answer.body().path("status");
  }

  private void bobGetsMaps() {
    world.namespace("dev");
    world.role("dev", "r", "get", "", "configmaps");
    world.bind("dev", "b", "Role", "r", RoleWorld.user("bob"));
  }

  @Test
  void aReview_saysWhy() {
    bobGetsMaps();
    assertThat(
            asked(
                    "{\"user\":\"bob\",\"resourceAttributes\":{\"verb\":\"get\",\"resource\":\"configmaps\",\"namespace\":\"dev\"}}")
                .toString())
        .isEqualTo(
            "{\"allowed\":true,\"reason\":\"RBAC: allowed by RoleBinding \\\"b/dev\\\" of Role"
                + " \\\"r\\\" to User \\\"bob\\\"\"}");
    assertThat(
            asked(
                    "{\"user\":\"bob\",\"resourceAttributes\":{\"verb\":\"list\",\"resource\":\"configmaps\",\"namespace\":\"dev\"}}")
                .toString())
        .isEqualTo("{\"allowed\":false,\"reason\":\"may get, not list\"}");
    assertThat(
            asked(
                    "{\"user\":\"eve\",\"resourceAttributes\":{\"verb\":\"get\",\"resource\":\"configmaps\",\"namespace\":\"dev\"}}")
                .toString())
        .isEqualTo("{\"allowed\":false}");
    assertThat(
            asked(
                    "{\"user\":\"system:kube-scheduler\",\"resourceAttributes\":{\"verb\":\"create\",\"resource\":\"pods\",\"subresource\":\"binding\",\"namespace\":\"x\"}}")
                .path("reason")
                .asString())
        .isEqualTo(
            "RBAC: allowed by ClusterRoleBinding \"system:kube-scheduler\" of ClusterRole"
                + " \"system:kube-scheduler\" to User \"system:kube-scheduler\"");
    assertThat(
            asked(
                    "{\"user\":\"system:serviceaccount:kube-system:deployment-controller\",\"resourceAttributes\":{\"verb\":\"update\",\"group\":\"apps\",\"resource\":\"deployments\",\"subresource\":\"status\"}}")
                .path("reason")
                .asString())
        .endsWith("to ServiceAccount \"deployment-controller/kube-system\"");
    assertThat(
            asked(
                    "{\"groups\":[\"system:masters\"],\"resourceAttributes\":{\"verb\":\"get\",\"resource\":\"pods\"}}")
                .toString())
        .isEqualTo("{\"allowed\":true}");
    assertThat(
            asked(
                    "{\"user\":\"eve\",\"groups\":[\"system:authenticated\"],\"nonResourceAttributes\":{\"verb\":\"get\",\"path\":\"/apis/x\"}}")
                .path("allowed")
                .asBoolean())
        .isTrue();
  }

  @Test
  void aLocalReview_isAboutItsNamespace_andOneOfOneself_aboutOneself() {
    bobGetsMaps();
    assertThat(
            client
                .post(
                    ACCESS + "namespaces/dev/localsubjectaccessreviews",
                    "{\"spec\":{\"user\":\"bob\",\"resourceAttributes\":{\"verb\":\"get\",\"resource\":\"configmaps\",\"namespace\":\"dev\"}}}")
                .body()
                .at("/status/allowed")
                .asBoolean())
        .isTrue();
    String own =
        "{\"spec\":{\"resourceAttributes\":{\"verb\":\"get\",\"resource\":\"configmaps\",\"namespace\":\"dev\"}}}";
    String path = ACCESS + "selfsubjectaccessreviews";
    assertThat(world.as("bob", "POST", path, own).body().at("/status/allowed").asBoolean())
        .isTrue();
    assertThat(world.as("eve", "POST", path, own).body().at("/status/allowed").asBoolean())
        .isFalse();
    assertThat(world.as("bob", "POST", ACCESS + "subjectaccessreviews", own).status())
        .isEqualTo(403);
  }

  @Test
  void rules_areThoseOfANamespaceAndOfTheCluster() {
    bobGetsMaps();
    world.bind("dev", "gone", "Role", "gone", RoleWorld.user("bob"));
    Client.Answer answer =
        world.as(
            "bob",
            "POST",
            ACCESS + "selfsubjectrulesreviews",
            "{\"spec\":{\"namespace\":\"dev\"}}");
    JsonNode status = answer.body().path("status");
    assertThat(status.path("resourceRules").toString())
        .isEqualTo(
            "[{\"verbs\":[\"create\"],\"apiGroups\":[\"authorization.k8s.io\"],\"resources\":[\"selfsubjectaccessreviews\",\"selfsubjectrulesreviews\"]},"
                + "{\"verbs\":[\"create\"],\"apiGroups\":[\"authentication.k8s.io\"],\"resources\":[\"selfsubjectreviews\"]},"
                + "{\"verbs\":[\"get\"],\"apiGroups\":[\"\"],\"resources\":[\"configmaps\"]}]");
    assertThat(status.path("nonResourceRules")).isNotEmpty();
    assertThat(status.path("incomplete").asBoolean()).isFalse();
    assertThat(status.path("evaluationError").asString())
        .isEqualTo("role.rbac.authorization.k8s.io \"gone\" not found");
    Client.Answer all =
        client.post(ACCESS + "selfsubjectrulesreviews", "{\"spec\":{\"namespace\":\"dev\"}}");
    assertThat(all.text("status", "resourceRules"))
        .contains("{\"verbs\":[\"*\"],\"apiGroups\":[\"*\"],\"resources\":[\"*\"]}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "fieldSelector":{"rawSelector":"spec.nodeName=n"} | ``
          "labelSelector":{"rawSelector":"a in (b)"} | ``
          "fieldSelector":{"requirements":[{"key":"spec.nodeName","operator":"In","values":["n"]}]} | ``
          "labelSelector":{"requirements":[{"key":"a","operator":"Exists"}]} | ``
          "fieldSelector":{"rawSelector":"nonsense"} | spec.resourceAttributes.fieldSelector ignored due to parse error
          "labelSelector":{"rawSelector":"a in"} | spec.resourceAttributes.labelSelector ignored due to parse error
          "fieldSelector":{"requirements":[{"key":"a","operator":"Exists"},{"key":"b","operator":"In","values":["n"]}]} | spec.resourceAttributes.fieldSelector partially ignored due to parse error
          "fieldSelector":{"requirements":[{"key":"a","operator":"In","values":["b","c"]}]} | spec.resourceAttributes.fieldSelector ignored due to parse error
          "labelSelector":{"requirements":[{"key":"a","operator":"Near","values":["b"]},{"key":"a","operator":"Exists"}]} | spec.resourceAttributes.labelSelector partially ignored due to parse error
          "fieldSelector":{"rawSelector":"nonsense"},"labelSelector":{"rawSelector":"a in"} | spec.resourceAttributes.fieldSelector ignored due to parse error; spec.resourceAttributes.labelSelector ignored due to parse error
          """)
  void selectors_areRead_andThoseThatCannotBe_limitNothing(String selectors, String fault) {
    world.clusterRole("r", "list", "", "pods");
    world.bind("", "b", "ClusterRole", "r", RoleWorld.user("bob"));
    JsonNode status =
        asked(
            "{\"user\":\"bob\",\"resourceAttributes\":{\"verb\":\"list\",\"resource\":\"pods\","
                + selectors
                + "}}");
    assertThat(status.path("allowed").asBoolean()).isTrue();
    assertThat(status.path("evaluationError").asString("")).isEqualTo(fault);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "labelSelector":{"requirements":[{"key":"a","operator":"In"}]} | spec.resourceAttributes.labelSelector.requirements[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'
          "fieldSelector":{"requirements":[{"key":"a","operator":"Exists","values":["b"]}]} | spec.resourceAttributes.fieldSelector.requirements[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'
          "fieldSelector":{"requirements":[{"operator":"Exists"}]} | spec.resourceAttributes.fieldSelector.requirements[0].key: Required value: must be specified
          """)
  void requirementsThatMakeNoSense_areInvalid(String selector, String error) {
    Client.Answer answer =
        client.post(
            ACCESS + "subjectaccessreviews",
            "{\"spec\":{\"user\":\"bob\",\"resourceAttributes\":{" + selector + "}}}");
    assertThat(answer.status()).as("%s", answer).isEqualTo(422);
    assertThat(answer.text("message")).endsWith(error);
  }
}
