package dev.evenkeel.prove.bench.schedule;

import dev.evenkeel.decide.schedule.model.NodeInfo;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.kernel.json.Json;
import java.nio.charset.StandardCharsets;

/** Nodes and pods like those of kube-scheduler's own performance tests. */
enum PlacementLoad {
  PLAIN("plain", 810),
  SPREAD("required spread over zones", 460),
  AFFINITY("required affinity to its own kind, by zone", 35),
  ANTI_AFFINITY("required anti-affinity to its own kind, by host", 60),
  PREEMPTION("preemption of three of four pods", 570),
  UNSCHEDULABLE("plain, one in ten fits nowhere", 0),
  OWNED("of 100 replica sets, spread by default", 0);

  private static final int ZONES = 3;
  private static final int COLORS = 100;
  private static final int REPLICA_SETS = 100;

  /** In words. */
  final String title;

  /** What kube-scheduler promises to reach, pods a second; 0 if it says nothing. */
  final int published;

  PlacementLoad(String title, int published) {
    this.title = title;
    this.published = published;
  }

  static NodeInfo node(int i, String cpu, String memory) {
    return NodeInfo.of(
        Json.parseObject(
            """
            {"metadata": {"name": "node-%d", "uid": "node-uid-%d", "labels": {
               "kubernetes.io/hostname": "node-%d", "topology.kubernetes.io/zone": "zone-%d"}},
             "status": {"allocatable": {"cpu": "%s", "memory": "%s", "pods": "110"}}}
            """
                .formatted(i, i, i, i % ZONES, cpu, memory)
                .getBytes(StandardCharsets.UTF_8)));
  }

  /** A pod to place. */
  PodInfo pod(int i) {
    return switch (this) {
      case PLAIN -> pod("p-" + i, "", "{}", "", "100m", "500Mi", 0);
      case SPREAD -> pod("p-" + i, "", "{\"color\": \"blue\"}", spread(), "100m", "500Mi", 0);
      case AFFINITY ->
          pod(
              "p-" + i,
              "",
              "{\"color\": \"blue\"}",
              affinity("podAffinity", "blue", "topology.kubernetes.io/zone"),
              "100m",
              "500Mi",
              0);
      case ANTI_AFFINITY -> {
        String color = "green-" + i % COLORS;
        yield pod(
            "p-" + i,
            "",
            "{\"color\": \"" + color + "\"}",
            affinity("podAntiAffinity", color, "kubernetes.io/hostname"),
            "100m",
            "500Mi",
            0);
      }
      case PREEMPTION -> pod("p-" + i, "", "{}", "", "3", "500Mi", 10);
      case UNSCHEDULABLE -> pod("p-" + i, "", "{}", "", i % 10 == 0 ? "1000" : "100m", "500Mi", 0);
      case OWNED ->
          pod(
              "p-" + i,
              "\"ownerReferences\": [{\"kind\": \"ReplicaSet\", \"controller\": true}],",
              "{\"app\": \"app-" + i % REPLICA_SETS + "\"}",
              "",
              "100m",
              "500Mi",
              0);
    };
  }

  /** One of those that are there before and make room. */
  static PodInfo lowly(int i) {
    return pod("low-" + i, "", "{}", "", "900m", "500Mi", 0);
  }

  private static PodInfo pod(
      String name,
      String metadata,
      String labels,
      String spec,
      String cpu,
      String memory,
      int priority) {
    return PodInfo.of(
        Json.parseObject(
            """
            {"metadata": {%s "name": "%s", "namespace": "bench", "uid": "uid-%s", "labels": %s},
             "spec": {%s "priority": %d, "containers": [{"image": "pause:1", "resources": {
               "requests": {"cpu": "%s", "memory": "%s"}}}]}}
            """
                .formatted(metadata, name, name, labels, spec, priority, cpu, memory)
                .getBytes(StandardCharsets.UTF_8)));
  }

  private static String spread() {
    return """
    "topologySpreadConstraints": [{"maxSkew": 5, "whenUnsatisfiable": "DoNotSchedule",
      "topologyKey": "topology.kubernetes.io/zone",
      "labelSelector": {"matchLabels": {"color": "blue"}}}],
    """;
  }

  private static String affinity(String kind, String color, String topologyKey) {
    return """
    "affinity": {"%s": {"requiredDuringSchedulingIgnoredDuringExecution": [
      {"topologyKey": "%s", "labelSelector": {"matchLabels": {"color": "%s"}}}]}},
    """
        .formatted(kind, topologyKey, color);
  }
}
