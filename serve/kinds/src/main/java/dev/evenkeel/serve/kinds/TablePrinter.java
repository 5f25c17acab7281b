package dev.evenkeel.serve.kinds;

import java.time.Instant;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A kind's columns, and how an object fills them. */
public interface TablePrinter {

  /**
   * A column.
   *
   * @param type {@code string}, {@code integer}, {@code number}, {@code boolean} or {@code date}
   * @param format {@code name} for the name's column, else mostly empty
   * @param priority 0 is always shown, more only with {@code -o wide}
   */
  record Column(String name, String type, String format, String description, int priority) {}

  List<Column> columns();

  /** One cell for each column. Ages are already text such as {@code 5m10s}. */
  List<JsonNode> cells(ObjectNode object, Instant now);
}
