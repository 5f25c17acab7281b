package dev.evenkeel.kernel.apply;

import dev.evenkeel.kernel.apply.Versions.Version;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.schema.Field;
import dev.evenkeel.kernel.schema.Schema;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The managers of a new object: one, that owns all of it. Used once.
 *
 * <p>It writes what {@link Updater#update} comes to for an object that was not there before, but as
 * text in one walk, without a set: creates are what a server does most.
 */
public final class NewOwnership {

  /** Of metadata, what nobody owns. */
  public static final Set<String> UNOWNED_METADATA =
      Set.of(
          "name",
          "namespace",
          "creationTimestamp",
          "selfLink",
          "uid",
          "clusterName",
          "generation",
          "managedFields",
          "resourceVersion");

  private static final int CHARS_AT_FIRST = 256;

  private final StringBuilder out = new StringBuilder(CHARS_AT_FIRST);
  private final Version version;

  private NewOwnership(Version version) {
    this.version = version;
  }

  /**
   * What goes into {@code metadata.managedFields}.
   *
   * @return null if the object has nothing that could be owned
   * @throws TypeException if items of a list cannot be told apart
   */
  public static @Nullable JsonNode of(
      ObjectNode object, Version version, String manager, String now) {
    var ownership = new NewOwnership(version);
    return ownership.write(object, manager, now) ? Json.encoded(ownership.out.toString()) : null;
  }

  private boolean write(ObjectNode object, String manager, String now) {
    out.append("[{\"manager\":");
    Values.appendQuoted(out, manager, false);
    out.append(",\"operation\":\"Update\",\"apiVersion\":\"").append(version.apiVersion());
    out.append("\",\"time\":\"").append(now);
    out.append("\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{");
    int empty = out.length();
    for (String name : names(object)) {
      if (!name.equals("apiVersion") && !name.equals("kind") && !isReset(name)) {
        if (name.equals("metadata")) {
          metadata(object.path("metadata"));
        } else {
          member(name, object.path(name), version.schema(), version.zero());
        }
      }
    }
    boolean any = out.length() > empty;
    out.append("}}]");
    return any;
  }

  private boolean isReset(String name) {
    return !version.reset().isEmpty() && version.reset().has(new PathElement.FieldName(name));
  }

  private void metadata(JsonNode metadata) {
    Field field = version.schema().field("metadata");
    if (!(metadata instanceof ObjectNode object) || field == null) {
      return;
    }
    int before = begin("metadata");
    int empty = out.length();
    for (String name : names(object)) {
      if (!UNOWNED_METADATA.contains(name)) {
        member(name, object.path(name), field.schema(), null);
      }
    }
    end(before, empty);
  }

  private static String[] names(ObjectNode object) {
    String[] names = object.propertyNames().toArray(new String[0]);
    if (names.length > 1) {
      Arrays.sort(names, Values::compareTexts);
    }
    return names;
  }

  private void member(String name, JsonNode value, Schema schema, @Nullable JsonNode zero) {
    Field field = Types.field(schema, name);
    Schema type = Types.member(schema, field);
    JsonNode zeroHere = zero == null ? null : zero.get(name);
    int before = begin(name);
    int empty = out.length();
    boolean atomic = Types.memberAtomic(schema, field);
    inside(value, type, atomic, zeroHere);
    if (zeroHere == null || (atomic && !Values.equal(value, zeroHere))) {
      out.append('}');
    } else {
      end(before, empty);
    }
  }

  /** Opens a field's node; the place to go back to if nothing comes of it. */
  private int begin(String name) {
    int before = out.length();
    comma();
    out.append("\"f:");
    Values.appendEscaped(out, name, false);
    out.append("\":{");
    return before;
  }

  private void comma() {
    if (out.charAt(out.length() - 1) != '{') {
      out.append(',');
    }
  }

  private void end(int before, int empty) {
    if (out.length() == empty) {
      out.setLength(before);
    } else {
      out.append('}');
    }
  }

  private void inside(JsonNode value, Schema schema, boolean atomic, @Nullable JsonNode zero) {
    Types.Form form = Types.form(value, schema, atomic);
    if (form == Types.Form.LEAF || value.isEmpty()) {
      return;
    }
    if (zero == null) {
      out.append("\".\":{}");
    }
    if (form == Types.Form.MAP) {
      ObjectNode object = (ObjectNode) value;
      for (String name : names(object)) {
        member(name, object.path(name), schema, zero);
      }
    } else {
      list((ArrayNode) value, (Schema.ListOf) schema);
    }
  }

  private record Item(PathElement element, JsonNode value) implements Comparable<Item> {
    @Override
    public int compareTo(Item other) {
      return element.compareTo(other.element);
    }
  }

  private void list(ArrayNode array, Schema.ListOf list) {
    Item[] items = new Item[array.size()];
    for (int i = 0; i < items.length; i++) {
      items[i] = new Item(Types.item(array.get(i), list), array.get(i));
    }
    Arrays.sort(items);
    for (int i = 0; i < items.length; i++) {
      int first = i;
      while (i + 1 < items.length && items[i + 1].compareTo(items[first]) == 0) {
        i++;
      }
      comma();
      out.append('"');
      Values.appendEscaped(out, items[first].element().text(), false);
      out.append("\":{");
      if (first == i) {
        inside(items[i].value(), list.items(), Types.itemAtomic(list.items()), null);
      }
      out.append('}');
    }
  }
}
