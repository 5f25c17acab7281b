package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.fit.NodeLedger;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.cache.CacheLimits;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.StoreLimits;
import dev.evenkeel.store.engine.mvcc.MvccOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Giving the pods of a group their nodes: all at once, or none. */
final class GroupBindingTest {

  private static final String GROUPS = "/apis/evenkeel.dev/v1alpha1/namespaces/default/podgroups";
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String NODES = "/api/v1/nodes";
  private static final String OPERATION = "\"evenkeel.dev/operation\":\"op-1\"";

  /** A store that takes about as much at once as an etcd does. */
  private static final StoreLimits LIMITS =
      new StoreLimits(4096, StoreLimits.ETCD_DEFAULTS.requestBytesMax(), 160);

  private final ServerFixture fixture =
      new ServerFixture(ServerSettings.DEFAULTS, MvccOptions.DEFAULTS.withLimits(LIMITS));

  private final Client client = fixture.client;

  @BeforeEach
  void twoNodesAndAGroup() {
    node("n1", "zone-a", 2);
    node("n2", "zone-b", 2);
    made(client.post(GROUPS, "{\"metadata\":{\"name\":\"g\"},\"spec\":{\"minMember\":2}}"));
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private void node(String name, String zone, int cpus) {
    made(
        client.post(
            NODES,
            "{\"metadata\":{\"name\":\"%s\",\"labels\":{\"topology.kubernetes.io/zone\":\"%s\"}},\"status\":{\"allocatable\":{\"cpu\":\"%d\",\"pods\":\"10\"}}}"
                .formatted(name, zone, cpus)));
  }

  private static Client.Answer made(Client.Answer answer) {
    assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
    return answer;
  }

  private void pod(String name, String group, String more, String ports) {
    made(
        client.post(
            PODS,
            "{\"metadata\":{\"name\":\"%s\",\"labels\":{%s}},\"spec\":{%s\"containers\":[{\"name\":\"c\",\"image\":\"i\",\"resources\":{\"requests\":{\"cpu\":\"1\"}},\"ports\":[%s]}]}}"
                .formatted(
                    name,
                    group.isEmpty() ? "" : "\"evenkeel.dev/pod-group\":\"" + group + "\"",
                    more,
                    ports)));
  }

  private void pods(String... names) {
    for (String name : names) {
      pod(name, "g", "", "");
    }
  }

  /** Places are written {@code pod:node}. */
  private Client.Answer bind(String annotations, String... places) {
    return client.post(GROUPS + "/g/binding", body(annotations, places));
  }

  private static String body(String annotations, String... places) {
    List<String> bindings = new ArrayList<>();
    for (String place : places) {
      String[] words = place.split(":", -1);
      bindings.add("{\"pod\":\"%s\",\"node\":\"%s\"}".formatted(words[0], words[1]));
    }
    return "{\"apiVersion\":\"evenkeel.dev/v1alpha1\",\"kind\":\"PodGroupBinding\",\"metadata\":{\"name\":\"g\",\"namespace\":\"default\",\"annotations\":{%s}},\"bindings\":[%s]}"
        .formatted(annotations, String.join(",", bindings));
  }

  private JsonNode get(String pod) {
    return client.get(PODS + "/" + pod).body();
  }

  private String nodeOf(String pod) {
    return get(pod).path("spec").path("nodeName").asString("");
  }

  private NodeLedger ledger(String node) {
    fixture.env.runFor(Duration.ofMillis(50));
    var read = fixture.store.get(Bytes.utf8("/evenkeel/nodes/ledgers/" + node), Store.NEWEST);
    for (int i = 0; !read.isDone() && i < 1_000; i++) {
      fixture.env.step();
    }
    return Objects.requireNonNull(
        NodeLedger.parse(Objects.requireNonNull(read.join().item()).value().array()));
  }

  private void nothingIsBound(String... pods) {
    for (String pod : pods) {
      assertThat(nodeOf(pod)).isEmpty();
      assertThat(get(pod).path("metadata").path("annotations").toString())
          .doesNotContain("bound-by");
    }
    assertThat(ledger("n1").used()).isEmpty();
    assertThat(ledger("n2").used()).isEmpty();
  }

  private static List<String> causes(Client.Answer refused) {
    List<String> causes = new ArrayList<>();
    for (JsonNode cause : refused.body().path("details").path("causes")) {
      causes.add(cause.path("reason").asString("") + " " + cause.path("message").asString(""));
    }
    return causes;
  }

  @Test
  void group_isBoundAtOnce_andEachPodAsABindingOfItsOwnWouldBindIt() {
    pods("a", "b", "c");
    Client.Answer bound = made(bind(OPERATION + ",\"team\":\"risk\"", "a:n1", "b:n1", "c:n2"));
    assertThat(bound.text("status")).isEqualTo("Success");
    assertThat(bound.text("details", "name")).isEqualTo("g");
    assertThat(bound.text("details", "kind")).isEqualTo("podgroups");
    String version = bound.text("metadata", "resourceVersion");
    for (String name : List.of("a", "b", "c")) {
      JsonNode pod = get(name);
      assertThat(pod.path("metadata").path("resourceVersion").asString("")).isEqualTo(version);
      JsonNode annotations = pod.path("metadata").path("annotations");
      assertThat(annotations.path("evenkeel.dev/bound-by").asString("")).isEqualTo("op-1");
      assertThat(annotations.path("evenkeel.dev/zone").asString(""))
          .isEqualTo(name.equals("c") ? "zone-b" : "zone-a");
      assertThat(annotations.path("team").asString("")).isEqualTo("risk");
      assertThat(annotations.has("evenkeel.dev/operation")).isFalse();
      assertThat(pod.path("status").path("conditions").toString()).contains("PodScheduled", "True");
    }
    assertThat(nodeOf("a") + nodeOf("b") + nodeOf("c")).isEqualTo("n1n1n2");
    assertThat(ledger("n1").used()).containsEntry("cpu", 2000L).containsEntry("pods", 2L);
    assertThat(ledger("n2").used()).containsEntry("cpu", 1000L).containsEntry("pods", 1L);
    pods("d");
    made(
        client.post(
            PODS + "/d/binding",
            "{\"metadata\":{\"name\":\"d\",\"annotations\":{%s}},\"target\":{\"name\":\"n2\"}}"
                .formatted(OPERATION + ",\"team\":\"risk\"")));
    assertThat(withoutIdentity("c")).isEqualTo(withoutIdentity("d"));
    // What is given back is what was charged.
    client.delete(PODS + "/a?gracePeriodSeconds=0");
    assertThat(ledger("n1").used()).containsEntry("cpu", 1000L).containsEntry("pods", 1L);
  }

  private JsonNode withoutIdentity(String pod) {
    ObjectNode whole = (ObjectNode) get(pod);
    ((ObjectNode) whole.path("metadata"))
        .remove(List.of("name", "uid", "resourceVersion", "creationTimestamp"));
    String same =
        whole
            .toString()
            .replaceAll("\"(time|lastTransitionTime)\":\"[^\"]*\"", "\"$1\":\"\"")
            .replaceAll("kube-api-access-[a-z0-9]+", "kube-api-access");
    return Json.parse(same.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void podsOfOneNode_areJudgedTogether() {
    pods("a", "b", "c");
    Client.Answer refused = bind(OPERATION, "a:n1", "b:n1", "c:n1");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.text("reason")).isEqualTo("Conflict");
    assertThat(refused.text("message"))
        .isEqualTo(
            "no pod of podgroup \"g\" was bound: Operation cannot be fulfilled on pods \"c\": node"
                + " \"n1\" has not enough left for 3 pods: Insufficient cpu (requested 3000m, used"
                + " 0m of 2000m)");
    assertThat(refused.text("details", "name")).isEqualTo("c");
    assertThat(causes(refused)).hasSize(3);
    assertThat(causes(refused).getFirst())
        .isEqualTo("InsufficientResource n1: requested 3000m, used 0m of 2000m");
    assertThat(causes(refused).get(1)).startsWith("LedgerVersion ");
    assertThat(causes(refused).getLast()).isEqualTo("LedgerUsed {\"cpu\":0}");
    nothingIsBound("a", "b", "c");
  }

  @Test
  void refusal_namesAllNodesThatLackSomething() {
    pods("a", "b", "c", "d", "e", "f");
    Client.Answer refused = bind("", "a:n2", "b:n2", "c:n2", "d:n1", "e:n1", "f:n1");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(causes(refused))
        .contains(
            "InsufficientResource n1: requested 3000m, used 0m of 2000m",
            "InsufficientResource n2: requested 3000m, used 0m of 2000m");
    assertThat(causes(refused).stream().filter(it -> it.startsWith("LedgerVersion"))).hasSize(2);
    Client.Answer tried =
        client.post(
            GROUPS + "/g/binding?dryRun=All",
            body("", "a:n2", "b:n2", "c:n2", "d:n1", "e:n1", "f:n1"));
    assertThat(tried.status()).isEqualTo(409);
    assertThat(causes(tried)).isEqualTo(causes(refused));
    nothingIsBound("a", "b", "c", "d", "e", "f");
    made(bind("", "a:n2", "b:n2", "d:n1", "e:n1"));
  }

  @Test
  void portThatTwoOfThemWant_isHadOnce() {
    pod("a", "g", "", "{\"containerPort\":80,\"hostPort\":80}");
    pod("b", "g", "", "{\"containerPort\":80,\"hostPort\":80}");
    Client.Answer refused = bind("", "a:n1", "b:n1");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.text("message")).contains("pods \"b\"", "port", "is taken");
    assertThat(causes(refused).getFirst()).isEqualTo("HostPortTaken n1: another pod has it");
    nothingIsBound("a", "b");
    made(bind("", "a:n1", "b:n2"));
  }

  @Test
  void shareOfAZone_isJudgedForAllOfThem_andNothingIsChargedWhereItIsNotEnough() {
    made(
        client.post(
            "/apis/evenkeel.dev/v1alpha1/namespaces/default/tenantquotas",
            "{\"metadata\":{\"name\":\"q\"},\"spec\":{\"zone\":\"zone-a\",\"hard\":{\"pods\":\"1\"}}}"));
    pods("a", "b", "c");
    Client.Answer refused = bind("", "c:n2", "a:n1", "b:n1");
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.text("message"))
        .startsWith(
            "no pod of podgroup \"g\" was bound: pods \"b\" is forbidden: exceeded quota:"
                + " TenantQuota q of zone zone-a, requested: pods=2, used: pods=0, limited:"
                + " pods=1");
    assertThat(causes(refused).getFirst())
        .isEqualTo("TenantQuotaExceeded zone-a: requested 2, used 0 of 1 pods");
    Client.Answer tried =
        client.post(GROUPS + "/g/binding?dryRun=All", body("", "c:n2", "a:n1", "b:n1"));
    assertThat(tried.status()).isEqualTo(403);
    nothingIsBound("a", "b", "c");
    made(bind("", "c:n2", "a:n1", "b:n2"));
    assertThat(
            client
                .get("/apis/evenkeel.dev/v1alpha1/namespaces/default/tenantquotas/q")
                .text("status", "used", "pods"))
        .isEqualTo("1");
  }

