package dev.evenkeel.operate.up;

import dev.evenkeel.operate.kubeconfig.ServerAccess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.function.IntFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Uses a server as clients do, so that its JVM can write down what it had to load and compile for
 * that, and find it ready at the next start. A process of its own, because what a client loads is
 * not what a server needs. What a request answers is not looked at: a server that answers wrongly
 * starts no slower.
 */
@Command(
    name = "rehearse",
    hidden = true,
    description = "Use a server a little: for up --rehearse.")
public final class Rehearsal implements Callable<Integer> {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String MAP =
      "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"NAME\",\"labels\":"
          + "{\"a\":\"b\"}},\"data\":{\"k\":\"v\"}}";
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String DEFINITION =
      """
      {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
       "metadata":{"name":"parts.rehearsal.evenkeel.dev"},
       "spec":{"group":"rehearsal.evenkeel.dev","scope":"Namespaced","names":{"plural":"parts","kind":"Part"},
       "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":
       {"type":"object","properties":{"data":{"type":"object","additionalProperties":{"type":"string"}}}}}}]}}
      """;
  private static final String PARTS = "/apis/rehearsal.evenkeel.dev/v1/namespaces/default/parts";
  private static final int PARTS_COUNT = 20;
  private static final String NODES = "/api/v1/nodes";
  private static final String NODE =
      """
      {"apiVersion":"v1","kind":"Node","metadata":{"name":"NAME","labels":
       {"kubernetes.io/hostname":"NAME","topology.kubernetes.io/zone":"zone-a"}},
       "status":{"allocatable":{"cpu":"64","memory":"256Gi","pods":"500"},
       "capacity":{"cpu":"64","memory":"256Gi","pods":"500"},
       "conditions":[{"type":"Ready","status":"True","lastHeartbeatTime":"2100-01-01T00:00:00Z"}]}}
      """;
  private static final int NODES_COUNT = 100;
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String WAITING_PODS = PODS + "?fieldSelector=spec.nodeName%3D&limit=1";
  private static final String POD =
      """
      {"apiVersion":"v1","kind":"Pod","metadata":{"generateName":"NAME-","labels":{"app":"rehearsal"}},
       "spec":{"containers":[{"name":"main","image":"rehearsal:1",
       "resources":{"requests":{"cpu":"100m","memory":"100Mi"}}}]}}
      """;

  private static final String WORKLOAD =
      """
      {"apiVersion":"GROUP","kind":"KIND","metadata":{"name":"NAME"},"spec":{SPEC
       "template":{"metadata":{"labels":{"app":"NAME"}},"spec":{POLICY
       "containers":[{"name":"main","image":"rehearsal:1"}]}}}}
      """;
  private static final String SELECTOR = "\"selector\":{\"matchLabels\":{\"app\":\"NAME\"}},";

  /** Each kind with what its spec has besides a template. */
  private static final List<Workload> WORKLOADS =
      List.of(
          new Workload("apps/v1", "Deployment", SELECTOR + "\"replicas\":2,", ""),
          new Workload("apps/v1", "ReplicaSet", SELECTOR + "\"replicas\":2,", ""),
          new Workload("apps/v1", "DaemonSet", SELECTOR, ""),
          new Workload(
              "apps/v1", "StatefulSet", SELECTOR + "\"replicas\":2,\"serviceName\":\"NAME\",", ""),
          new Workload("batch/v1", "Job", "\"completions\":2,", "\"restartPolicy\":\"Never\","));

  private static final int WORKLOADS_EACH = 10;

  /** So many that what reads and writes objects is compiled for good, and remembered so. */
  private static final int MAPS_COUNT = 4_000;

  /** As large as objects are. */
  private static final String LARGE_MAP =
      MAP.replace("\"v\"", "\"" + "All is on an even keel. ".repeat(40) + "\"");

  /** A kind that makes pods. */
  private record Workload(String group, String kind, String spec, String policy) {

    String path() {
      return "/apis/" + group + "/namespaces/default/" + kind.toLowerCase(Locale.ROOT) + "s";
    }

