package dev.evenkeel.samples.website;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.plan.Desired;
import dev.evenkeel.decide.run.Operator;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.observe.http.Kubeconfig;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.transport.PatchType;
import dev.evenkeel.observe.transport.Query;
import dev.evenkeel.samples.website.WebsiteController.Website;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** The sample with a server that {@code evenkeel up} starts: apart from it, and inside it. */
final class WebsiteIT {

  private static final String INSIDE = "inside";
  private static final String NAMESPACE = "default";
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final Kind<?> WEBSITES = Kind.custom(Website.class);
  private static final Kind<?> PAGES = Kind.untyped("v1", "ConfigMap", "configmaps", true);
  private static final Kind<?> DEPLOYMENTS =
      Kind.untyped("apps/v1", "Deployment", "deployments", true);

  @TempDir Path folder;
  private Process server;
  private Operator operator;

  @BeforeEach
  void start(TestInfo test) throws Exception {
    Path kubeconfig = folder.resolve("kubeconfig");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                withoutTheSample(),
                "dev.evenkeel.operate.Main",
                "up",
                "--store=memory",
                "--listen=127.0.0.1:0",
                "--data=" + folder));
    if (test.getTags().contains(INSIDE)) {
      command.add("--controllers=" + jar());
    }
    server =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    await("the kubeconfig", () -> Files.exists(kubeconfig) && Files.size(kubeconfig) > 0);
    operator = Operator.connect(Kubeconfig.read(kubeconfig));
  }

  /** What the sample is made of comes to the server in a jar, if at all. */
  private static String withoutTheSample() throws Exception {
    Path target = classes().getParent();
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(entry -> !Path.of(entry).toAbsolutePath().startsWith(target))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Path classes() throws Exception {
    return Path.of(
            WebsiteController.class.getProtectionDomain().getCodeSource().getLocation().toURI())
        .toAbsolutePath();
  }

  /** As {@code mvn package} makes it. */
  private Path jar() throws Exception {
    Path jar = folder.resolve("website.jar");
    Path classes = classes();
    try (var out = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        out.putNextEntry(
            new JarEntry(classes.relativize(file).toString().replace(File.separatorChar, '/')));
        Files.copy(file, out);
        out.closeEntry();
      }
    }
    return jar;
  }

  @AfterEach
  void stop() throws Exception {
    operator.close();
    server.destroy();
    assertThat(server.waitFor(20, TimeUnit.SECONDS)).isTrue();
  }

  private static void await(String what, Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.call()) {
      assertThat(System.nanoTime()).as("waiting for " + what).isLessThan(end);
      Thread.sleep(20);
    }
  }

  private ObjectNode website() {
    return operator.client().get(WEBSITES, NAMESPACE, "home").join();
  }

  private boolean isThere(Kind<?> kind) {
    return operator
        .client()
        .get(kind, NAMESPACE, "home")
        .handle((_, failure) -> failure == null)
        .join();
  }

  private ObjectNode get(Kind<?> kind) {
    return operator.client().get(kind, NAMESPACE, "home").join();
  }

  private void patch(Kind<?> kind, String subresource, String change) {
    operator
        .client()
        .patch(
            kind, NAMESPACE, "home", subresource, PatchType.MERGE, Bytes.utf8(change), new Query())
        .join();
  }

  @Test
  void apart_websiteIsServed_mended_andTakenAway() throws Exception {
    operator.define(Website.class).run(WebsiteController.controller());
    websiteIsServedMendedAndTakenAway();
    assertThat(operator.decisions().newest(it -> it.controller().equals("website"), 1_000))
        .isNotEmpty();
  }

  @Test
  @Tag(INSIDE)
  void insideTheServer_websiteIsServed_mended_andTakenAway() throws Exception {
    websiteIsServedMendedAndTakenAway();
    assertThat(Files.readString(folder.resolve("log")))
        .contains("runs       website · " + folder.resolve("website.jar"));
    ObjectNode decisions =
        operator
            .client()
            .read("/evenkeel/decisions", new Query().with("controller", "website"))
            .join();
    assertThat(decisions.path("decisions").size()).isPositive();
    assertThat(operator.client().read("/evenkeel/queues", new Query()).join().toString())
        .contains("\"name\":\"website\"");
  }

  private void websiteIsServedMendedAndTakenAway() throws Exception {
    ObjectNode site =
        Desired.yaml(
            """
            apiVersion: samples.evenkeel.dev/v1
            kind: Website
            metadata: {name: home}
            spec: {html: "<h1>hello</h1>", replicas: 2}
            """);
    await(
        "the kind",
        () ->
            operator
                .client()
                .create(WEBSITES, NAMESPACE, site)
                .handle((_, failure) -> failure == null)
                .join());
    await("the page", () -> isThere(PAGES));
    assertThat(get(PAGES).path("data").path("index.html").asString("")).isEqualTo("<h1>hello</h1>");
    await("the servers", () -> isThere(DEPLOYMENTS));
    await(
        "the status", () -> website().path("status").path("phase").asString("").equals("Starting"));

    // Whoever changes what it looks after sees it put back.
    patch(PAGES, "", "{\"data\":{\"index.html\":\"<h1>mine</h1>\"}}");
    await(
        "the page to be mended",
        () -> get(PAGES).path("data").path("index.html").asString("").contains("hello"));

    patch(WEBSITES, "", "{\"spec\":{\"replicas\":0}}");
    await("no servers", () -> get(DEPLOYMENTS).path("spec").path("replicas").asInt(-1) == 0);
    await(
        "the status", () -> website().path("status").path("phase").asString("").equals("Serving"));

    operator.client().delete(WEBSITES, NAMESPACE, "home", null).join();
    await("everything to go", () -> !isThere(PAGES) && !isThere(DEPLOYMENTS));
  }
}