  @Test
  void groupBeyondTheWindowOfCharges_isOneCharge() {
    // At most 128 charges of a namespace are on their way to the store at a time.
    made(
        client.post(
            "/apis/evenkeel.dev/v1alpha1/namespaces/default/tenantquotas",
            "{\"metadata\":{\"name\":\"q\"},\"spec\":{\"hard\":{\"pods\":\"200\"}}}"));
    made(
        client.post(
            NODES,
            "{\"metadata\":{\"name\":\"large\"},\"status\":{\"allocatable\":{\"cpu\":\"900\",\"pods\":\"900\"}}}"));
    made(bind("", many(150, "large").toArray(String[]::new)));
    assertThat(ledger("large").used()).containsEntry("pods", 150L);
  }

  /** As many pods of the group, all on one node. */
  private List<String> many(int count, String node) {
    pods(IntStream.range(0, count).mapToObj(i -> "p" + i).toArray(String[]::new));
    return IntStream.range(0, count).mapToObj(i -> "p" + i + ":" + node).toList();
  }

  @Test
  void podThatCannotBeBound_keepsAllFromIt() {
    pods("a", "gone", "gated", "going", "taken");
    pod("held", "g", "\"schedulingGates\":[{\"name\":\"example.com/x\"}],", "");
    client.patch(
        PODS + "/going", "merge-patch", "{\"metadata\":{\"finalizers\":[\"example.com/f\"]}}");
    client.delete(PODS + "/going?gracePeriodSeconds=0");
    client.delete(PODS + "/gone?gracePeriodSeconds=0");
    refused(404, "pods \"gone\" not found", bind("", "a:n1", "gone:n2"));
    refused(409, "pod going is being deleted", bind("", "a:n1", "going:n2"));
    refused(409, "pod held has non-empty .spec.schedulingGates", bind("", "a:n1", "held:n2"));
    nothingIsBound("a", "going", "held");
    made(
        client.post(
            PODS + "/taken/binding",
            "{\"metadata\":{\"name\":\"taken\"},\"target\":{\"name\":\"n2\"}}"));
    refused(
        409, "pod taken is already assigned to node \"n2\"", bind(OPERATION, "a:n1", "taken:n2"));
    Client.Answer another =
        client.post(
            GROUPS + "/g/binding",
            "{\"bindings\":[{\"pod\":\"a\",\"node\":\"n1\",\"uid\":\"not-its-uid\"}]}");
    refused(409, "the binding is for another pod of this name", another);
    assertThat(nodeOf("a")).isEmpty();
    assertThat(ledger("n1").used()).isEmpty();
  }

