package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.api.ApiResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/** What the labels of a namespace mean to those who write pods, through the whole server. */
class PodSecurityTest {

  private static final String NAMESPACES = "/api/v1/namespaces";
  private static final String PODS = NAMESPACES + "/team/pods";
  private static final String HOST = "\"hostNetwork\":true";
  private static final String VIOLATES =
      "violates PodSecurity \"baseline:latest\": host namespaces (hostNetwork=true)";
  private static final String WOULD =
      "would violate PodSecurity \"baseline:latest\": host namespaces (hostNetwork=true)";

  private final ServerFixture fixture = new ServerFixture();
  private final Client client = fixture.client;
  private final List<JsonNode> audited = new ArrayList<>();

  PodSecurityTest() {
    fixture.server.auditTo(line -> audited.add(Json.parse(line)));
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  /** From {@code enforce=baseline warn=restricted}. */
  private static String labels(String text) {
    List<String> labels = new ArrayList<>();
    for (String label : text.split(" ", -1)) {
      String[] parts = label.split("=", 2);
      labels.add("\"pod-security.kubernetes.io/%s\":\"%s\"".formatted(parts[0], parts[1]));
    }
    return "\"labels\":{" + String.join(",", labels) + "}";
  }

  private Client.Answer namespace(String labels) {
    return client.post(NAMESPACES, "{\"metadata\":{\"name\":\"team\"," + labels(labels) + "}}");
  }

  private Client.Answer label(String labels) {
    return client.patch(
        NAMESPACES + "/team", "merge-patch", "{\"metadata\":{" + labels(labels) + "}}");
  }

  private Client.Answer pod(String name, String spec) {
    return client.post(
        PODS,
        "{\"metadata\":{\"name\":\"%s\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]%s}}"
            .formatted(name, spec.isEmpty() ? "" : "," + spec));
  }

  private static void made(Client.Answer answer) {
    assertThat(answer.status()).as("%s", answer.body()).isBetween(200, 201);
  }

  private static void refused(Client.Answer answer, String name, String why) {
    assertThat(answer.status()).as("%s", answer.body()).isEqualTo(403);
    assertThat(answer.text("message")).isEqualTo("pods \"" + name + "\" is forbidden: " + why);
    assertThat(answer.text("reason")).isEqualTo("Forbidden");
    assertThat(answer.text("details")).isEqualTo("{\"name\":\"" + name + "\",\"kind\":\"pods\"}");
    assertThat(warnings(answer)).isEmpty();
  }

  private static List<String> warnings(Client.Answer answer) {
    return answer.headers().stream()
        .filter(header -> header.name().equals("Warning"))
        .map(ApiResponse.Header::value)
        .map(value -> value.substring("299 - \"".length(), value.length() - 1))
        .map(value -> value.replace("\\\"", "\""))
        .toList();
  }

  @Test
  void withoutLabels_podsMayDoAnything_andNobodyIsTold() {
    made(client.post(NAMESPACES, "{\"metadata\":{\"name\":\"team\"}}"));
    Client.Answer made = pod("a", HOST);
    made(made);
    assertThat(warnings(made)).isEmpty();
    assertThat(audited).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "enforce=bogus, enforce, bogus, 'must be one of privileged, baseline, restricted'",
    "warn=Baseline, warn, Baseline, 'must be one of privileged, baseline, restricted'",
    "audit-version=1.20, audit-version, 1.20, 'must be \\\"latest\\\" or \\\"v1.x\\\"'",
  })
  void labelsThatMakeNoSense_areRefused(String labels, String label, String value, String must) {
    String why = "Invalid value: \"" + value + "\": " + must.replace("\\\"", "\"");
    String field = "metadata.labels[pod-security.kubernetes.io/" + label + "]";
    Client.Answer created = namespace(labels);
    assertThat(created.status()).isEqualTo(422);
    assertThat(created.text("message"))
        .isEqualTo("Namespace \"team\" is invalid: " + field + ": " + why);
    assertThat(created.body().path("details").path("causes").path(0).path("field").asString())
        .isEqualTo(field);
    made(namespace("enforce=baseline"));
    Client.Answer changed = label(labels);
    assertThat(changed.status()).isEqualTo(422);
    assertThat(changed.text("message")).isEqualTo(created.text("message"));
  }

