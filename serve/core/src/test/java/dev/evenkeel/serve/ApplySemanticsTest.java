package dev.evenkeel.serve;

import static dev.evenkeel.serve.ServerFixture.CONFIG_MAPS;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Server-side apply and managedFields. */
final class ApplySemanticsTest {

  private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
  private static final String SERVICES = "/api/v1/namespaces/default/services";
  private static final String AUTOSCALERS =
      "/apis/autoscaling/%s/namespaces/default/horizontalpodautoscalers/h";

  private final ServerFixture fixture = new ServerFixture();
  private final Client client = fixture.client;

  @AfterEach
  void close() {
    fixture.close();
  }

  /** Single quotes stand for double ones. */
  private Client.Answer apply(String path, String manager, String body) {
    return client.call(
        "PATCH",
        path + (path.contains("?") ? "&" : "?") + "fieldManager=" + manager,
        "application/apply-patch+yaml",
        body.replace('\'', '"'));
  }

  private Client.Answer applyData(String manager, String data) {
    return apply(CONFIG_MAPS + "/a", manager, configMap(data));
  }

  private static String configMap(String data) {
    return "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a'},'data':" + data + "}";
  }

  private static String deployment(String spec) {
    return "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'d'},'spec':"
        + spec
        + "}";
  }

  private static final String WHOLE =
      "{'replicas':2,'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':"
          + "{'a':'b'}},'spec':{'containers':[{'name':'c','image':'i:1','ports':"
          + "[{'containerPort':80}]}]}}}";

  private static JsonNode entry(Client.Answer answer, String manager) {
    for (JsonNode entry : answer.body().path("metadata").path("managedFields")) {
      if (entry.path("manager").asString("").equals(manager)) {
        return entry;
      }
    }
    return answer.body().path("no such entry");
  }

  private static String fields(Client.Answer answer, String manager) {
    return entry(answer, manager).path("fieldsV1").toString().replace('"', '\'');
  }

  // ---- other writes