  private static void refused(int status, String words, Client.Answer answer) {
    assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
    assertThat(answer.text("message")).contains("podgroup \"g\"", words);
  }

  @Test
  void groupThatIsNotThere_isNotBound() {
    pods("a");
    client.delete(GROUPS + "/g");
    Client.Answer refused = bind("", "a:n1");
    assertThat(refused.status()).isEqualTo(404);
    assertThat(refused.text("message")).isEqualTo("podgroups.evenkeel.dev \"g\" not found");
    nothingIsBound("a");
  }

  @Test
  void podsOfOtherGroups_areToldByTheirFields() {
    pods("a");
    pod("other", "h", "", "");
    pod("alone", "", "", "");
    Client.Answer refused = bind("", "a:n1", "other:n1", "alone:n2");
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.text("reason")).isEqualTo("Invalid");
    assertThat(refused.text("message"))
        .contains(
            "PodGroupBinding.evenkeel.dev \"g\" is invalid",
            "bindings[1].pod: Invalid value: \"other\": is not of the group: its label"
                + " evenkeel.dev/pod-group must be \"g\", not \"h\"",
            "bindings[2].pod: Invalid value: \"alone\"");
    nothingIsBound("a", "other", "alone");
  }

  @Test
  void requestThatIsRepeated_isAnsweredAsTheFirstTime_andOneThatIsPartlyDoneIsAConflict() {
    pods("a", "b");
    Client.Answer once = made(bind(OPERATION, "a:n1", "b:n2"));
    Client.Answer twice = made(bind(OPERATION, "a:n1", "b:n2"));
    assertThat(twice.body()).isEqualTo(once.body());
    assertThat(ledger("n1").used()).containsEntry("pods", 1L);
    refused(
        409,
        "already assigned to node",
        bind("\"evenkeel.dev/operation\":\"op-2\"", "a:n1", "b:n2"));
    refused(409, "already assigned to node", bind("", "a:n1", "b:n2"));
    refused(409, "gave pod b its node and not this one", bind(OPERATION, "a:n2", "b:n2"));

    client.delete(PODS + "/a?gracePeriodSeconds=0");
    pods("a");
    refused(
        409,
        "operation \"op-1\" gave pod b its node and not this one: bind the pods that have none by"
            + " another operation",
        bind(OPERATION, "a:n1", "b:n2"));
    assertThat(nodeOf("a")).isEmpty();
    made(bind("\"evenkeel.dev/operation\":\"op-3\"", "a:n1"));
  }

  @Test
  void bodyThatMakesNoSense_isRefusedWithWhatIsWrong() {
    pods("a");
    Client.Answer nothing = client.post(GROUPS + "/g/binding", "{\"bindings\":[]}");
    assertThat(nothing.status()).isEqualTo(422);
    assertThat(nothing.text("message"))
        .contains("bindings: Required value: at least one pod and its node");
    Client.Answer empty =
        client.post(
            GROUPS + "/g/binding",
            "{\"bindings\":[{\"pod\":\"a\"},{\"node\":\"n1\"},{\"pod\":\"a\",\"node\":\"n1\"}]}");
    assertThat(empty.text("message"))
        .contains(
            "bindings[0].node: Required value: the name of a node",
            "bindings[1].pod: Required value: the name of a pod",
            "bindings[2].pod: Duplicate value: \"a\"");
    assertThat(bad("{\"metadata\":{\"name\":\"h\"},\"bindings\":[]}"))
        .contains("the name in the binding (h) is not the podgroup's (g)");
    assertThat(bad("{\"metadata\":{\"namespace\":\"x\"},\"bindings\":[]}"))
        .contains("the namespace in the binding (x)");
    assertThat(bad("{\"kind\":\"Binding\",\"target\":{\"name\":\"n1\"}}"))
        .contains("cannot be handled as a PodGroupBinding");
    assertThat(bad("{\"bindings\":[{\"pod\":5,\"node\":\"n1\"}]}")).contains("bindings", "pod");
    assertThat(bad(body("\"evenkeel.dev/candidates\":\"n2\"", "a:n1")))
        .contains("leave out the annotation evenkeel.dev/candidates");
    assertThat(bad(body("\"evenkeel.dev/observed-version\":\"soon\"", "a:n1")))
        .contains("must be a version");
    Client.Answer unknown =
        client.post(
            GROUPS + "/g/binding?fieldValidation=Strict",
            "{\"bindings\":[{\"pod\":\"a\",\"node\":\"n1\",\"zone\":\"z\"}]}");
    assertThat(unknown.text("message")).contains("unknown field \"bindings[0].zone\"");
    nothingIsBound("a");
  }

  private String bad(String body) {
    Client.Answer answer = client.post(GROUPS + "/g/binding", body);
    assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
    return answer.text("message");
  }

  @Test
  void tooManyPods_areRefusedBeforeAnythingIsLookedAt() {
    String places =
        IntStream.rangeClosed(0, 1_000)
            .mapToObj(i -> "{\"pod\":\"p" + i + "\",\"node\":\"n1\"}")
            .collect(Collectors.joining(","));
    Client.Answer refused = client.post(GROUPS + "/g/binding", "{\"bindings\":[" + places + "]}");
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.text("message"))
        .contains("bindings: Too many: 1001: must have at most 1000 items");
  }

  @Test
  void moreThanTheStoreTakesAtOnce_isToldWithTheWayOut() {
    Client.Answer refused = bind("", many(160, "elsewhere").toArray(String[]::new));
    assertThat(refused.status()).as(refused.toString()).isEqualTo(413);
    assertThat(refused.text("message"))
        .contains(
            "no pod of podgroup \"g\" was bound: its 160 pods, with what is charged for them, are"
                + " more than the store takes in one transaction",
            "at most 160",
            "smaller groups",
            "--max-txn-ops");
    assertThat(nodeOf("p0") + nodeOf("p159")).isEmpty();
    // What was written ahead in the books is gone with it.
    made(bind("", "p0:n1", "p159:n1"));
    assertThat(ledger("n1").used()).containsEntry("pods", 2L);
  }

  @Test
  void dryRun_changesNothing() {
    pods("a", "b");
    made(client.post(GROUPS + "/g/binding?dryRun=All", body(OPERATION, "a:n1", "b:n2")));
    nothingIsBound("a", "b");
  }

  @Test
  void formerLeader_bindsNothing() {
    pods("a", "b");
    made(
        client.post(
            "/apis/coordination.k8s.io/v1/namespaces/default/leases",
            "{\"metadata\":{\"name\":\"l\"},\"spec\":{\"holderIdentity\":\"new\",\"leaseTransitions\":2}}"));
    assertThat(under("default/l 1 old").status()).isEqualTo(412);
    nothingIsBound("a", "b");
    made(under("default/l 2 new"));
  }

  private Client.Answer under(String lease) {
    return Client.answer(
        client.raw(
            "POST",
            GROUPS + "/g/binding",
            Map.of("content-type", "application/json", "evenkeel-lease", lease),
            body("", "a:n1", "b:n2").getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void policies_seeTheBindingOfEachPod_andThatOfTheGroup() {
    pods("a", "b", "c");
    policy("each", "", "v1", "pods/binding", "object.target.name != 'n2'");
    policy("all", "evenkeel.dev", "v1alpha1", "podgroups/binding", "object.bindings.size() < 3");
    fixture.settle();
    Client.Answer all = bind("", "a:n1", "b:n1", "c:n1");
    assertThat(all.status()).isEqualTo(422);
    assertThat(all.text("message")).contains("object.bindings.size() < 3");
    Client.Answer each = bind("", "a:n1", "b:n2");
    assertThat(each.status()).isEqualTo(422);
    assertThat(each.text("message"))
        .contains("podgroup \"g\"", "pods \"b\"", "object.target.name != 'n2'");
    nothingIsBound("a", "b", "c");
    made(bind("", "a:n1", "b:n1"));
  }

  private void policy(
      String name, String group, String version, String resource, String expression) {
    String at = "/apis/admissionregistration.k8s.io/v1/";
    made(
        client.post(
            at + "validatingadmissionpolicies",
            """
            {"metadata":{"name":"%s"},"spec":{"matchConstraints":{"resourceRules":[{
              "apiGroups":["%s"],"apiVersions":["%s"],"operations":["CREATE"],"resources":["%s"]}]},
              "validations":[{"expression":"%s"}]}}
            """
                .formatted(name, group, version, resource, expression)));
    made(
        client.post(
            at + "validatingadmissionpolicybindings",
            "{\"metadata\":{\"name\":\"%s\"},\"spec\":{\"policyName\":\"%s\",\"validationActions\":[\"Deny\"]}}"
                .formatted(name, name)));
  }

  @Test
  void watchThatWasCutWithinABinding_isShownAllOfIt() {
    pods("a", "b", "c");
    String before = client.get(PODS).text("metadata", "resourceVersion");
    String version = made(bind("", "a:n1", "b:n1", "c:n2")).text("metadata", "resourceVersion");
    assertThat(shown("resourceVersion=" + before)).containsExactly("a", "b", "c");
    Client.Events cut = client.watch(PODS + "?watch=true&resourceVersion=" + before);
    JsonNode first = cut.pull(1).getFirst().path("object").path("metadata");
    cut.close();
    assertThat(first.path("resourceVersion").asString("")).isEqualTo(version);
    assertThat(shown("resourceVersion=" + version)).containsExactly("a", "b", "c");
    // Whoever is concerned by one of them has seen it.
    assertThat(shown("fieldSelector=spec.nodeName%3Dn2&resourceVersion=" + version)).isEmpty();
    assertThat(shown("fieldSelector=spec.nodeName%3Dn1&resourceVersion=" + version))
        .containsExactly("a", "b");
    pods("d");
    assertThat(shown("resourceVersion=" + version)).containsExactly("a", "b", "c", "d");
    assertThat(
            shown(
                "resourceVersion="
                    + get("d").path("metadata").path("resourceVersion").asString("")))
        .isEmpty();
  }

  private List<String> shown(String query) {
    Client.Events events = client.watch(PODS + "?watch=true&" + query);
    List<String> names = new ArrayList<>();
    for (JsonNode event : events.pullAll()) {
      names.add(event.path("object").path("metadata").path("name").asString(""));
    }
    events.close();
    return names;
  }

  @Test
  void bindingThatLeftTheWindow_cannotBeResumedIn() {
    var small = ServerSettings.DEFAULTS.withCache(CacheLimits.DEFAULTS.withWindowEventsMax(3));
    try (var other = ApiServer.open(fixture.env, fixture.store, small)) {
      pods("a", "b", "c");
      var lags = new Client(fixture.env, other);
      assertThat(lags.get(PODS).status()).isEqualTo(200);
      String version = made(bind("", "a:n1", "b:n2")).text("metadata", "resourceVersion");
      pods("d", "e");
      fixture.settle();
      ApiResponse resumed =
          lags.raw("GET", PODS + "?watch=true&resourceVersion=" + version, Map.of(), new byte[0]);
      assertThat(resumed.status()).isEqualTo(410);
    }
  }

  @Test
  void whatWasSeen_isCountedForEachPod() {
    pods("a", "b");
    made(bind("\"evenkeel.dev/observed-version\":\"99999\"", "a:n1", "b:n2"));
    byte[] page =
        ((ApiResponse.Whole) client.raw("GET", "/metrics", Map.of(), new byte[0]).content())
            .bytes();
    assertThat(new String(page, StandardCharsets.UTF_8))
        .contains("evenkeel_bindings_total{seen=\"current\"} 2.0\n");
  }

  @Test
  void discovery_listsTheBinding_andTheTableHasItsColumns() {
    JsonNode resources = client.get("/apis/evenkeel.dev/v1alpha1").body().path("resources");
    List<String> found = new ArrayList<>();
    for (JsonNode resource : resources) {
      if (resource.path("name").asString("").startsWith("podgroups")) {
        found.add(
            resource.path("name").asString("")
                + " "
                + resource.path("kind").asString("")
                + " "
                + resource.path("verbs").size());
      }
    }
    assertThat(found)
        .containsExactly(
            "podgroups PodGroup 8",
            "podgroups/binding PodGroupBinding 1",
            "podgroups/status PodGroup 3");
    Client.Answer made = client.get(GROUPS + "/g");
    assertThat(made.text("spec", "scheduleTimeoutSeconds")).isEqualTo("60");
    assertThat(made.text("status", "phase")).isEqualTo("Pending");
    assertThat(
            client
                .get("/openapi/v3/apis/evenkeel.dev/v1alpha1")
                .body()
                .path("paths")
                .has("/apis/evenkeel.dev/v1alpha1/namespaces/{namespace}/podgroups/{name}/binding"))
        .isTrue();
  }
}
