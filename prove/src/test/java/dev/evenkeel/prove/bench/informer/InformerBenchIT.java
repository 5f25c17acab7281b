package dev.evenkeel.prove.bench.informer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

@Tag("slow")
class InformerBenchIT {

  @Test
  void aSmallRun_printsALineForEachInformer() {
    var out = new StringWriter();
    int exitCode =
        new CommandLine(new InformerBench())
            .setOut(new PrintWriter(out))
            .execute("--objects", "60", "--rounds", "1");
    assertThat(exitCode).isZero();
    assertThat(out.toString())
        .contains("ours, managedFields dropped")
        .contains("ours, everything kept")
        .containsPattern("\\| +60 \\|");
  }

  @Test
  void noObjects_areRefused() {
    var err = new StringWriter();
    assertThat(
            new CommandLine(new InformerBench())
                .setErr(new PrintWriter(err))
                .execute("--objects", "0"))
        .isEqualTo(2);
    assertThat(err.toString()).contains("--objects and --rounds are at least 1");
  }
}
