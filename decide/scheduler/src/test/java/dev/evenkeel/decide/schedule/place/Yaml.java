package dev.evenkeel.decide.schedule.place;

import dev.evenkeel.decide.schedule.model.NodeInfo;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.kernel.json.Json;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.node.ObjectNode;

/** Short words for pods and nodes in tests. */
final class Yaml {

  private Yaml() {}

  static ObjectNode json(String text) {
    return Json.parseObject(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  /** A node of 4 CPUs, 8 GiB and 10 pods, in a zone. */
  static NodeInfo node(String name, String zone) {
    return node(name, zone, "");
  }

  /**
   * @param spec what is in its spec, as {@code 'unschedulable': true}
   */
  static NodeInfo node(String name, String zone, String spec) {
    return NodeInfo.of(
        json(
            """
            {'metadata': {'name': '%s', 'uid': 'uid-%s', 'resourceVersion': '7', 'labels': {
               'kubernetes.io/hostname': '%s', 'topology.kubernetes.io/zone': '%s'}},
             'spec': {%s},
             'status': {'allocatable': {'cpu': '4', 'memory': '8Gi', 'pods': '10'}}}
            """
                .formatted(name, name, name, zone, spec)));
  }

  /** A pod of one container that asks for so much of a CPU and 1 GiB. */
  static PodInfo pod(String name, String cpu, String spec) {
    return pod(name, "'app': 'web'", cpu, spec);
  }

  static PodInfo pod(String name, String labels, String cpu, String spec) {
    return PodInfo.of(
        json(
            """
            {'metadata': {'name': '%s', 'namespace': 'shop', 'uid': 'uid-%s',
               'resourceVersion': '9', 'labels': {%s}},
             'spec': {%s 'containers': [{'image': 'web:1', 'resources': {'requests': {
               'cpu': '%s', 'memory': '1Gi'}}}]}}
            """
                .formatted(name, name, labels, spec.isEmpty() ? "" : spec + ",", cpu)));
  }
}