  @Test
  void create_ownsWhatWasSentAndDefaulted() {
    Client.Answer made =
        Client.answer(
            client.raw(
                "POST",
                DEPLOYMENTS,
                Map.of("content-type", "application/json", "user-agent", "kubectl/v1.34.0 (x)"),
                deployment(WHOLE).replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.body().path("metadata").path("managedFields")).hasSize(1);
    JsonNode entry = entry(made, "kubectl");
    assertThat(entry.path("operation").asString()).isEqualTo("Update");
    assertThat(entry.path("apiVersion").asString()).isEqualTo("apps/v1");
    assertThat(entry.path("time").asString()).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(entry.path("fieldsType").asString()).isEqualTo("FieldsV1");
    assertThat(fields(made, "kubectl"))
        .startsWith("{'f:spec':{'f:progressDeadlineSeconds':{},'f:replicas':{}")
        .contains("'f:selector':{},'f:strategy':{'f:rollingUpdate':{'.':{},'f:maxSurge':{}")
        .contains(
            "'f:template':{'f:metadata':{'f:labels':{'.':{},'f:a':{}}},'f:spec':{'f:containers'")
        .contains(
            "'k:{\\'name\\':\\'c\\'}':{'.':{},'f:image':{},'f:imagePullPolicy':{},'f:name':{},"
                + "'f:ports':{'.':{},'k:{\\'containerPort\\':80,\\'protocol\\':\\'TCP\\'}':{'.':{},"
                + "'f:containerPort':{},'f:protocol':{}}},'f:resources':{}")
        .doesNotContain("f:status", "f:creationTimestamp", "f:name':{},'f:namespace");
    assertThat(client.get(DEPLOYMENTS + "/d").body()).isEqualTo(made.body());
  }

  @Test
  void anUpdate_takesWhatItChanges_andOneThatChangesNothingIsNone() {
    applyData("me", "{'v':'1','w':'1'}");
    fixture.env.runFor(Duration.ofSeconds(5));
    Client.Answer patched =
        client.patch(
            CONFIG_MAPS + "/a?fieldManager=you",
            "merge-patch",
            "{\"data\":{\"v\":\"2\",\"x\":\"y\"}}");
    assertThat(fields(patched, "me")).isEqualTo("{'f:data':{'f:w':{}}}");
    assertThat(fields(patched, "you")).isEqualTo("{'f:data':{'f:v':{},'f:x':{}}}");
    assertThat(entry(patched, "me").path("time").asString()).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(entry(patched, "you").path("time").asString()).isEqualTo("2026-01-01T00:00:05Z");
    fixture.env.runFor(Duration.ofSeconds(5));
    assertThat(
            client
                .patch(
                    CONFIG_MAPS + "/a?fieldManager=they", "merge-patch", "{\"data\":{\"v\":\"2\"}}")
                .body())
        .isEqualTo(patched.body());
    assertThat(client.put(CONFIG_MAPS + "/a", patched.body().toString()).body())
        .isEqualTo(patched.body());
  }

  @Test
  void managers_areResetByAnEmptyList_andKeptWhereNobodySaysSo() {
    applyData("me", "{'v':'1'}");
    Client.Answer kept = client.put(CONFIG_MAPS + "/a", configMap("{'v':'1'}").replace('\'', '"'));
    assertThat(fields(kept, "me")).isEqualTo("{'f:data':{'f:v':{}}}");
    String odd =
        "{'metadata':{'managedFields':[{'manager':'x','operation':'Bogus','apiVersion':'v1'}]}}";
    assertThat(client.patch(CONFIG_MAPS + "/a", "merge-patch", odd.replace('\'', '"')).body())
        .isEqualTo(kept.body());
    for (String empty : new String[] {"[]", "[{}]"}) {
      applyData("me", "{'v':'1'}");
      Client.Answer reset =
          client.patch(
              CONFIG_MAPS + "/a",
              "merge-patch",
              "{\"metadata\":{\"managedFields\":" + empty + "}}");
      assertThat(reset.body().path("metadata").has("managedFields")).isFalse();
      Client.Answer still =
          client.patch(CONFIG_MAPS + "/a", "merge-patch", "{\"data\":{\"z\":\"" + empty + "\"}}");
      assertThat(still.body().path("metadata").has("managedFields")).isFalse();
    }
    Client.Answer first = apply(CONFIG_MAPS + "/a?force=true", "me", configMap("{'v':'3'}"));
    assertThat(fields(first, "before-first-apply")).isEqualTo("{'f:data':{'.':{},'f:z':{}}}");
  }

  @Test
  void tooManyUpdaters_becomeOne() {
    client.createConfigMap("default", "a", "1");
    Client.Answer last = client.get(CONFIG_MAPS + "/a");
    for (int i = 0; i < 14; i++) {
      fixture.env.runFor(Duration.ofSeconds(1));
      last =
          client.patch(
              CONFIG_MAPS + "/a?fieldManager=m" + i,
              "merge-patch",
              "{\"data\":{\"k" + i + "\":\"x\"}}");
    }
    assertThat(last.body().path("metadata").path("managedFields")).hasSize(10);
    assertThat(fields(last, "ancient-changes")).contains("f:k0");
    assertThat(fields(last, "m13")).isEqualTo("{'f:data':{'f:k13':{}}}");
  }

  @Test
  void writesOfAPart_sayWhich() {
    apply(DEPLOYMENTS + "/d", "me", deployment(WHOLE));
    Client.Answer status =
        client.patch(
            DEPLOYMENTS + "/d/status?fieldManager=controller",
            "merge-patch",
            "{\"spec\":{\"replicas\":9},\"status\":{\"replicas\":2}}");
    assertThat(fields(status, "controller")).isEqualTo("{'f:status':{'f:replicas':{}}}");
    assertThat(entry(status, "controller").path("subresource").asString()).isEqualTo("status");
    client.patch(
        DEPLOYMENTS + "/d/scale?fieldManager=scaler", "merge-patch", "{\"spec\":{\"replicas\":7}}");
    Client.Answer scaled = client.get(DEPLOYMENTS + "/d");
    assertThat(fields(scaled, "scaler")).isEqualTo("{'f:spec':{'f:replicas':{}}}");
    assertThat(entry(scaled, "scaler").path("subresource").asString()).isEqualTo("scale");
    assertThat(fields(scaled, "me")).doesNotContain("f:replicas");
  }

  // ---- apply

  @Test
  void apply_createsThenUpdatesThenDoesNothing() {
    Client.Answer made =
        apply(
            CONFIG_MAPS + "/a",
            "me",
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  v: '1'\n");
    assertThat(made.status()).as(made.toString()).isEqualTo(201);
    assertThat(entry(made, "me").path("operation").asString()).isEqualTo("Apply");
    assertThat(fields(made, "me")).isEqualTo("{'f:data':{'f:v':{}}}");
    fixture.env.runFor(Duration.ofSeconds(5));
    Client.Answer again = applyData("me", "{'v':'1'}");
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.body()).isEqualTo(made.body());
    Client.Answer changed = applyData("me", "{'w':'2'}");
    assertThat(changed.body().path("data").toString()).isEqualTo("{\"w\":\"2\"}");
    assertThat(changed.text("metadata", "resourceVersion"))
        .isNotEqualTo(made.text("metadata", "resourceVersion"));
  }

  @Test
  void aConflict_namesFieldAndManager_andForceTakesOver() {
    client.call(
        "POST",
        DEPLOYMENTS + "?fieldManager=kubectl-create",
        "application/json",
        deployment(WHOLE).replace('\'', '"'));
    String wanted =
        deployment(
            "{'replicas':3,'template':{'spec':{'containers':[{'name':'c','image':'i:2'}]}}}");
    Client.Answer conflict = apply(DEPLOYMENTS + "/d", "me", wanted);
    assertThat(conflict.status()).isEqualTo(409);
    assertThat(conflict.text("reason")).isEqualTo("Conflict");
    assertThat(conflict.text("message"))
        .isEqualTo(
            """
            Apply failed with 2 conflicts: conflicts with "kubectl-create" using apps/v1:
            - .spec.replicas
            - .spec.template.spec.containers[name="c"].image\
            """);
    assertThat(conflict.body().path("details").path("causes").path(1).toString().replace('"', '\''))
        .isEqualTo(
            "{'reason':'FieldManagerConflict','message':'conflict with \\'kubectl-create\\' using"
                + " apps/v1','field':'.spec.template.spec.containers[name=\\'c\\'].image'}");
    Client.Answer one = apply(DEPLOYMENTS + "/d", "me", deployment("{'replicas':3}"));
    assertThat(one.text("message"))
        .isEqualTo(
            "Apply failed with 1 conflict: conflict with \"kubectl-create\" using apps/v1:"
                + " .spec.replicas");
    Client.Answer dry = apply(DEPLOYMENTS + "/d?force=true&dryRun=All", "me", wanted);
    assertThat(dry.text("spec", "replicas")).isEqualTo("3");
    assertThat(client.get(DEPLOYMENTS + "/d").text("spec", "replicas")).isEqualTo("2");
    Client.Answer forced = apply(DEPLOYMENTS + "/d?force=true", "me", wanted);
    assertThat(forced.status()).isEqualTo(200);
    assertThat(fields(forced, "kubectl-create")).doesNotContain("f:replicas").contains("f:ports");
    assertThat(forced.text("metadata", "generation")).isEqualTo("2");
  }

  @Test
  void sharedFields_stayUntilTheLastOwnerGivesThemUp() {
    applyData("one", "{'v':'1','w':'1'}");
    applyData("two", "{'v':'1'}");
    assertThat(applyData("one", "{'w':'1'}").text("data", "v")).isEqualTo("1");
    Client.Answer gone = applyData("two", "{}");
    assertThat(gone.body().path("data").toString()).isEqualTo("{\"w\":\"1\"}");
  }

  @Test
  void applyToTheStatus_ownsNothingElse() {
    apply(DEPLOYMENTS + "/d", "me", deployment(WHOLE));
    String status =
        "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'d'},'spec':{'replicas':9},"
            + "'status':{'conditions':[{'type':'Available','status':'True'}]}}";
    Client.Answer applied = apply(DEPLOYMENTS + "/d/status", "controller", status);
    assertThat(applied.status()).as(applied.toString()).isEqualTo(200);
    assertThat(applied.text("spec", "replicas")).isEqualTo("2");
    assertThat(fields(applied, "controller"))
        .isEqualTo(
            "{'f:status':{'f:conditions':{'k:{\\'type\\':\\'Available\\'}':{'.':{},'f:status':{},"
                + "'f:type':{}}}}}");
    assertThat(apply(DEPLOYMENTS + "/d/status", "controller", status).body())
        .isEqualTo(applied.body());
    assertThat(apply(DEPLOYMENTS + "/none/status", "c", status.replace("'d'", "'none'")).status())
        .isEqualTo(404);
    Client.Answer main =
        apply(DEPLOYMENTS + "/d", "other", status.replace("'spec':{'replicas':9},", ""));
    assertThat(fields(main, "other")).isEmpty();
  }

  @Test
  void applyToTheScale_isAnotherManager() {
    apply(DEPLOYMENTS + "/d", "me", deployment(WHOLE));
    String scale =
        "{'apiVersion':'autoscaling/v1','kind':'Scale','metadata':{'name':'d'},'spec':{'replicas':5}}";
    Client.Answer conflict = apply(DEPLOYMENTS + "/d/scale", "me", scale);
    assertThat(conflict.text("message"))
        .isEqualTo("Apply failed with 1 conflict: conflict with \"me\": .spec.replicas");
    Client.Answer scaled = apply(DEPLOYMENTS + "/d/scale?force=true", "scaler", scale);
    assertThat(scaled.text("kind")).isEqualTo("Scale");
    assertThat(scaled.text("spec", "replicas")).isEqualTo("5");
    Client.Answer after = client.get(DEPLOYMENTS + "/d");
    assertThat(fields(after, "scaler")).isEqualTo("{'f:spec':{'f:replicas':{}}}");
    assertThat(after.text("spec", "replicas")).isEqualTo("5");
  }

  @Test
  void otherVersionsOfAKind_areConverted() {
    String target = "'scaleTargetRef':{'apiVersion':'apps/v1','kind':'Deployment','name':'d'}";
    String v1 =
        "{'apiVersion':'autoscaling/v1','kind':'HorizontalPodAutoscaler','metadata':{'name':'h'},"
            + "'spec':{"
            + target
            + ",'maxReplicas':5,'targetCPUUtilizationPercentage':80}}";
    Client.Answer made = apply(AUTOSCALERS.formatted("v1"), "me", v1);
    assertThat(made.status()).as(made.toString()).isEqualTo(201);
    Client.Answer conflict =
        apply(
            AUTOSCALERS.formatted("v2"),
            "you",
            v1.replace("autoscaling/v1", "autoscaling/v2")
                .replace("'maxReplicas':5,'targetCPUUtilizationPercentage':80", "'maxReplicas':6"));
    assertThat(conflict.text("message"))
        .isEqualTo("Apply failed with 1 conflict: conflict with \"me\": .spec.maxReplicas");
    Client.Answer second =
        apply(
            AUTOSCALERS.formatted("v2"),
            "me",
            v1.replace("autoscaling/v1", "autoscaling/v2")
                .replace("'maxReplicas':5,'targetCPUUtilizationPercentage':80", "'maxReplicas':6"));
    assertThat(second.status()).as(second.toString()).isEqualTo(200);
    assertThat(entry(second, "me").path("apiVersion").asString()).isEqualTo("autoscaling/v2");
    assertThat(second.body().path("metadata").path("managedFields")).hasSize(1);
    assertThat(client.get(AUTOSCALERS.formatted("v1")).body().path("spec").toString())
        .contains("\"maxReplicas\":6");
  }

  @Test
  void aService_keepsItsDefaults() {
    String service =
        "{'apiVersion':'v1','kind':'Service','metadata':{'name':'s'},'spec':{'selector':{'a':'b'},"
            + "'ports':[{'port':80}]}}";
    Client.Answer made = apply(SERVICES + "/s", "me", service);
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.text("spec", "type")).isEqualTo("ClusterIP");
    assertThat(fields(made, "me"))
        .isEqualTo(
            "{'f:spec':{'f:ports':{'k:{\\'port\\':80,\\'protocol\\':\\'TCP\\'}':{'.':{},'f:port':{}}},"
                + "'f:selector':{}}}");
    Client.Answer again = apply(SERVICES + "/s", "me", service);
    assertThat(again.body()).isEqualTo(made.body());
    Client.Answer more =
        apply(SERVICES + "/s", "me", service.replace("80}", "80},{'port':81,'name':'x'}"));
    assertThat(more.status()).isEqualTo(422);
  }

