package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
}
