package dev.evenkeel.prove.bench.schedule;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures the scheduler. */
@Command(
    name = "schedule",
    description = {
      "Measure the scheduler.",
      "Every figure is of this machine, now; compare within one run."
    })
public final class ScheduleBench implements Callable<Integer> {

  @Option(names = "--placement", description = "The placement function alone, without a server.")
  private boolean placement;

  @Option(names = "--nodes", paramLabel = "N", defaultValue = "5000", description = "Nodes.")
  private int nodes;

  @Option(
      names = "--pods",
      paramLabel = "N",
      defaultValue = "50000",
      description = "Pods of each sort, at most.")
  private int pods;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "5",
      description = "For each sort, at most.")
  private double seconds;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    if (!placement) {
      throw new ParameterException(spec.commandLine(), "say what to measure: --placement");
    }
    if (nodes < 1 || pods < 1 || seconds <= 0) {
      throw new ParameterException(
          spec.commandLine(), "nodes and pods start at 1, and there must be some time");
    }
    new PlacementBench(nodes, pods, seconds, spec.commandLine().getOut()).run();
    return 0;
  }
}
