package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What the server adds by itself, and under whose name. */
class OwnWritesTest {

  private final ServerFixture fixture = new ServerFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private JsonNode created(String path, String body) {
    Client.Answer answer = fixture.client.post(path, body);
    assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
    return answer.body();
  }

  private static List<String> managers(JsonNode object) {
    List<String> managers = new ArrayList<>();
    for (JsonNode entry : object.path("metadata").path("managedFields")) {
      managers.add(
          entry.path("manager").asString("")
              + " "
              + entry.path("operation").asString("")
              + " "
              + entry.path("subresource").asString(""));
    }
    return managers;
  }

  @Test
  void countOfAQuota_belongsToWhoeverCounts() {
    String path = "/api/v1/namespaces/default/resourcequotas";
    var _ = created(path, "{\"metadata\":{\"name\":\"q\"},\"spec\":{\"hard\":{\"pods\":\"5\"}}}");
    fixture.env.runFor(Duration.ofSeconds(2));
    JsonNode quota = fixture.client.get(path + "/q").body();
    assertThat(managers(quota)).contains("kube-controller-manager Update status");
    assertThat(quota.path("metadata").path("managedFields").toString())
        .contains("{\"f:status\":{\"f:hard\":{\".\":{},\"f:pods\":{}},\"f:used\":{\".\":{},");
  }

  @Test
  void checkOfAPolicy_isAppliedUnderItsName() {
    String path = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
    var _ =
        created(
            path,
            """
            {"metadata":{"name":"p"},"spec":{"matchConstraints":{"resourceRules":[{"apiGroups":[""],
             "apiVersions":["v1"],"operations":["CREATE"],"resources":["configmaps"]}]},
             "validations":[{"expression":"true"}]}}
            """);
    fixture.env.runFor(Duration.ofSeconds(2));
    JsonNode policy = fixture.client.get(path + "/p").body();
    assertThat(policy.path("status").path("observedGeneration").asInt(0)).isEqualTo(1);
    assertThat(managers(policy)).contains("validatingadmissionpolicy-status Apply status");
  }

  @Test
  void referenceWithoutItsName_isOwnedByAnEmptyOne() {
    JsonNode pod =
        created(
            "/api/v1/namespaces/default/pods?fieldManager=m",
            """
            {"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}],
             "imagePullSecrets":[{}]}}
            """);
    assertThat(pod.path("metadata").path("managedFields").toString())
        .contains("\"f:imagePullSecrets\":{\".\":{},\"k:{\\\"name\\\":\\\"\\\"}\":{}}");
  }

  @Test
  void whatTheServerSetsOnANewObject_belongsToNobody() {
    JsonNode namespace = created("/api/v1/namespaces", "{\"metadata\":{\"name\":\"n\"}}");
    assertThat(namespace.path("spec").path("finalizers").size()).isEqualTo(1);
    assertThat(namespace.path("metadata").path("managedFields").toString())
        .doesNotContain("f:finalizers");
    JsonNode job =
        created(
            "/apis/batch/v1/namespaces/default/jobs",
            """
            {"metadata":{"name":"j"},"spec":{"suspend":true,"template":{"spec":{
             "restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}
            """);
    assertThat(job.path("metadata").path("labels").path("job-name").asString("")).isEqualTo("j");
    assertThat(job.path("metadata").path("managedFields").toString())
        .doesNotContain("f:selector", "f:labels");
    JsonNode claim =
        created(
            "/api/v1/namespaces/default/persistentvolumeclaims",
            """
            {"metadata":{"name":"c"},"spec":{"accessModes":["ReadWriteOnce"],
             "resources":{"requests":{"storage":"1Gi"}}}}
            """);
    assertThat(claim.path("metadata").path("finalizers").size()).isEqualTo(1);
    assertThat(claim.path("metadata").path("managedFields").toString())
        .doesNotContain("f:finalizers");
  }

  @Test
  void deletedKindsOfStorage_areAnsweredWithTheObject() {
    String path = "/apis/storage.k8s.io/v1/storageclasses";
    var _ = created(path, "{\"metadata\":{\"name\":\"s\"},\"provisioner\":\"p.example.com\"}");
    assertThat(fixture.client.delete(path + "/s").body().path("kind").asString(""))
        .isEqualTo("StorageClass");
  }

  @Test
  void scaleOfAnotherObject_isRefused() {
    var _ =
        created(
            "/apis/apps/v1/namespaces/default/deployments",
            """
            {"metadata":{"name":"d"},"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{
             "metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}
            """);
    String path = "/apis/apps/v1/namespaces/default/deployments/d/scale";
    String scale =
        "{\"apiVersion\":\"autoscaling/v1\",\"kind\":\"%s\",\"metadata\":{\"name\":\"%s\"},\"spec\":{\"replicas\":0}}";
    assertThat(fixture.client.put(path, scale.formatted("Scale", "other")).status()).isEqualTo(400);
    assertThat(fixture.client.put(path, scale.formatted("Nope", "d")).status()).isEqualTo(400);
    assertThat(fixture.client.put(path, scale.formatted("Scale", "d")).status()).isEqualTo(200);
  }

  @Test
  void refusalOfADeprecatedKind_isWarnedOfToo() {
    Client.Answer missing = fixture.client.get("/api/v1/namespaces/default/endpoints/none");
    assertThat(missing.status()).isEqualTo(404);
    assertThat(missing.headers())
        .anyMatch(header -> header.value().contains("v1 Endpoints is deprecated in v1.33+"));
  }
}
