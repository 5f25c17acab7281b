package dev.evenkeel.serve.kinds.custom;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.kinds.TablePrinter;
import dev.evenkeel.serve.kinds.structural.JsonPath;
import dev.evenkeel.serve.kinds.tables.Ages;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The columns that a definition names; the age where it names none. */
final class CustomTable implements TablePrinter {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private record Filled(Column head, JsonPath path) {}

  private final List<Filled> filled = new ArrayList<>();
  private final List<Column> columns = new ArrayList<>();

  CustomTable(JsonNode given) {
    columns.add(new Column("Name", "string", "name", "Name of the object", 0));
    for (JsonNode column : given) {
      String path = Meta.text(column.path("jsonPath"));
      if (!JsonPath.isOne(path)) {
        // What cannot be read ends the table: a kind is served whatever its columns say.
        break;
      }
      add(
          new Column(
              Meta.text(column.path("name")),
              Meta.text(column.path("type")),
              Meta.text(column.path("format")),
              Meta.text(column.path("description")),
              column.path("priority").asInt(0)),
          path);
    }
    if (given.isEmpty()) {
      add(
          new Column("Age", "date", "", "Time since the object was created", 0),
          ".metadata.creationTimestamp");
    }
  }

  private void add(Column head, String path) {
    columns.add(head);
    filled.add(new Filled(head, JsonPath.parse(path)));
  }

  @Override
  public List<Column> columns() {
    return columns;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    List<JsonNode> cells = new ArrayList<>(columns.size());
    cells.add(NODES.stringNode(Meta.name(object)));
    for (Filled column : filled) {
      cells.add(cell(column, object, now));
    }
    return cells;
  }

  private static JsonNode cell(Filled column, ObjectNode object, Instant now) {
    List<JsonNode> found = column.path.select(object);
    if (found.isEmpty() || found.getFirst().isNull()) {
      return NODES.nullNode();
    }
    JsonNode value = found.getFirst();
    return switch (column.head.type()) {
      case "date" -> NODES.stringNode(Ages.of(value, now));
      case "integer" -> value.isNumber() ? NODES.numberNode(value.asLong(0)) : NODES.nullNode();
      case "number" -> value.isNumber() ? value : NODES.nullNode();
      case "boolean" -> value.isBoolean() ? value : NODES.nullNode();
      default -> NODES.stringNode(text(value));
    };
  }

  private static String text(JsonNode value) {
    return value.isString()
        ? value.stringValue()
        : new String(Json.encode(value), StandardCharsets.UTF_8);
  }
}
