package dev.evenkeel.serve;

import static dev.evenkeel.serve.ServerFixture.CONFIG_MAPS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What writes may do differs from kind to kind, and so does who owns what they write. */
final class WriteStrategyTest {

  private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String DEPLOYMENT =
      "{'metadata':{'name':'d'},'spec':{'replicas':0,'selector':{'matchLabels':{'a':'b'}},"
          + "'template':{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c',"
          + "'image':'i'}]}}}}";
  private static final String POD =
      "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i'}]}}";

  private final ServerFixture fixture = new ServerFixture();
  private final Client client = fixture.client;

  @AfterEach
  void close() {
    fixture.close();
  }

  private static String json(String text) {
    return text.replace('\'', '"');
  }

  private Client.Answer apply(String path, String manager, String body) {
    return client.call(
        "PATCH",
        path + "?fieldManager=" + manager,
        "application/apply-patch+yaml",
        json("{'apiVersion':" + body));
  }

  private static String managers(Client.Answer answer) {
    return answer.text("metadata", "managedFields").replace('"', '\'');
  }

  // ---- updates

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "/apis/coordination.k8s.io/v1/namespaces/default/leases|leases.coordination.k8s.io|"
            + "{'metadata':{'name':'x'},'spec':{'holderIdentity':'me'}}",
        "/apis/policy/v1/namespaces/default/poddisruptionbudgets|poddisruptionbudgets.policy|"
            + "{'metadata':{'name':'x'},'spec':{'minAvailable':1}}",
        "/apis/node.k8s.io/v1/runtimeclasses|runtimeclasses.node.k8s.io|"
            + "{'metadata':{'name':'x'},'handler':'h'}",
        "/apis/storage.k8s.io/v1/csidrivers|csidrivers.storage.k8s.io|{'metadata':{'name':'x'},"
            + "'spec':{}}",
      })
  void update_withoutAVersion_isRefusedWhereItCouldLoseAnother(
      String path, String resource, String body) {
    assertThat(client.post(path, json(body)).status()).isEqualTo(201);
    Client.Answer refused = client.put(path + "/x", json(body));
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.text("message"))
        .isEqualTo(
            resource
                + " \"x\" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified"
                + " for an update");
    String patch = json("{'metadata':{'labels':{'a':'b'}}}");
    assertThat(client.patch(path + "/x", "merge-patch", patch).status()).isEqualTo(200);
  }

  @Test
  void update_withoutAVersion_isTakenElsewhere() {
    assertThat(client.createConfigMap("default", "a", "1").status()).isEqualTo(201);
    assertThat(client.put(CONFIG_MAPS + "/a", json("{'metadata':{'name':'a'}}")).status())
        .isEqualTo(200);
  }

  @Test
  void update_cannotBeginADeletion() {
    client.createConfigMap("default", "a", "1");
    Client.Answer refused =
        client.put(
            CONFIG_MAPS + "/a",
            json("{'metadata':{'name':'a','deletionTimestamp':'2020-01-01T00:00:00Z'}}"));
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.text("message"))
        .contains("metadata.deletionTimestamp: Invalid value: \"2020-01-01T00:00:00Z\": field is");
  }

  @Test
  void status_takesWhatTheKindLetsItTake() {
    client.post(DEPLOYMENTS, json(DEPLOYMENT));
    String sent =
        json(DEPLOYMENT)
            .replace(
                "\"name\":\"d\"",
                "\"name\":\"d\",\"labels\":{\"l\":\"x\"},\"annotations\":{\"n\":\"y\"}");
    Client.Answer deployment = client.put(DEPLOYMENTS + "/d/status", sent);
    assertThat(deployment.status()).isEqualTo(200);
    assertThat(deployment.body().path("metadata").has("labels")).isFalse();
    assertThat(deployment.text("metadata", "annotations")).contains("\"n\":\"y\"");
    client.post("/api/v1/namespaces", json("{'metadata':{'name':'n'}}"));
    Client.Answer namespace =
        client.put(
            "/api/v1/namespaces/n/status",
            json("{'metadata':{'name':'n','labels':{'l':'x'}},'status':{'phase':'Active'}}"));
    assertThat(namespace.text("metadata", "labels")).contains("\"l\":\"x\"");
  }

  @Test
  void statusPatch_mayLeaveOutTheNamespace() {
    client.post(DEPLOYMENTS, json(DEPLOYMENT));
    Client.Answer patched =
        client.patch(
            DEPLOYMENTS + "/d/status",
            "json-patch",
            json("[{'op':'remove','path':'/metadata/namespace'}]"));
    assertThat(patched.status()).as(patched.toString()).isEqualTo(200);
    assertThat(patched.text("metadata", "namespace")).isEqualTo("default");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'kind':'Nope','metadata':{'name':'d'}}|Nope in version \"v1\" cannot be handled as a"
            + " Scale",
        "{'metadata':{'name':'other'}}|the name of the object (other) does not match the name on"
            + " the URL (d)",
        "{'metadata':{'name':'d'},'spec':{'replicas':'x'}}|cannot unmarshal string into Go struct"
            + " field ScaleSpec.spec.replicas of type int32",
      })
  void scale_isOfTheObjectThatThePathNames(String body, String message) {
    client.post(DEPLOYMENTS, json(DEPLOYMENT));
    Client.Answer refused = client.put(DEPLOYMENTS + "/d/scale", json(body));
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text("message")).contains(message);
  }

  @Test
  void debuggers_areAddedByAPodThatSaysNothingElse() {
    client.post(PODS, json(POD));
    Client.Answer changed =
        client.put(
            PODS + "/p/ephemeralcontainers",
            json(POD)
                .replace("}]}}", "}],\"ephemeralContainers\":[{\"name\":\"e\"}]}}")
                .replace("\"e\"", "\"e\",\"image\":\"i\""));
    assertThat(changed.status()).as(changed.toString()).isEqualTo(200);
    JsonNode debugger = changed.body().path("spec").path("ephemeralContainers").path(0);
    assertThat(debugger)
        .isEqualTo(
            Json.parse(
                json("""
                {'name':'e','image':'i','resources':{},'terminationMessagePath':'/dev/termination-log',
                'terminationMessagePolicy':'File','imagePullPolicy':'Always'}\
                """)
                    .getBytes(StandardCharsets.UTF_8)));
    assertThat(managers(changed)).contains("'f:terminationMessagePath'");
    assertThat(changed.text("spec", "dnsPolicy")).isEqualTo("ClusterFirst");
  }

  // ---- who owns what

  @Test
  void whatTheServerAdds_isOwnedByNobody() {
    client.post("/api/v1/namespaces", json("{'metadata':{'name':'n'}}"));
    Client.Answer namespace = client.get("/api/v1/namespaces/n");
    assertThat(namespace.text("spec", "finalizers")).contains("kubernetes");
    assertThat(managers(namespace))
        .contains("'f:metadata':{'f:labels':{'.':{},'f:kubernetes.io/metadata.name':{}}}")
        .doesNotContain("f:spec");
  }

  @Test
  void whatIsSentEmpty_isNoFieldAtAll() {
    Client.Answer created =
        client.post(
            CONFIG_MAPS, json("{'metadata':{'name':'a','labels':{}},'data':{},'immutable':false}"));
    assertThat(created.body().has("data")).isFalse();
    assertThat(managers(created)).contains("{'f:immutable':{}}").doesNotContain("f:data");
  }

  @Test
  void times_changeWithTheObjectAlone() {
    String body = "'v1','kind':'ConfigMap','metadata':{'name':'a'},'data':{'k':'1'}}";
    Client.Answer first = apply(CONFIG_MAPS + "/a", "one", body);
    fixture.env.runFor(Duration.ofSeconds(5));
    Client.Answer shared = apply(CONFIG_MAPS + "/a", "two", body);
    // Who changes nothing shares what is there, and has no time.
    assertThat(managers(shared))
        .startsWith("[{'manager':'two','operation':'Apply','apiVersion':'v1','fieldsType'");
    assertThat(managers(shared))
        .contains(managers(first).substring(1, managers(first).length() - 1));
    Client.Answer again = apply(CONFIG_MAPS + "/a", "one", body);
    assertThat(again.body()).isEqualTo(shared.body());
  }

  @Test
  void update_ofWhatItsManagerOwns_movesItsTime() {
    client.createConfigMap("default", "a", "1");
    String before = client.get(CONFIG_MAPS + "/a").body().findValue("time").asString();
    fixture.env.runFor(Duration.ofSeconds(5));
    Client.Answer same =
        client.put(CONFIG_MAPS + "/a", client.get(CONFIG_MAPS + "/a").body().toString());
    assertThat(same.body().findValue("time").asString()).isEqualTo(before);
    Client.Answer changed =
        client.patch(CONFIG_MAPS + "/a", "merge-patch", json("{'data':{'v':'other'}}"));
    assertThat(changed.body().findValue("time").asString()).isGreaterThan(before);
  }

  @Test
  void emptiedMap_staysItsOwners() {
    String head = "'v1','kind':'ConfigMap','metadata':{'name':'a'},'data':";
    apply(CONFIG_MAPS + "/a", "one", head + "{'k':'1'}}");
    apply(CONFIG_MAPS + "/a", "two", head + "{}}");
    Client.Answer emptied = apply(CONFIG_MAPS + "/a", "one", head + "{}}");
    assertThat(emptied.body().has("data")).isFalse();
    assertThat(managers(emptied)).contains("'manager':'one'", "'manager':'two'");
    Client.Answer refused = apply(CONFIG_MAPS + "/a", "one", head + "{'k':'2'}}");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.text("message"))
        .isEqualTo("Apply failed with 1 conflict: conflict with \"two\": .data");
  }

  @Test
  void apply_ofWhatIsNotThere_doesNotMindAVersion() {
    Client.Answer created =
        apply(
            CONFIG_MAPS + "/a",
            "one",
            "'v1','kind':'ConfigMap','metadata':{'name':'a','resourceVersion':'1'}}");
    assertThat(created.status()).as(created.toString()).isEqualTo(201);
  }

  @Test
  void scaleOfZero_isShown_asIfItWereNotThere() {
    apply(DEPLOYMENTS + "/d", "one", "'apps/v1','kind':'Deployment'," + DEPLOYMENT.substring(1));
    Client.Answer refused =
        apply(
            DEPLOYMENTS + "/d/scale",
            "two",
            "'autoscaling/v1','kind':'Scale','metadata':{'name':'d'},'spec':{'replicas':0}}");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.text("message")).contains("conflict with \"one\": .spec.replicas");
  }

  // ---- what is refused, and how

  @Test
  void patch_thatMakesNoObject_isInvalid() {
    client.createConfigMap("default", "a", "1");
    Client.Answer refused =
        client.patch(CONFIG_MAPS + "/a", "merge-patch", json("{'data':{'x':5}}"));
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.text("message"))
        .startsWith(" \"\" is invalid: patch: Invalid value: \"{\\\"apiVersion\\\":\\\"v1\\\",")
        .endsWith(
            ": json: cannot unmarshal number into Go struct field ConfigMap.data of type string");
  }

  @Test
  void patch_thatMakesAnotherKind_isReadAsThatKindFirst() {
    client.createConfigMap("default", "a", "1");
    Client.Answer secret =
        client.patch(CONFIG_MAPS + "/a", "merge-patch", json("{'kind':'Secret'}"));
    assertThat(secret.status()).isEqualTo(422);
    assertThat(secret.text("message")).endsWith(": illegal base64 data at input byte 0");
    Client.Answer pod = client.patch(CONFIG_MAPS + "/a", "merge-patch", json("{'kind':'Pod'}"));
    assertThat(pod.status()).isEqualTo(422);
    assertThat(pod.text("message")).endsWith(": unknown conversion");
  }

  @Test
  void jsonPatch_thatDoesNotApply_isInvalidWithoutCauses() {
    client.createConfigMap("default", "a", "1");
    Client.Answer refused =
        client.patch(
            CONFIG_MAPS + "/a", "json-patch", json("[{'op':'remove','path':'/data/none'}]"));
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.text("message"))
        .isEqualTo("the server rejected our request due to an error in our request");
    assertThat(refused.body().path("details").path("causes")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "merge-patch|{|error decoding patch: unexpected end of JSON input",
        "merge-patch|[]|error decoding patch: json: cannot unmarshal array into Go value of type"
            + " map[string]interface {}",
        "merge-patch|null|Invalid JSON Patch",
        "strategic-merge-patch|[]|json: cannot unmarshal array into Go value of type"
            + " map[string]interface {}",
        "json-patch|{}|error decoding patch: json: cannot unmarshal object into Go value of type"
            + " []handlers.jsonPatchOp",
        "json-patch|[{'op':5}]|error decoding patch: json: cannot unmarshal number into Go struct"
            + " field jsonPatchOp.op of type string",
      })
  void patch_thatIsNone_isABadRequest(String type, String body, String message) {
    client.createConfigMap("default", "a", "1");
    Client.Answer refused = client.patch(CONFIG_MAPS + "/a", type, json(body));
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text("message")).isEqualTo(message);
  }

  @Test
  void duplicates_areMergedAsGoDoes_andToldByLineInYaml() {
    Client.Answer merged =
        client.post(
            CONFIG_MAPS + "?dryRun=All",
            json("{'metadata':{'name':'a'},'data':{'a':'1'},'data':{'b':'2'}}"));
    assertThat(merged.text("data")).isEqualTo("{\"a\":\"1\",\"b\":\"2\"}");
    Client.Answer refused =
        client.call(
            "POST",
            CONFIG_MAPS + "?fieldValidation=Strict",
            "application/yaml",
            "metadata: {name: a}\ndata:\n  a: b\n  a: c\nnope: 1\n");
    assertThat(refused.text("message"))
        .isEqualTo(
            "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding error:"
                + " yaml: unmarshal errors:\n  line 4: key \"a\" already set in map, unknown field"
                + " \"nope\"");
  }

  @Test
  void delete_tellsWhichConditionFailed_andKeepsWhatTheClusterNeeds() {
    client.createConfigMap("default", "a", "1");
    Client.Answer refused =
        client.call(
            "DELETE",
            CONFIG_MAPS + "/a",
            "application/json",
            json("{'preconditions':{'resourceVersion':'1'}}"));
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.text("message"))
        .contains("Operation cannot be fulfilled on ConfigMap \"a\": the ResourceVersion in the")
        .endsWith("The object might have been modified");
    Client.Answer kept =
        client.delete("/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical");
    assertThat(kept.status()).isEqualTo(403);
  }

  @Test
  void pod_mayBeOnANodeThatHasNotSaidHowManyItRuns() {
    client.post(
        "/api/v1/nodes",
        json("{'metadata':{'name':'n'},'status':{'allocatable':{'cpu':'1','memory':'1Gi'}}}"));
    fixture.settle();
    Client.Answer created =
        client.post(PODS, json(POD).replace("\"spec\":{", "\"spec\":{\"nodeName\":\"n\","));
    assertThat(created.status()).as(created.toString()).isEqualTo(201);
  }

  @Test
  void versionInANewObject_isRefusedUnlessNothingIsWritten() {
    String body = json("{'metadata':{'name':'a','resourceVersion':'5'}}");
    assertThat(client.post(CONFIG_MAPS, body).status()).isEqualTo(400);
    assertThat(client.post(CONFIG_MAPS + "?dryRun=All", body).status()).isEqualTo(201);
    assertThat(client.get(CONFIG_MAPS + "?limit=-1").status()).isEqualTo(200);
  }
}
