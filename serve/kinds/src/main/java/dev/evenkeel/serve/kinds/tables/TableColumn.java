package dev.evenkeel.serve.kinds.tables;

import static dev.evenkeel.serve.kinds.tables.Cells.at;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.serve.kinds.TablePrinter.Column;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.function.BiFunction;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A column's head and what fills it. */
record TableColumn(Column head, BiFunction<ObjectNode, Instant, JsonNode> cell) {

  static TableColumn name() {
    return column("Name", "string", "Name of the object", (o, now) -> Cells.node(Meta.name(o)))
        .withFormat("name");
  }

  static TableColumn age() {
    return column(
        "Age",
        "string",
        "Time since the object was created",
        (o, now) -> Cells.node(Cells.age(o, now)));
  }

  /** For the few kinds whose tables show the date itself. */
  static TableColumn createdAt() {
    return column(
        "Created At", "date", "When the object was created", (o, now) -> Cells.node(createdAt(o)));
  }

  private static String createdAt(ObjectNode object) {
    Instant created = Cells.instant(at(object, "metadata.creationTimestamp"));
    return created == null ? "" : DateTimeFormatter.ISO_INSTANT.format(created);
  }

  /** The string at a path; what to show where there is none. */
  static TableColumn text(String name, String path, String whenAbsent, String description) {
    return computed(name, description, o -> Cells.orElse(Cells.scalar(at(o, path)), whenAbsent));
  }

  static TableColumn text(String name, String path, String description) {
    return text(name, path, "", description);
  }

  /** The whole number at a path, 0 where there is none. */
  static TableColumn number(String name, String path, String description) {
    return column(name, "integer", description, (o, now) -> Cells.node(Cells.number(o, path)));
  }

  /** How many items or entries there are at a path. */
  static TableColumn count(String name, String path, String description) {
    return column(name, "integer", description, (o, now) -> Cells.node(at(o, path).size()));
  }

  static TableColumn flag(String name, String path, boolean whenAbsent, String description) {
    return column(
        name, "boolean", description, (o, now) -> Cells.node(at(o, path).asBoolean(whenAbsent)));
  }

  static TableColumn computed(String name, String description, Function<ObjectNode, String> text) {
    return column(name, "string", description, (o, now) -> Cells.node(text.apply(o)));
  }

  static TableColumn timed(
      String name, String description, BiFunction<ObjectNode, Instant, String> text) {
    return column(name, "string", description, (o, now) -> Cells.node(text.apply(o, now)));
  }

  static TableColumn column(
      String name,
      String type,
      String description,
      BiFunction<ObjectNode, Instant, JsonNode> cell) {
    return new TableColumn(new Column(name, type, "", description, 0), cell);
  }

  /** Shown with {@code -o wide} only. */
  TableColumn wide() {
    return with(new Column(head.name(), head.type(), head.format(), head.description(), 1));
  }

  TableColumn withFormat(String format) {
    return with(new Column(head.name(), head.type(), format, head.description(), head.priority()));
  }

  /** Some columns are declared as strings though their cells are numbers: clients know them so. */
  TableColumn withType(String type) {
    return with(new Column(head.name(), type, head.format(), head.description(), head.priority()));
  }

  private TableColumn with(Column other) {
    return new TableColumn(other, cell);
  }
}
