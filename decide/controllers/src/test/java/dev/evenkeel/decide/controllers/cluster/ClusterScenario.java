package dev.evenkeel.decide.controllers.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.world.World;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Kinds;
import dev.evenkeel.observe.transport.Query;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What keeps a cluster as a whole in order, on the real server. */
final class ClusterScenario {

  private static final String PEM =
      "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
  private static final String ROOT_CA = "kube-root-ca.crt";

  // ---- certificates

  private static List<JsonNode> certificates(World world) {
    JsonNode maps = world.now(world.user.list(Kinds.CONFIG_MAPS, "", new Query()));
    return maps.path("items").valueStream().toList();
  }

  @Test
  void certificates_areInEveryNamespace_andPutBack() {
    try (var world = new World(1, 10, List.of(RootCaReconciler.controller(PEM)))) {
      world.create(
          Kinds.NAMESPACES,
          "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"later\"}}");
      world.env.runFor(Duration.ofMinutes(1));
      assertThat(certificates(world))
          .hasSize(world.list(Kinds.NAMESPACES).size())
          .allMatch(it -> Meta.text(it.path("data").path("ca.crt")).equals(PEM));
      world.patch(
          Kinds.CONFIG_MAPS, ROOT_CA, "{\"data\":{\"ca.crt\":\"mine\",\"more\":\"than that\"}}");
      world.env.runFor(Duration.ofMinutes(1));
      assertThat(world.get(Kinds.CONFIG_MAPS, ROOT_CA).path("data"))
          .isEqualTo(World.json("{}").put("ca.crt", PEM));
      world.patch(
          Kinds.CONFIG_MAPS, ROOT_CA, "{\"immutable\":true,\"data\":{\"ca.crt\":\"mine\"}}");
      world.env.runFor(Duration.ofMinutes(1));
      world.delete(Kinds.CONFIG_MAPS, ROOT_CA, "{}");
      world.settle();
      assertThat(Meta.text(world.get(Kinds.CONFIG_MAPS, ROOT_CA).path("data").path("ca.crt")))
          .isEqualTo(PEM);
    }
  }

  @Test
  void certificatesThatCannotBeChanged_areMadeAnew() {
    try (var world = new World(1, 0, List.of(RootCaReconciler.controller(PEM)))) {
      world.env.runFor(Duration.ofSeconds(1));
      world.patch(
          Kinds.CONFIG_MAPS, ROOT_CA, "{\"immutable\":true,\"data\":{\"ca.crt\":\"mine\"}}");
      world.settle();
      assertThat(Meta.text(world.get(Kinds.CONFIG_MAPS, ROOT_CA).path("data").path("ca.crt")))
          .isEqualTo(PEM);
    }
  }

  // ---- pods that nobody ends

  private static World garbage(long seed) {
    return new World(
        seed,
        10,
        List.of(PodGarbageReconciler.controller(3), StaleDisruptionReconciler.controller()));
  }

  private static void node(World world, String more) {
    world.create(
        Kinds.NODES,
        "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n\"}%s}"
            .formatted(more));
  }

  private static ObjectNode pod(World world, String name, String node, String finalizers) {
    return world.create(
        Kinds.PODS,
        """
        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","finalizers":[%s]},
         "spec":{%s"containers":[{"name":"c","image":"i"}]}}
        """
            .formatted(name, finalizers, node.isEmpty() ? "" : "\"nodeName\":\"" + node + "\","));
  }

  private static JsonNode condition(ObjectNode pod, String type) {
    for (JsonNode condition : pod.path("status").path("conditions")) {
      if (Meta.text(condition.path("type")).equals(type)) {
        return condition;
      }
    }
    return pod.path("no such condition");
  }

  @Test
  void podsOfANodeThatIsGone_failAndGo() {
    try (var world = garbage(1)) {
      node(world, "");
      world.ready(pod(world, "p", "n", ""));
      world.ready(pod(world, "held", "n", "\"example.com/held\""));
      world.env.runFor(Duration.ofMinutes(1));
      world.delete(Kinds.NODES, "n", "{}");
      world.env.runFor(Duration.ofSeconds(35));
      assertThat(world.activePods()).hasSize(2);
      world.restart();
      world.env.runFor(Duration.ofSeconds(25));
      assertThat(world.list(Kinds.PODS)).extracting(Meta::name).containsExactly("held");
      ObjectNode held = world.get(Kinds.PODS, "held");
      assertThat(held.path("metadata").has("deletionTimestamp")).isTrue();
      assertThat(Meta.text(held.path("status").path("phase"))).isEqualTo("Failed");
      assertThat(Meta.text(condition(held, "DisruptionTarget").path("reason")))
          .isEqualTo("DeletionByPodGC");
      world.settle();
    }
  }

