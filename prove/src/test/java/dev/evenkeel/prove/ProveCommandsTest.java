package dev.evenkeel.prove;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.operate.Subcommands;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ProveCommandsTest {

  @Test
  void commands_areFoundAsAService() {
    assertThat(ServiceLoader.load(Subcommands.class))
        .hasAtLeastOneElementOfType(ProveCommands.class);
  }

  @Test
  void bench_aloneShowsItsUsage() {
    var out = new StringWriter();
    int exitCode =
        new CommandLine(new ProveCommands().commands().getFirst())
            .setOut(new PrintWriter(out))
            .execute();
    assertThat(exitCode).isZero();
    assertThat(out.toString()).startsWith("Usage: bench");
  }
}