  @Test
  void kubectl_movesFromItsAnnotationWithoutConflict() {
    String last = configMap("{'v':'1'}").replace('\'', '"');
    client.call(
        "POST",
        CONFIG_MAPS + "?fieldManager=kubectl-client-side-apply",
        "application/json",
        "{\"metadata\":{\"name\":\"a\",\"annotations\":{\"kubectl.kubernetes.io/last-applied-configuration\":\""
            + last.replace("\"", "\\\"")
            + "\"}},\"data\":{\"v\":\"1\"}}");
    assertThat(applyData("me", "{'v':'2'}").status()).isEqualTo(409);
    Client.Answer moved = applyData("kubectl", "{'v':'2'}");
    assertThat(moved.status()).as(moved.toString()).isEqualTo(200);
    assertThat(moved.text("data", "v")).isEqualTo("2");
    assertThat(
            moved.text(
                "metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration"))
        .contains("\"data\":{\"v\":\"2\"}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "?x=y | {} | 422 | PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Required value:"
            + " is required for apply patch",
        "?fieldManager=a%09b | {} | 422 | PatchOptions.meta.k8s.io \"\" is invalid: fieldManager:"
            + " Invalid value: \"a\\tb\": invalid character U+0009 (at position 1)",
        "?fieldManager=m | {'apiVersion':'v1'} | 400 | invalid object type: /v1, Kind=",
        "?fieldManager=m | [1] | 400 | error decoding YAML: error unmarshaling JSON: while decoding"
            + " JSON: json: cannot unmarshal array into Go value of type map[string]interface {}",
        "?fieldManager=m | {'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'b'}} | 400 |"
            + " the name of the object (b) does not match the name on the URL (a)",
        "?fieldManager=m | {'apiVersion':'v1','kind':'ConfigMap'} | 400 | the name of the object (a"
            + " based on URL) was undeterminable: name must be provided",
        "?fieldManager=m |"
            + " {'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a','namespace':'x'}} |"
            + " 400 | the namespace of the provided object does not match the namespace sent on the"
            + " request",
        "?fieldManager=m |"
            + " {'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a','managedFields':[{}]}}"
            + " | 400 | metadata.managedFields must be nil",
        "?fieldManager=m | {'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a','uid':'u'}}"
            + " | 409 | Operation cannot be fulfilled on configmaps \"a\": uid mismatch: the"
            + " provided object specified uid u, and no existing object was found",
        "?fieldManager=m | {'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a'},'foo':1} |"
            + " 400 | failed to create typed patch object (/a; /v1, Kind=ConfigMap): .foo: field"
            + " not declared in schema"
      })
  void whatCannotBeApplied_isRefused(String query, String body, int status, String message) {
    Client.Answer answer =
        client.call(
            "PATCH",
            CONFIG_MAPS + "/a" + query,
            "application/apply-patch+yaml",
            body.replace('\'', '"'));
    assertThat(answer.text("message")).isEqualTo(message.replace("\\n", "\n"));
    assertThat(answer.status()).isEqualTo(status);
    assertThat(client.get(CONFIG_MAPS + "/a").status()).isEqualTo(404);
  }

