package dev.evenkeel.decide.controllers.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.world.World;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.object.Kinds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Endpoints and EndpointSlices on the real server, while services and pods come, go and change
 * their labels, nodes vanish, users meddle, answers get lost and the controllers start anew: in the
 * end both name exactly the pods that each service selects. A failing run is a seed.
 */
final class EndpointsSimulation {

  private static final int SEEDS = 200;
  private static final int PER_SLICE = 3;

  private static final List<String> SERVICES = List.of("one", "two", "three");

  private static World world(long seed, int lossPercent) {
    return new World(
        seed,
        lossPercent,
        List.of(EndpointsReconciler.controller(), EndpointSliceReconciler.controller(PER_SLICE)));
  }

  private static void service(World world, String name, String spec) {
    world.create(
        Kinds.SERVICES,
        """
        {"apiVersion":"v1","kind":"Service","metadata":{"name":"%s","labels":{"for":"%s"}},
         "spec":%s}
        """
            .formatted(name, name, spec));
  }

  private static String spec(World world, String name) {
    String some = world.random.nextBoolean() ? "a" : "b";
    return switch (name) {
      case "one" ->
          "{\"selector\":{\"app\":\"%s\"},\"ports\":[{\"port\":80,\"targetPort\":\"web\"}]}"
              .formatted(some);
      case "two" ->
          """
          {"selector":{"app":"%s","tier":"x"},"ports":[{"name":"p","port":80},
           {"name":"q","port":81,"targetPort":9000}]}
          """
              .formatted(some);
      default ->
          "{\"clusterIP\":\"None\",\"selector\":{\"tier\":\"x\"},\"publishNotReadyAddresses\":%s}"
              .formatted(world.random.nextBoolean());
    };
  }

  private static ObjectNode pod(World world, String name, String labels, String node, int port) {
    return world.create(
        Kinds.PODS,
        """
        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","labels":%s},
         "spec":{"nodeName":"%s","containers":[{"name":"c","image":"i",
         "ports":[{"name":"web","containerPort":%d}]}]}}
        """
            .formatted(name, labels, node, port));
  }

  private static String labels(World world) {
    return "{\"app\":\"%s\",\"tier\":\"%s\"}"
        .formatted(world.random.nextBoolean() ? "a" : "b", world.random.nextBoolean() ? "x" : "y");
  }

  private static void node(World world, String name) {
    world.create(
        Kinds.NODES,
        """
        {"apiVersion":"v1","kind":"Node",
         "metadata":{"name":"%s","labels":{"topology.kubernetes.io/zone":"zone-%s"}}}
        """
            .formatted(name, name));
  }

  private static void unready(World world, ObjectNode pod) {
    world.patchStatus(
        Kinds.PODS,
        Meta.name(pod),
        """
        {"status":{"conditions":[{"type":"Ready","status":"False",
         "lastTransitionTime":"2026-01-01T00:00:00Z"}]}}
        """);
  }

  private static boolean isThere(World world, Kind<?> kind, String name) {
    return world.list(kind).stream().anyMatch(it -> Meta.name(it).equals(name));
  }

  @Test
  void endpointsAndSlices_nameExactlyThePodsThatAreSelected() {
    World.seeds("endpoints", SEEDS, EndpointsSimulation::run);
  }

  private static void run(long seed) {
    try (var world = world(seed, 10)) {
      node(world, "n0");
      node(world, "n1");
      SERVICES.forEach(name -> service(world, name, spec(world, name)));
      for (int step = 0; step < 60; step++) {
        world.env.runFor(Duration.ofMillis(world.random.nextInt(40)));
        world.trouble();
        slices(world)
            .forEach(it -> assertThat(it.path("endpoints").size()).isLessThanOrEqualTo(PER_SLICE));
        act(world, step);
      }
      world.endThoseAsked();
      world.settle();
      for (String name : SERVICES) {
        check(world, name);
      }
    }
  }

