package dev.evenkeel.prove.bench.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ReconcileBenchTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter errors = new StringWriter();
  private final CommandLine command =
      new CommandLine(new ReconcileBench())
          .setOut(new PrintWriter(out))
          .setErr(new PrintWriter(errors));

  @Test
  void bench_printsItsFigures() {
    int exitCode = command.execute("--objects=50", "--looks=4", "--rounds=3");
    assertThat(exitCode).as(errors.toString()).isZero();
    assertThat(out.toString())
        .contains("50 objects · 4 looks at each")
        .contains("| looks a second ")
        .contains("| CPU a look, µs ")
        .contains("| bytes allocated a look ");
  }

  @Test
  void bench_tooFewRoundsAreRefused() {
    assertThat(command.execute("--rounds=2")).isEqualTo(2);
    assertThat(errors.toString()).contains("--rounds at least 3");
  }
}
