package dev.evenkeel.prove.bench.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class QueueBenchTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter errors = new StringWriter();
  private final CommandLine command =
      new CommandLine(new QueueBench())
          .setOut(new PrintWriter(out))
          .setErr(new PrintWriter(errors));

  @Test
  void bench_printsItsFigures() {
    int exitCode = command.execute("--adds=2000", "--keys=200", "--rounds=3");
    assertThat(exitCode).as(errors.toString()).isZero();
    assertThat(out.toString())
        .contains("2,000 adds of 200 keys")
        .contains("| adds a second ")
        .contains("| takes a second, each with its done ")
        .contains("| bytes a ready key");
  }

  @Test
  void bench_moreKeysThanAddsIsRefused() {
    assertThat(command.execute("--adds=10", "--keys=11")).isEqualTo(2);
    assertThat(errors.toString()).contains("no more keys than adds");
  }
}