  private static void act(World world, int step) {
    ObjectNode pod = world.oneOf(world.list(Kinds.PODS));
    String service = SERVICES.get(world.random.nextInt(SERVICES.size()));
    switch (world.random.nextInt(14)) {
      case 0, 1, 2 -> {
        var _ =
            pod(
                world,
                "p" + step,
                labels(world),
                "n" + world.random.nextInt(2),
                8000 + world.random.nextInt(2));
      }
      case 3 -> world.restart();
      case 4 -> {
        if (isThere(world, Kinds.SERVICES, service)) {
          world.delete(Kinds.SERVICES, service, "{}");
        } else {
          service(world, service, spec(world, service));
        }
      }
      case 5 -> world.patch(Kinds.SERVICES, service, "{\"spec\":" + spec(world, service) + "}");
      case 6 -> world.delete(Kinds.ENDPOINTS, service, "{}");
      case 7 -> {
        ObjectNode slice = world.oneOf(slices(world));
        if (slice != null) {
          String meddled =
              world.random.nextBoolean()
                  ? "{\"endpoints\":[]}"
                  : "{\"ports\":[],\"metadata\":{\"labels\":{\"odd\":\"x\"}}}";
          world.patch(Kinds.ENDPOINT_SLICES, Meta.name(slice), meddled);
        }
      }
      case 8 -> {
        if (isThere(world, Kinds.NODES, "n0")) {
          world.delete(Kinds.NODES, "n0", "{}");
        } else {
          node(world, "n0");
        }
      }
      default -> {
        if (pod != null) {
          podLife(world, pod);
        }
      }
    }
  }

  private static void podLife(World world, ObjectNode pod) {
    String name = Meta.name(pod);
    switch (world.random.nextInt(8)) {
      case 0 -> unready(world, pod);
      case 1 -> world.ended(pod, world.random.nextBoolean());
      case 2 -> world.delete(Kinds.PODS, name, "{}");
      case 3 -> world.delete(Kinds.PODS, name, "{\"gracePeriodSeconds\":0}");
      case 4 -> world.patch(Kinds.PODS, name, "{\"metadata\":{\"labels\":" + labels(world) + "}}");
      default -> world.ready(pod);
    }
  }

  private static List<ObjectNode> slices(World world) {
    return world.list(Kinds.ENDPOINT_SLICES);
  }

  // ---- what should be there

  private static boolean ready(JsonNode pod) {
    return Pods.readySince((ObjectNode) pod) != null;
  }

  private static boolean reachable(JsonNode pod) {
    return !Meta.text(pod.path("status").path("podIP")).isEmpty()
        && !Set.of("Succeeded", "Failed").contains(Pods.phase((ObjectNode) pod));
  }

  private static void check(World world, String name) {
    if (!isThere(world, Kinds.SERVICES, name)) {
      assertThat(isThere(world, Kinds.ENDPOINTS, name)).as("endpoints of " + name).isFalse();
      return;
    }
    ObjectNode service = world.get(Kinds.SERVICES, name);
    JsonNode spec = service.path("spec");
    boolean all = spec.path("publishNotReadyAddresses").asBoolean(false);
    Set<String> nodes = new HashSet<>();
    world.list(Kinds.NODES).forEach(node -> nodes.add(Meta.name(node)));
    Map<String, Boolean> inEndpoints = new TreeMap<>();
    Map<String, String> inSlices = new TreeMap<>();
    for (ObjectNode pod : world.list(Kinds.PODS)) {
      boolean selected =
          Meta.labels(pod).entrySet().containsAll(Meta.strings(spec.path("selector")).entrySet());
      if (!selected || !reachable(pod)) {
        continue;
      }
      inEndpoints.put(Meta.name(pod), all || ready(pod));
      String node = Meta.text(pod.path("spec").path("nodeName"));
      if (all || nodes.contains(node)) {
        inSlices.put(
            Meta.name(pod),
            (all || ready(pod)) + " " + (nodes.contains(node) ? "zone-" + node : ""));
      }
    }
    checkEndpoints(world, service, inEndpoints);
    checkSlices(world, service, inSlices);
  }

