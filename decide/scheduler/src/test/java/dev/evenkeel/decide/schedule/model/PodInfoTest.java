package dev.evenkeel.decide.schedule.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PodInfoTest {

  private static PodInfo read(String json) {
    return PodInfo.of(Json.parseObject(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void of_readsWhoAndWhere() {
    PodInfo pod =
        read(
            """
            {'metadata': {'name': 'p', 'namespace': 'shop', 'uid': 'u', 'resourceVersion': '42',
               'labels': {'app': 'web', 'evenkeel.dev/pod-group': 'train'}, 'creationTimestamp': '2026-01-02T03:04:05Z',
               'deletionTimestamp': '2026-01-02T04:00:00Z'},
             'spec': {'priority': 7, 'schedulerName': 'mine', 'nodeName': 'n1',
               'preemptionPolicy': 'Never', 'schedulingGates': [{'name': 'g1'}, {'name': 'g2'}]},
             'status': {'nominatedNodeName': 'n2', 'startTime': '2026-01-02T03:05:00Z'}}
            """);
    assertThat(pod.key()).isEqualTo("shop/p");
    assertThat(pod.uid()).isEqualTo("u");
    assertThat(pod.version()).isEqualTo(42);
    assertThat(pod.labels()).isEqualTo(Map.of("app", "web", "evenkeel.dev/pod-group", "train"));
    assertThat(pod.created()).isEqualTo(Instant.parse("2026-01-02T03:04:05Z"));
    assertThat(pod.started()).isEqualTo(Instant.parse("2026-01-02T03:05:00Z"));
    assertThat(pod.isDeleting()).isTrue();
    assertThat(pod.hasEnded()).isFalse();
    assertThat(pod.group()).isEqualTo("train");
    assertThat(pod.priority()).isEqualTo(7);
    assertThat(pod.schedulerName()).isEqualTo("mine");
    assertThat(pod.nodeName()).isEqualTo("n1");
    assertThat(pod.nominatedNode()).isEqualTo("n2");
    assertThat(pod.preemptionPolicy()).isEqualTo(PodInfo.PreemptionPolicy.NEVER);
    assertThat(pod.gates()).containsExactly("g1", "g2");
  }

  @Test
  void scored_countsContainersThatAskForNothing() {
    PodInfo pod =
        read(
            """
            {'spec': {'containers': [{'image': 'a/b'}, {'image': 'c:1', 'resources': {'requests':
               {'cpu': '250m', 'memory': '0'}}}]}}
            """);
    assertThat(pod.shape().scoredCpuMillis()).isEqualTo(350);
    assertThat(pod.shape().scoredMemoryBytes()).isEqualTo(200L << 20);
    assertThat(pod.demand().amounts()).isEqualTo(Map.of("cpu", 250L, "pods", 1L));
    assertThat(pod.shape().images()).containsExactly("a/b:latest", "c:1");
  }

  @Test
  void terms_lookAtTheirOwnNamespaceUnlessTheySayOtherwise() {
    PodInfo pod =
        read(
            """
            {'metadata': {'namespace': 'shop', 'labels': {'tier': '1'}}, 'spec': {'affinity': {
              'podAffinity': {'requiredDuringSchedulingIgnoredDuringExecution': [
                {'topologyKey': 'zone', 'labelSelector': {'matchLabels': {'app': 'db'}},
                 'matchLabelKeys': ['tier', 'absent']},
                {'topologyKey': 'zone', 'labelSelector': {}, 'namespaces': ['b', 'a']},
                {'topologyKey': 'zone', 'namespaceSelector': {}}]},
              'podAntiAffinity': {'preferredDuringSchedulingIgnoredDuringExecution': [
                {'weight': 5, 'podAffinityTerm': {'topologyKey': 'host', 'labelSelector': {},
                 'mismatchLabelKeys': ['tier']}}]}}}}
            """);
    List<PodTerm> near = pod.terms().near();
    assertThat(near.getFirst().scope().names()).containsExactly("shop");
    assertThat(near.getFirst().selector()).hasToString("app=db,tier=1");
    assertThat(near.get(1).scope().names()).containsExactly("a", "b");
    assertThat(near.get(2).scope().names()).isEmpty();
    assertThat(near.get(2).scope().selector().isEverything()).isTrue();
    assertThat(near.get(2).selector().matches(Map.of())).isFalse();
    assertThat(pod.terms().preferred())
        .singleElement()
        .satisfies(
            weighted -> {
              assertThat(weighted.weight()).isEqualTo(-5);
              assertThat(weighted.term().selector()).hasToString("tier!=1");
            });
  }

  @Test
  void siblings_areThePodsOfTheOwner() {
    String owned =
        """
        {'metadata': {'labels': {'app': 'db', 'statefulset.kubernetes.io/pod-name': 'db-0'},
          'ownerReferences': [{'kind': '%s', 'controller': true}]}}
        """;
    assertThat(read(owned.formatted("StatefulSet")).siblings()).hasToString("app=db");
    assertThat(read(owned.formatted("DaemonSet")).siblings()).isNull();
  }

  @Test
  void shape_isTheSameForPodsThatDifferInNameAndLabelsOnly() {
    String pod =
        """
        {'metadata': {'name': '%s', 'labels': {'index': '%s'}}, 'spec': {'containers': [
          {'image': 'a:1', 'resources': {'requests': {'cpu': '%s', 'memory': '1Gi'}}}],
          'nodeSelector': {'disk': 'ssd'}, 'tolerations': [{'key': 'k', 'operator': 'Exists'}]}}
        """;
    Shape one = read(pod.formatted("one", "1", "1")).shape();
    assertThat(read(pod.formatted("two", "2", "1000m")).shape())
        .isEqualTo(one)
        .hasSameHashCodeAs(one);
    assertThat(read(pod.formatted("two", "2", "2")).shape()).isNotEqualTo(one);
  }

  @Test
  void nodeTerms_knowAllOperators() {
    NodeInfo node =
        NodeInfo.of(
            Json.parseObject(
                "{\"metadata\": {\"name\": \"n1\", \"labels\": {\"rank\": \"3\"}}}"
                    .getBytes(StandardCharsets.UTF_8)));
    assertThat(matches(node, "matchExpressions", "rank", "Gt", "'2'")).isTrue();
    assertThat(matches(node, "matchExpressions", "rank", "Lt", "'3'")).isFalse();
    assertThat(matches(node, "matchExpressions", "rank", "In", "'1', '3'")).isTrue();
    assertThat(matches(node, "matchExpressions", "rank", "NotIn", "'3'")).isFalse();
    assertThat(matches(node, "matchExpressions", "disk", "NotIn", "'3'")).isTrue();
    assertThat(matches(node, "matchExpressions", "rank", "Exists", "")).isTrue();
    assertThat(matches(node, "matchExpressions", "rank", "DoesNotExist", "")).isFalse();
    assertThat(matches(node, "matchExpressions", "rank", "Like", "'3'")).isFalse();
    assertThat(matches(node, "matchFields", "metadata.name", "In", "'n1'")).isTrue();
    assertThat(matches(node, "matchFields", "metadata.name", "NotIn", "'n1'")).isFalse();
    assertThat(matches(node, "matchFields", "metadata.uid", "NotIn", "'n1'")).isFalse();
  }

  private static boolean matches(
      NodeInfo node, String list, String key, String operator, String values) {
    return read("""
    {'spec': {'affinity': {'nodeAffinity': {
      'requiredDuringSchedulingIgnoredDuringExecution': {'nodeSelectorTerms': [{'%s': [
        {'key': '%s', 'operator': '%s', 'values': [%s]}]}]}}}}}
    """
            .formatted(list, key, operator, values))
        .shape()
        .selection()
        .matches(node);
  }
}
