package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.fit.Demand;
import dev.evenkeel.kernel.fit.NodeLedger;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.store.Event;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.WatchBatch;
import dev.evenkeel.store.WatchQuery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Groups and single pods that are bound to the same nodes through two servers of one store, all at
 * once, while pods come, end and go. Then the store's whole history is gone through: at every
 * revision each group's binding is whole or not there, no node and no share of a zone has more on
 * it than it has, and every ledger is what its pods take.
 */
class GroupBindingSimulation {

  private static final String GROUPS = "/apis/evenkeel.dev/v1alpha1/namespaces/default/podgroups";
  private static final String QUOTAS =
      "/apis/evenkeel.dev/v1alpha1/namespaces/default/tenantquotas";
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String NODES = "/api/v1/nodes";
  private static final String STORED_PODS = "/registry/core/pods/default/";
  private static final String LEDGERS = "/evenkeel/nodes/ledgers/";
  private static final int SEEDS = 100;
  private static final int GROUP_COUNT = 3;
  private static final int POD_COUNT = 24;
  private static final int SHARE = 6;

  @Test
  void groups_areBoundWholeOrNotAtAll_andNothingIsOvercommitted() {
    int whole = 0;
    int repeated = 0;
    Map<Integer, Integer> refusals = new TreeMap<>();
    for (long seed = 0; seed < SEEDS; seed++) {
      try (var world = new World(seed)) {
        world.play();
        var history = new History(world);
        history.check();
        whole += history.bound.size();
        repeated += world.check(history.bound.keySet(), refusals);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
    // It is about something: groups got their nodes, also by requests that came twice, and others
    // were refused for what nodes, shares and pods were by then.
    assertThat(whole).isGreaterThan(2 * SEEDS);
    assertThat(repeated).isGreaterThan(SEEDS / 2);
    assertThat(refusals.keySet()).contains(403, 404, 409);
  }

  /**
   * A request to bind a group.
   *
   * @param nodes by pod
   */
  private record Request(
      String operation, String path, Map<String, String> nodes, List<Integer> statuses) {}

  private static final class World extends TwoServers {
    private final List<Request> requests = new ArrayList<>();

    World(long seed) {
      super(seed, ServerSettings.DEFAULTS);
      for (int i = 0; i < 4; i++) {
        call(
            "POST",
            NODES,
            "{\"metadata\":{\"name\":\"n%d\",\"labels\":{\"topology.kubernetes.io/zone\":\"zone-%d\"}},\"status\":{\"allocatable\":{\"cpu\":\"%d\",\"pods\":\"6\"}}}"
                .formatted(i, i % 2, 3 + i % 2));
      }
      call(
          "POST",
          QUOTAS,
          "{\"metadata\":{\"name\":\"q\"},\"spec\":{\"zone\":\"zone-1\",\"hard\":{\"pods\":\"%d\"}}}"
              .formatted(SHARE));
      for (int i = 0; i < GROUP_COUNT; i++) {
        group(i);
      }
      env.runFor(Duration.ofMillis(random.nextInt(30)));
    }

    private void group(int number) {
      call(
          "POST",
          GROUPS,
          "{\"metadata\":{\"name\":\"g%d\"},\"spec\":{\"minMember\":2}}".formatted(number));
    }

    private String anyNode() {
      return "n" + random.nextInt(4);
    }

    private String anyPod() {
      return PODS + "/p" + random.nextInt(POD_COUNT);
    }

    void play() {
      for (int i = 0; i < POD_COUNT; i++) {
        pod(i);
      }
      for (int step = 0; step < 150; step++) {
        switch (random.nextInt(14)) {
          case 0, 1 -> pod(random.nextInt(POD_COUNT));
          case 2, 3 -> bind();
          case 4, 5, 6, 7 -> bindGroup();
          case 8 -> repeat();
          case 9, 10 -> call("DELETE", anyPod() + "?gracePeriodSeconds=0", "");
          case 11 -> call("PATCH", anyPod() + "/status", "{\"status\":{\"phase\":\"Failed\"}}");
          case 12 -> call("PATCH", anyPod() + "/status", "{\"status\":{\"phase\":\"Running\"}}");
          default -> changeGroup();
        }
        if (random.nextInt(3) == 0) {
          env.runFor(Duration.ofMillis(random.nextInt(4)));
        }
      }
      env.runFor(Duration.ofSeconds(5));
    }

    private void pod(int number) {
      call(
          "POST",
          PODS,
          "{\"metadata\":{\"name\":\"p%d\",\"labels\":{\"evenkeel.dev/pod-group\":\"g%d\"}},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\",\"resources\":{\"requests\":{\"cpu\":\"%dm\"}}}]}}"
              .formatted(number, number % GROUP_COUNT, 250 * (1 + random.nextInt(4))));
    }

    private void bind() {
      String pod = "p" + random.nextInt(POD_COUNT);
      call(
          "POST",
          PODS + "/" + pod + "/binding",
          "{\"metadata\":{\"name\":\"%s\"},\"target\":{\"name\":\"%s\"}}"
              .formatted(pod, anyNode()));
    }

    private void bindGroup() {
      int group = random.nextInt(GROUP_COUNT);
      Map<String, String> nodes = new TreeMap<>();
      for (int i = 2 + random.nextInt(3); i > 0; i--) {
        int pod = group + GROUP_COUNT * random.nextInt(POD_COUNT / GROUP_COUNT);
        nodes.put("p" + pod, anyNode());
      }
      var request =
          new Request(
              "op-" + requests.size(),
              GROUPS + "/g" + group + "/binding",
              nodes,
              new ArrayList<>());
      requests.add(request);
      send(request);
      if (random.nextInt(4) == 0) {
        // Whoever hears nothing for a while asks again, and the first request may be under way.
        send(request);
      }
    }

    private void repeat() {
      if (!requests.isEmpty()) {
        send(requests.get(random.nextInt(requests.size())));
      }
    }

    private void send(Request request) {
      String places =
          request.nodes.entrySet().stream()
              .map(it -> "{\"pod\":\"%s\",\"node\":\"%s\"}".formatted(it.getKey(), it.getValue()))
              .collect(Collectors.joining(","));
      call(
          "POST",
          request.path,
          "{\"metadata\":{\"annotations\":{\"evenkeel.dev/operation\":\"%s\"}},\"bindings\":[%s]}"
              .formatted(request.operation, places));
      var _ = answers.getLast().thenAccept(answer -> request.statuses.add(answer.status()));
    }

    private void changeGroup() {
      int group = random.nextInt(GROUP_COUNT);
      switch (random.nextInt(6)) {
        case 0 -> call("DELETE", GROUPS + "/g" + group, "");
        case 1, 2 -> group(group);
        default ->
            call(
                "PATCH",
                GROUPS + "/g" + group + "/status",
                "{\"status\":{\"members\":%d}}".formatted(random.nextInt(9)));
      }
    }

    /**
     * Holds what was answered against what happened.
     *
     * @return how many requests were told twice that they are done
     */
    int check(Set<String> bound, Map<Integer, Integer> refusals) {
      assertAnswered(200, 201, 403, 404, 409);
      checkSettled();
      int repeated = 0;
      for (Request request : requests) {
        long done = request.statuses.stream().filter(status -> status == 201).count();
        assertThat(done > 0).as(request.toString()).isEqualTo(bound.contains(request.operation));
        repeated += done > 1 ? 1 : 0;
        request.statuses.forEach(status -> refusals.merge(status, 1, Integer::sum));
      }
      return repeated;
    }
  }

  /** Everything that the store ever was, revision by revision. */
  private static final class History {
    private final World world;
    private final Map<String, JsonNode> pods = new HashMap<>();
    private final Map<String, NodeLedger> ledgers = new HashMap<>();
    private final Map<String, Map<String, String>> requested = new HashMap<>();

    /** The uids of the pods that each operation gave their nodes. */
    private final Map<String, Set<String>> bound = new HashMap<>();

    History(World world) {
      this.world = world;
      world.requests.forEach(request -> requested.put(request.operation, request.nodes));
    }

    void check() {
      long newest = world.await(world.store.currentRevision());
      try (var watch =
          world.store.watch(WatchQuery.prefix(Bytes.utf8("/"), Store.FIRST_REVISION))) {
        watch.requestProgress();
        WatchBatch batch;
        do {
          batch = world.await(watch.next());
          batch.commits().forEach(this::check);
        } while (batch.revision() < newest);
      }
    }

    private void check(WatchBatch.Commit commit) {
      Map<String, Map<String, String>> byOperation = new HashMap<>();
      Set<String> touched = new HashSet<>();
      boolean asksForShare = false;
      for (Event event : commit.events()) {
        String key = event.key().utf8();
        byte[] value = event instanceof Event.Put put ? put.current().value().array() : null;
        if (key.startsWith(LEDGERS)) {
          String node = key.substring(LEDGERS.length());
          ledgers.put(node, Objects.requireNonNull(NodeLedger.parse(value)));
          touched.add(node);
        } else if (key.startsWith(STORED_PODS)) {
          String name = key.substring(STORED_PODS.length());
          JsonNode before = value == null ? pods.remove(name) : pods.put(name, Json.parse(value));
          JsonNode after = pods.get(name);
          touched.add(before == null ? "" : node(before));
          if (after != null && !node(after).isEmpty()) {
            touched.add(node(after));
            if (before == null || node(before).isEmpty()) {
              asksForShare |= isInZone(after);
              byOperation
                  .computeIfAbsent(annotation(after, "evenkeel.dev/bound-by"), _ -> new HashMap<>())
                  .put(name, node(after));
            }
          }
        }
      }
      byOperation.remove("");
      byOperation.forEach(
          (operation, places) -> {
            assertThat(places)
                .as("%s at revision %d", operation, commit.revision())
                .isEqualTo(requested.get(operation));
            // One that is repeated when all of its pods are others of the same names is about
            // those; if it were about some of them, it would be a conflict.
            Set<String> uids =
                places.keySet().stream()
                    .map(
                        name ->
                            Objects.requireNonNull(pods.get(name))
                                .path("metadata")
                                .path("uid")
                                .asString(""))
                    .collect(Collectors.toSet());
            assertThat(bound.getOrDefault(operation, Set.of()))
                .as("%s at revision %d, once more", operation, commit.revision())
                .doesNotContainAnyElementsOf(uids);
            bound.computeIfAbsent(operation, _ -> new HashSet<>()).addAll(uids);
          });
      touched.forEach(node -> checkNode(node, commit.revision()));
      if (asksForShare) {
        // A pod that had ended and runs after all is counted, and nobody is asked.
        assertThat(pods.values().stream().filter(History::isInZone).count())
            .as("revision %d", commit.revision())
            .isLessThanOrEqualTo(SHARE);
      }
    }

    private static boolean isInZone(JsonNode pod) {
      return annotation(pod, "evenkeel.dev/zone").equals("zone-1") && !Demand.hasEnded(pod);
    }

    private void checkNode(String node, long revision) {
      NodeLedger ledger = ledgers.get(node);
      if (ledger == null || !ledger.counted()) {
        return;
      }
      List<Demand> demands =
          pods.values().stream()
              .filter(pod -> node(pod).equals(node))
              .map(Demand::of)
              .filter(demand -> !demand.isNothing())
              .toList();
      assertThat(ledger).as("revision %d", revision).isEqualTo(ledger.counted(demands));
      ledger
          .used()
          .forEach(
              (resource, used) ->
                  assertThat(used)
                      .as("%s of %s at revision %d", resource, node, revision)
                      .isLessThanOrEqualTo(ledger.capacity().getOrDefault(resource, 0L)));
    }

    private static String node(JsonNode pod) {
      return pod.path("spec").path("nodeName").asString("");
    }

    private static String annotation(JsonNode pod, String name) {
      return pod.path("metadata").path("annotations").path(name).asString("");
    }
  }
}