  private static void checkEndpoints(
      World world, ObjectNode service, Map<String, Boolean> expected) {
    ObjectNode endpoints = world.get(Kinds.ENDPOINTS, Meta.name(service));
    boolean headless = Meta.text(service.path("spec").path("clusterIP")).equals("None");
    assertThat(Meta.labels(endpoints))
        .containsEntry("for", Meta.name(service))
        .containsEntry("endpoints.kubernetes.io/managed-by", "endpoint-controller");
    assertThat(Meta.labels(endpoints).containsKey("service.kubernetes.io/headless"))
        .isEqualTo(headless);
    int ports = service.path("spec").path("ports").size();
    Map<String, Boolean> found = new TreeMap<>();
    for (JsonNode subset : endpoints.path("subsets")) {
      assertThat(subset.path("ports").size()).isEqualTo(ports);
      subset.path("addresses").forEach(it -> found.put(target(it), true));
      subset.path("notReadyAddresses").forEach(it -> found.put(target(it), false));
    }
    assertThat(found).as("endpoints of " + Meta.name(service)).isEqualTo(expected);
  }

  private static String target(JsonNode endpoint) {
    return Meta.text(endpoint.path("targetRef").path("name"));
  }

  private static void checkSlices(World world, ObjectNode service, Map<String, String> expected) {
    Map<String, String> found = new TreeMap<>();
    List<ObjectNode> own = new ArrayList<>();
    for (ObjectNode slice : slices(world)) {
      Map<String, String> labels = Meta.labels(slice);
      if (!Meta.name(service).equals(labels.get("kubernetes.io/service-name"))) {
        continue;
      }
      own.add(slice);
      assertThat(Meta.name(slice)).startsWith(Meta.name(service) + "-");
      assertThat(labels)
          .containsEntry("for", Meta.name(service))
          .containsEntry(
              "endpointslice.kubernetes.io/managed-by", "endpointslice-controller.k8s.io")
          .doesNotContainKey("odd");
      assertThat(Meta.text(slice.path("metadata").path("ownerReferences").path(0).path("uid")))
          .isEqualTo(Meta.uid(service));
      Set<String> numbers = new TreeSet<>();
      slice.path("ports").forEach(port -> numbers.add(port.path("port").asString()));
      for (JsonNode endpoint : slice.path("endpoints")) {
        assertThat(numbers).hasSize(service.path("spec").path("ports").size());
        String before =
            found.put(
                target(endpoint),
                endpoint.path("conditions").path("ready").asBoolean()
                    + " "
                    + Meta.text(endpoint.path("zone")));
        assertThat(before).as(target(endpoint) + " twice").isNull();
      }
    }
    assertThat(found).as("slices of " + Meta.name(service)).isEqualTo(expected);
    assertThat(own).isNotEmpty();
  }

  // ---- what users see

  @Test
  void slices_changeAsLittleAsPossible() {
    try (var world = world(1, 0)) {
      node(world, "n0");
      service(world, "one", "{\"selector\":{\"app\":\"a\"},\"ports\":[{\"port\":80}]}");
      world.env.runFor(Duration.ofSeconds(2));
      String placeholder = Meta.name(slices(world).getFirst());
      for (int i = 0; i < 4; i++) {
        pod(world, "p" + i, "{\"app\":\"a\"}", "n0", 80);
        world.ready(world.get(Kinds.PODS, "p" + i));
      }
      world.env.runFor(Duration.ofSeconds(2));
      List<String> names = slices(world).stream().map(Meta::name).toList();
      assertThat(names).hasSize(2).contains(placeholder);
      world.delete(Kinds.PODS, "p0", "{\"gracePeriodSeconds\":0}");
      pod(world, "p5", "{\"app\":\"a\"}", "n0", 80);
      world.ready(world.get(Kinds.PODS, "p5"));
      world.env.runFor(Duration.ofSeconds(2));
      assertThat(slices(world).stream().map(Meta::name)).containsExactlyElementsOf(names);
      Map<String, Long> versions = new TreeMap<>();
      slices(world).forEach(it -> versions.put(Meta.name(it), version(it)));
      unready(world, world.get(Kinds.PODS, "p5"));
      world.settle();
      assertThat(
              slices(world).stream()
                  .filter(it -> version(it) > versions.getOrDefault(Meta.name(it), 0L)))
          .as("slices that changed")
          .hasSize(1);
    }
  }

