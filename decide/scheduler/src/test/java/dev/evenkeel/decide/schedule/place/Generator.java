package dev.evenkeel.decide.schedule.place;

import dev.evenkeel.decide.schedule.model.Budget;
import dev.evenkeel.decide.schedule.model.NodeInfo;
import dev.evenkeel.decide.schedule.model.PodInfo;
import java.util.List;
import java.util.Random;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Small clusters and pods by chance, with everything that pods and nodes can say of each other. */
final class Generator {

  private static final String HOST = "kubernetes.io/hostname";
  private static final String ZONE = "topology.kubernetes.io/zone";
  private static final long MEGABYTE = 1024 * 1024;

  private final Random random;

  /** Nothing but what each node by itself can be judged by. */
  private final boolean plain;

  private int pods;
  private long version;

  Generator(long seed) {
    this(seed, false);
  }

  Generator(long seed, boolean plain) {
    this.random = new Random(seed);
    this.plain = plain;
  }

  boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  int number(int bound) {
    return random.nextInt(bound);
  }

  @SafeVarargs
  final <T> T any(T... choices) {
    return choices[random.nextInt(choices.length)];
  }

  <T> T any(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  NodeInfo node(String name) {
    ObjectNode node = object();
    ObjectNode metadata = node.putObject("metadata");
    metadata.put("name", name).put("uid", "node-" + name).put("resourceVersion", "" + ++version);
    ObjectNode labels = metadata.putObject("labels");
    if (chance(90)) {
      labels.put(HOST, name);
    }
    if (chance(85)) {
      labels.put(ZONE, any("z1", "z2", "z3"));
    }
    if (chance(50)) {
      labels.put("disk", any("ssd", "hdd"));
    }
    if (chance(50)) {
      labels.put("rank", any("1", "2", "3", "four"));
    }
    ObjectNode spec = node.putObject("spec");
    if (chance(8)) {
      spec.put("unschedulable", true);
    }
    if (!plain && chance(35)) {
      ArrayNode taints = spec.putArray("taints");
      for (int i = 0; i <= number(2); i++) {
        taints
            .addObject()
            .put("key", any("dedicated", "flaky"))
            .put("value", any("gpu", "batch", ""))
            .put("effect", any("NoSchedule", "NoExecute", "PreferNoSchedule", "PreferNoSchedule"));
      }
    }
    ObjectNode status = node.putObject("status");
    if (chance(95)) {
      ObjectNode allocatable = status.putObject("allocatable");
      allocatable.put("cpu", any("2", "4", "3500m"));
      allocatable.put("memory", any("4Gi", "8Gi", "6000M"));
      allocatable.put("pods", any("3", "6", "20"));
      if (chance(30)) {
        allocatable.put("example.com/gpu", any("1", "2"));
      }
    }
    ArrayNode images = status.putArray("images");
    for (String image : List.of("web:1", "db:latest")) {
      if (chance(30)) {
        ObjectNode entry = images.addObject();
        entry.putArray("names").add(image);
        entry.put("sizeBytes", (10 + number(900)) * MEGABYTE);
      }
    }
    return NodeInfo.of(node);
  }

  PodInfo pod(String nodeName) {
    return PodInfo.of(podObject("p" + pods++, nodeName));
  }

  /** The same pod with something else in it. */
  PodInfo changed(PodInfo before, String nodeName) {
    return PodInfo.of(podObject(before.name(), nodeName));
  }

  private ObjectNode podObject(String name, String nodeName) {
    ObjectNode pod = object();
    ObjectNode metadata = pod.putObject("metadata");
    metadata
        .put("name", name)
        .put("namespace", any("a", "a", "b"))
        .put("uid", "pod-" + name)
        .put("resourceVersion", "" + ++version);
    ObjectNode labels = metadata.putObject("labels");
    if (chance(90)) {
      labels.put("app", any("web", "db"));
    }
    if (chance(40)) {
      labels.put("tier", any("1", "2"));
    }
    if (chance(25)) {
      labels.put("evenkeel.dev/pod-group", any("train", "test"));
    }
    if (!plain && chance(20)) {
      metadata
          .putArray("ownerReferences")
          .addObject()
          .put("kind", any("ReplicaSet", "StatefulSet", "Job"))
          .put("controller", true);
    }
    if (!nodeName.isEmpty() && chance(8)) {
      metadata.put("deletionTimestamp", "2026-01-01T00:00:00Z");
    }
    ObjectNode spec = pod.putObject("spec");
    spec.put("priority", any(0, 0, 0, 10, 100));
    spec.put("nodeName", nodeName);
    containers(spec);
    nodeRules(spec);
    if (!plain && chance(25)) {
      constraints(spec.putArray("topologySpreadConstraints"));
    }
    if (!plain && chance(35)) {
      podRules(spec.withObjectProperty("affinity"));
    }
    if (!nodeName.isEmpty() && chance(80)) {
      pod.putObject("status").put("startTime", "2026-01-01T00:0" + number(10) + ":00Z");
    }
    return pod;
  }

  private void containers(ObjectNode spec) {
    ArrayNode containers = spec.putArray("containers");
    for (int i = 0; i <= number(2); i++) {
      ObjectNode container = containers.addObject();
      container.put("image", any("web:1", "db", "other:2"));
      ObjectNode requests = container.putObject("resources").putObject("requests");
      if (chance(80)) {
        requests.put("cpu", any("100m", "500m", "1", "1500m"));
      }
      if (chance(80)) {
        requests.put("memory", any("100Mi", "1Gi", "2Gi"));
      }
      if (chance(10)) {
        requests.put("example.com/gpu", "1");
      }
      if (chance(15)) {
        ObjectNode port = container.putArray("ports").addObject();
        port.put("hostPort", any(80, 81)).put("protocol", any("TCP", "TCP", "UDP"));
        if (chance(30)) {
          port.put("hostIP", any("10.0.0.1", "10.0.0.2"));
        }
      }
    }
    if (chance(10)) {
      spec.putArray("initContainers")
          .addObject()
          .put("image", "web:1")
          .putObject("resources")
          .putObject("requests")
          .put("cpu", "2");
    }
  }

  private void nodeRules(ObjectNode spec) {
    if (chance(10)) {
      spec.putObject("nodeSelector").put("disk", any("ssd", "hdd"));
    }
    if (chance(40)) {
      ArrayNode tolerations = spec.putArray("tolerations");
      for (int i = 0; i <= number(2); i++) {
        ObjectNode toleration = tolerations.addObject();
        toleration.put("key", any("dedicated", "flaky", "node.kubernetes.io/unschedulable"));
        if (chance(50)) {
          toleration.put("operator", "Exists");
        } else {
          toleration.put("value", any("gpu", "batch"));
        }
        if (chance(50)) {
          toleration.put("effect", any("NoSchedule", "PreferNoSchedule", "NoExecute"));
        }
      }
    }
    if (!plain && chance(20)) {
      ObjectNode affinity = spec.withObjectProperty("affinity").putObject("nodeAffinity");
      if (chance(50)) {
        ArrayNode terms =
            affinity
                .putObject("requiredDuringSchedulingIgnoredDuringExecution")
                .putArray("nodeSelectorTerms");
        for (int i = 0; i <= number(2); i++) {
          nodeTerm(terms.addObject());
        }
      }
      ArrayNode preferred = affinity.putArray("preferredDuringSchedulingIgnoredDuringExecution");
      for (int i = 0; i < number(3); i++) {
        ObjectNode entry = preferred.addObject();
        entry.put("weight", 1 + number(5));
        nodeTerm(entry.putObject("preference"));
      }
    }
  }

  private void nodeTerm(ObjectNode term) {
    if (chance(80)) {
      ObjectNode expression = term.putArray("matchExpressions").addObject();
      switch (number(4)) {
        case 0 -> {
          expression.put("key", "disk").put("operator", any("In", "NotIn"));
          expression.putArray("values").add(any("ssd", "hdd"));
        }
        case 1 -> expression.put("key", "disk").put("operator", any("Exists", "DoesNotExist"));
        case 2 -> {
          expression.put("key", "rank").put("operator", any("Gt", "Lt"));
          expression.putArray("values").add("2");
        }
        default -> {
          expression.put("key", ZONE).put("operator", any("In", "NotIn"));
          expression.putArray("values").add("z1").add(any("z2", "z3"));
        }
      }
    }
    if (chance(20)) {
      ObjectNode field = term.putArray("matchFields").addObject();
      field.put("key", "metadata.name").put("operator", any("In", "NotIn", "NotIn"));
      field.putArray("values").add("n" + number(6));
    }
  }

  private void constraints(ArrayNode constraints) {
    for (int i = 0; i <= number(2); i++) {
      ObjectNode constraint = constraints.addObject();
      constraint.put("maxSkew", 1 + number(3));
      constraint.put("topologyKey", any(ZONE, HOST, "disk"));
      boolean hard = chance(60);
      constraint.put("whenUnsatisfiable", hard ? "DoNotSchedule" : "ScheduleAnyway");
      selector(constraint.putObject("labelSelector"));
      if (hard && chance(30)) {
        constraint.put("minDomains", 1 + number(4));
      }
      if (chance(30)) {
        constraint.put("nodeAffinityPolicy", any("Honor", "Ignore"));
      }
      if (chance(30)) {
        constraint.put("nodeTaintsPolicy", any("Honor", "Ignore"));
      }
      if (chance(20)) {
        constraint.putArray("matchLabelKeys").add("tier");
      }
    }
  }

  private void selector(ObjectNode selector) {
    switch (number(5)) {
      case 0 -> {
        ObjectNode expression = selector.putArray("matchExpressions").addObject();
        expression.put("key", "tier").put("operator", any("Exists", "DoesNotExist"));
      }
      case 1 -> {
        ObjectNode expression = selector.putArray("matchExpressions").addObject();
        expression.put("key", "app").put("operator", any("In", "NotIn"));
        expression.putArray("values").add(any("web", "db")).add("cache");
      }
      default -> selector.putObject("matchLabels").put("app", any("web", "db"));
    }
  }

  private void podRules(ObjectNode affinity) {
    for (String kind : List.of("podAffinity", "podAntiAffinity")) {
      if (chance(60)) {
        ObjectNode rules = affinity.putObject(kind);
        if (chance(50)) {
          ArrayNode required = rules.putArray("requiredDuringSchedulingIgnoredDuringExecution");
          for (int i = 0; i <= number(2); i++) {
            podTerm(required.addObject());
          }
        }
        ArrayNode preferred = rules.putArray("preferredDuringSchedulingIgnoredDuringExecution");
        for (int i = 0; i < number(3); i++) {
          ObjectNode entry = preferred.addObject();
          entry.put("weight", 1 + number(10));
          podTerm(entry.putObject("podAffinityTerm"));
        }
      }
    }
  }

  private void podTerm(ObjectNode term) {
    term.put("topologyKey", any(ZONE, HOST, "disk"));
    if (chance(95)) {
      selector(term.putObject("labelSelector"));
    }
    if (chance(20)) {
      term.putArray("namespaces").add(any("a", "b"));
    }
    if (chance(25)) {
      ObjectNode selector = term.putObject("namespaceSelector");
      if (chance(70)) {
        selector.putObject("matchLabels").put("team", any("x", "y"));
      }
    }
    if (chance(15)) {
      term.putArray(any("matchLabelKeys", "mismatchLabelKeys")).add("tier");
    }
  }

  Budget budget() {
    ObjectNode budget = object();
    budget
        .putObject("metadata")
        .put("name", any("one", "two", "three"))
        .put("namespace", any("a", "b"));
    selector(budget.putObject("spec").putObject("selector"));
    ObjectNode status = budget.putObject("status");
    status.put("disruptionsAllowed", number(3));
    if (chance(20)) {
      status.putObject("disruptedPods").put("p" + number(10), "2026-01-01T00:00:00Z");
    }
    return Budget.of(budget);
  }
}