  @Test
  void enforce_refusesPods_whoeverSendsThem() {
    made(namespace("enforce=baseline warn=restricted"));
    refused(pod("a", HOST), "a", VIOLATES);
    refused(
        client.post(
            PODS + "?dryRun=All",
            "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"hostPID\":true,\"containers\":[{\"name\":\"c\","
                + "\"image\":\"i\",\"securityContext\":{\"privileged\":true}}]}}"),
        "a",
        "violates PodSecurity \"baseline:latest\": host namespaces (hostPID=true), privileged"
            + " (container \"c\" must not set securityContext.privileged=true)");
    Client.Answer applied =
        client.call(
            "PATCH",
            PODS + "/b?fieldManager=m",
            "application/apply-patch+yaml",
            "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"b\"},\"spec\":{"
                + HOST
                + ",\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}");
    refused(applied, "b", VIOLATES);
    Client.Answer warned = pod("a", "");
    made(warned);
    assertThat(warnings(warned))
        .containsExactly(
            "would violate PodSecurity \"restricted:latest\": allowPrivilegeEscalation != false"
                + " (container \"c\" must set securityContext.allowPrivilegeEscalation=false),"
                + " unrestricted capabilities (container \"c\" must set"
                + " securityContext.capabilities.drop=[\"ALL\"]), runAsNonRoot != true (pod or"
                + " container \"c\" must set securityContext.runAsNonRoot=true), seccompProfile"
                + " (pod or container \"c\" must set securityContext.seccompProfile.type to"
                + " \"RuntimeDefault\" or \"Localhost\")");
  }

  @ParameterizedTest
  @ValueSource(strings = {"kube-system", "kube-public", "default"})
  void noNamespaceIsExempt(String namespace) {
    made(
        client.patch(
            NAMESPACES + "/" + namespace,
            "merge-patch",
            "{\"metadata\":{" + labels("enforce=restricted") + "}}"));
    Client.Answer refused =
        client.post(
            NAMESPACES + "/" + namespace + "/pods",
            "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}");
    assertThat(refused.status()).as("%s", refused.body()).isEqualTo(403);
  }

  @Test
  void version_isTheOneThatTheLabelNames() {
    made(namespace("enforce=restricted enforce-version=v1.7"));
    made(pod("a", "\"securityContext\":{\"runAsNonRoot\":true}"));
    made(label("enforce-version=v1.8"));
    refused(
        pod("b", "\"securityContext\":{\"runAsNonRoot\":true}"),
        "b",
        "violates PodSecurity \"restricted:v1.8\": allowPrivilegeEscalation != false (container"
            + " \"c\" must set securityContext.allowPrivilegeEscalation=false)");
  }

  @Test
  void updates_areJudgedByWhatTheyChange() {
    made(client.post(NAMESPACES, "{\"metadata\":{\"name\":\"team\"}}"));
    made(pod("a", HOST));
    made(label("enforce=baseline warn=privileged"));
    made(
        client.patch(PODS + "/a", "merge-patch", "{\"metadata\":{\"annotations\":{\"x\":\"y\"}}}"));
    made(client.patch(PODS + "/a/status", "merge-patch", "{\"status\":{\"phase\":\"Running\"}}"));
    refused(
        client.patch(
            PODS + "/a",
            "strategic-merge-patch",
            "{\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"other\"}]}}"),
        "a",
        VIOLATES);
    refused(
        client.patch(
            PODS + "/a/ephemeralcontainers",
            "strategic-merge-patch",
            "{\"spec\":{\"ephemeralContainers\":[{\"name\":\"e\",\"image\":\"i\"}]}}"),
        "a",
        VIOLATES);
  }

