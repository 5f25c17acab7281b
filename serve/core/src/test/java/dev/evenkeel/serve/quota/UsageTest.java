package dev.evenkeel.serve.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** What objects of each kind use. */
class UsageTest {

  private static ObjectNode json(String text) {
    return Json.parseObject(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private static String usage(String group, String plural, String object) {
    return Evaluator.of(group, plural).usage(json(object)).withoutZeros().toString();
  }

  private static String container(String name, String requests, String limits) {
    return "{'name':'%s','resources':{'requests':{%s},'limits':{%s}}}"
        .formatted(name, requests, limits);
  }

  @Test
  void count_isOneByEveryName() {
    assertThat(usage("", "secrets", "{}")).isEqualTo("count/secrets=1,secrets=1");
    assertThat(usage("", "endpoints", "{}")).isEqualTo("count/endpoints=1");
    assertThat(usage("apps", "deployments", "{}")).isEqualTo("count/deployments.apps=1");
  }

  @Test
  void pod_isChargedForRequestsAndLimits() {
    String pod =
        "{'spec':{'containers':[%s,%s]},'status':{'phase':'Running'}}"
            .formatted(
                container("a", "'cpu':'100m','memory':'1Gi','x.dev/gpu':'2'", "'cpu':'1'"),
                container("b", "'cpu':'150m','hugepages-2Mi':'4Mi'", "'memory':'1Gi'"));
    assertThat(usage("", "pods", pod))
        .isEqualTo(
            "count/pods=1,cpu=250m,hugepages-2Mi=4Mi,limits.cpu=1,limits.memory=1Gi,memory=1Gi,"
                + "pods=1,requests.cpu=250m,requests.hugepages-2Mi=4Mi,requests.memory=1Gi,"
                + "requests.x.dev/gpu=2");
  }

  @Test
  void pod_thatEnded_isOnlyCounted() {
    for (String phase : List.of("Succeeded", "Failed")) {
      assertThat(
              usage(
                  "",
                  "pods",
                  "{'spec':{'containers':[%s]},'status':{'phase':'%s'}}"
                      .formatted(container("a", "'cpu':'1'", ""), phase)))
          .isEqualTo("count/pods=1");
    }
  }

  @Test
  void pod_withInitContainers_isChargedForTheWorstMoment() {
    String sidecar =
        container("s", "'cpu':'2'", "").replace("'name'", "'restartPolicy':'Always','name'");
    String pod =
        "{'spec':{'initContainers':[%s,%s,%s],'containers':[%s],'overhead':{'cpu':'100m'}}}"
            .formatted(
                container("i", "'cpu':'3'", ""),
                sidecar,
                container("j", "'cpu':'4'", ""),
                container("a", "'cpu':'1'", ""));
    // While j starts, the sidecar runs already: 2 + 4, and the overhead.
    assertThat(usage("", "pods", pod)).contains("requests.cpu=6100m");
  }

  @Test
  void pod_thatSaysWhatItNeedsAsAWhole_isTakenAtItsWord() {
    String pod =
        "{'spec':{'resources':{'requests':{'cpu':'5'}},'containers':[%s]}}"
            .formatted(container("a", "'cpu':'1','memory':'1Gi'", ""));
    assertThat(usage("", "pods", pod)).contains("requests.cpu=5,requests.memory=1Gi");
    assertThat(Evaluator.of("", "pods").missing(java.util.Set.of("limits.cpu"), json(pod)))
        .isEmpty();
  }

  @Test
  void service_isChargedForWhatItsTypeNeeds() {
    String ports = "'ports':[{'port':1,'nodePort':30000},{'port':2}]";
    assertThat(usage("", "services", "{'spec':{'type':'ClusterIP'," + ports + "}}"))
        .isEqualTo("count/services=1,services=1");
    assertThat(usage("", "services", "{'spec':{'type':'NodePort'," + ports + "}}"))
        .isEqualTo("count/services=1,services=1,services.nodeports=2");
    assertThat(usage("", "services", "{'spec':{'type':'LoadBalancer'," + ports + "}}"))
        .isEqualTo("count/services=1,services=1,services.loadbalancers=1,services.nodeports=2");
    assertThat(
            usage(
                "",
                "services",
                "{'spec':{'type':'LoadBalancer','allocateLoadBalancerNodePorts':false,"
                    + ports
                    + "}}"))
        .isEqualTo("count/services=1,services=1,services.loadbalancers=1,services.nodeports=1");
  }

  @Test
  void claim_isChargedInAllAndByClass() {
    String claim =
        "{'spec':{'storageClassName':'gold','resources':{'requests':{'storage':'1Gi'}}}}";
    assertThat(usage("", "persistentvolumeclaims", claim))
        .isEqualTo(
            "count/persistentvolumeclaims=1,"
                + "gold.storageclass.storage.k8s.io/persistentvolumeclaims=1,"
                + "gold.storageclass.storage.k8s.io/requests.storage=1Gi,"
                + "persistentvolumeclaims=1,requests.storage=1Gi");
    assertThat(
            usage(
                "",
                "persistentvolumeclaims",
                "{'spec':{'resources':{'requests':{'storage':'1Gi'}}},"
                    + "'status':{'allocatedResources':{'storage':'2Gi'}}}"))
        .contains("requests.storage=2Gi");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Terminating | Exists | | {\"spec\":{\"activeDeadlineSeconds\":5}} | true",
        "Terminating | Exists | | {\"spec\":{}} | false",
        "NotTerminating | Exists | | {\"spec\":{}} | true",
        "BestEffort | Exists | | {\"status\":{\"qosClass\":\"BestEffort\"}} | true",
        "NotBestEffort | Exists | | {\"status\":{\"qosClass\":\"Burstable\"}} | true",
        "PriorityClass | Exists | | {\"spec\":{\"priorityClassName\":\"a\"}} | true",
        "PriorityClass | DoesNotExist | | {\"spec\":{\"priorityClassName\":\"a\"}} | false",
        "PriorityClass | In | a,b | {\"spec\":{\"priorityClassName\":\"a\"}} | true",
        "PriorityClass | In | a,b | {\"spec\":{}} | false",
        "PriorityClass | NotIn | a,b | {\"spec\":{\"priorityClassName\":\"c\"}} | true",
        "PriorityClass | NotIn | a,b | {\"spec\":{}} | true",
        "CrossNamespacePodAffinity | Exists | |"
            + " {\"spec\":{\"affinity\":{\"podAffinity\":{\"requiredDuringSchedulingIgnoredDuringExecution\":[{\"namespaces\":[\"x\"]}]}}}}"
            + " | true",
        "CrossNamespacePodAffinity | Exists | |"
            + " {\"spec\":{\"affinity\":{\"podAntiAffinity\":{\"preferredDuringSchedulingIgnoredDuringExecution\":[{\"podAffinityTerm\":{\"topologyKey\":\"x\"}}]}}}}"
            + " | false",
      })
  void scope_ofPods(String scope, String operator, String values, String pod, boolean expected) {
    var requirement =
        new ScopeRequirement(
            scope, operator, values == null ? List.of() : List.of(values.split(",", -1)));
    assertThat(Evaluator.of("", "pods").isIn(requirement, json(pod))).isEqualTo(expected);
  }

  @Test
  void quota_knowsWhichKindsItCounts() {
    QuotaSpec quota =
        QuotaSpec.of(
            "q",
            "u",
            json(
                "{'hard':{'requests.cpu':'1','services.nodeports':'1','requests.storage':'1',"
                    + "'secrets':'1','count/secrets':'2','count/jobs.batch':'1'}}"));
    assertThat(quota.evaluators())
        .extracting(evaluator -> evaluator.plural() + "." + evaluator.group())
        .containsExactlyInAnyOrder(
            "pods.", "services.", "persistentvolumeclaims.", "secrets.", "jobs.batch");
  }
}
