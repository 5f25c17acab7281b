package dev.evenkeel.prove.bench.schedule;

import dev.evenkeel.prove.bench.api.server.OwnServer;
import dev.evenkeel.prove.bench.api.wire.UnmeasurableException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures the scheduler. */
@Command(
    name = "schedule",
    description = {
      "Measure the scheduler: from the POST of a pod until a watch shows its node.",
      "Every figure is of this machine, now; compare within one run."
    })
public final class ScheduleBench implements Callable<Integer> {

  private static final int SCHEDULED = 5_000;
  private static final int PLACED = 50_000;

  @Option(names = "--placement", description = "The placement function alone, without a server.")
  private boolean placement;

  @Option(names = "--nodes", paramLabel = "N", defaultValue = "5000", description = "Nodes.")
  private int nodes;

  @Option(
      names = "--pods",
      paramLabel = "N",
      defaultValue = "0",
      description = "Pods: 5000 a round on a server, 50000 of each sort for --placement.")
  private int pods;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "5",
      description = "For each sort, at most.")
  private double seconds;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "On a server: how often so many pods are made. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--settle",
      paramLabel = "SECONDS",
      defaultValue = "0",
      description =
          "How long the server is left alone between its start and the load. Default:"
              + " ${DEFAULT-VALUE}.")
  private int settle;

  @Option(
      names = "--store",
      paramLabel = "STORE",
      defaultValue = "embedded",
      description = "What the server keeps its data in. Default: ${DEFAULT-VALUE}.")
  private String store;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (nodes < 1 || pods < 0 || rounds < 1 || seconds <= 0 || settle < 0) {
      throw new ParameterException(
          spec.commandLine(), "nodes, pods and rounds start at 1, and times are not negative");
    }
    if (placement) {
      int each = pods == 0 ? PLACED : pods;
      new PlacementBench(nodes, each, seconds, spec.commandLine().getOut()).run();
      return 0;
    }
    return measureServer();
  }

  private int measureServer() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("evenkeel-bench");
    PrintWriter out = spec.commandLine().getOut();
    try (var server = new OwnServer(folder, store, List.of())) {
      double _ = server.start();
      out.println("schedule bench \u00b7 " + store + " \u00b7 " + server.description());
      out.println("  left alone for " + settle + " s");
      out.flush();
      Thread.sleep(Duration.ofSeconds(settle));
      new ServerBench(server, nodes, pods == 0 ? SCHEDULED : pods, rounds, out).run();
      return 0;
    } catch (UnmeasurableException e) {
      spec.commandLine().getErr().println(spec.qualifiedName() + ": " + e.getMessage());
      return 1;
    } finally {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      }
    }
  }
}
