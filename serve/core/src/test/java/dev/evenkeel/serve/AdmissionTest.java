package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class AdmissionTest {

  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String CLASSES = "/apis/scheduling.k8s.io/v1/priorityclasses";
  private static final String LIMITS = "/api/v1/namespaces/default/limitranges";
  private static final String CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";

  private final ServerFixture fixture = new ServerFixture();
  private final Client client = fixture.client;

  @AfterEach
  void close() {
    fixture.close();
  }

  private Client.Answer pod(String metadata, String spec) {
    return client.post(
        PODS,
        "{\"metadata\":{%s},\"spec\":{\"containers\":[{\"name\":\"app\",\"image\":\"i\"}]%s}}"
            .formatted(metadata, spec.isEmpty() ? "" : "," + spec));
  }

  private Client.Answer podWith(String resources) {
    return client.post(
        PODS,
        "{\"metadata\":{\"generateName\":\"p-\"},\"spec\":{\"containers\":[{\"name\":\"app\","
            + "\"image\":\"i\",\"resources\":"
            + resources
            + "}]}}");
  }

  private void limitRange(String items) {
    Client.Answer made =
        client.post(
            LIMITS, "{\"metadata\":{\"name\":\"l\"},\"spec\":{\"limits\":[" + items + "]}}");
    assertThat(made.status()).as("%s", made).isEqualTo(201);
  }

  @Test
  void pod_getsItsAccountAndTheToken() {
    Client.Answer made = pod("\"name\":\"a\"", "");
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.text("spec", "serviceAccountName")).isEqualTo("default");
    JsonNode volume = made.body().path("spec").path("volumes").path(0);
    assertThat(volume.path("name").asString()).matches("kube-api-access-[a-z0-9]{5}");
    assertThat(volume.path("projected").path("sources").size()).isEqualTo(3);
    JsonNode mount = made.body().path("spec").path("containers").path(0).path("volumeMounts");
    assertThat(mount.path(0).path("mountPath").asString())
        .isEqualTo("/var/run/secrets/kubernetes.io/serviceaccount");
    assertThat(mount.path(0).path("name")).isEqualTo(volume.path("name"));
  }

  @Test
  void pod_thatWantsNoToken_getsNone() {
    Client.Answer made = pod("\"name\":\"a\"", "\"automountServiceAccountToken\":false");
    assertThat(made.body().path("spec").has("volumes")).isFalse();
  }

  @Test
  void pod_getsItsAccountsPullSecrets() {
    client.patch(
        "/api/v1/namespaces/default/serviceaccounts/default",
        "merge-patch",
        "{\"automountServiceAccountToken\":false,\"imagePullSecrets\":[{\"name\":\"r\"}]}");
    Client.Answer made = pod("\"name\":\"a\"", "");
    assertThat(made.text("spec", "imagePullSecrets")).isEqualTo("[{\"name\":\"r\"}]");
    assertThat(made.body().path("spec").has("volumes")).isFalse();
  }

  @Test
  void missingAccount_isRefusedUnderTheStemOfTheName() {
    Client.Answer refused = pod("\"generateName\":\"web-\"", "\"serviceAccountName\":\"bot\"");
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.text("message"))
        .isEqualTo(
            "pods \"web-\" is forbidden: error looking up service account default/bot:"
                + " serviceaccount \"bot\" not found");
    client.post("/api/v1/namespaces/default/serviceaccounts", "{\"metadata\":{\"name\":\"bot\"}}");
    assertThat(pod("\"generateName\":\"web-\"", "\"serviceAccountName\":\"bot\"").status())
        .isEqualTo(201);
  }

  @Test
  void deletedDefaultAccount_comesBack() {
    String account = "/api/v1/namespaces/default/serviceaccounts/default";
    assertThat(client.delete(account).status()).isEqualTo(200);
    assertThat(pod("\"name\":\"a\"", "").status()).isEqualTo(403);
    fixture.env.runFor(Duration.ofSeconds(30));
    assertThat(client.get(account).status()).isEqualTo(200);
    assertThat(pod("\"name\":\"a\"", "").status()).isEqualTo(201);
  }

  @Test
  void priority_isTheClass() {
    Client.Answer made = pod("\"name\":\"a\"", "\"priorityClassName\":\"system-node-critical\"");
    assertThat(made.text("spec", "priority")).isEqualTo("2000001000");
    assertThat(made.text("spec", "preemptionPolicy")).isEqualTo("PreemptLowerPriority");
    assertThat(pod("\"name\":\"b\"", "").text("spec", "priority")).isEqualTo("0");
    assertThat(pod("\"name\":\"c\"", "\"priorityClassName\":\"x\"").text("message"))
        .isEqualTo("pods \"c\" is forbidden: no PriorityClass with name x was found");
    assertThat(pod("\"name\":\"c\"", "\"priority\":7").text("message"))
        .isEqualTo(
            "pods \"c\" is forbidden: the integer value of priority (7) must not be provided in pod"
                + " spec; priority admission controller computed 0 from the given PriorityClass"
                + " name");
  }

  @Test
  void defaultPriority_isTheMarkedClass_andThereIsOnlyOne() {
    String marked = "{\"metadata\":{\"name\":\"%s\"},\"value\":%d,\"globalDefault\":true}";
    assertThat(client.post(CLASSES, marked.formatted("usual", 5)).status()).isEqualTo(201);
    assertThat(client.post(CLASSES, marked.formatted("other", 6)).text("message"))
        .isEqualTo(
            "priorityclasses.scheduling.k8s.io \"other\" is forbidden: PriorityClass usual is"
                + " already marked as default. Only one default can exist");
    Client.Answer made = pod("\"name\":\"a\"", "");
    assertThat(made.text("spec", "priority")).isEqualTo("5");
    assertThat(made.text("spec", "priorityClassName")).isEqualTo("usual");
  }

  @Test
  void pod_stays300SecondsOnALostNode() {
    Client.Answer made =
        pod(
            "\"name\":\"a\"",
            "\"tolerations\":[{\"key\":\"node.kubernetes.io/not-ready\",\"operator\":\"Exists\","
                + "\"effect\":\"NoExecute\"}]");
    JsonNode tolerations = made.body().path("spec").path("tolerations");
    assertThat(tolerations.size()).isEqualTo(2);
    assertThat(tolerations.path(1).path("key").asString())
        .isEqualTo("node.kubernetes.io/unreachable");
    assertThat(tolerations.path(1).path("tolerationSeconds").asLong()).isEqualTo(300);
  }

  @Test
  void put_ofAPodAsItWasRead_changesNothing() {
    Client.Answer made = pod("\"name\":\"a\"", "");
    Client.Answer put = client.put(PODS + "/a", made.body().toString());
    assertThat(put.status()).as("%s", put).isEqualTo(200);
    assertThat(put.body()).isEqualTo(made.body());
  }

  @Test
  void limitRange_fillsInAndQualityFollows() {
    limitRange(
        "{\"type\":\"Container\",\"default\":{\"cpu\":\"1\",\"memory\":\"1Gi\"},"
            + "\"defaultRequest\":{\"cpu\":\"500m\"}}");
    Client.Answer made = podWith("{}");
    assertThat(made.status()).as("%s", made).isEqualTo(201);
    JsonNode resources = made.body().path("spec").path("containers").path(0).path("resources");
    assertThat(resources.path("limits").path("memory").asString()).isEqualTo("1Gi");
    assertThat(resources.path("requests").path("cpu").asString()).isEqualTo("500m");
    assertThat(made.text("status", "qosClass")).isEqualTo("Burstable");
    assertThat(made.text("metadata", "annotations", "kubernetes.io/limit-ranger"))
        .isEqualTo(
            "LimitRanger plugin set: cpu, memory request for container app; cpu, memory limit for"
                + " container app");
  }

  @Test
  void limitRange_refusesInUpstreamsWords() {
    limitRange(
        "{\"type\":\"Container\",\"max\":{\"cpu\":\"1\"},\"min\":{\"cpu\":\"100m\"},"
            + "\"maxLimitRequestRatio\":{\"cpu\":\"2\"}}");
    assertThat(podWith("{\"limits\":{\"cpu\":\"2\"}}").text("message"))
        .matches(
            "pods \"p-.{5}\" is forbidden: maximum cpu usage per Container is 1, but limit is 2");
    assertThat(podWith("{\"limits\":{\"cpu\":\"50m\"}}").text("message"))
        .endsWith("minimum cpu usage per Container is 100m, but request is 50m");
    assertThat(
            podWith("{\"limits\":{\"cpu\":\"1\"},\"requests\":{\"cpu\":\"250m\"}}").text("message"))
        .endsWith(
            "cpu max limit to request ratio per Container is 2, but provided ratio is 4.000000");
    assertThat(podWith("{\"limits\":{\"cpu\":\"1\"}}").status()).isEqualTo(201);
  }

  @Test
  void limitRange_ofPodsAndClaims() {
    limitRange(
        "{\"type\":\"Pod\",\"max\":{\"memory\":\"1Gi\"}},"
            + "{\"type\":\"PersistentVolumeClaim\",\"max\":{\"storage\":\"1Gi\"},"
            + "\"min\":{\"storage\":\"1Mi\"}}");
    assertThat(podWith("{}").text("message"))
        .endsWith("maximum memory usage per Pod is 1Gi.  No limit is specified");
    assertThat(podWith("{\"limits\":{\"memory\":\"2Gi\"}}").text("message"))
        .endsWith("maximum memory usage per Pod is 1Gi, but limit is 2Gi");
    assertThat(claim("a", "2Gi").text("message"))
        .isEqualTo(
            "persistentvolumeclaims \"a\" is forbidden: maximum storage usage per"
                + " PersistentVolumeClaim is 1Gi, but request is 2Gi");
    assertThat(claim("a", "1Gi").status()).isEqualTo(201);
  }

  private Client.Answer claim(String name, String storage) {
    return client.post(
        CLAIMS,
        "{\"metadata\":{\"name\":\"%s\"},\"spec\":{\"accessModes\":[\"ReadWriteOnce\"],\"resources\":{\"requests\":{\"storage\":\"%s\"}}}}"
            .formatted(name, storage));
  }

  @Test
  void claimWithoutClass_getsTheDefaultOne() {
    client.post(
        "/apis/storage.k8s.io/v1/storageclasses",
        "{\"metadata\":{\"name\":\"fast\",\"annotations\":{"
            + "\"storageclass.kubernetes.io/is-default-class\":\"true\"}},\"provisioner\":\"x/y\"}");
    assertThat(claim("a", "1Gi").text("spec", "storageClassName")).isEqualTo("fast");
  }

  @Test
  void runtimeClass_setsOverheadAndPlace() {
    client.post(
        "/apis/node.k8s.io/v1/runtimeclasses",
        "{\"metadata\":{\"name\":\"vm\"},\"handler\":\"vm\",\"overhead\":{\"podFixed\":{\"cpu\":"
            + "\"250m\"}},\"scheduling\":{\"nodeSelector\":{\"vm\":\"yes\"}}}");
    Client.Answer made = pod("\"name\":\"a\"", "\"runtimeClassName\":\"vm\"");
    assertThat(made.text("spec", "overhead", "cpu")).isEqualTo("250m");
    assertThat(made.text("spec", "nodeSelector", "vm")).isEqualTo("yes");
    assertThat(pod("\"name\":\"b\"", "\"runtimeClassName\":\"x\"").text("message"))
        .isEqualTo("pods \"b\" is forbidden: pod rejected: RuntimeClass \"x\" not found");
    assertThat(pod("\"name\":\"b\"", "\"overhead\":{\"cpu\":\"1\"}").text("message"))
        .contains("Pod Overhead set without corresponding RuntimeClass");
  }
}
