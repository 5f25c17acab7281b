package dev.evenkeel.prove.bench;

import dev.evenkeel.prove.bench.api.ApiBench;
import dev.evenkeel.prove.bench.informer.InformerBench;
import dev.evenkeel.prove.bench.queue.QueueBench;
import dev.evenkeel.prove.bench.reconcile.ReconcileBench;
import dev.evenkeel.prove.bench.schedule.ScheduleBench;
import dev.evenkeel.prove.bench.store.StoreBench;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The group of the benchmarks. By itself it says which there are. */
@Command(
    name = "bench",
    description = "Measure, and print the figures as a table.",
    subcommands = {
      StoreBench.class,
      ApiBench.class,
      QueueBench.class,
      ReconcileBench.class,
      InformerBench.class,
      ScheduleBench.class
    })
public final class BenchCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
