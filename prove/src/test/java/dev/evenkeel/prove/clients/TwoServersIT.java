package dev.evenkeel.prove.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.observe.http.HttpTransport;
import dev.evenkeel.observe.http.Kubeconfig;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.transport.Client;
import dev.evenkeel.observe.transport.Header;
import dev.evenkeel.observe.transport.Query;
import dev.evenkeel.prove.bench.api.server.OwnServer;
import dev.evenkeel.store.testkit.outside.EtcdProcess;
import dev.evenkeel.store.testkit.outside.NeedsProgram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Two {@code evenkeel up} on one etcd: one has the controllers work, the other is ready to. */
@NeedsProgram("etcd")
@Tag("slow")
class TwoServersIT {

  private static final Kind<ObjectNode> LEASES =
      Kind.untyped("coordination.k8s.io/v1", "Lease", "leases", true);
  private static final Kind<ObjectNode> DEPLOYMENTS =
      Kind.untyped("apps/v1", "Deployment", "deployments", true);
  private static final Kind<ObjectNode> MAPS = Kind.untyped("v1", "ConfigMap", "configmaps", true);
  private static final Kind<ObjectNode> PODS = Kind.untyped("v1", "Pod", "pods", true);
  private static final Kind<ObjectNode> NODES = Kind.untyped("v1", "Node", "nodes", false);
  private static final Kind<ObjectNode> GROUPS =
      Kind.untyped("evenkeel.dev/v1alpha1", "PodGroup", "podgroups", true);
  private static final String LEASE = "evenkeel-controllers";

  @TempDir Path folder;
  private EtcdProcess etcd;
  private Member first;
  private Member second;

  /** A server in a process of its own, and a client of it. */
  private final class Member {
    private final RealEnv env = new RealEnv();
    private final OwnServer server;
    private final HttpTransport transport;
    private final Client client;

    Member(String name) throws IOException, InterruptedException {
      Path own = Files.createDirectory(folder.resolve(name));
      server = new OwnServer(own, "etcd://" + etcd.endpoint().replace("http://", ""), List.of());
      double _ = server.start();
      transport = HttpTransport.open(env, Kubeconfig.read(own.resolve("kubeconfig")).settings());
      client = new Client(transport);
    }

    /** What it says of the lease. */
    JsonNode lease() {
      return client
          .read("/evenkeel/queues", new Query())
          .<JsonNode>thenApply(page -> page.path("leases").path(0))
          .exceptionally(_ -> Json.parse("{}".getBytes(StandardCharsets.UTF_8)))
          .join();
    }

    boolean leads() {
      return lease().path("here").asBoolean(false);
    }

    String holder() {
      return lease().path("holder").asString("");
    }

    void signal(String signal) throws IOException, InterruptedException {
      Process kill =
          new ProcessBuilder("kill", "-" + signal, Long.toString(server.pid())).inheritIO().start();
      assertThat(kill.waitFor(10, TimeUnit.SECONDS)).isTrue();
      assertThat(kill.exitValue()).isZero();
    }

    void createDeployment(String name, int replicas) {
      var _ =
          client
              .create(
                  DEPLOYMENTS,
                  "default",
                  json(
                      """
                      {"metadata":{"name":"%1$s"},"spec":{"replicas":%2$d,
                       "selector":{"matchLabels":{"app":"%1$s"}},
                       "template":{"metadata":{"labels":{"app":"%1$s"}},
                        "spec":{"containers":[{"name":"c","image":"i"}]}}}}
                      """
                          .formatted(name, replicas)))
              .join();
    }

    int pods(String name) {
      return client
          .list(PODS, "default", new Query().with("labelSelector", "app=" + name))
          .join()
          .path("items")
          .size();
    }

    void createNode(String name) {
      var _ =
          client
              .create(
                  NODES,
                  "",
                  json(
                      """
                      {"metadata":{"name":"%s"},"status":{"allocatable":{"cpu":"64","memory":"64Gi","pods":"500"},
                       "capacity":{"cpu":"64","memory":"64Gi","pods":"500"},
                       "conditions":[{"type":"Ready","status":"True","lastHeartbeatTime":"2100-01-01T00:00:00Z"}]}}
                      """
                          .formatted(name)))
              .join();
      Await.until(
          "node " + name + " is known to be ready",
          () -> client.get(NODES, "", name).join().path("spec").path("taints").isEmpty());
    }

    void createGroup(String name, int members) {
      var _ =
          client
              .create(
                  GROUPS,
                  "default",
                  json(
                      "{\"metadata\":{\"name\":\"%s\"},\"spec\":{\"minMember\":%d}}"
                          .formatted(name, members)))
              .join();
      for (int i = 0; i < members; i++) {
        var _ =
            client
                .create(
                    PODS,
                    "default",
                    json(
                        """
                        {"metadata":{"name":"%1$s-%2$d","labels":{"app":"%1$s","evenkeel.dev/pod-group":"%1$s"}},
                         "spec":{"containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"100m"}}}]}}
                        """
                            .formatted(name, i)))
                .join();
      }
    }