  @Test
  void nodeThatComesBackSoon_keepsItsPods() {
    try (var world = garbage(2)) {
      node(world, "");
      world.ready(pod(world, "p", "n", ""));
      world.env.runFor(Duration.ofMinutes(1));
      world.delete(Kinds.NODES, "n", "{}");
      world.env.runFor(Duration.ofSeconds(20));
      node(world, "");
      world.env.runFor(Duration.ofMinutes(5));
      world.delete(Kinds.NODES, "n", "{}");
      world.env.runFor(Duration.ofSeconds(20));
      node(world, "");
      world.settle();
      assertThat(world.activePods()).hasSize(1);
      assertThat(condition(world.get(Kinds.PODS, "p"), "evenkeel.dev/NodeGone").isMissingNode())
          .isTrue();
      assertThat(condition(world.get(Kinds.PODS, "p"), "Ready").isObject()).isTrue();
    }
  }

  @Test
  void podThatEnds_isEndedIfItNeverHadANode_orItsNodeIsOutOfService() {
    try (var world = garbage(3)) {
      node(
          world,
          """
          ,"spec":{"taints":[{"key":"node.kubernetes.io/out-of-service","effect":"NoExecute"}]}
          """);
      pod(world, "nowhere", "", "\"example.com/held\"");
      pod(world, "out", "n", "");
      pod(world, "stays", "n", "");
      world.delete(Kinds.PODS, "nowhere", "{}");
      world.delete(Kinds.PODS, "out", "{}");
      world.settle();
      assertThat(world.list(Kinds.PODS)).extracting(Meta::name).containsExactly("nowhere", "stays");
      assertThat(Meta.text(world.get(Kinds.PODS, "nowhere").path("status").path("phase")))
          .isEqualTo("Failed");
      assertThat(world.activePods()).extracting(Meta::name).containsExactly("stays");
    }
  }

  @Test
  void podsThatHaveEnded_areKeptUpToALimit_theYoungest() {
    try (var world = garbage(4)) {
      for (int i = 0; i < 6; i++) {
        world.ended(pod(world, "p" + i, "", ""), i % 2 == 0);
        world.env.runFor(Duration.ofSeconds(2));
      }
      pod(world, "runs", "", "");
      world.settle();
      assertThat(world.list(Kinds.PODS))
          .extracting(Meta::name)
          .containsExactly("p3", "p4", "p5", "runs");
      ObjectNode evicted = world.get(Kinds.PODS, "p5");
      world.patchStatus(Kinds.PODS, Meta.name(evicted), "{\"status\":{\"reason\":\"Evicted\"}}");
      world.ended(world.get(Kinds.PODS, "runs"), true);
      world.settle();
      assertThat(world.list(Kinds.PODS)).extracting(Meta::name).containsExactly("p3", "p4", "runs");
    }
  }

  @Test
  void podThatWasToBeDisruptedAndWasNot_saysSoNoMore() {
    try (var world = garbage(5)) {
      pod(world, "p", "", "");
      world.patchStatus(
          Kinds.PODS,
          "p",
          """
          {"status":{"conditions":[{"type":"Ready","status":"True"},{"type":"DisruptionTarget",
           "status":"True","reason":"EvictionByEvictionAPI","lastTransitionTime":"%s"}]}}
          """
              .formatted(world.env.clock().now().truncatedTo(ChronoUnit.SECONDS)));
      world.env.runFor(Duration.ofSeconds(110));
      assertThat(
              Meta.text(condition(world.get(Kinds.PODS, "p"), "DisruptionTarget").path("status")))
          .isEqualTo("True");
      world.settle();
      assertThat(
              Meta.text(condition(world.get(Kinds.PODS, "p"), "DisruptionTarget").path("status")))
          .isEqualTo("False");
      assertThat(Meta.text(condition(world.get(Kinds.PODS, "p"), "Ready").path("status")))
          .isEqualTo("True");
    }
  }
}
