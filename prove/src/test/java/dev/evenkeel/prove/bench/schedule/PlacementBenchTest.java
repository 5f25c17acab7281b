package dev.evenkeel.prove.bench.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class PlacementBenchTest {

  @Test
  void placement_ofAFewNodesPrintsAFigureForEachSortOfPods() {
    var out = new StringWriter();
    int exitCode =
        new CommandLine(new ScheduleBench())
            .setOut(new PrintWriter(out))
            .execute("--placement", "--nodes", "20", "--pods", "100", "--seconds", "2");
    assertThat(exitCode).isZero();
    for (PlacementLoad load : PlacementLoad.values()) {
      assertThat(out.toString()).contains(load.title);
    }
  }

  @Test
  void placement_onNoNodesIsRefused() {
    var error = new StringWriter();
    int exitCode =
        new CommandLine(new ScheduleBench())
            .setErr(new PrintWriter(error))
            .execute("--placement", "--nodes", "0");
    assertThat(exitCode).isEqualTo(2);
    assertThat(error.toString()).contains("nodes");
  }
}