    /** The version at which each pod of a group that has a node was last written. */
    List<String> versionsOfPlaced(String name) {
      List<String> versions = new ArrayList<>();
      client
          .list(PODS, "default", new Query().with("labelSelector", "app=" + name))
          .join()
          .path("items")
          .forEach(
              pod -> {
                if (!pod.path("spec").path("nodeName").asString("").isEmpty()) {
                  versions.add(pod.path("metadata").path("resourceVersion").asString(""));
                }
              });
      return versions;
    }

    String groupSays(String name) {
      return client
          .get(GROUPS, "default", name)
          .join()
          .path("status")
          .path("conditions")
          .path(0)
          .path("message")
          .asString("");
    }

    /** As a leader writes: under its lease, in its term. */
    ObjectNode writeUnder(String term, String name) {
      return client
          .with(new Header("Evenkeel-Lease", "kube-system/" + LEASE + " " + term))
          .create(MAPS, "default", json("{\"metadata\":{\"name\":\"" + name + "\"}}"))
          .join();
    }

    /** The number of the lease's term, and who leads in it. */
    String term() {
      JsonNode spec = client.get(LEASES, "kube-system", LEASE).join().path("spec");
      return spec.path("leaseTransitions").asLong(0)
          + " "
          + spec.path("holderIdentity").asString("");
    }

    void close() throws IOException, InterruptedException {
      transport.close();
      server.close();
    }
  }

  private static ObjectNode json(String text) {
    return Json.parseObject(text.getBytes(StandardCharsets.UTF_8));
  }

  @BeforeEach
  void start() throws Exception {
    etcd = EtcdProcess.start();
    first = new Member("first");
    Await.until("the first leads", first::leads);
    second = new Member("second");
    Await.until("the second knows who leads", () -> !second.holder().isEmpty());
  }

  @AfterEach
  void stop() throws Exception {
    if (second != null) {
      second.close();
    }
    if (first != null) {
      first.close();
    }
    etcd.close();
  }

  private static void assertRefused(Member server, String formerTerm) {
    assertThatThrownBy(() -> server.writeUnder(formerTerm, "late"))
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOfSatisfying(
            ApiException.class,
            refused -> {
              assertThat(refused.status().code()).isEqualTo(412);
              assertThat(refused.status().reason()).isEqualTo("LeaseLost");
            });
  }

  @Test
  void killedLeader_isFollowedByTheOtherWhichFinishesTheWork() throws Exception {
    assertThat(second.leads()).isFalse();
    assertThat(second.holder()).isEqualTo(first.holder());
    second.createDeployment("early", 3);
    Await.until("the first works on it", () -> second.pods("early") == 3);
    String term = second.term();
    assertThat(second.writeUnder(term, "in-time").path("metadata").path("name").asString(""))
        .isEqualTo("in-time");

    first.signal("KILL");
    second.createDeployment("unfinished", 4);
    assertThat(second.pods("unfinished")).isZero();
    Await.until("the second leads", second::leads);
    Await.until("the work is done", () -> second.pods("unfinished") == 4);
    assertThat(second.pods("early")).isEqualTo(3);

    assertThat(second.term()).isNotEqualTo(term);
    assertRefused(second, term);
    assertThat(second.writeUnder(second.term(), "of-the-other").isEmpty()).isFalse();
  }

  @Test
  void leaderThatSleptThroughItsTerm_isRefusedAndWaits() throws Exception {
    String term = second.term();
    first.createDeployment("early", 2);
    Await.until("the first works on it", () -> second.pods("early") == 2);
    first.signal("STOP");
    try {
      second.createDeployment("meanwhile", 3);
      Await.until("the second leads", second::leads);
      Await.until("the work is done", () -> second.pods("meanwhile") == 3);
    } finally {
      first.signal("CONT");
    }
    // It wakes up with the view of a leader, and with work to do that another has done.
    assertRefused(first, term);
    Await.until(
        "the first sees who leads",
        () -> !first.leads() && Objects.equals(first.holder(), second.holder()));
    first.createDeployment("after", 2);
    Await.until("the second works on it", () -> first.pods("after") == 2);
    assertThat(second.leads()).isTrue();
    assertThat(first.pods("meanwhile")).isEqualTo(3);
    assertThat(first.pods("early")).isEqualTo(2);
  }

  @Test
  void leaderThatStops_handsOverAtOnce() throws Exception {
    String term = second.term();
    assertThat(first.server.stop().exitCode()).isZero();
    Await.until("the second leads", second::leads);
    second.createDeployment("next", 2);
    Await.until("the work is done", () -> second.pods("next") == 2);
    assertRefused(second, term);
  }

  @Test
  void groupOfPods_getsItsNodesInOneTransaction_andSaysSoIfThatIsTooLarge() throws Exception {
    first.createNode("a");
    first.createNode("b");
    second.createGroup("train", 40);
    Await.until("all have a node", () -> second.versionsOfPlaced("train").size() == 40);
    assertThat(second.versionsOfPlaced("train"))
        .as("written at once")
        .containsOnly(second.versionsOfPlaced("train").getFirst());

    second.createGroup("crowd", 150);
    Await.until(
        "the group says what is wrong",
        () -> second.groupSays("crowd").contains("more than the store takes in one transaction"));
    assertThat(second.versionsOfPlaced("crowd")).isEmpty();
  }
}