    String named(String name) {
      return WORKLOAD
          .replace("GROUP", group)
          .replace("KIND", kind)
          .replace("SPEC", spec)
          .replace("POLICY", policy)
          .replace("NAME", name);
    }
  }

  /** So many that what gives pods their nodes is compiled for good, and remembered so. */
  private static final int PODS_COUNT = 8_000;

  private static final int AT_ONCE = 64;

  /** A second each. */
  private static final int LOOKS_MAX = 60;

  private static final String TABLE =
      "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

  @Option(names = "--kubeconfig", paramLabel = "FILE", required = true, description = "Of which.")
  private Path kubeconfig = Path.of("");

  /** Has another process use the server of this one. */
  static void run(Path kubeconfig) throws InterruptedException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            "dev.evenkeel.operate.Main",
            "rehearse",
            "--kubeconfig",
            kubeconfig.toString());
    try {
      var _ = new ProcessBuilder(command).inheritIO().start().waitFor();
    } catch (IOException e) {
      System.err.println("there was no rehearsal: " + e);
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    ServerAccess server = ServerAccess.read(kubeconfig);
    for (var version : List.of(HttpClient.Version.HTTP_2, HttpClient.Version.HTTP_1_1)) {
      try (HttpClient client =
          HttpClient.newBuilder().version(version).sslContext(server.sslContext()).build()) {
        var user = new Client(server, client);
        user.play(version.name().toLowerCase(Locale.ROOT));
        user.playCustom();
        if (version == HttpClient.Version.HTTP_2) {
          user.playWorkloads();
          user.playMaps();
          user.playPods();
        }
      }
    }
    return 0;
  }

  /** One who speaks one version of HTTP. */
  private record Client(ServerAccess server, HttpClient client) {

    private void play(String part) throws IOException, InterruptedException {
      String name = "rehearsal-" + part.replace('_', '-');
      for (String path :
          List.of("/version", "/readyz", "/api", "/apis", "/api/v1", "/apis/apps/v1", "/metrics")) {
        send("GET", path, "application/json", "", "");
      }
      send("POST", MAPS, "application/json", "application/json", MAP.replace("NAME", name));
      send("GET", MAPS + "/" + name, "application/json", "", "");
      send("GET", MAPS, TABLE, "", "");
      send("GET", "/api/v1/namespaces?limit=2", "application/json", "", "");
      send(
          "PUT",
          MAPS + "/" + name,
          "application/json",
          "application/yaml",
          MAP.replace("NAME", name).replace("\"v\"", "\"w\""));
      for (String type : List.of("merge", "strategic-merge")) {
        send(
            "PATCH",
            MAPS + "/" + name,
            "application/json",
            "application/" + type + "-patch+json",
            "{\"data\":{\"" + type + "\":\"x\"}}");
      }
      send(
          "PATCH",
          MAPS + "/" + name,
          "application/json",
          "application/json-patch+json",
          "[{\"op\":\"add\",\"path\":\"/data/y\",\"value\":\"z\"}]");
      watch();
      send("DELETE", MAPS + "/" + name, "application/json", "", "");
    }

    /** With a kind that is not built in. */
    private void playCustom() throws IOException, InterruptedException {
      send("POST", DEFINITIONS, "application/json", "application/json", DEFINITION);
      String part =
          MAP.replace("\"v1\"", "\"rehearsal.evenkeel.dev/v1\"").replace("ConfigMap", "Part");
      for (int i = 0; i < PARTS_COUNT; i++) {
        String body = part.replace("NAME", "part-" + i);
        send("POST", PARTS, "application/json", "application/json", body);
        send("PUT", PARTS + "/part-" + i, "application/json", "application/json", body);
        send("GET", PARTS + "/part-" + i, "application/json", "", "");
      }
      send("GET", PARTS, TABLE, "", "");
      send("DELETE", DEFINITIONS + "/parts.rehearsal.evenkeel.dev", "application/json", "", "");
    }

    /** What controllers make pods of, as users change it. */
    private void playWorkloads() throws IOException, InterruptedException {
      for (int i = 0; i < WORKLOADS_EACH; i++) {
        for (Workload workload : WORKLOADS) {
          String path = workload.path() + "/" + name(i);
          String body = workload.named(name(i));
          send("POST", workload.path(), "application/json", "application/json", body);
          send("GET", workload.path(), TABLE, "", "");
          send(
              "PATCH",
              path + "?fieldManager=rehearsal&force=true",
              "application/json",
              "application/apply-patch+yaml",
              body);
          send(
              "PATCH",
              path,
              "application/json",
              "application/merge-patch+json",
              "{\"spec\":{\"template\":{\"metadata\":{\"annotations\":{\"a\":\"b\"}}}}}");
        }
      }
      // A second, in which controllers do what they have to.
      watch();
      for (Workload workload : WORKLOADS) {
        for (int i = 0; i < WORKLOADS_EACH; i++) {
          send("DELETE", workload.path() + "/" + name(i), "application/json", "", "");
        }
      }
    }

    /** Many objects that are made, changed and read. */
    private void playMaps() throws InterruptedException {
      sendAll(MAPS_COUNT, i -> post(MAPS, LARGE_MAP.replace("NAME", name(i))));
      sendAll(
          MAPS_COUNT,
          i -> withBody("PUT", MAPS + "/" + name(i), LARGE_MAP.replace("NAME", name(i))));
      sendAll(MAPS_COUNT, i -> to(MAPS + "/" + name(i)).build());
    }

    /** Many pods, until they have their nodes or a while is over. */
    private void playPods() throws IOException, InterruptedException {
      sendAll(NODES_COUNT, i -> post(NODES, NODE.replace("NAME", name(i))));
      sendAll(PODS_COUNT, i -> post(PODS, POD.replace("NAME", name(i))));
      for (int i = 0; i < LOOKS_MAX && anyWaits(); i++) {
        watch();
      }
    }

    private boolean anyWaits() throws IOException, InterruptedException {
      HttpRequest look = to(WAITING_PODS).build();
      return !client
          .send(look, HttpResponse.BodyHandlers.ofString())
          .body()
          .contains("\"items\":[]");
    }

    private static String name(int number) {
      return "rehearsal-" + number;
    }

    private void sendAll(int count, IntFunction<HttpRequest> requests) throws InterruptedException {
      var places = new Semaphore(AT_ONCE);
      for (int i = 0; i < count; i++) {
        places.acquire();
        var _ =
            client
                .sendAsync(requests.apply(i), HttpResponse.BodyHandlers.discarding())
                .whenComplete((_, _) -> places.release());
      }
      places.acquire(AT_ONCE);
    }

    private HttpRequest.Builder to(String path) {
      return HttpRequest.newBuilder(server.server().resolve(path)).timeout(PATIENCE);
    }

    private HttpRequest post(String path, String body) {
      return withBody("POST", path, body);
    }

    private HttpRequest withBody(String method, String path, String body) {
      return to(path)
          .header("accept", "application/json")
          .header("content-type", "application/json")
          .method(method, HttpRequest.BodyPublishers.ofString(body))
          .build();
    }

    private void send(String method, String path, String accept, String type, String body)
        throws IOException, InterruptedException {
      HttpRequest.Builder request =
          to(path)
              .header("accept", accept)
              .header("accept-encoding", "gzip")
              .method(method, HttpRequest.BodyPublishers.ofString(body));
      if (!type.isEmpty()) {
        request.header("content-type", type);
      }
      client.send(request.build(), HttpResponse.BodyHandlers.discarding());
    }

    private void watch() throws IOException, InterruptedException {
      HttpRequest request = to(MAPS + "?watch=true&resourceVersion=0&timeoutSeconds=1").build();
      try (var events =
          new BufferedReader(
              new InputStreamReader(
                  client.send(request, HttpResponse.BodyHandlers.ofInputStream()).body(),
                  StandardCharsets.UTF_8))) {
        while (events.readLine() != null) {
          // To its end, which comes after a second.
        }
      }
    }
  }
}
