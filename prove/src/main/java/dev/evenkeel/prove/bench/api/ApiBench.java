package dev.evenkeel.prove.bench.api;

import dev.evenkeel.prove.bench.api.Settings.Phase;
import dev.evenkeel.prove.bench.api.load.LoadObjects;
import dev.evenkeel.prove.bench.api.server.OwnServer;
import dev.evenkeel.prove.bench.api.wire.KubeconfigTarget;
import dev.evenkeel.prove.bench.api.wire.Target;
import dev.evenkeel.prove.bench.api.wire.UnmeasurableException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures an API server, by default one of our own that it starts for the purpose. */
@Command(
    name = "api",
    description = {
      "Measure an API server, over TLS and with nothing but the Kubernetes API: rates, latencies,"
          + " watches, memory, custom kinds, start.",
      "Without --server or --kubeconfig it starts a server of its own.",
      "Every figure is of this machine, now; compare within one run."
    })
public final class ApiBench implements Callable<Integer> {

  private static final int HEADLINE_SIZE = 10_000;

  @Mixin private Settings settings;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    String problem = settings.problem();
    if (problem != null) {
      throw new ParameterException(spec.commandLine(), problem);
    }
    try {
      return measure();
    } catch (UnmeasurableException e) {
      PrintWriter err = spec.commandLine().getErr();
      err.println(spec.qualifiedName() + ": " + e.getMessage());
      err.flush();
      return 1;
    }
  }

  private int measure() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    if (!settings.ownServer()) {
      return measure(out, null, target(), "");
    }
    Path folder =
        settings.folder == null
            ? Files.createTempDirectory("evenkeel-bench")
            : Files.createTempDirectory(Files.createDirectories(settings.folder), "run");
    List<String> options =
        settings.serverJavaOptions.isBlank()
            ? List.of()
            : List.of(settings.serverJavaOptions.trim().split("\\s+", -1));
    try (var server = new OwnServer(folder, settings.store, options)) {
      double seconds = server.start();
      String about =
          String.format(
              Locale.ROOT,
              " · started by this command on %s in %s, first start ready after %.2f s ·" + " %s",
              settings.store,
              disk(folder),
              seconds,
              server.description());
      return measure(out, server, server.target(), about);
    } finally {
      deleteRecursively(folder);
    }
  }

  private Target target() throws IOException {
    try {
      if (settings.kubeconfig != null) {
        return KubeconfigTarget.target(settings.kubeconfig);
      }
      byte @Nullable [] authority =
          settings.certificateAuthority == null
              ? null
              : Files.readAllBytes(settings.certificateAuthority);
      return Target.of(
          String.valueOf(settings.server),
          Target.Credentials.ofToken(settings.token, authority, settings.insecure));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private int measure(PrintWriter out, @Nullable OwnServer server, Target target, String about)
      throws IOException, InterruptedException {
    try (var bench = new Bench(settings, out, server, target)) {
      String description = description(bench) + about;
      out.println(description);
      if (!bench.meter().known()) {
        out.println("note: without --pid nothing is known of the server's CPU and memory");
      }
      out.flush();
      run(bench);
      print(out, bench, description);
      if (settings.json != null) {
        Files.write(settings.json, Report.json(description, bench.results()));
      }
      return Report.errors(bench.results()).isEmpty() ? 0 : 1;
    }
  }

  private void run(Bench bench) throws IOException, InterruptedException {
    int size = 0;
    var watches = new WatchPhases(bench);
    LoadObjects objects = bench.namespace("objects", settings.payloadBytes);
    var requests = new RequestPhases(bench, objects);
    for (int next : settings.sizes) {
      size = next;
      atSize(size, requests, watches);
    }
    for (Phase phase : Phase.values()) {
      if (settings.phases.contains(phase)) {
        once(bench, phase, size, watches);
      }
    }
  }

  private void atSize(int size, RequestPhases requests, WatchPhases watches)
      throws InterruptedException {
    requests.create(size, settings.phases.contains(Phase.CREATE));
    if (settings.phases.contains(Phase.GET)) {
      requests.get(size);
    }
    if (settings.phases.contains(Phase.UPDATE)) {
      requests.update(size);
    }
    if (settings.phases.contains(Phase.LIST)) {
      requests.list(size);
    }
    if (settings.phases.contains(Phase.WATCH)) {
      watches.watch(size);
    }
  }

  private static void once(Bench bench, Phase phase, int size, WatchPhases watches)
      throws IOException, InterruptedException {
    OwnServer server = bench.ownServer();
    var memory = new MemoryPhases(bench);
    switch (phase) {
      case CREATE, GET, UPDATE, LIST, WATCH -> {} // measured at each size
      case FANOUT -> watches.fanOut(size);
      case STALLED -> watches.stalled(size);
      case IDLE -> watches.idle(size);
      case BIGLISTS -> memory.bigLists(size);
      case KINDS -> {
        if (server != null) {
          var _ = bench.restart(server);
        }
        new KindPhases(bench).kinds(size);
      }
      case OBJECTS -> {
        if (server != null) {
          // What earlier phases made of the heap is not to be counted for objects.
          var _ = bench.restart(server);
        }
        memory.objects(size);
      }
      case START -> {
        if (server == null) {
          bench.say("start: only a server of this command's own can be started again");
        } else {
          memory.start(size, server);
        }
      }
    }
  }

  private String description(Bench bench) {
    return String.format(
        Locale.ROOT,
        "api bench · %d cores · %s %s · Java %s · %s · %s%n"
            + "%d clients on %d connections over HTTP/%d · payloads of %d bytes · %d watchers on %s"
            + " · %d event loops%nserver: %s",
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("os.name"),
        System.getProperty("os.version"),
        System.getProperty("java.version"),
        Target.tlsProvider(),
        processor(),
        settings.clients,
        settings.connectionCount(),
        settings.http,
        settings.payloadBytes,
        settings.watchers,
        settings.watchHttp == 1
            ? "connections of their own"
            : settings.watchConnections + " connections over HTTP/2",
        settings.loops,
        version(bench));
  }

  private static String version(Bench bench) {
    try {
      String text =
          bench.ask(
              dev.evenkeel.prove.bench.api.wire.Request.get("/version"), answer -> answer.text());
      return text.replaceAll("(?s).*\"gitVersion\"\\s*:\\s*\"([^\"]*)\".*", "$1").strip();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "unknown";
    }
  }

  private static String processor() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("processor unknown");
    } catch (IOException e) {
      return "processor unknown";
    }
  }

  private static String disk(Path folder) throws IOException {
    FileStore disk = Files.getFileStore(folder);
    return disk.type() + (disk.type().equals("tmpfs") ? " (in memory: a sync costs nothing)" : "");
  }

  private void print(PrintWriter out, Bench bench, String description) {
    List<Result> results = bench.results();
    int size = settings.sizes.contains(HEADLINE_SIZE) ? HEADLINE_SIZE : settings.sizes.getLast();
    out.println();
    out.println(description);
    out.println();
    out.println(Report.headlines(results, size));
    out.println(Report.phases(results));
    out.println(Report.figures(results));
    if (settings.sizes.size() > 1) {
      out.println(Report.growth(results, settings.sizes));
    }
    Report.errors(results).forEach(out::println);
    out.flush();
  }

  private static void deleteRecursively(Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(folder)) {
      files = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
  }
}
