package dev.evenkeel.serve.present;

import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.cache.Bookmark;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.kinds.TablePrinter;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Objects as rows, with the columns of their kind. */
final class TablePresentation implements Presentation {

  /** What a row carries of its object. */
  enum Include {
    NONE,
    METADATA,
    OBJECT
  }

  private final ResourceDefinition definition;
  private final Clock clock;
  private final Include include;
  private final MetadataPresentation metadata;
  private final String apiVersion;
  private final String columns;
  private final TablePresentation following;

  TablePresentation(ResourceDefinition definition, Clock clock, Include include, String version) {
    this.definition = definition;
    this.clock = clock;
    this.include = include;
    this.metadata = new MetadataPresentation(definition, version);
    this.apiVersion = "meta.k8s.io/" + version;
    this.columns = columns(definition.table());
    this.following = new TablePresentation(this);
  }

  /** The same without columns. */
  private TablePresentation(TablePresentation first) {
    this.definition = first.definition;
    this.clock = first.clock;
    this.include = first.include;
    this.metadata = first.metadata;
    this.apiVersion = first.apiVersion;
    this.columns = "null";
    this.following = this;
  }

  @Override
  public TablePresentation following() {
    return following;
  }

  private static String columns(TablePrinter table) {
    ArrayNode columns = JsonNodeFactory.instance.arrayNode();
    for (TablePrinter.Column column : table.columns()) {
      columns
          .addObject()
          .put("name", column.name())
          .put("type", column.type())
          .put("format", column.format())
          .put("description", column.description())
          .put("priority", (long) column.priority());
    }
    return new String(Json.encode(columns), StandardCharsets.UTF_8);
  }

  /** A table of one row: what a watch event carries. */
  @Override
  public byte[] encode(CachedObject object) {
    byte[] head = listHead(new ListMeta(object.revision(), null, -1), 0);
    byte[] row = item(object);
    byte[] all = new byte[head.length + row.length + 2];
    System.arraycopy(head, 0, all, 0, head.length);
    System.arraycopy(row, 0, all, head.length, row.length);
    all[all.length - 2] = ']';
    all[all.length - 1] = '}';
    return all;
  }

  @Override
  public byte[] item(CachedObject cached) {
    ObjectNode stored = Json.parseObject(cached.json());
    ObjectNode object =
        definition.servesStoredVersion()
            ? stored
            : definition.storage().conversion().toServed(stored);
    ObjectNode row = JsonNodeFactory.instance.objectNode();
    ArrayNode cells = row.putArray("cells");
    cells.addAll(definition.table().cells(object, clock.now()));
    switch (include) {
      case NONE -> {}
      case METADATA -> row.set("object", metadata.partial(object));
      case OBJECT -> row.set("object", object);
    }
    return Json.encode(row);
  }

  @Override
  public byte[] listHead(ListMeta meta, long itemsBytes) {
    return ("{\"kind\":\"Table\",\"apiVersion\":\""
            + apiVersion
            + "\",\"metadata\":"
            + meta.json()
            + ",\"columnDefinitions\":"
            + columns
            + ",\"rows\":[")
        .getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public byte[] bookmark(Bookmark bookmark) {
    String object = new String(metadata.bookmark(bookmark), StandardCharsets.UTF_8);
    return ("{\"kind\":\"Table\",\"apiVersion\":\""
            + apiVersion
            + "\",\"metadata\":"
            + bookmark.metadata()
            + ",\"columnDefinitions\":[],\"rows\":[{\"cells\":[],\"object\":"
            + object
            + "}]}")
        .getBytes(StandardCharsets.UTF_8);
  }
}
