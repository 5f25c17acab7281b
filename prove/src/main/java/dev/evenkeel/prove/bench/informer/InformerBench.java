package dev.evenkeel.prove.bench.informer;

import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.observe.http.HttpSettings;
import dev.evenkeel.observe.http.HttpTransport;
import dev.evenkeel.observe.http.Kubeconfig;
import dev.evenkeel.observe.object.Kinds;
import dev.evenkeel.observe.object.Trim;
import dev.evenkeel.observe.transport.AnswerBody;
import dev.evenkeel.observe.transport.Request;
import dev.evenkeel.prove.bench.api.server.OwnServer;
import dev.evenkeel.prove.bench.api.wire.UnmeasurableException;
import dev.evenkeel.prove.report.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Fills informers with pods over HTTP, from a server of its own in a process of its own. */
@Command(
    name = "informer",
    description = {
      "Measure an informer over HTTP: seconds until it shows every pod, and heap bytes a pod.",
      "Every figure is of this machine, now; compare within one run."
    })
public final class InformerBench implements Callable<Integer> {

  @Option(
      names = "--objects",
      paramLabel = "N",
      defaultValue = "100000",
      description = "How many pods. Default: ${DEFAULT-VALUE}.")
  private int objects;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "How often to fill a new informer. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (objects < 1 || rounds < 1) {
      throw new ParameterException(spec.commandLine(), "--objects and --rounds are at least 1");
    }
    PrintWriter out = spec.commandLine().getOut();
    Path folder = Files.createTempDirectory("evenkeel-bench");
    Env env = new RealEnv();
    try (var server = new OwnServer(folder, "memory", List.of()).withoutControllers()) {
      double _ = server.start();
      HttpSettings settings = Kubeconfig.read(folder.resolve("kubeconfig")).settings();
      long jsonBytes = load(env, settings, objects);
      List<InformerRun> runs = new ArrayList<>();
      for (int i = 0; i < rounds; i++) {
        runs.add(
            InformerRun.ours("ours, managedFields dropped", env, settings, Trim.MANAGED_FIELDS));
        runs.add(InformerRun.ours("ours, everything kept", env, settings, Trim.NONE));
      }
      out.print(report(runs, jsonBytes));
      out.flush();
      return 0;
    } catch (UnmeasurableException e) {
      spec.commandLine().getErr().println(spec.qualifiedName() + ": " + e.getMessage());
      return 1;
    } finally {
      delete(folder);
    }
  }

  /**
   * Creates the pods.
   *
   * @return how many bytes the list of them all has as JSON
   */
  public static long load(Env env, HttpSettings settings, int count) throws InterruptedException {
    try (HttpTransport transport = HttpTransport.open(env, settings)) {
      PodLoad.create(transport, count);
      AnswerBody list =
          transport.send(Request.get(Kinds.PODS.collectionPath(""), "")).join().body();
      // Counted and let go: some hundreds of megabytes that were held would be in the figures' way.
      long bytes = 0;
      for (ByteBuffer piece = list.next().join(); piece != null; piece = list.next().join()) {
        bytes += piece.remaining();
      }
      return bytes;
    }
  }

  /** A line a run. */
  public static String report(List<InformerRun> runs, long jsonBytes) {
    var table =
        new Table(List.of("informer", "pods", "seconds", "heap bytes a pod", "times its JSON"));
    for (InformerRun run : runs) {
      double jsonEach = (double) jsonBytes / run.objects();
      table.add(
          List.of(
              run.who(),
              Integer.toString(run.objects()),
              String.format(Locale.ROOT, "%.2f", run.seconds()),
              String.format(Locale.ROOT, "%.0f", run.bytesPerObject()),
              String.format(Locale.ROOT, "%.2f", run.bytesPerObject() / jsonEach)));
    }
    return table.text();
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
