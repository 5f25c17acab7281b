package dev.evenkeel.serve.kinds.tables;

import static dev.evenkeel.serve.kinds.tables.Cells.at;
import static dev.evenkeel.serve.kinds.tables.Cells.orElse;
import static dev.evenkeel.serve.kinds.tables.Cells.text;
import static dev.evenkeel.serve.kinds.tables.TableColumn.column;
import static dev.evenkeel.serve.kinds.tables.TableColumn.computed;
import static dev.evenkeel.serve.kinds.tables.TableColumn.name;
import static dev.evenkeel.serve.kinds.tables.TableColumn.text;
import static dev.evenkeel.serve.kinds.tables.TableColumn.timed;

import dev.evenkeel.serve.kinds.TablePrinter;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Events, in the core group's words and in those of their own group: one table for both. */
final class EventTable {

  /** What the two versions call the same things. */
  private record Words(
      String object, String message, String first, String last, String count, String source) {}

  private static final Words CORE =
      new Words("involvedObject", "message", "firstTimestamp", "lastTimestamp", "count", "source");

  private static final Words OWN =
      new Words(
          "regarding",
          "note",
          "deprecatedFirstTimestamp",
          "deprecatedLastTimestamp",
          "deprecatedCount",
          "deprecatedSource");

  private EventTable() {}

  static TablePrinter coreEvents() {
    return events(CORE);
  }

  static TablePrinter events() {
    return events(OWN);
  }

  private static TablePrinter events(Words words) {
    return ColumnsPrinter.of(
        timed("Last Seen", "Time since it last happened", (o, now) -> lastSeen(o, words, now)),
        text("Type", "type", "Normal or Warning"),
        text("Reason", "reason", "What happened, in one word"),
        computed("Object", "What it happened to", o -> target(o.path(words.object))),
        computed("Subobject", "Part of it", o -> text(o.path(words.object), "fieldPath")).wide(),
        computed("Source", "Who saw it", o -> source(o, words)).wide(),
        computed("Message", "What happened", o -> text(o, words.message).strip()),
        timed(
                "First Seen",
                "Time since it first happened",
                (o, now) -> Cells.since(first(o, words), now))
            .wide(),
        column("Count", "string", "How often", (o, now) -> Cells.node(count(o, words))).wide(),
        name().wide());
  }

  private static @Nullable Instant first(ObjectNode event, Words words) {
    Instant first = Cells.instant(event.path(words.first));
    return first != null ? first : Cells.instant(event.path("eventTime"));
  }

  private static String lastSeen(ObjectNode event, Words words, Instant now) {
    JsonNode series = event.path("series");
    if (series.isObject()) {
      return Cells.since(Cells.instant(series.path("lastObservedTime")), now);
    }
    Instant last = Cells.instant(event.path(words.last));
    return Cells.since(last != null ? last : first(event, words), now);
  }

  private static long count(ObjectNode event, Words words) {
    JsonNode series = event.path("series");
    if (series.isObject()) {
      return Cells.number(series, "count");
    }
    long count = Cells.number(event, words.count);
    return count == 0 ? 1 : count;
  }

  private static String target(JsonNode reference) {
    String kind = text(reference, "kind").toLowerCase(Locale.ROOT);
    String name = text(reference, "name");
    return name.isEmpty() ? kind : kind + "/" + name;
  }

  private static String source(ObjectNode event, Words words) {
    JsonNode source = at(event, words.source);
    String component =
        orElse(
            text(source, "component"),
            orElse(text(event, "reportingComponent"), text(event, "reportingController")));
    String instance = orElse(text(source, "host"), text(event, "reportingInstance"));
    return instance.isEmpty() ? component : component + ", " + instance;
  }
}
