package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.env.SimulatedEnv;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.memory.MemoryStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the server itself cannot write, or delete, it tries again without making a load of it. */
class RetryTest {

  private static final String POLICIES = "/apis/admissionregistration.k8s.io/v1/";
  private static final String SCHEMAS = "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas";
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

  private final SimulatedEnv env = new SimulatedEnv(1);
  private final AtomicBoolean hangs = new AtomicBoolean();
  private final Store memory = MemoryStore.open(env);
  private final Store store = hanging(memory);
  private ApiServer server = ApiServer.open(env, store, ServerSettings.DEFAULTS);
  private Client client = new Client(env, server);

  RetryTest() {
    settle();
  }

  @AfterEach
  void close() {
    server.close();
    memory.close();
  }

  /** A store whose commits are never answered, as long as that is wanted. */
  private Store hanging(Store real) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (_, method, arguments) -> {
              if (hangs.get() && method.getName().equals("commit")) {
                return new CompletableFuture<>();
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private void settle() {
    env.runFor(Duration.ofMillis(10));
  }

  private static void made(Client.Answer answer) {
    assertThat(answer.status()).as("%s", answer).isEqualTo(201);
  }

  /** Lets nobody do this from now on. */
  private void forbid(String operation, String group, String resource) {
    made(
        client.post(
            POLICIES + "validatingadmissionpolicies",
            """
            {"metadata":{"name":"no"},"spec":{"matchConstraints":{"resourceRules":[
              {"apiGroups":["%s"],"apiVersions":["*"],"operations":["%s"],"resources":["%s"]}]},
             "validations":[{"expression":"false"}]}}
            """
                .formatted(group, operation, resource)));
    made(
        client.post(
            POLICIES + "validatingadmissionpolicybindings",
            """
            {"metadata":{"name":"no"},"spec":{"policyName":"no","validationActions":["Deny"]}}
            """));
    settle();
  }

  private void allow() {
    client.delete(POLICIES + "validatingadmissionpolicybindings/no");
  }

  private double answered(String resource, String verb, int code) {
    var page = (ApiResponse.Whole) client.raw("GET", "/metrics", Map.of(), new byte[0]).content();
    return new String(page.bytes(), StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.startsWith("apiserver_request_total{"))
        .filter(line -> line.contains("resource=\"" + resource + "\""))
        .filter(line -> line.contains("verb=\"" + verb + "\""))
        .filter(line -> line.contains("code=\"" + code + "\""))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  @Test
  void statusesThatCannotBeWritten_areTriedAgainTogether() {
    forbid("UPDATE", "flowcontrol.apiserver.k8s.io", "flowschemas/status");
    int schemas = 12;
    for (int i = 0; i < schemas; i++) {
      made(
          client.post(
              SCHEMAS,
              """
              {"metadata":{"name":"s%d"},"spec":{"matchingPrecedence":50,
               "priorityLevelConfiguration":{"name":"not-there"}}}
              """
                  .formatted(i)));
    }
    env.runFor(Duration.ofMinutes(1));
    // One look every five seconds, and at most one for each schema that came.
    assertThat(answered("flowschemas", "APPLY", 422))
        .isBetween(schemas * 5.0, schemas * (schemas + 14.0));
    allow();
    env.runFor(Duration.ofSeconds(6));
    assertThat(client.get(SCHEMAS + "/s0").body().at("/status/conditions/0/status").asString())
        .isEqualTo("True");
  }

  @Test
  void objectsThatMayNotBeDeleted_areAskedForEverMoreSeldom_andKeepTheirDefinition() {
    made(
        client.post(
            DEFINITIONS,
            """
            {"metadata":{"name":"ships.example.org"},"spec":{"group":"example.org","scope":"Cluster",
             "names":{"plural":"ships","kind":"Ship"},"versions":[{"name":"v1","served":true,
             "storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}
            """));
    settle();
    String ship =
        """
        {"apiVersion":"example.org/v1","kind":"Ship","metadata":{"name":"a"}}
        """;
    made(client.post("/apis/example.org/v1/ships", ship));
    forbid("DELETE", "example.org", "ships");
    client.delete(DEFINITIONS + "/ships.example.org");
    env.runFor(Duration.ofMinutes(2));
    assertThat(answered("ships", "DELETE", 422)).isBetween(5.0, 20.0);
    assertThat(client.get("/apis/example.org/v1/ships/a").status()).isEqualTo(200);
    allow();
    env.runFor(Duration.ofSeconds(31));
    assertThat(client.get(DEFINITIONS + "/ships.example.org").status()).isEqualTo(404);
  }

  @Test
  void objectOfEveryCluster_thatMayNotBeMade_keepsNoServerFromStarting() {
    client.delete(SCHEMAS + "/probes");
    forbid("CREATE", "*", "*");
    server.close();
    server = ApiServer.open(env, store, ServerSettings.DEFAULTS);
    client = new Client(env, server);
    env.runFor(Duration.ofSeconds(1));
    assertThat(server.ready()).isCompleted();
    assertThat(client.get(SCHEMAS + "/probes").status()).isEqualTo(404);
    allow();
    env.runFor(Duration.ofSeconds(31));
    assertThat(client.get(SCHEMAS + "/probes").status()).isEqualTo(200);
  }

  @Test
  void requestThatTheDeadlineEnds_isCounted() {
    hangs.set(true);
    var answer =
        client.begin(
            "POST",
            "/api/v1/namespaces/default/configmaps",
            Map.of("content-type", "application/json"),
            "{\"metadata\":{\"name\":\"a\"}}".getBytes(StandardCharsets.UTF_8));
    env.runFor(Duration.ofSeconds(70));
    assertThat(answer.join().status()).isEqualTo(504);
    assertThat(answered("configmaps", "POST", 504)).isEqualTo(1);
  }
}
