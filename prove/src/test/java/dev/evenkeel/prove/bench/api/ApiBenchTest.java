package dev.evenkeel.prove.bench.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.prove.bench.api.toy.Fault;
import dev.evenkeel.prove.bench.api.toy.ToyServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The whole command, small, on the toy. */
class ApiBenchTest {

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return new CommandLine(new ApiBench())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }

  private int run(ToyServer server, String... more) throws Exception {
    Path authority = Files.write(folder.resolve("authority.pem"), server.authority());
    var arguments =
        new ArrayList<>(
            List.of(
                "--server",
                server.url(),
                "--token",
                server.token(),
                "--certificate-authority",
                authority.toString(),
                "--pid",
                Long.toString(ProcessHandle.current().pid()),
                "--seconds",
                "1",
                "--clients",
                "4",
                "--watchers",
                "20",
                "--fan-out",
                "12,30",
                "--fan-out-writers",
                "2",
                "--fan-out-rate",
                "600",
                "--idle-watchers",
                "30",
                "--objects",
                "100",
                "--kinds",
                "60",
                "--big-lists",
                "3",
                "--big-list-megabytes",
                "1"));
    arguments.addAll(List.of(more));
    return run(arguments.toArray(String[]::new));
  }

  @Test
  void everyPhase_givesAResult() throws Exception {
    Path json = folder.resolve("figures.json");
    try (var server = new ToyServer(Fault.NONE, 0)) {
      int exitCode = run(server, "--sizes", "50,200", "--json", json.toString());
      assertThat(out.toString()).doesNotContain("rrors in");
      assertThat(exitCode).isZero();
    }
    assertThat(out.toString())
        .contains(
            "| creates a second",
            "| 1,000 watchers on 8 connections: deliveries/s",
            "| rate at a number of")
        .contains("only a server of this command's own can be started again");
    Set<String> phases = new TreeSet<>();
    for (JsonNode result : Json.parse(Files.readAllBytes(json)).path("results")) {
      phases.add(result.path("phase").asString());
      if (!result.path("count").isNull()) {
        assertThat(result.path("perSecond").asDouble()).as(result.toString()).isPositive();
        assertThat(result.path("p99Millis").asDouble()).as(result.toString()).isPositive();
      }
      if (result.path("phase").asString().startsWith("fan-out")) {
        assertThat(result.at("/figures/connections")).isEqualTo(result.at("/figures/watchers"));
        assertThat(result.at("/figures/writers' p50, ms").asDouble()).isPositive();
      }
      assertThat(result.path("residentBytes").asDouble()).isPositive();
    }
    assertThat(phases)
        .containsExactlyInAnyOrder(
            "create",
            "create, up to size",
            "get",
            "update",
            "list",
            "watch",
            "watch, fixed rate",
            "fan-out, 12 connections",
            "fan-out, 12 connections, fixed rate",
            "fan-out, 30 connections",
            "fan-out, 30 connections, fixed rate",
            "none stalled",
            "one stalled",
            "idle",
            "biglists",
            "kinds",
            "kinds, described",
            "kinds, deleted",
            "objects");
  }

  @Test
  void kinds_areTimedUntilTheyCanBeUsedAndDescribed() throws Exception {
    Path json = folder.resolve("figures.json");
    try (var server = new ToyServer(Fault.NONE, 0)) {
      int exitCode =
          run(
              server,
              "--sizes",
              "50",
              "--phases",
              "kinds",
              "--http",
              "1",
              "--json",
              json.toString());
      assertThat(exitCode).as(out.toString()).isZero();
    }
    ObjectNode results = JsonNodeFactory.instance.objectNode();
    for (JsonNode result : Json.parse(Files.readAllBytes(json)).path("results")) {
      results.set(result.path("phase").asString(), result);
    }
    JsonNode kinds = results.path("kinds");
    assertThat(kinds.path("count").asInt()).isEqualTo(60);
    assertThat(kinds.at("/figures/worst, ms").asDouble())
        .isGreaterThanOrEqualTo(kinds.path("p99Millis").asDouble());
    assertThat(kinds.at("/figures/get of another kind meanwhile, p99 ms").asDouble()).isPositive();
    JsonNode figures = results.path("kinds, described").path("figures");
    for (String document :
        List.of(
            "/apis, aggregated",
            "/apis/GROUP/VERSION",
            "/openapi/v3",
            "/openapi/v3/…",
            "/openapi/v2, protobuf",
            "/openapi/v2, JSON")) {
      for (String figure : List.of(", first, ms", ", again, p50 ms", ", KB")) {
        assertThat(figures.path(document + figure).asDouble()).as(document + figure).isPositive();
      }
    }
    JsonNode deleted = results.path("kinds, deleted");
    assertThat(deleted.path("count").asInt()).isEqualTo(60);
    assertThat(deleted.at("/figures/seconds until discovery has none").asDouble()).isPositive();
  }

  @Test
  void lostEvent_isSaidAndEndsWithOne() throws Exception {
    try (var server = new ToyServer(Fault.DROP, 0)) {
      assertThat(run(server, "--sizes", "50", "--phases", "watch", "--http", "1")).isEqualTo(1);
    }
    assertThat(out.toString())
        .contains("errors in watch: {watchers: missed an event=1}")
        .doesNotContain("| creates a second");
  }

  @Test
  void server_thatIsNotThereIsSaidInOneLine() {
    assertThat(run("--server", "https://127.0.0.1:1", "--insecure")).isEqualTo(1);
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString()).startsWith("api: https://127.0.0.1:1 cannot be reached: ");
  }

  @Test
  void settings_thatMakeNoSenseAreRefused() {
    assertThat(run("--server", "https://127.0.0.1:1", "--kubeconfig", "x")).isEqualTo(2);
    assertThat(run("--server", "http://127.0.0.1:1")).isEqualTo(2);
    assertThat(run("--sizes", "100,50")).isEqualTo(2);
    assertThat(run("--http", "3")).isEqualTo(2);
    assertThat(run("--kinds", "0")).isEqualTo(2);
    assertThat(run("--fan-out", "1000,0")).isEqualTo(2);
    assertThat(run("--fan-out-writers", "0")).isEqualTo(2);
    assertThat(run("--phases", "sleep")).isEqualTo(2);
  }
}
