package dev.evenkeel.prove;

import dev.evenkeel.operate.Subcommands;
import dev.evenkeel.prove.bench.BenchCommand;
import java.util.List;

/** What this module adds to the command. */
public final class ProveCommands implements Subcommands {

  @Override
  public List<Object> commands() {
    return List.of(new BenchCommand());
  }
}