  private static long version(ObjectNode object) {
    return Long.parseLong(Meta.resourceVersion(object));
  }

  @Test
  void endingPod_isServingAndNotReady_inSlicesOnly() {
    try (var world = world(1, 0)) {
      node(world, "n0");
      service(
          world,
          "one",
          """
          {"selector":{"app":"a"},"trafficDistribution":"PreferClose",
           "ports":[{"name":"p","port":80,"targetPort":"web","appProtocol":"http"}]}
          """);
      pod(world, "p", "{\"app\":\"a\"}", "n0", 8080);
      world.ready(world.get(Kinds.PODS, "p"));
      world.env.runFor(Duration.ofSeconds(2));
      ObjectNode slice = slices(world).getFirst();
      assertThat(slice.path("ports").path(0))
          .isEqualTo(
              World.json(
                  "{\"name\":\"p\",\"port\":8080,\"protocol\":\"TCP\",\"appProtocol\":\"http\"}"));
      JsonNode endpoint = slice.path("endpoints").path(0);
      assertThat(endpoint.path("hints"))
          .isEqualTo(World.json("{\"forZones\":[{\"name\":\"zone-n0\"}]}"));
      assertThat(endpoint.path("nodeName").asString()).isEqualTo("n0");
      world.delete(Kinds.PODS, "p", "{}");
      world.env.runFor(Duration.ofSeconds(2));
      assertThat(slices(world).getFirst().path("endpoints").path(0).path("conditions"))
          .isEqualTo(World.json("{\"ready\":false,\"serving\":true,\"terminating\":true}"));
      assertThat(world.get(Kinds.ENDPOINTS, "one").has("subsets")).isFalse();
    }
  }

  @Test
  void serviceWithoutSelector_keepsItsUsersEndpoints_untilItGoes() {
    try (var world = world(1, 0)) {
      String endpoints =
          """
          {"apiVersion":"v1","kind":"Endpoints","metadata":{"name":"outside"},
           "subsets":[{"addresses":[{"ip":"10.1.1.1"}],"ports":[{"port":80}]}]}
          """;
      world.create(Kinds.ENDPOINTS, endpoints);
      world.env.runFor(Duration.ofSeconds(2));
      service(world, "outside", "{\"ports\":[{\"port\":80}]}");
      world.env.runFor(Duration.ofSeconds(2));
      assertThat(world.get(Kinds.ENDPOINTS, "outside").path("subsets").size()).isEqualTo(1);
      assertThat(slices(world)).isEmpty();
      world.delete(Kinds.SERVICES, "outside", "{}");
      world.settle();
      assertThat(world.list(Kinds.ENDPOINTS)).isEmpty();
    }
  }

