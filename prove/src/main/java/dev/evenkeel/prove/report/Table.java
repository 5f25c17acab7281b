package dev.evenkeel.prove.report;

import java.util.ArrayList;
import java.util.List;

/** Rows of text in columns, as Markdown: it reads in a terminal and in a document alike. */
public final class Table {

  private final List<List<String>> rows = new ArrayList<>();

  public Table(List<String> header) {
    rows.add(List.copyOf(header));
  }

  public void add(List<String> cells) {
    if (cells.size() != rows.getFirst().size()) {
      throw new IllegalArgumentException(
          "a row of " + cells.size() + " cells in a table of " + rows.getFirst().size());
    }
    rows.add(List.copyOf(cells));
  }

  public String text() {
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    var text = new StringBuilder();
    for (int r = 0; r < rows.size(); r++) {
      line(text, rows.get(r), widths);
      if (r == 0) {
        var rule = new ArrayList<String>();
        for (int i = 0; i < columns; i++) {
          rule.add("-".repeat(widths[i] - (i == 0 ? 0 : 1)) + (i == 0 ? "" : ":"));
        }
        line(text, rule, widths);
      }
    }
    return text.toString();
  }

  private static void line(StringBuilder text, List<String> cells, int[] widths) {
    text.append('|');
    for (int i = 0; i < cells.size(); i++) {
      String cell = cells.get(i);
      String padding = " ".repeat(widths[i] - cell.length());
      text.append(' ').append(i == 0 ? cell + padding : padding + cell).append(" |");
    }
    text.append('\n');
  }
}