  @Test
  void preconditionsInTheBody_areHeld() {
    Client.Answer made = applyData("me", "{'v':'1'}");
    String withVersion =
        configMap("{'v':'2'}").replace("'name':'a'", "'name':'a','resourceVersion':'%s'");
    assertThat(apply(CONFIG_MAPS + "/a", "me", withVersion.formatted("1")).status()).isEqualTo(409);
    assertThat(
            apply(
                    CONFIG_MAPS + "/a",
                    "me",
                    withVersion.formatted(made.text("metadata", "resourceVersion")))
                .status())
        .isEqualTo(200);
    assertThat(
            apply(
                    CONFIG_MAPS + "/a",
                    "me",
                    configMap("{'v':'2'}").replace("'name':'a'", "'name':'a','uid':'other'"))
                .status())
        .isEqualTo(409);
  }

  @Test
  void cbor_isNotSpoken() {
    assertThat(
            client
                .call(
                    "PATCH", CONFIG_MAPS + "/a?fieldManager=m", "application/apply-patch+cbor", "x")
                .status())
        .isEqualTo(415);
  }

  @Test
  void aMissingNamespace_isNotFound_andATerminatingOneTakesNothingNew() {
    String there = "/api/v1/namespaces/n/configmaps/";
    assertThat(apply(there + "a", "me", configMap("{}")).text("message"))
        .isEqualTo("namespaces \"n\" not found");
    client.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"n\"}}");
    assertThat(apply(there + "a", "me", configMap("{'v':'1'}")).status()).isEqualTo(201);
    client.delete("/api/v1/namespaces/n");
    assertThat(apply(there + "b", "me", configMap("{}").replace("'a'", "'b'")).status())
        .isEqualTo(403);
    assertThat(apply(there + "a", "me", configMap("{'v':'2'}")).status()).isEqualTo(200);
  }

  @Test
  void managersThatAreSentWithANewObject_areKept() {
    Client.Answer made = applyData("me", "{'v':'1'}");
    client.delete(CONFIG_MAPS + "/a");
    var body = made.object().deepCopy();
    ((tools.jackson.databind.node.ObjectNode) body.path("metadata")).remove("resourceVersion");
    Client.Answer restored =
        client.call(
            "POST", CONFIG_MAPS + "?fieldManager=restore", "application/json", body.toString());
    assertThat(restored.status()).as(restored.toString()).isEqualTo(201);
    assertThat(fields(restored, "restore")).isEqualTo("{'f:data':{'.':{},'f:v':{}}}");
  }

  @Test
  void listThatIsOwnedAsOne_differsByWhatTheServerWroteIntoIt() {
    String slices = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
    String slice =
        "{'apiVersion':'discovery.k8s.io/v1','kind':'EndpointSlice','metadata':{'name':'e'},"
            + "'addressType':'IPv4','endpoints':[{'addresses':['192.0.2.1']}]}";
    Client.Answer made = client.post(slices + "?fieldManager=me", slice.replace('\'', '"'));
    assertThat(made.text("endpoints")).contains("\"conditions\":{}");
    assertThat(apply(slices + "/e", "other", slice).status()).isEqualTo(409);
    Client.Answer applied = apply(slices + "/e?force=true", "other", slice);
    assertThat(fields(applied, "other")).contains("f:endpoints");
    assertThat(fields(applied, "me")).doesNotContain("f:endpoints");
  }

  @Test
  void aBoundPod_isOwnedByWhoeverMadeIt() {
    String pods = "/api/v1/namespaces/default/pods";
    client.post(
        pods + "?fieldManager=me",
        "{\"metadata\":{\"name\":\"p\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}");
    JsonNode before = client.get(pods + "/p").body().path("metadata").path("managedFields");
    assertThat(
            client
                .post(pods + "/p/binding", "{\"target\":{\"kind\":\"Node\",\"name\":\"n\"}}")
                .status())
        .isEqualTo(201);
    Client.Answer bound = client.get(pods + "/p");
    assertThat(bound.text("spec", "nodeName")).isEqualTo("n");
    assertThat(bound.body().path("metadata").path("managedFields")).isEqualTo(before);
    assertThat(fields(bound, "me")).doesNotContain("f:status", "f:nodeName");
  }
}