  @Test
  void triggerTime_isThatOfThePodThatChanged() {
    try (var world = world(1, 0)) {
      node(world, "n0");
      service(world, "one", "{\"selector\":{\"app\":\"a\"},\"ports\":[{\"port\":80}]}");
      pod(world, "p", "{\"app\":\"a\"}", "n0", 8080);
      world.env.runFor(Duration.ofSeconds(2));
      assertThat(trigger(world.get(Kinds.ENDPOINTS, "one")))
          .isEqualTo(
              Meta.text(
                  world.get(Kinds.SERVICES, "one").path("metadata").path("creationTimestamp")));
      world.ready(world.get(Kinds.PODS, "p"));
      world.env.runFor(Duration.ofSeconds(2));
      String since =
          Meta.text(
              world
                  .get(Kinds.PODS, "p")
                  .path("status")
                  .path("conditions")
                  .path(0)
                  .path("lastTransitionTime"));
      assertThat(trigger(world.get(Kinds.ENDPOINTS, "one"))).isEqualTo(since);
      assertThat(trigger(slices(world).getFirst())).isEqualTo(since);
      world.patch(Kinds.SERVICES, "one", "{\"metadata\":{\"labels\":{\"new\":\"label\"}}}");
      world.env.runFor(Duration.ofSeconds(2));
      assertThat(Meta.labels(world.get(Kinds.ENDPOINTS, "one"))).containsEntry("new", "label");
      assertThat(trigger(world.get(Kinds.ENDPOINTS, "one"))).isEmpty();
    }
  }

  private static String trigger(JsonNode object) {
    return Meta.text(
        object
            .path("metadata")
            .path("annotations")
            .path("endpoints.kubernetes.io/last-change-trigger-time"));
  }

  @Test
  void headlessService_namesPodsByTheirHostname() {
    try (var world = world(1, 0)) {
      service(
          world,
          "db",
          """
          {"clusterIP":"None","selector":{"app":"a"},"ports":[{"port":5432}]}
          """);
      world.create(
          Kinds.PODS,
          """
          {"apiVersion":"v1","kind":"Pod","metadata":{"name":"db-0","labels":{"app":"a"}},
           "spec":{"hostname":"db-0","subdomain":"db","containers":[{"name":"c","image":"i"}]}}
          """);
      world.ready(world.get(Kinds.PODS, "db-0"));
      world.settle();
      JsonNode address =
          world.get(Kinds.ENDPOINTS, "db").path("subsets").path(0).path("addresses").path(0);
      assertThat(address.path("hostname").asString()).isEqualTo("db-0");
      ObjectNode slice = slices(world).getFirst();
      assertThat(slice.path("endpoints").path(0).path("hostname").asString()).isEqualTo("db-0");
      assertThat(Meta.labels(slice)).containsEntry("service.kubernetes.io/headless", "");
    }
  }

  @Test
  void endpointsOfThousands_areCut_andSayIt() {
    try (var world = new World(1, 0, List.of(EndpointsReconciler.controller()))) {
      for (int i = 0; i < 1_003; i++) {
        ObjectNode made = pod(world, "p" + i, "{\"app\":\"a\"}", "n0", 80);
        if (i % 10 > 0) {
          world.ready(made);
        } else {
          world.patchStatus(Kinds.PODS, "p" + i, "{\"status\":{\"podIP\":\"10.0.0.1\"}}");
        }
      }
      service(world, "one", "{\"selector\":{\"app\":\"a\"},\"ports\":[{\"port\":80}]}");
      world.env.runFor(Duration.ofSeconds(2));
      ObjectNode endpoints = world.get(Kinds.ENDPOINTS, "one");
      JsonNode subset = endpoints.path("subsets").path(0);
      assertThat(subset.path("addresses").size()).isEqualTo(902);
      assertThat(subset.path("notReadyAddresses").size()).isEqualTo(98);
      assertThat(overCapacity(endpoints)).isEqualTo("truncated");
      for (int i = 0; i < 3; i++) {
        world.delete(Kinds.PODS, "p" + i, "{\"gracePeriodSeconds\":0}");
      }
      world.settle();
      endpoints = world.get(Kinds.ENDPOINTS, "one");
      assertThat(endpoints.path("subsets").path(0).path("notReadyAddresses").size()).isEqualTo(100);
      assertThat(overCapacity(endpoints)).isEmpty();
    }
  }

  private static String overCapacity(JsonNode endpoints) {
    return Meta.text(
        endpoints
            .path("metadata")
            .path("annotations")
            .path("endpoints.kubernetes.io/over-capacity"));
  }
}
