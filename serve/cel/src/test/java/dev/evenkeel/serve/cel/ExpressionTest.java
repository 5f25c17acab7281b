package dev.evenkeel.serve.cel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of expressions.txt: every function, with what it makes and how it fails. */
class ExpressionTest {

  record Row(int line, String expression, String result) {
    @Override
    public String toString() {
      return line + ": " + expression;
    }
  }

  static List<Row> rows() throws IOException {
    return rows("expressions.txt");
  }

  static List<Row> rows(String name) throws IOException {
    try (InputStream file = ExpressionTest.class.getResourceAsStream(name)) {
      String text = new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
      var rows = new ArrayList<Row>();
      int number = 0;
      for (String line : text.split("\n", -1)) {
        number++;
        int arrow = line.lastIndexOf(" => ");
        if (arrow > 0 && !line.startsWith("#")) {
          rows.add(
              new Row(number, line.substring(0, arrow).strip(), line.substring(arrow + 4).strip()));
        }
      }
      return rows;
    }
  }

  @ParameterizedTest
  @MethodSource("rows")
  void expression_makesItsResult(Row row) {
    String result = Cel.firstLine(Cel.run(row.expression()));
    assertThat(result.replace("ERROR: <input>:", "")).isEqualTo(row.result());
  }
}
