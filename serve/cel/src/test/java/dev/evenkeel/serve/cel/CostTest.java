package dev.evenkeel.serve.cel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of costs.txt: expressions cost what they cost upstream, as estimated and as run. */
class CostTest {

  static List<ExpressionTest.Row> rows() throws IOException {
    return ExpressionTest.rows("costs.txt");
  }

  @ParameterizedTest
  @MethodSource("rows")
  void expression_costsWhatItCostsUpstream(ExpressionTest.Row row) {
    CelProgram program = Cel.BARE.compile(row.expression(), CelResultType.ANY);
    CelResult result = program.evaluate(new CelVariables(), CelBudget.ofRequest());
    assertThat(result).isInstanceOf(CelResult.Made.class);
    boolean bounded = program.estimatedCostMax() < CelLimits.KIND_ESTIMATE_MAX;
    String estimate = bounded ? Long.toString(program.estimatedCostMax()) : "?";
    assertThat(estimate + " " + result.cost()).isEqualTo(row.result());
  }
}
