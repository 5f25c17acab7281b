package dev.evenkeel.serve.kinds.tables;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.serve.kinds.TablePrinter;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Finds the columns of a built-in kind. */
public final class BuiltInTables {

  private static final TablePrinter NAME_AND_AGE =
      new TablePrinter() {
        @Override
        public List<Column> columns() {
          return List.of(
              new Column("Name", "string", "name", "The object's name", 0),
              new Column("Age", "string", "", "How long the object has been there", 0));
        }

        @Override
        public List<JsonNode> cells(ObjectNode object, Instant now) {
          JsonNodeFactory nodes = JsonNodeFactory.instance;
          return List.of(
              nodes.stringNode(Meta.name(object)),
              nodes.stringNode(
                  age(Meta.text(Meta.at(object, "metadata", "creationTimestamp")), now)));
        }
      };

  private BuiltInTables() {}

  public static TablePrinter of(Gvk gvk) {
    return NAME_AND_AGE;
  }

  private static String age(String since, Instant now) {
    try {
      return Duration.between(Instant.parse(since), now).toSeconds() + "s";
    } catch (DateTimeParseException e) {
      return "<unknown>";
    }
  }
}
