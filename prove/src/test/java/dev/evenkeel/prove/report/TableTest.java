package dev.evenkeel.prove.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {

  @Test
  void text_alignsNamesLeftAndFiguresRight() {
    var table = new Table(List.of("figure", "a"));
    table.add(List.of("x", "1,000"));
    assertThat(table.text())
        .isEqualTo(
            """
            | figure |     a |
            | ------ | ----: |
            | x      | 1,000 |
            """);
  }

  @Test
  void add_refusesARowOfAnotherWidth() {
    var table = new Table(List.of("figure", "a"));
    assertThatThrownBy(() -> table.add(List.of("x"))).hasMessageContaining("1 cells");
  }
}
