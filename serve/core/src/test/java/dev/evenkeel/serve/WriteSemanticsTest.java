package dev.evenkeel.serve;

import static dev.evenkeel.serve.ServerFixture.CONFIG_MAPS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.serve.api.ApiResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The section "Writes" of the API's semantics. */
final class WriteSemanticsTest {

  private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
  private static final String DEPLOYMENT =
      "{\"metadata\":{\"name\":\"d\"},\"spec\":{\"replicas\":2,\"selector\":{\"matchLabels\":"
          + "{\"a\":\"b\"}},\"template\":{\"metadata\":{\"labels\":{\"a\":\"b\"}},\"spec\":"
          + "{\"containers\":[{\"name\":\"c\",\"image\":\"i:1\"}]}}}}";

  private final ServerFixture fixture = new ServerFixture();
  private final Client client = fixture.client;

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void create_fillsInWhatIsTheServers() {
    Client.Answer made = client.createConfigMap("default", "a", "1");
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.text("apiVersion")).isEqualTo("v1");
    assertThat(made.text("kind")).isEqualTo("ConfigMap");
    assertThat(made.text("metadata", "namespace")).isEqualTo("default");
    assertThat(made.text("metadata", "uid")).matches("[0-9a-f-]{36}");
    assertThat(made.text("metadata", "creationTimestamp")).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(made.body()).isEqualTo(client.get(CONFIG_MAPS + "/a").body());
  }

  @Test
  void create_again_isAlreadyExists() {
    client.createConfigMap("default", "a", "1");
    Client.Answer again = client.createConfigMap("default", "a", "1");
    assertThat(again.status()).isEqualTo(409);
    assertThat(again.text("reason")).isEqualTo("AlreadyExists");
    assertThat(again.text("message")).isEqualTo("configmaps \"a\" already exists");
  }

  @Test
  void generateName_makesNames() {
    String body = "{\"metadata\":{\"generateName\":\"gen-\"}}";
    String one = client.post(CONFIG_MAPS, body).text("metadata", "name");
    String other = client.post(CONFIG_MAPS, body).text("metadata", "name");
    assertThat(one).matches("gen-[a-z0-9]{5}");
    assertThat(other).isNotEqualTo(one);
  }

  @Test
  void aStaleVersion_isAConflict() {
    Client.Answer made = client.createConfigMap("default", "a", "1");
    client.patch(CONFIG_MAPS + "/a", "merge-patch", "{\"data\":{\"v\":\"2\"}}");
    Client.Answer stale = client.put(CONFIG_MAPS + "/a", made.body().toString());
    assertThat(stale.status()).isEqualTo(409);
    assertThat(stale.text("message"))
        .isEqualTo(
            "Operation cannot be fulfilled on configmaps \"a\": the object has been modified;"
                + " please apply your changes to the latest version and try again");
  }

  @Test
  void updatesAtOnce_areAllMade_eachAsItWasSent() {
    client.createConfigMap("default", "a", "1");
    List<CompletableFuture<ApiResponse>> updates =
        Stream.of("2", "3", "4").map(this::sendUpdate).toList();
    fixture.env.runFor(Duration.ofMillis(100));

    assertThat(updates)
        .extracting(update -> Client.answer(update.join()).text("data", "v"))
        .containsExactly("2", "3", "4");
    assertThat(client.get(CONFIG_MAPS + "/a").text("data", "v")).isIn("2", "3", "4");
  }

  private CompletableFuture<ApiResponse> sendUpdate(String value) {
    String body = "{\"metadata\":{\"name\":\"a\"},\"data\":{\"v\":\"" + value + "\"}}";
    return client.send(
        "PUT",
        CONFIG_MAPS + "/a",
        Map.of("content-type", "application/json"),
        body.getBytes(StandardCharsets.UTF_8));
  }

  /** Of two bytes a character in UTF-8, a MiB is half a million characters. */
  @ParameterizedTest
  @CsvSource({"524288,201", "524289,422"})
  void dataOfAConfigMap_isCountedInBytes(int characters, int status) {
    String body =
        "{\"metadata\":{\"name\":\"a\"},\"data\":{\"v\":\"" + "ä".repeat(characters) + "\"}}";
    assertThat(client.post(CONFIG_MAPS, body).status()).isEqualTo(status);
  }

  @Test
  void aWriteThatChangesNothing_keepsItsVersion() {
    Client.Answer made = client.createConfigMap("default", "a", "1");
    assertThat(client.put(CONFIG_MAPS + "/a", made.body().toString()).body())
        .isEqualTo(made.body());
    assertThat(client.patch(CONFIG_MAPS + "/a", "merge-patch", "{\"data\":{\"v\":\"1\"}}").body())
        .isEqualTo(made.body());
  }

  @Test
  void generation_growsWithTheSpecAlone() {
    assertThat(client.post(DEPLOYMENTS, DEPLOYMENT).text("metadata", "generation")).isEqualTo("1");
    String path = DEPLOYMENTS + "/d";
    assertThat(
            client
                .patch(path, "merge-patch", "{\"metadata\":{\"labels\":{\"x\":\"y\"}}}")
                .text("metadata", "generation"))
        .isEqualTo("1");
    assertThat(
            client
                .patch(path, "merge-patch", "{\"spec\":{\"replicas\":5}}")
                .text("metadata", "generation"))
        .isEqualTo("2");
    Client.Answer status =
        client.patch(
            path + "/status",
            "merge-patch",
            "{\"spec\":{\"replicas\":9},\"status\":{\"replicas\":4}}");
    assertThat(status.text("metadata", "generation")).isEqualTo("2");
    assertThat(status.text("spec", "replicas")).isEqualTo("5");
    assertThat(status.text("status", "replicas")).isEqualTo("4");
    assertThat(
            client
                .patch(path, "merge-patch", "{\"status\":{\"replicas\":7}}")
                .text("status", "replicas"))
        .isEqualTo("4");
  }

  @Test
  void scale_readsAndWritesReplicas() {
    client.post(DEPLOYMENTS, DEPLOYMENT);
    Client.Answer scale = client.get(DEPLOYMENTS + "/d/scale");
    assertThat(scale.text("kind")).isEqualTo("Scale");
    assertThat(scale.text("spec", "replicas")).isEqualTo("2");
    assertThat(scale.text("status", "selector")).isEqualTo("a=b");
    client.patch(DEPLOYMENTS + "/d/scale", "merge-patch", "{\"spec\":{\"replicas\":7}}");
    assertThat(client.get(DEPLOYMENTS + "/d").text("spec", "replicas")).isEqualTo("7");
  }

  @Test
  void strategicMerge_mergesContainersByName() {
    client.post(DEPLOYMENTS, DEPLOYMENT);
    Client.Answer patched =
        client.patch(
            DEPLOYMENTS + "/d",
            "strategic-merge-patch",
            "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"side\",\"image\":\"s:1\"},"
                + "{\"name\":\"c\",\"image\":\"i:2\"}]}}}}");
    assertThat(patched.status()).as(patched.toString()).isEqualTo(200);
    var containers = patched.body().path("spec").path("template").path("spec").path("containers");
    assertThat(containers).hasSize(2);
    assertThat(containers.toString()).contains("i:2").contains("s:1").doesNotContain("i:1");
  }

  @Test
  void jsonPatch_thatFails_is422() {
    client.createConfigMap("default", "a", "1");
    Client.Answer answer =
        client.patch(
            CONFIG_MAPS + "/a",
            "json-patch",
            "[{\"op\":\"test\",\"path\":\"/data/v\",\"value\":\"9\"}]");
    assertThat(answer.status()).isEqualTo(422);
  }

  @Test
  void dryRun_changesNothing() {
    Client.Answer made =
        client.post(CONFIG_MAPS + "?dryRun=All", "{\"metadata\":{\"name\":\"a\"}}");
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.body().path("metadata").has("resourceVersion")).isFalse();
    assertThat(client.get(CONFIG_MAPS + "/a").status()).isEqualTo(404);
    client.createConfigMap("default", "a", "1");
    assertThat(client.delete(CONFIG_MAPS + "/a?dryRun=All").status()).isEqualTo(200);
    assertThat(
            client
                .patch(CONFIG_MAPS + "/a?dryRun=All", "merge-patch", "{\"data\":{\"v\":\"2\"}}")
                .text("data", "v"))
        .isEqualTo("2");
    assertThat(client.get(CONFIG_MAPS + "/a").text("data", "v")).isEqualTo("1");
    Client.Answer unknown =
        client.post(CONFIG_MAPS + "?dryRun=Some", "{\"metadata\":{\"name\":\"b\"}}");
    assertThat(unknown.status()).isEqualTo(422);
    assertThat(unknown.text("message"))
        .contains(
            "CreateOptions.meta.k8s.io \"\" is invalid: dryRun: Unsupported value: [\"Some\"]");
  }

  @Test
  void fieldValidation_refusesWarnsOrIgnores() {
    String body = "{\"metadata\":{\"name\":\"a\"},\"dat\":{},\"data\":{},\"data\":{}}";
    Client.Answer strict = client.post(CONFIG_MAPS + "?fieldValidation=Strict", body);
    assertThat(strict.status()).isEqualTo(400);
    assertThat(strict.text("message"))
        .contains("strict decoding error")
        .contains("unknown field \"dat\"")
        .contains("duplicate field \"data\"");
    Client.Answer warned = client.post(CONFIG_MAPS, body);
    assertThat(warned.status()).isEqualTo(201);
    assertThat(warned.headers().toString()).contains("299 - ");
    assertThat(warned.body().has("dat")).isFalse();
  }

  @Test
  void finalizers_holdADeletion() {
    client.post(
        CONFIG_MAPS, "{\"metadata\":{\"name\":\"a\",\"finalizers\":[\"example.com/hold\"]}}");
    Client.Answer held = client.delete(CONFIG_MAPS + "/a");
    assertThat(held.text("metadata", "deletionTimestamp")).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(client.get(CONFIG_MAPS + "/a").status()).isEqualTo(200);
    Client.Answer gone =
        client.patch(CONFIG_MAPS + "/a", "merge-patch", "{\"metadata\":{\"finalizers\":null}}");
    assertThat(gone.status()).isEqualTo(200);
    assertThat(client.get(CONFIG_MAPS + "/a").status()).isEqualTo(404);
  }

  @Test
  void deletePreconditions_areHeld() {
    client.createConfigMap("default", "a", "1");
    Client.Answer refused =
        client.call(
            "DELETE",
            CONFIG_MAPS + "/a",
            "application/json",
            "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\",\"preconditions\":{\"uid\":\"other\"}}");
    assertThat(refused.status()).isEqualTo(409);
    Client.Answer done = client.delete(CONFIG_MAPS + "/a");
    assertThat(done.text("status")).isEqualTo("Success");
    assertThat(done.text("details", "kind")).isEqualTo("configmaps");
  }

  @Test
  void deleteCollection_deletesWhatIsSelected() {
    fixture.createConfigMaps(40);
    client.post(CONFIG_MAPS, "{\"metadata\":{\"name\":\"keep\",\"labels\":{\"keep\":\"me\"}}}");
    assertThat(client.delete(CONFIG_MAPS + "?labelSelector=!keep").status()).isEqualTo(200);
    assertThat(client.get(CONFIG_MAPS).body().path("items")).hasSize(1);
  }

  @Test
  void aMissingNamespace_isRefused() {
    Client.Answer answer = client.createConfigMap("nowhere", "a", "1");
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.text("message")).isEqualTo("namespaces \"nowhere\" not found");
  }

  @Test
  void aTerminatingNamespace_takesNothingMore_andGoesWithItsLastFinalizer() {
    client.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"n\"}}");
    assertThat(client.delete("/api/v1/namespaces/n").text("status", "phase"))
        .isEqualTo("Terminating");
    Client.Answer refused = client.createConfigMap("n", "a", "1");
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.text("message"))
        .isEqualTo(
            "configmaps \"a\" is forbidden: unable to create new content in namespace n because it"
                + " is being terminated");
    assertThat(refused.text("details", "causes")).contains("NamespaceTerminating");
    Client.Answer finished =
        client.put(
            "/api/v1/namespaces/n/finalize",
            "{\"kind\":\"Namespace\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"n\"},\"spec\":{}}");
    assertThat(finished.status()).as(finished.toString()).isEqualTo(200);
    assertThat(client.get("/api/v1/namespaces/n").status()).isEqualTo(404);
  }

  @Test
  void aPodIsBoundOnce() {
    client.post(
        "/api/v1/namespaces/default/pods",
        "{\"metadata\":{\"name\":\"p\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}");
    String binding =
        "{\"metadata\":{\"name\":\"p\"},\"target\":{\"kind\":\"Node\",\"name\":\"n1\"}}";
    String path = "/api/v1/namespaces/default/pods/p/binding";
    assertThat(client.post(path, binding).status()).isEqualTo(201);
    Client.Answer pod = client.get("/api/v1/namespaces/default/pods/p");
    assertThat(pod.text("spec", "nodeName")).isEqualTo("n1");
    assertThat(pod.text("status", "conditions")).contains("PodScheduled");
    assertThat(client.post("/api/v1/namespaces/default/bindings", binding).status()).isEqualTo(409);
  }

  @Test
  void podsOnANode_goWithGrace() {
    client.post(
        "/api/v1/namespaces/default/pods",
        "{\"metadata\":{\"name\":\"p\"},\"spec\":{\"nodeName\":\"n\",\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}");
    String path = "/api/v1/namespaces/default/pods/p";
    Client.Answer leaving = client.delete(path);
    assertThat(leaving.text("metadata", "deletionTimestamp")).isEqualTo("2026-01-01T00:00:30Z");
    assertThat(client.get(path).status()).isEqualTo(200);
    assertThat(client.delete(path + "?gracePeriodSeconds=0").status()).isEqualTo(200);
    assertThat(client.get(path).status()).isEqualTo(404);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{|400|must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected"
            + " end of JSON input ({)",
        "``|400|json parse error: unexpected end of JSON input (<empty>)",
        "null|422|name or generateName is required",
        "[]|400|json: cannot unmarshal array into Go value of type struct",
        "{\"apiVersion\":7}|400|cannot unmarshal number into Go struct field .apiVersion of type"
            + " string",
        "{\"kind\":\"Pod\"}|400|Pod in version \"v1\" cannot be handled as a ConfigMap: converting"
            + " (v1.Pod) to (core.ConfigMap): unknown conversion",
        "{\"kind\":\"Secret\",\"data\":{\"a\":\"b\"}}|400|Secret in version \"v1\" cannot be"
            + " handled as a ConfigMap: illegal base64 data at input byte 0",
        "{\"apiVersion\":\"a/b/c\",\"data\":{}}|400|the object provided is unrecognized (must be of"
            + " type ConfigMap): unexpected GroupVersion string: a/b/c"
            + " ({\"apiVersion\":\"a/b/c\",\"data\":{ ...)",
        "{\"apiVersion\":\"v2\"}|400|ConfigMap in version \"v2\" cannot be handled as a ConfigMap:"
            + " no kind \"ConfigMap\" is registered for version \"v2\"",
        "{\"metadata\":{}}|422|name or generateName is required",
        "{\"metadata\":{\"name\":\"A_B\"}}|422|a lowercase RFC 1123 subdomain must consist of",
        "{\"metadata\":{\"name\":\"a\",\"namespace\":\"other\"}}|400|does not match the namespace"
            + " sent",
        "{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"7\"}}|400|resourceVersion should not"
            + " be set",
        "{\"metadata\":{\"name\":\"a\"},\"data\":5}|400|cannot unmarshal",
        "{\"metadata\":{\"name\":\"a\",\"labels\":{\"b b\":\"c\"}}}|422|metadata.labels",
        "{\"metadata\":{\"name\":\"a\",\"ownerReferences\":[{\"name\":\"x\"}]}}|422|metadata.ownerReferences.uid:"
            + " Invalid value: \"\": must not be empty",
        "{\"metadata\":{\"name\":\"a\",\"ownerReferences\":[{\"apiVersion\":\"v1\",\"kind\":\"Event\",\"name\":\"x\",\"uid\":\"u\"}]}}|422|/v1,"
            + " Kind=Event is disallowed from being an owner",
        "{\"metadata\":{\"name\":\"a\",\"generation\":-1}}|422|metadata.generation: Invalid value:"
            + " -1: must be greater than or equal to 0",
      })
  void badObjects_areRefusedWithAReason(String body, int status, String message) {
    Client.Answer answer = client.post(CONFIG_MAPS, body);
    assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
    assertThat(answer.text("message")).contains(message);
  }

  @Test
  void unknownContentTypes_are415() {
    assertThat(client.call("POST", CONFIG_MAPS, "text/plain", "x").status()).isEqualTo(415);
    client.createConfigMap("default", "a", "1");
    assertThat(client.call("PATCH", CONFIG_MAPS + "/a", "application/json", "{}").status())
        .isEqualTo(415);
  }

  @Test
  void yamlBodies_areRead() {
    Client.Answer made =
        client.call(
            "POST",
            CONFIG_MAPS,
            "application/yaml",
            "kind: ConfigMap\napiVersion: v1\nmetadata:\n  name: yaml\ndata:\n  a: \"1\"\n");
    assertThat(made.status()).as(made.toString()).isEqualTo(201);
    assertThat(made.text("data", "a")).isEqualTo("1");
  }

  @Test
  void deletingTheObjectsOfAllNamespaces_isNotAllowed() {
    client.createConfigMap("default", "a", "1");
    assertThat(client.delete("/api/v1/configmaps").status()).isEqualTo(405);
    assertThat(client.get(CONFIG_MAPS + "/a").status()).isEqualTo(200);
    assertThat(client.delete(CONFIG_MAPS).status()).isEqualTo(200);
  }

  @Test
  void namespacesThatEveryClusterHas_areKept() {
    Client.Answer answer = client.delete("/api/v1/namespaces/default");
    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.text("message"))
        .isEqualTo("namespaces \"default\" is forbidden: this namespace may not be deleted");
    assertThat(client.createConfigMap("default", "a", "1").status()).isEqualTo(201);
  }

  @Test
  void takingTheLastFinalizer_answersWithoutIt() {
    client.post(CONFIG_MAPS, "{\"metadata\":{\"name\":\"a\",\"finalizers\":[\"a.b/c\"]}}");
    client.delete(CONFIG_MAPS + "/a");
    Client.Answer answer =
        client.patch(CONFIG_MAPS + "/a", "merge-patch", "{\"metadata\":{\"finalizers\":null}}");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body().path("metadata").has("finalizers")).isFalse();
    assertThat(client.get(CONFIG_MAPS + "/a").status()).isEqualTo(404);
  }

  @Test
  void finalizers_areQualifiedOrKnown() {
    Client.Answer bad =
        client.post(CONFIG_MAPS, "{\"metadata\":{\"name\":\"a\",\"finalizers\":[\"bad\"]}}");
    assertThat(bad.status()).isEqualTo(422);
    assertThat(bad.text("message")).contains("neither a standard finalizer name nor");
    assertThat(
            client
                .post(CONFIG_MAPS, "{\"metadata\":{\"name\":\"a\",\"finalizers\":[\"orphan\"]}}")
                .status())
        .isEqualTo(201);
  }

  @ParameterizedTest
  @ValueSource(strings = {"fieldValidation=Foo", "fieldManager=%01", "dryRun=Some", "force=true"})
  void optionsThatMeanNothing_areRefused(String option) {
    client.createConfigMap("default", "a", "1");
    Client.Answer answer =
        client.patch(CONFIG_MAPS + "/a?" + option, "merge-patch", "{\"data\":{\"v\":\"2\"}}");
    assertThat(answer.status()).isEqualTo(422);
    assertThat(client.get(CONFIG_MAPS + "/a").text("data", "v")).isEqualTo("1");
  }

  @Test
  void badPropagationPolicy_isInvalid() {
    client.createConfigMap("default", "a", "1");
    assertThat(client.delete(CONFIG_MAPS + "/a?propagationPolicy=Foo").status()).isEqualTo(422);
  }

  @Test
  void propagation_isWrittenDownAsAFinalizer_whichCanBeChanged() {
    client.createConfigMap("default", "a", "1");
    Client.Answer foreground = client.delete(CONFIG_MAPS + "/a?propagationPolicy=Foreground");
    assertThat(foreground.status()).isEqualTo(200);
    assertThat(foreground.body().path("metadata").path("finalizers").toString())
        .isEqualTo("[\"foregroundDeletion\"]");
    assertThat(foreground.body().path("metadata").has("deletionTimestamp")).isTrue();

    var _ = client.delete(CONFIG_MAPS + "/a?orphanDependents=true");
    Client.Answer held = client.get(CONFIG_MAPS + "/a");
    assertThat(held.body().path("metadata").path("finalizers").toString())
        .isEqualTo("[\"orphan\"]");

    var _ = client.delete(CONFIG_MAPS + "/a");
    assertThat(client.get(CONFIG_MAPS + "/a").status()).isEqualTo(200);

    var _ = client.delete(CONFIG_MAPS + "/a?propagationPolicy=Background");
    assertThat(client.get(CONFIG_MAPS + "/a").status()).isEqualTo(404);
  }

  @Test
  void oldKinds_leaveTheirDependentsUnlessTold() {
    String controllers = "/api/v1/namespaces/default/replicationcontrollers";
    String body =
        "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"replicas\":0,\"selector\":{\"a\":\"b\"},\"template\":"
            + "{\"metadata\":{\"labels\":{\"a\":\"b\"}},\"spec\":{\"containers\":[{\"name\":\"c\","
            + "\"image\":\"i\"}]}}}}";
    assertThat(client.post(controllers, body).status()).isEqualTo(201);
    var _ = client.delete(controllers + "/a");
    assertThat(client.get(controllers + "/a").body().path("metadata").path("finalizers").toString())
        .isEqualTo("[\"orphan\"]");
  }

  @Test
  void patchOfTheName_isRefused() {
    client.createConfigMap("default", "a", "1");
    Client.Answer answer =
        client.patch(CONFIG_MAPS + "/a", "merge-patch", "{\"metadata\":{\"name\":\"b\"}}");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.text("message"))
        .isEqualTo("the name of the object (b) does not match the name on the URL (a)");
  }

  @Test
  void requestForACertificate_saysWhoMadeIt() {
    Client.Answer made =
        client.post(
            "/apis/certificates.k8s.io/v1/certificatesigningrequests",
            "{\"metadata\":{\"name\":\"x\"},\"spec\":{\"username\":\"evil\",\"groups\":[\"evils\"],"
                + "\"signerName\":\"a.b/c\",\"usages\":[\"client auth\"],\"request\":"
                + "\"LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0=\"}}");
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.text("spec", "username")).isNotEqualTo("evil");
    assertThat(made.body().path("spec").path("groups").toString()).doesNotContain("evils");
  }

  @Test
  void whoDecidesOnACertificate_needNotSayWhen() {
    String requests = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
    client.post(
        requests,
        "{\"metadata\":{\"name\":\"x\"},\"spec\":{\"signerName\":\"a.b/c\",\"usages\":[\"client"
            + " auth\"],\"request\":\"LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0=\"}}");
    String approved =
        "{\"status\":{\"conditions\":[{\"type\":\"Approved\",\"status\":\"True\",\"reason\":\"%s\"}]}}";
    Client.Answer first =
        client.patch(requests + "/x/approval", "merge-patch", approved.formatted("r"));
    assertThat(first.status()).as(first.toString()).isEqualTo(200);
    JsonNode condition = first.body().path("status").path("conditions").path(0);
    assertThat(condition.path("lastUpdateTime").asString("")).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(condition.path("lastTransitionTime").asString("")).isEqualTo("2026-01-01T00:00:00Z");
    fixture.env.runFor(Duration.ofSeconds(5));
    Client.Answer again =
        client.patch(requests + "/x/approval", "merge-patch", approved.formatted("s"));
    condition = again.body().path("status").path("conditions").path(0);
    assertThat(condition.path("lastUpdateTime").asString("")).isEqualTo("2026-01-01T00:00:05Z");
    assertThat(condition.path("lastTransitionTime").asString("")).isEqualTo("2026-01-01T00:00:00Z");
  }

  @Test
  void versionThatIsSentWithANewObject_comesBackToWhoOnlyTries() {
    String body = "{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"%s\"}}";
    Client.Answer tried = client.post(CONFIG_MAPS + "?dryRun=All", body.formatted("0"));
    assertThat(tried.status()).isEqualTo(201);
    assertThat(tried.text("metadata", "resourceVersion")).isEqualTo("0");
    Client.Answer put =
        client.put(
            "/apis/coordination.k8s.io/v1/namespaces/default/leases/a?dryRun=All",
            body.formatted("7"));
    assertThat(put.status()).as(put.toString()).isEqualTo(201);
    assertThat(put.text("metadata", "resourceVersion")).isEqualTo("7");
    assertThat(client.post(CONFIG_MAPS, body.formatted("7")).status()).isEqualTo(400);
    Client.Answer made = client.post(CONFIG_MAPS, body.formatted("0"));
    assertThat(made.status()).as(made.toString()).isEqualTo(201);
    assertThat(Long.parseLong(made.text("metadata", "resourceVersion"))).isPositive();
  }
}