  @Test
  void ephemeralContainer_isJudgedItself() {
    made(namespace("enforce=baseline"));
    made(pod("a", ""));
    refused(
        client.patch(
            PODS + "/a/ephemeralcontainers",
            "strategic-merge-patch",
            "{\"spec\":{\"ephemeralContainers\":[{\"name\":\"e\",\"image\":\"i\","
                + "\"securityContext\":{\"privileged\":true}}]}}"),
        "a",
        "violates PodSecurity \"baseline:latest\": privileged (container \"e\" must not set"
            + " securityContext.privileged=true)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          /api/v1 | podtemplates | {"metadata":{"name":"x"},"template":T}
          /api/v1 | replicationcontrollers | {"metadata":{"name":"x"},"spec":{"selector":{"app":"x"},"template":T}}
          /apis/apps/v1 | replicasets | {"metadata":{"name":"x"},"spec":{"selector":{"matchLabels":{"app":"x"}},"template":T}}
          /apis/apps/v1 | deployments | {"metadata":{"name":"x"},"spec":{"selector":{"matchLabels":{"app":"x"}},"template":T}}
          /apis/apps/v1 | daemonsets | {"metadata":{"name":"x"},"spec":{"selector":{"matchLabels":{"app":"x"}},"template":T}}
          /apis/apps/v1 | statefulsets | {"metadata":{"name":"x"},"spec":{"serviceName":"x","selector":{"matchLabels":{"app":"x"}},"template":T}}
          /apis/batch/v1 | jobs | {"metadata":{"name":"x"},"spec":{"template":N}}
          /apis/batch/v1 | cronjobs | {"metadata":{"name":"x"},"spec":{"schedule":"1 1 * * *","jobTemplate":{"spec":{"template":N}}}}
          """)
  void whatMakesPods_isWarnedOf_andAudited_andLetIn(String group, String kind, String body) {
    made(namespace("enforce=baseline audit=baseline"));
    String template =
        "{\"metadata\":{\"labels\":{\"app\":\"x\"}},\"spec\":{"
            + HOST
            + "%s,\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}";
    String path = group + "/namespaces/team/" + kind;
    Client.Answer made =
        client.post(
            path,
            body.replace("T}", template.formatted("") + "}")
                .replace("N}", template.formatted(",\"restartPolicy\":\"Never\"") + "}"));
    made(made);
    assertThat(warnings(made)).containsExactly(WOULD);
    assertThat(audited).hasSize(1);
    assertThat(audited.getFirst().path("annotations").toString())
        .isEqualTo(
            "{\"pod-security.kubernetes.io/audit-violations\":" + StringNode.valueOf(WOULD) + "}");
    Client.Answer changed =
        client.patch(path + "/x", "merge-patch", "{\"metadata\":{\"annotations\":{\"x\":\"y\"}}}");
    made(changed);
    assertThat(warnings(changed)).containsExactly(WOULD);
  }

  @Test
  void audit_isToldOfPods_thatViolate_andOfThoseThatWereRefused() {
    made(namespace("enforce=privileged audit=baseline audit-version=v1.30"));
    made(pod("good", ""));
    assertThat(audited).isEmpty();
    Client.Answer made = pod("bad", HOST);
    made(made);
    assertThat(warnings(made)).isEmpty();
    JsonNode annotations = audited.getFirst().path("annotations");
    assertThat(annotations.path("pod-security.kubernetes.io/audit-violations").asString())
        .isEqualTo(WOULD.replace("latest", "v1.30"));
    made(label("enforce=baseline"));
    assertThat(pod("worse", HOST).status()).isEqualTo(403);
    assertThat(audited.getLast().path("responseStatus").path("code").asInt()).isEqualTo(403);
    assertThat(
            audited
                .getLast()
                .path("annotations")
                .path("pod-security.kubernetes.io/enforce-policy")
                .asString())
        .isEqualTo("baseline:latest");
  }

  @Test
  void whoMakesANamespaceStricter_isToldOfItsPods_whichStay() {
    made(client.post(NAMESPACES, "{\"metadata\":{\"name\":\"team\"}}"));
    made(client.post(NAMESPACES, "{\"metadata\":{\"name\":\"team2\"}}"));
    made(pod("b", HOST));
    made(pod("a", HOST));
    made(pod("good", ""));
    made(
        client.post(
            NAMESPACES + "/team2/pods",
            "{\"metadata\":{\"name\":\"x\"},\"spec\":{\"hostPID\":true,\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}"));
    String[] expected = {
      "existing pods in namespace \"team\" violate the new PodSecurity enforce level"
          + " \"baseline:latest\"",
      "a (and 1 other pod): host namespaces"
    };
    Client.Answer tried =
        client.patch(
            NAMESPACES + "/team?dryRun=All",
            "merge-patch",
            "{\"metadata\":{" + labels("enforce=baseline") + "}}");
    made(tried);
    assertThat(warnings(tried)).containsExactly(expected);
    Client.Answer changed = label("enforce=baseline");
    assertThat(warnings(changed)).containsExactly(expected);
    assertThat(warnings(label("audit=restricted"))).isEmpty();
    assertThat(warnings(label("enforce=privileged"))).isEmpty();
    assertThat(client.get(PODS + "/a").status()).isEqualTo(200);
  }
}
