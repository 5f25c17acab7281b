package dev.evenkeel.serve.kinds.tables;

import dev.evenkeel.serve.kinds.TablePrinter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A printer that is a list of columns. */
final class ColumnsPrinter implements TablePrinter {

  private final List<TableColumn> columns;
  private final List<Column> heads;

  private ColumnsPrinter(List<TableColumn> columns) {
    this.columns = columns;
    this.heads = columns.stream().map(TableColumn::head).toList();
  }

  static TablePrinter of(TableColumn... columns) {
    return new ColumnsPrinter(List.of(columns));
  }

  @Override
  public List<Column> columns() {
    return heads;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    List<JsonNode> cells = new ArrayList<>(columns.size());
    for (TableColumn column : columns) {
      cells.add(column.cell().apply(object, now));
    }
    return cells;
  }
}
