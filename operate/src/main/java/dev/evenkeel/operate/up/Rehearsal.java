package dev.evenkeel.operate.up;

import dev.evenkeel.operate.kubeconfig.Kubeconfig;
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
    Kubeconfig server = Kubeconfig.read(kubeconfig);
    for (var version : List.of(HttpClient.Version.HTTP_2, HttpClient.Version.HTTP_1_1)) {
      try (HttpClient client =
          HttpClient.newBuilder().version(version).sslContext(server.sslContext()).build()) {
        var user = new Client(server, client);
        user.play(version.name().toLowerCase(Locale.ROOT));
        user.playCustom();
      }
    }
    return 0;
  }

  /** One who speaks one version of HTTP. */
  private record Client(Kubeconfig server, HttpClient client) {

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

    private void send(String method, String path, String accept, String type, String body)
        throws IOException, InterruptedException {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(server.server().resolve(path))
              .timeout(PATIENCE)
              .header("accept", accept)
              .header("accept-encoding", "gzip")
              .method(method, HttpRequest.BodyPublishers.ofString(body));
      if (!type.isEmpty()) {
        request.header("content-type", type);
      }
      client.send(request.build(), HttpResponse.BodyHandlers.discarding());
    }

    private void watch() throws IOException, InterruptedException {
      HttpRequest request =
          HttpRequest.newBuilder(
                  server.server().resolve(MAPS + "?watch=true&resourceVersion=0&timeoutSeconds=1"))
              .timeout(PATIENCE)
              .build();
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
